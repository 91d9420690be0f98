import GeneratedTraces
import KeyModel

@testable import TraceFormat

/// Recordings in the order in which recorders write them: key events, and for each the climb of the press, passes of
/// calls, stages, and a resolution; with everything now and then that breaks the order.
struct FlightGenerator {
    var base: RecordingGenerator
    private var time: Int64 = 0
    private var press: UInt32 = 0
    private let chain: [ResponderRef]
    private let lists: [CommandListRef]
    private let isTimed: Bool
    private let hasState: Bool

    init(seed: UInt64) {
        var base = RecordingGenerator(seed: seed)
        isTimed = seed % 2 == 0
        hasState = seed % 3 == 0
        chain = (0..<6).map { base.recording.definitions.intern(ResponderDefinition(id: "r\($0)", kind: "view")) }
        lists = (0..<4).map { _ in base.list() }
        self.base = base
    }

    static func recording(seed: UInt64, presses: Int) -> Recording {
        var flight = FlightGenerator(seed: seed)
        for _ in 0..<presses { flight.press(flight.base.random.chance(10)) }
        return flight.base.recording
    }

    private mutating func append(_ body: TraceRecord.Body, after delta: Int64) {
        time += isTimed ? delta : 0
        base.recording.append(body, at: TraceTime(nanoseconds: time))
        // What nobody expects.
        if base.random.chance(2) {
            let kind = base.random.pick(RecordingGenerator.bodies)
            base.recording.append(base.body(kind), at: TraceTime(nanoseconds: time))
        }
    }

    private mutating func press(_ isRepeated: Bool) {
        time += Int64(base.random.below(300_000_000))
        press += 1
        key(.down)
        decisions(PressTick(press: press, tick: 0), .down)
        if isRepeated {
            for tick in 1...3 as ClosedRange<UInt32> {
                time += 50_000_000
                key(.repeat)
                decisions(PressTick(press: press, tick: tick), .repeatTick)
            }
        }
        key(.up)
        receivers(PressTick(press: press, tick: 0), .up)
    }

    private mutating func key(_ phase: KeyPhase) {
        append(
            .key(KeyRecord(device: 1, key: .masked(.letter), phase: phase, modifiers: [], press: press)), after: 20_000)
    }

    private mutating func receivers(_ at: PressTick, _ phase: KeyPhase) {
        for responder in chain {
            append(
                .receiver(ReceiverRecord(at: at, responder: responder, phase: phase, isSwallowed: false)), after: 90)
        }
    }

    private mutating func decisions(_ at: PressTick, _ occasion: CallOccasion) {
        receivers(at, .down)
        for pass in 1...2 as ClosedRange<UInt16> {
            for (place, responder) in chain.enumerated() {
                let length = 1 + Int64(base.random.number() >> 36)
                let gap = 150 + Int64(base.random.below(60))
                append(
                    .call(
                        CallRecord(
                            at: at, kind: .keyCommands, occasion: occasion, responder: responder, pass: pass, depth: 0,
                            duration: base.random.chance(90) ? TraceDuration(nanoseconds: length) : nil, action: nil,
                            answer: .commands(lists[base.random.chance(5) ? base.random.below(4) : place % 4]),
                            isRounded: base.random.chance(1))),
                    after: length + gap)
            }
        }
        for stage in [LatencyStage.presses, .collect, .match, .validate, .action] where base.random.chance(95) {
            let length = Int64(base.random.number() >> 34)
            append(
                .stage(StageRecord(at: at, stage: stage, duration: TraceDuration(nanoseconds: length))),
                after: base.random.chance(90) ? length : 7)
        }
        var record = ResolutionRecord(
            at: at, outcome: base.random.chance(80) ? .performed : .unhandled, takenBy: .keyCommands,
            state: hasState ? base.random.next() : nil)
        record.target = chain[0]
        append(.resolution(record), after: 40)
    }
}
