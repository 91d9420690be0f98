import GeneratedTraces
import KeyModel
import Testing
import TraceFormat

@testable import TraceTools

/// Someone types; a bus capture and an app record it, each by its own clock and each with presses missing.
struct MadeUpTyping {
    var offset: Int64 = 5_123_456_789
    var driftPerBillion: Int64 = 0
    var shortestDelay: Int64 = 0
    var jitter: Int64 = 0
    /// One of so many presses is missing; 0 for none.
    var lossOfBus = 0
    var lossOfApp = 0
    var isMasked = false
    var presses = 200
    var seed: UInt64 = 1
    /// All presses are of one key.
    var isMonotone = false
    var wallClock: Int64?

    struct Press {
        var usage: KeyUsage
        var bus: Int64
        var app: Int64
        var delay: Int64
    }

    func typed() -> [Press] {
        var random = SeededGenerator(seed: seed)
        var time: Int64 = 1_000_000_000
        return (0..<presses).map { number in
            time += 40_000_000 + Int64(random.next() % 200_000_000)
            if number % 50 == 49 { time += 20_000_000_000 }
            let delay = shortestDelay + (jitter == 0 ? 0 : Int64(random.next() % UInt64(jitter)))
            let late = offset + Int64(Double(time) * Double(driftPerBillion) / 1e9)
            let usage = KeyUsage.keyboard(isMonotone ? 4 : UInt16(4 + random.next() % 26))
            return Press(usage: usage, bus: time, app: time + late + delay, delay: delay)
        }
    }

    /// `seen`: of all presses which and when.
    func trace(_ source: String, _ seen: [(usage: KeyUsage, time: Int64)], unixTime: Int64? = nil) throws -> [UInt8] {
        var recording = Recording()
        let clock = ClockRecord(source: source, unixTime: unixTime, granularity: nil, backwardSteps: 0)
        recording.append(.clock(clock), at: .zero)
        recording.append(.device(DeviceRecord(device: 1, name: "keyboard", source: source)), at: .zero)
        var keyboard = KeyboardState()
        for (index, press) in seen.enumerated() {
            for (phase, time) in [(KeyPhase.down, press.time), (.up, press.time + 20_000_000)] {
                let clear = KeyIdentity.clear(press.usage)
                let held = keyboard.apply(clear, phase, device: 1)
                let key = isMasked ? clear.masked(held) : clear
                let record = KeyRecord(device: 1, key: key, phase: phase, modifiers: [], press: UInt32(index + 1))
                recording.append(.key(record), at: TraceTime(nanoseconds: time))
            }
        }
        return try recording.bytes(header: TraceHeader(level: .keys, isMasked: isMasked))
    }

    func bus() throws -> [UInt8] {
        let seen = typed().enumerated().filter { lossOfBus == 0 || $0.offset % lossOfBus != lossOfBus - 1 }
        return try trace("usbmon", seen.map { ($0.element.usage, $0.element.bus) }, unixTime: wallClock)
    }

    var seenByApp: [Press] {
        typed().enumerated().filter { lossOfApp == 0 || $0.offset % lossOfApp != lossOfApp / 2 }.map(\.element)
    }

    func app(_ source: String = "recorder") throws -> [UInt8] {
        try trace(source, seenByApp.map { ($0.usage, $0.app) }, unixTime: wallClock.map { $0 - offset })
    }

    struct Aligned {
        var summary: TraceAlignment.Summary
        var bytes: [UInt8]
        /// By ordinal.
        var stages: [UInt32: Int64] = [:]
        var presses = 0
        var lost: UInt64 = 0
    }

    func aligned() throws -> Aligned {
        let output = Output()
        let summary = try TraceAlignment(TraceBytes(bus()), TraceBytes(app()), showsKeys: true).run {
            output.bytes.append(contentsOf: $0)
        }
        var aligned = Aligned(summary: summary, bytes: output.bytes)
        var reader = try TraceReader(output.bytes)
        while let record = reader.next() {
            switch record.body {
            case .stage(let stage):
                #expect(stage.stage == .transport)
                aligned.stages[stage.at.press] = stage.duration.nanoseconds
            case .key(let key) where key.phase == .down: aligned.presses += 1
            case .loss(let loss): aligned.lost += loss.count ?? 0
            default: break
            }
        }
        #expect(reader.report.complete)
        return aligned
    }
}

@Suite struct AlignmentTests {
    @Test(arguments: [false, true])
    func `clocks that count from different times are found by the presses, masked or not`(isMasked: Bool) throws {
        var typing = MadeUpTyping()
        typing.isMasked = isMasked
        let aligned = try typing.aligned()
        #expect(aligned.summary.relation.offset == 5_123_456_789)
        #expect(aligned.summary.relation.drift == nil)
        #expect(aligned.summary.relation.residual == .zero)
        #expect(aligned.summary.relation.matches == 200)
        #expect(aligned.presses == 200)
        #expect(aligned.stages.count == 200)
        #expect(aligned.stages.values.allSatisfy { $0 == 0 })
    }

    @Test func `skew, drift, jitter and losses of either side, in all mixtures`() throws {
        var random = SeededGenerator(seed: 77)
        for seed in 0..<12 as Range<UInt64> {
            var typing = MadeUpTyping()
            typing.seed = seed
            typing.offset = Int64(random.next() % 40_000_000_000)
            typing.driftPerBillion = Int64(random.next() % 200_000) - 100_000
            typing.shortestDelay = Int64(random.next() % 3_000_000)
            typing.jitter = Int64(random.next() % 4_000_000)
            typing.lossOfBus = seed % 3 == 0 ? 0 : 7
            typing.lossOfApp = seed % 2 == 0 ? 0 : 5
            typing.isMasked = seed % 4 == 3
            typing.presses = 120 + Int(random.next() % 300)
            let aligned = try typing.aligned()
            let relation = aligned.summary.relation
            let comment = Comment("seed \(seed): \(typing): \(relation)")
            let middle = typing.offset + typing.shortestDelay + typing.jitter / 2
            #expect(abs(relation.offset - middle) < 600_000 + typing.jitter / 4, comment)
            #expect(abs((relation.drift ?? 0) - typing.driftPerBillion) < 20_000, comment)
            // Each press has the delay that it had, but for what is the same for all.
            let seen = typing.seenByApp
            #expect(aligned.presses == seen.count, comment)
            let inBoth = typing.lossOfBus == 0 ? seen.count : seen.count * 6 / 7 - 8
            #expect(aligned.stages.count >= inBoth, comment)
            let wrong = aligned.stages.count { press, delay in
                abs(delay - seen[Int(press) - 1].delay + typing.shortestDelay) > 1_500_000
            }
            // A key whose press only one has, beside a press of the same key that only the other has, is taken for it.
            #expect(wrong <= (typing.lossOfBus * typing.lossOfApp == 0 ? 0 : 2), comment)
            if typing.lossOfApp == 0 { #expect(aligned.lost == 0, comment) } else { #expect(aligned.lost > 0, comment) }
        }
    }

    @Test func `one key struck again and again is matched by its rhythm, with presses missing`() throws {
        var typing = MadeUpTyping()
        typing.isMonotone = true
        typing.isMasked = true
        typing.lossOfBus = 9
        typing.lossOfApp = 11
        typing.jitter = 2_000_000
        let aligned = try typing.aligned()
        #expect(abs(aligned.summary.relation.offset - typing.offset - 1_000_000) < 500_000)
        for (press, delay) in aligned.stages {
            #expect(abs(delay - typing.seenByApp[Int(press) - 1].delay) < 1_000_000)
        }
    }

    @Test func `clocks of one machine give the delay itself`() throws {
        var typing = MadeUpTyping()
        typing.wallClock = 1_700_000_000_000_000_000
        typing.shortestDelay = 90_000
        typing.jitter = 50_000
        let aligned = try typing.aligned()
        #expect(aligned.summary.isOneClock)
        for (press, delay) in aligned.stages { #expect(delay == typing.seenByApp[Int(press) - 1].delay) }
    }

    @Test func `what only the bus saw is a loss in its place`() throws {
        var typing = MadeUpTyping()
        typing.lossOfApp = 50
        let aligned = try typing.aligned()
        #expect(aligned.summary.lost == 4)
        #expect(aligned.lost == 4)
        #expect(aligned.presses == 196)
    }

    @Test func `eight presses in common are enough, seven are not`() throws {
        var typing = MadeUpTyping()
        typing.presses = 8
        #expect(try typing.aligned().summary.relation.matches == 8)
        typing.presses = 7
        let refusal = try #require(throws: TraceAlignment.Refusal.self) { try typing.aligned() }
        #expect(refusal.description == "alignment: expected at least 8 presses in common, found 7 of 7 and 7")
    }

    @Test(arguments: [false, true])
    func `traces of other typing are refused`(isMasked: Bool) throws {
        var first = MadeUpTyping(), second = MadeUpTyping()
        (first.isMasked, second.isMasked) = (isMasked, isMasked)
        second.seed = 2
        #expect(throws: TraceAlignment.Refusal.self) {
            try TraceAlignment(TraceBytes(first.bus()), TraceBytes(second.app())).run { _ in }
        }
        #expect(throws: TraceAlignment.Refusal.self) {
            try TraceAlignment(TraceBytes(first.trace("usbmon", [])), TraceBytes(second.app())).run { _ in }
        }
    }

    @Test func `the order of the arguments does not matter where the sources tell who is earlier`() throws {
        let typing = MadeUpTyping()
        let bytes = try Output.of { try TraceAlignment(TraceBytes(typing.app()), TraceBytes(typing.bus())).run(to: $0) }
        #expect(try bytes == Output.of {
            try TraceAlignment(TraceBytes(typing.bus()), TraceBytes(typing.app())).run(to: $0)
        })
    }

    @Test func `a trace that was aligned with a switch before is one of the bus`() throws {
        let typing = MadeUpTyping()
        let pressed = typing.typed().map { ($0.usage, $0.bus - 3_000_000) }
        let withSwitch = try Output.of {
            let log = TraceBytes(try typing.trace("stimulus", pressed))
            let summary = try TraceAlignment(log, TraceBytes(typing.bus()), showsKeys: true).run(to: $0)
            #expect(summary.stage == .hid)
        }
        let all = try Output.of {
            let (first, second) = (TraceBytes(withSwitch), TraceBytes(try typing.app()))
            let summary = try TraceAlignment(first, second, showsKeys: true).run(to: $0)
            #expect(summary.stage == .transport && summary.relation.matches == 200)
        }
        var stages: [LatencyStage: Int] = [:]
        var reader = try TraceReader(all)
        while let record = reader.next() {
            if case .stage(let stage) = record.body { stages[stage.stage, default: 0] += 1 }
        }
        #expect(stages == [.hid: 200, .transport: 200])
    }

    @Test func `the joined trace names both clocks and how they stand to each other`() throws {
        let aligned = try MadeUpTyping().aligned()
        let records = try lines(aligned.bytes)
        #expect(records.contains { $0.contains("clock_relation") && $0.contains("usbmon") && $0.contains("recorder") })
        #expect(records.contains { $0.contains("transport") })
    }
}
