import GeneratedTraces
import KeyModel
import Testing
import TraceFormat

@testable import TraceTools

@Suite struct CutAndMergeTests {
    private func cut(_ bytes: [UInt8], _ range: TraceCut.Range, rebases: Bool = false) throws -> [UInt8] {
        try Output.of { try TraceCut(range, rebases: rebases, showsKeys: true).run(TraceBytes(bytes), to: $0) }
    }

    private func merge(_ parts: [[UInt8]], showsKeys: Bool = true) throws -> [UInt8] {
        try Output.of {
            try TraceMerge(parts.map { TraceBytes($0) }, showsKeys: showsKeys).run(to: $0)
        }
    }

    /// Why the parts that meet at these times are not the trace again; `nil` when they are.
    private func differs(_ recording: Recording, _ ranges: [TraceCut.Range], isMasked: Bool) throws -> String? {
        let bytes = try recording.bytes(header: TraceHeader(level: .calls, isMasked: isMasked))
        let parts = try ranges.map { try cut(bytes, $0) }.filter { !$0.isEmpty }
        guard parts.count > 1 else { return nil }
        // In any order of the arguments.
        return try merge(parts.reversed()) == bytes ? nil : "cut at \(ranges) and merged it is another trace"
    }

    @Test func `a part whose context is too long says the same however often it is written`() throws {
        var recording = Recording()
        for number in 0..<12 {
            let fact = EnvironmentRecord(
                name: "fact.\(number)", value: String(repeating: Character("\(number % 10)"), count: 100_000))
            recording.append(.environment(fact), at: TraceTime(nanoseconds: 1))
        }
        for number in 0..<3 {
            recording.append(.mark(MarkRecord(name: "m\(number)")), at: TraceTime(nanoseconds: 1_000))
        }
        let whole = try recording.bytes(header: TraceHeader(level: .calls, isMasked: false))
        let part = try cut(whole, .times(from: TraceTime(nanoseconds: 500), to: nil))
        #expect(try FormatCheck().run(TraceBytes(part)).violations.isEmpty)
        let repaired = try Output.of { try TraceRepair(showsKeys: true).run(TraceBytes(part), to: $0) }
        #expect(repaired == part)
        let (read, report) = try Recording.read(part)
        #expect(report.complete && read.records.count == 3)
        let before = try cut(whole, .times(from: nil, to: TraceTime(nanoseconds: 500)))
        #expect(try merge([before, part]) == whole)
    }

    @Test func `the parts of a trace that meet in time are the trace again`() throws {
        try Property.holds(seeds: 0..<40, records: 60) { recording, seed in
            guard let last = recording.records.last?.time.nanoseconds else { return nil }
            var random = SeededGenerator(seed: seed)
            let times = (0..<2).map { _ in Int64(random.next() % UInt64(max(1, last))) }.sorted()
                .map { TraceTime(nanoseconds: $0) }
            return try differs(
                recording, [
                    .times(from: nil, to: times[0]), .times(from: times[0], to: times[1]),
                    .times(from: times[1], to: nil),
                ], isMasked: seed % 2 == 0)
        }
    }

    @Test func `the parts of a trace that meet in presses are the trace again`() throws {
        try Property.holds(seeds: 100..<140, records: 60) { recording, _ in
            try differs(recording, [.presses(1...2), .presses(3...3), .presses(4...UInt32.max)], isMasked: false)
        }
    }

    @Test func `the parts of a part are that part again, with all that was true before it`() throws {
        try Property.holds(seeds: 200..<230, records: 60) { recording, seed in
            guard let last = recording.records.last?.time.nanoseconds else { return nil }
            var random = SeededGenerator(seed: seed)
            let times = (0..<2).map { _ in Int64(random.next() % UInt64(max(1, last))) }.sorted()
                .map { TraceTime(nanoseconds: $0) }
            let bytes = try recording.bytes(header: TraceHeader(level: .calls, isMasked: false))
            let part = try cut(bytes, .times(from: times[0], to: nil))
            guard !part.isEmpty else { return nil }
            let ranges: [TraceCut.Range] = [.times(from: nil, to: times[1]), .times(from: times[1], to: nil)]
            let parts = try ranges.map { try cut(part, $0) }.filter { !$0.isEmpty }
            guard parts.count > 1 else { return nil }
            return try merge(parts) == part ? nil : "cut again at \(times) and merged it is another part"
        }
    }

    @Test func `long traces of many blocks come back as well`() throws {
        let recording = RecordingGenerator.recording(seed: 9, records: 12_000)
        let middle = recording.records[6000].time
        let ranges: [TraceCut.Range] = [.times(from: nil, to: middle), .times(from: middle, to: nil)]
        #expect(try differs(recording, ranges, isMasked: false) == nil)
    }

    @Test func `a press stays together and its modifiers are described by the context`() throws {
        var trace = KeyTrace()
        trace.key(.leftGUI, .down, 0, press: nil)
        trace.key(.letterA, .down, 100, press: 1)
        trace.key(.letterW, .down, 120, press: 2)
        trace.key(.letterA, .up, 130, press: 1)
        trace.key(.letterW, .up, 150, press: 2)
        trace.key(.leftGUI, .up, 200, press: nil)
        let bytes = try trace.bytes()
        let middle = TraceTime(nanoseconds: 125_000_000)
        let first = try cut(bytes, .times(from: nil, to: middle))
        let second = try cut(bytes, .times(from: middle, to: nil))
        #expect(try lines(first).map { $0.split(separator: " ")[0] } == ["0", "1", "2", "3", "4"])
        #expect(try lines(second) == ["5 200000000 key device=1 phase=up key=LeftGUI"])
        let context = try TraceReader(second).initialContext
        #expect(context.contains(.heldModifiers(HeldModifiersEntry(device: 1, keys: ModifierKeys(rawValue: 8)))))
        #expect(!context.contains { if case .heldKey = $0 { true } else { false } })
    }

    @Test func `a part keeps its times unless they are moved, and wall-clock time moves with them`() throws {
        var trace = KeyTrace()
        trace.append(.clock(ClockRecord(source: "s", unixTime: 1000, granularity: nil, backwardSteps: 0)), 0)
        trace.type(.letterA, at: 100, character: "a")
        trace.type(.letterW, at: 300, character: "w")
        let bytes = try trace.bytes()
        let from = TraceTime(nanoseconds: 250_000_000)
        let kept = try lines(cut(bytes, .times(from: from, to: nil)))
        #expect(kept.first?.hasPrefix("4 300000000 key device=1 press=2") == true)
        let moved = try cut(bytes, .times(from: from, to: nil), rebases: true)
        #expect(try lines(moved).first?.hasPrefix("4 50000000 key device=1 press=2") == true)
        let clock = try TraceReader(moved).initialContext.first { $0.kind == .clock }
        let expected = ClockRecord(source: "s", unixTime: 250_001_000, granularity: nil, backwardSteps: 0)
        #expect(clock == .record(.clock(expected)))
    }

    @Test func `nothing is written when the part is empty`() throws {
        var trace = KeyTrace()
        trace.type(.letterA, at: 0, character: "a")
        #expect(try cut(trace.bytes(), .presses(7...9)).isEmpty)
    }

    @Test func `a trace in clear is cut and merged masked`() throws {
        var trace = KeyTrace()
        trace.type(.letterA, at: 0, character: "a")
        trace.chord(.letterW, at: 100)
        let bytes = try trace.bytes()
        let whole = try Output.of { try TraceRepair().run(TraceBytes(bytes), to: $0) }
        let parts = try [TraceCut.Range.presses(1...1), .presses(2...2)].map { range in
            try Output.of { try TraceCut(range).run(TraceBytes(bytes), to: $0) }
        }
        #expect(try merge(parts, showsKeys: false) == whole)
        #expect(try TraceReader(whole).report.header?.isMasked == true)
        let text = try lines(whole).joined(separator: "\n")
        #expect(text.contains("class=letter") && !text.contains("key=A") && text.contains("key=W"))
        #expect(!text.contains("character=\"a\"") && text.contains("character=\"w\""))
    }

    @Test func `sources of different origin are joined in the order of time and described apart`() throws {
        var a = KeyTrace()
        a.append(.device(DeviceRecord(device: 1, name: "left", source: "usbmon")), 0)
        a.append(.clock(ClockRecord(source: "usbmon", unixTime: nil, granularity: 1, backwardSteps: 0)), 0)
        a.type(.letterA, at: 100, character: "a")
        a.type(.letterA, at: 300, character: "a")
        var b = KeyTrace()
        b.append(.device(DeviceRecord(device: 1, name: "right", source: "usbmon")), 0)
        b.append(.clock(ClockRecord(source: "usbmon", unixTime: nil, granularity: 1, backwardSteps: 0)), 0)
        b.type(.letterW, at: 200, character: "w")
        let joined = try lines(merge([a.bytes(), b.bytes()]))
        #expect(joined.map { String($0.split(separator: " ")[0]) } == (0..<joined.count).map(String.init))
        let downs = joined.filter { $0.contains("phase=down") }
            .map { $0.split(separator: " ")[3...4].joined(separator: " ") }
        #expect(downs == ["device=1 press=1", "device=2 press=2", "device=1 press=3"])
        #expect(joined.contains { $0.contains("device=2 name=\"right\" source=\"usbmon#2\"") })
        #expect(joined.filter { $0.contains("resolution press=3") }.count == 1)
    }

    @Test func `a joined trace is in order and has each press once`() throws {
        for seed in 0..<20 as Range<UInt64> {
            let parts = try (0..<3).map { part in
                try RecordingGenerator.recording(seed: seed * 3 + part, records: 40)
                    .bytes(header: TraceHeader(level: .calls, isMasked: false))
            }
            let (recording, report) = try Recording.read(merge(parts))
            #expect(report.complete, "seed \(seed): \(report.damages)")
            var downs: Set<UInt32> = []
            for record in recording.records {
                guard case .key(let key) = record.body, key.phase == .down, let press = key.press else { continue }
                #expect(downs.insert(press).inserted, "seed \(seed): press \(press) goes down twice")
            }
        }
    }

    @Test func `what is typed anywhere during a secure entry is left out of the joined trace`() throws {
        var a = KeyTrace()
        a.append(
            .loss(
                LossRecord(
                    cause: .secureEntry, count: nil, duration: TraceDuration(nanoseconds: 2_000_000_000), detail: "")),
            1000)
        var b = KeyTrace()
        b.key(.letterA, .down, 900, press: 9)
        b.type(.letterW, at: 1000, character: "w")
        b.append(.text(TextRecord(text: b.recording.definitions.intern("secret"))), 1500)
        b.key(.letterA, .up, 2000, press: 9)
        b.key(.letterA, .down, 2999, press: 5)
        b.key(.letterA, .up, 3100, press: 5)
        b.type(.letterA, at: 4000, character: "z")
        for parts in [[a, b], [b, a]] {
            let joined = try lines(merge(parts.map { try $0.bytes() }))
            #expect(joined.count == 6, "\(joined)")
            #expect(joined[0].contains("900000000 key device=1 press=1 phase=down"))
            #expect(joined[1].contains("1000000000 key device=1 press=1 phase=up key=A synthetic=true"))
            #expect(joined[2].contains("loss cause=secureEntry"))
            #expect(joined[3].contains("4000000000 key device=1 press=2 phase=down"))
            #expect(!joined.contains { $0.contains("secret") || $0.contains("\"w\"") })
        }
    }

    @Test func `a secure entry that nobody ended lasts until its source says something again`() throws {
        func source(_ then: TraceRecord.Body) throws -> [UInt8] {
            var a = KeyTrace()
            a.append(.loss(LossRecord(cause: .secureEntry, count: nil, duration: nil, detail: "")), 1000)
            a.append(then, 1000)
            return try a.bytes()
        }
        var b = KeyTrace()
        b.type(.letterW, at: 2500, character: "w")
        b.type(.letterA, at: 5000, character: "z")
        let torn = LossRecord(cause: .truncated, count: nil, duration: nil, detail: "the rest")
        #expect(try !lines(merge([try source(.loss(torn)), try b.bytes()])).contains { $0.contains(" key ") })
        let ended = LossRecord(
            cause: .secureEntry, count: nil, duration: TraceDuration(nanoseconds: 2_000_000_000), detail: "")
        let joined = try lines(merge([try source(.loss(ended)), try b.bytes()]))
        #expect(joined.count { $0.contains("phase=down") } == 1, "\(joined)")
    }

    private static func described(_ profile: String) throws -> [UInt8] {
        var trace = KeyTrace()
        trace.append(.environment(EnvironmentRecord(name: "profile", value: profile)), 0)
        trace.append(.device(DeviceRecord(device: 1, name: profile, source: "usbmon")), 0)
        trace.append(.clock(ClockRecord(source: "usbmon", unixTime: nil, granularity: 1, backwardSteps: 0)), 0)
        trace.type(.letterA, at: 100, character: "a")
        return try trace.bytes()
    }

    @Test func `sources that were themselves joined stay described apart`() throws {
        let sources = try ["ios13", "ios15", "ios17", "ios26"].map(Self.described)
        let pair = try merge([sources[0], sources[1]])
        let ways = try [
            merge([pair, sources[2], sources[3]]), merge([merge([pair, sources[2]]), sources[3]]),
            merge([sources[3], pair, sources[2]]), merge([pair, merge([sources[2], sources[3]])]),
        ]
        for (number, way) in ways.enumerated() {
            let (recording, _) = try Recording.read(way)
            var facts: [String: String] = [:]
            var clocks: [String] = []
            var devices: [DeviceRecord] = []
            for record in recording.records {
                switch record.body {
                case .environment(let fact): #expect(facts.updateValue(fact.value, forKey: fact.name) == nil)
                case .clock(let clock): clocks.append(clock.source)
                case .device(let device): devices.append(device)
                default: break
                }
            }
            #expect(facts.values.sorted() == ["ios13", "ios15", "ios17", "ios26"], "way \(number)")
            #expect(facts["profile"] != nil, "way \(number)")
            #expect(Set(clocks).count == 4 && clocks.contains("usbmon"), "way \(number): \(clocks)")
            #expect(devices.map(\.source) == clocks, "way \(number)")
            #expect(Set(devices.map(\.device)).count == 4)
        }
        #expect(try lines(pair).contains { $0.contains(#"name="source2.profile" value="ios15""#) })
        #expect(try lines(ways[0]).contains { $0.contains(#"name="source4.profile" value="ios26""#) })
    }

    /// Three texts without a key, and a modifier key that tells a responder.
    private static func texts() throws -> [UInt8] {
        var trace = KeyTrace()
        let field = trace.recording.definitions.intern(ResponderDefinition(id: "field", kind: "textField"))
        trace.type(.letterA, at: 0, character: "a")
        for tick in 0..<3 as Range<UInt32> {
            let text = trace.recording.definitions.intern("\(tick)")
            trace.append(.text(TextRecord(text: text)), Int64(tick + 1) * 100)
            var resolution = ResolutionRecord(
                at: PressTick(press: 0, tick: tick), outcome: .consumedByText, takenBy: .text, state: nil)
            resolution.text = text
            trace.append(.resolution(resolution), Int64(tick + 1) * 100)
        }
        trace.key(.leftGUI, .down, 400, press: nil)
        trace.append(
            .receiver(
                ReceiverRecord(at: PressTick(press: 0, tick: 0), responder: field, phase: .down, isSwallowed: false)),
            400)
        trace.key(.leftGUI, .up, 430, press: nil)
        return try trace.bytes()
    }

    @Test func `texts of a part are numbered with those of other sources`() throws {
        let whole = try Self.texts()
        let part = try cut(whole, .times(from: TraceTime(nanoseconds: 250_000_000), to: nil))
        #expect(try lines(part).contains { $0.contains("resolution press=0 tick=2 ") })
        for sources in [[whole, part], [part, whole], [part, part]] {
            let (recording, _) = try Recording.read(merge(sources))
            var came: [String] = []
            var ticks: Set<UInt32> = []
            for record in recording.records {
                switch record.body {
                case .text(let text): came.append(text.text.flatMap { recording.definitions[$0] } ?? "")
                case .resolution(let resolution) where resolution.at.press == 0:
                    #expect(ticks.insert(resolution.at.tick).inserted, "tick \(resolution.at.tick) twice")
                    let text = resolution.text.flatMap { recording.definitions[$0] }
                    #expect(came.indices.contains(Int(resolution.at.tick)))
                    if came.indices.contains(Int(resolution.at.tick)) { #expect(came[Int(resolution.at.tick)] == text) }
                case .receiver(let receiver): #expect(receiver.at == PressTick(press: 0, tick: 0))
                default: break
                }
            }
            #expect(ticks.count == came.count)
        }
    }

    @Test(arguments: [
        (100_000, 900_000_000, 91_000), (-100_000, 900_000_000, -89_000), (100_000, 2_900_000_000, 291_000),
        (3_000_000_001, 1_500_000_000, 4_500_001_001), (1, Int64.max, 9_223_373_036),
        (Int64.max, 2_000_000_000, 1000),
    ] as [(Int64, Int64, Int64)])
    func `a clock relation holds at times that are moved`(drift: Int64, base: Int64, offset: Int64) throws {
        var relation = ClockRelationRecord(source: "a", reference: "b", offset: 1000, matches: 9)
        relation.drift = drift
        var recording = Recording()
        recording.append(.clockRelation(relation), at: .zero)
        recording.append(.mark(MarkRecord(name: "x")), at: TraceTime(nanoseconds: base))
        let bytes = try recording.bytes(header: TraceHeader(level: .keys, isMasked: false))
        let part = try cut(bytes, .times(from: TraceTime(nanoseconds: base), to: nil), rebases: true)
        let found = try TraceReader(part).initialContext.compactMap { entry in
            if case .record(.clockRelation(let relation)) = entry { relation.offset } else { nil }
        }
        #expect(found == [offset])
    }

    @Test func `modifiers of a source are held from its first record to its last`() throws {
        var trace = KeyTrace()
        trace.key(.letterA, .down, 0, press: 1)
        trace.key(.letterA, .up, 50, press: 1)
        trace.key(.leftGUI, .down, 100, press: nil)
        for (press, time) in [(2, 120), (3, 160)] as [(UInt32, Int64)] {
            trace.key(.letterW, .down, time, press: press)
            trace.key(.letterW, .up, time + 10, press: press)
        }
        trace.key(.leftGUI, .up, 200, press: nil)
        trace.key(.letterA, .down, 300, press: 4)
        let bytes = try trace.bytes()
        let parts = try [TraceCut.Range.presses(1...1), .presses(3...3), .presses(4...4)].map { try cut(bytes, $0) }
        let joined = try merge([parts[0], parts[1], parts[2]].reversed())
        #expect(!(try TraceReader(joined).initialContext.contains { $0.kind == .heldModifiers }))
        let later = try merge([parts[0], parts[1]])
        let keys = try lines(later).map { line in
            line.split(separator: " ").filter { !$0.hasPrefix("press=") }.dropFirst().joined(separator: " ")
        }
        #expect(
            keys == [
                "0 key device=1 phase=down key=A", "50000000 key device=1 phase=up key=A",
                "100000000 key device=1 phase=down key=LeftGUI modifiers=command",
                "100000000 key device=1 phase=up key=LeftGUI synthetic=true",
                "160000000 key device=2 phase=down key=LeftGUI modifiers=command",
                "160000000 key device=2 phase=down key=W modifiers=command",
                "170000000 key device=2 phase=up key=W modifiers=command",
                "200000000 key device=2 phase=up key=LeftGUI",
            ])
        let context = try TraceReader(later).initialContext
        #expect(
            !context.contains { entry in
                if case .keyState(let state) = entry { !state.modifiers.isEmpty } else { entry.kind == .heldModifiers }
            })
    }
}
