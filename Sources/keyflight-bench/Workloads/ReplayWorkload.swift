import FlightReplay
import KeyModel
import ResponderEngine
import TraceFormat
import TracePresses

/// Presses through chains of three sizes under each cache policy, and through a naive walk.
enum ReplayWorkload {
    struct Size {
        let depth: Int
        let commands: Int
        var text: String { "\(depth)×\(commands)" }
    }

    static let sizes = [Size(depth: 4, commands: 8), Size(depth: 16, commands: 32), Size(depth: 64, commands: 128)]
    private static let countedPresses = 256

    static func cases(isQuick: Bool) throws -> [BenchCase] {
        var cases: [BenchCase] = []
        for size in sizes {
            let uncached = try ChainApp(depth: size.depth, commands: size.commands, policy: .none)
            let presses = presses(size, perCommand: true, isQuick: isQuick)
            cases.append(try NaiveWalk.row(.replay, "replay naive walk \(size.text)", uncached, presses: presses))
            for policy in CachePolicy.allCases { cases.append(try replay(size, policy, isQuick: isQuick)) }
        }
        let middle = sizes[1]
        cases.append(try replay(middle, .chain, .eachPress, isQuick: isQuick))
        cases.append(try recorded(middle, isQuick: isQuick))
        cases.append(try hundred(nil, isQuick: isQuick))
        cases.append(try hundred(.resolutions, isQuick: isQuick))
        return cases
    }

    /// The number of presses with which a run takes about as long for every policy.
    private static func presses(_ size: Size, perCommand: Bool, isQuick: Bool) -> Int {
        let presses = perCommand ? max(64, 600_000 / (size.depth * size.commands)) : 40_000
        return isQuick ? max(64, presses / 4) : presses
    }

    private static func replay(
        _ size: Size, _ policy: CachePolicy, _ modifiers: PressSequence.Modifiers = .held, isQuick: Bool
    ) throws -> BenchCase {
        let app = try ChainApp(depth: size.depth, commands: size.commands, policy: policy)
        let counted = PressSequence(app, presses: countedPresses, modifiers: modifiers)
        let replayer = Replayer(app)
        _ = try play(counted, replayer)
        var tally = PressTally()
        let few = try allocations { tally = try play(counted, replayer) }
        let more = PressSequence(app, presses: 3 * countedPresses, modifiers: modifiers)
        _ = try play(more, replayer)
        // Allocations of a run whatever its length are no cost of a press.
        let many = try allocations { _ = try play(more, replayer) }
        let allocated = (max(many, few) - few + UInt64(countedPresses)) / UInt64(2 * countedPresses)
        let sequence = PressSequence(
            app, presses: presses(size, perCommand: policy != .chain, isQuick: isQuick), modifiers: modifiers)
        let name = "replay \(policy.rawValue) \(size.text)" + (modifiers == .eachPress ? " with modifiers" : "")
        return BenchCase(
            workload: .replay, name: name, unit: "press", unitsPerRun: sequence.bindings.count,
            counters: tally.counters + allocationCounters(policy, allocated),
            run: { _ = try play(sequence, replayer) })
    }

    /// Exact under policy `chain` only: how often an array that is built anew has to grow depends on the room that the
    /// allocator happens to give it.
    private static func allocationCounters(_ policy: CachePolicy, _ allocated: UInt64) -> [ExactCounter] {
        guard policy == .chain else { return [] }
        return [ExactCounter("allocations per press", allocated, per: 1, isOfReleaseBuilds: true)]
    }

    private static func play(_ sequence: PressSequence, _ replayer: Replayer) throws -> PressTally {
        var tally = PressTally()
        try replayer.run(sequence.timeline, &tally)
        try BenchFailure.check(
            tally.performed == sequence.bindings.count,
            "\(sequence.bindings.count) presses have a command, \(tally.performed) performed one")
        return tally
    }

    /// Sixteen responders with a hundred commands in all, and a trace of what each press came to.
    private static func hundred(_ level: TraceLevel?, isQuick: Bool) throws -> BenchCase {
        let app = try ChainApp(depth: 16, commandsInAll: 100, policy: .chain)
        let sequence = PressSequence(app, presses: isQuick ? 10_000 : 40_000)
        return BenchCase(
            workload: .replay,
            name: "replay chain 16 responders, 100 commands" + (level.map { ", \($0.name) recorded" } ?? ""),
            unit: "press", unitsPerRun: sequence.bindings.count, counters: [],
            run: { _ = try play(sequence, Replayer(app, recorder: level.map { TraceRecorder(level: $0) })) })
    }

    /// The same presses, every decision recorded at level `calls`.
    private static func recorded(_ size: Size, isQuick: Bool) throws -> BenchCase {
        let app = try ChainApp(depth: size.depth, commands: size.commands, policy: .chain)
        let sequence = PressSequence(app, presses: isQuick ? 1_000 : 4_000)
        return BenchCase(
            workload: .replay, name: "replay chain \(size.text) recorded", unit: "press",
            unitsPerRun: sequence.bindings.count, counters: [],
            run: { _ = try play(sequence, Replayer(app, recorder: TraceRecorder())) })
    }
}

/// Adds up what presses came to.
private struct PressTally: ReplayVisitor {
    private(set) var presses = 0
    private(set) var performed = 0
    private var calls = CallCounts()
    private var cache = CacheCounts()

    var watchesCancellations: Bool { false }

    mutating func resolved(_ resolution: Resolution, at tick: PressTick, stages: StageSplit) {
        presses += 1
        if resolution.outcome == .performed { performed += 1 }
        calls.keyCommands += resolution.calls.keyCommands
        calls.canPerformAction += resolution.calls.canPerformAction
        cache.hits += resolution.cache.hits
        cache.misses += resolution.cache.misses
    }

    mutating func released(_ release: Release?, of event: KeyEvent, press: UInt32) {
        calls.keyCommands += release?.calls.keyCommands ?? 0
    }

    var counters: [ExactCounter] {
        [
            ExactCounter("keyCommands calls", calls.keyCommands, per: presses),
            ExactCounter("canPerformAction calls", calls.canPerformAction, per: presses),
            ExactCounter("cache hits", cache.hits, per: presses),
            ExactCounter("cache misses", cache.misses, per: presses),
        ]
    }
}
