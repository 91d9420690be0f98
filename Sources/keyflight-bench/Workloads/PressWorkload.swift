import FlightReplay
import KeyModel
import ResponderEngine
import TraceFormat

/// Presses given to the engine itself, down and up, under policy `chain`: how their cost depends on the number of
/// commands and of responders, and what the first press after an invalidation costs more.
enum PressWorkload {
    private struct Size {
        let depth: Int
        let commands: Int
        var text: String { "\(depth) responders, \(commands) commands" }
    }

    /// A hundred commands and three depths; then sixteen responders with 8, 128 and 1,024 commands each.
    private static let sizes =
        [4, 16, 64].map { Size(depth: $0, commands: 100) }
        + [8, 128, 1_024].map { Size(depth: 16, commands: 16 * $0) }
    private static let countedPresses = 256

    static func cases(isQuick: Bool) throws -> [BenchCase] {
        var cases: [BenchCase] = []
        for size in sizes { cases.append(try press("press \(size.text)", size, isQuick: isQuick)) }
        let middle = Size(depth: 16, commands: 100)
        let asked = ChainApp.Manner(answersItself: true)
        cases.append(try press("press \(middle.text), each asked", middle, asked, isQuick: isQuick))
        let uncached = try ChainApp(depth: middle.depth, commandsInAll: middle.commands, policy: .none)
        cases.append(try NaiveWalk.row(.press, "naive walk \(middle.text)", uncached, presses: isQuick ? 500 : 2_000))
        for size in [middle, Size(depth: 16, commands: 1_600)] {
            cases += try rebuild(size, isQuick: isQuick)
            cases += try rebuild(size, turned: true, isQuick: isQuick)
        }
        return cases
    }

    private static func press(
        _ name: String, _ size: Size, _ manner: ChainApp.Manner = ChainApp.Manner(), isQuick: Bool
    ) throws -> BenchCase {
        let app = try ChainApp(depth: size.depth, commandsInAll: size.commands, policy: .chain, manner: manner)
        let few = Keys(app, presses: countedPresses)
        var counts = Counts()
        try few.play(app.engine, &counts)
        counts = Counts()
        let allocated = try allocations { try few.play(app.engine, &counts) }
        let many = Keys(app, presses: isQuick ? 10_000 : 40_000)
        return BenchCase(
            workload: .press, name: name, unit: "press", unitsPerRun: many.presses,
            counters: [
                ExactCounter("keyCommands calls", counts.reads, per: few.presses),
                ExactCounter("canPerformAction answers", counts.answers, per: few.presses),
                ExactCounter("cache hits", counts.hits, per: few.presses),
                ExactCounter("allocations", allocated, per: few.presses, isOfReleaseBuilds: true),
            ],
            run: {
                var counts = Counts()
                try many.play(app.engine, &counts)
            })
    }

    /// Getters answer with lists that they keep, so that the time is the engine's. The time of asking them alone has a
    /// row of its own. `turned`: each answers its commands in the opposite order each time.
    private static func rebuild(_ size: Size, turned: Bool = false, isQuick: Bool) throws -> [BenchCase] {
        let rounds = (isQuick ? 100_000 : 400_000) / size.commands
        let app = try ChainApp(
            depth: size.depth, commandsInAll: size.commands, policy: .chain,
            manner: ChainApp.Manner(keepsCommands: true, turnsCommands: turned))
        let keys = Keys(app, presses: 1)
        let ending = turned ? ", other answers" : ""
        var counts = Counts()
        try keys.rebuild(app, times: 1, &counts)
        counts = Counts()
        try keys.rebuild(app, times: 16, &counts)
        return [
            BenchCase(
                workload: .press, name: "rebuild \(size.text)\(ending)", unit: "press", unitsPerRun: rounds,
                counters: [
                    ExactCounter("keyCommands calls", counts.reads, per: 16),
                    ExactCounter("cache misses", counts.misses, per: 16),
                ],
                run: {
                    var counts = Counts()
                    try keys.rebuild(app, times: rounds, &counts)
                }),
            BenchCase(
                workload: .press, name: "getters \(size.text)\(ending)", unit: "round", unitsPerRun: rounds,
                counters: [],
                run: { try keys.getters(app, times: rounds) }),
        ]
    }

    private struct Counts {
        var reads = 0
        var answers = 0
        var hits = 0
        var misses = 0
    }

    /// Key events of presses, modifiers held over the presses that need them.
    private struct Keys {
        let presses: Int
        private let events: [(key: KeyIdentity, isDown: Bool)]

        init(_ app: ChainApp, presses: Int) {
            let sequence = PressSequence(app, presses: presses)
            self.presses = presses
            events = sequence.timeline.arrivals.compactMap { arrival in
                guard case .key(let event, _) = arrival.input else { return nil }
                return (event.key, event.phase == .down)
            }
        }

        func play(_ engine: KeyboardEngine, _ counts: inout Counts) throws {
            var performed = 0
            for (number, event) in events.enumerated() {
                let time = TraceTime(nanoseconds: Int64(number))
                if !event.isDown {
                    _ = engine.keyUp(event.key, at: time)
                } else if let resolution = engine.keyDown(event.key, at: time) {
                    if resolution.outcome == .performed { performed += 1 }
                    counts.reads += resolution.calls.keyCommands
                    counts.answers += resolution.calls.canPerformAction
                    counts.hits += resolution.cache.hits
                    counts.misses += resolution.cache.misses
                }
            }
            try BenchFailure.check(performed == presses, "\(presses) presses, \(performed) performed an action")
        }

        func rebuild(_ app: ChainApp, times: Int, _ counts: inout Counts) throws {
            for _ in 0..<times {
                app.engine.invalidate(app.responders[0])
                try play(app.engine, &counts)
            }
        }

        func getters(_ app: ChainApp, times: Int) throws {
            var commands = 0
            for _ in 0..<times {
                for responder in app.responders { commands &+= responder.keyCommands?.count ?? 0 }
            }
            try BenchFailure.check(commands == times * app.bindings.count, "\(commands) commands")
        }
    }
}
