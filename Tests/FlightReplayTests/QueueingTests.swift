import FlightReplay
import KeyModel
import ResponderEngine
import Testing
import TraceFormat
import TracePresses

/// Virtual time: declared costs, and what waits behind them.
@Suite struct QueueingTests {
    private func scene(_ cost: String) -> String {
        """
        scene: 1
        name: busy
        profile: ios15
        responders:
          - id: vc
            kind: viewController
            next: win
            canBecomeFirstResponder: true
            actions: ["go:"]
            keyCommands: [{input: g, modifiers: [command], action: "go:"}]
            cost: {\(cost)}
          - {id: win, kind: window, next: app, keyWindow: true}
          - {id: app, kind: application}
        firstResponder: vc
        """
    }

    /// The stage times of every press and repeat, in order.
    private struct Stages: ReplayVisitor {
        var all: [StageSplit] = []
        mutating func resolved(_ resolution: Resolution, at tick: PressTick, stages: StageSplit) { all.append(stages) }
    }

    private func stages(_ cost: String, _ script: String) throws -> [StageSplit] {
        let test = try TestReplay(scene(cost), script)
        var stages = Stages()
        try Replayer(try test.replay.instantiate()).run(test.timeline, &stages)
        return stages.all
    }

    private func milliseconds(_ time: TraceDuration?) -> Int64? { time.map { $0.nanoseconds / 1_000_000 } }

    /// A handler of 250 ms under a key that repeats every 100 ms: each tick waits 150 ms longer than the one before.
    @Test func aHeldKeyQueuesBehindASlowHandler() throws {
        let found = try stages("\"go:\": 250ms", "hold cmd+g 800ms\n")
        #expect(found.map { milliseconds($0[.inputDelay]) } == [0, 0, 150, 300, 450, 600])
        #expect(found.allSatisfy { milliseconds($0[.action]) == 250 })
        #expect(found.map { milliseconds($0.total) } == [250, 250, 400, 550, 700, 850])
    }

    @Test func aPressThatArrivesDuringServiceWaits() throws {
        let found = try stages("keyCommands: 35ms", "press cmd+g\npress cmd+g\npress cmd+g\n")
        // Presses begin every 40 ms; nothing is read at key-up on iOS 15.
        #expect(found.map { milliseconds($0[.inputDelay]) } == [0, 0, 0])
        let slow = try stages("keyCommands: 55ms", "press cmd+g\npress cmd+g\npress cmd+g\n")
        #expect(slow.map { milliseconds($0[.inputDelay]) } == [0, 15, 30])
    }

    @Test func aStageWithoutADeclaredCostIsAbsent() throws {
        let found = try #require(try stages("keyCommands: 2ms", "press cmd+g\n").first)
        #expect(milliseconds(found[.collect]) == 2)
        #expect(found[.inputDelay] == .zero)
        #expect(found[.action] == nil && found[.match] == nil && found[.settle] == nil && found[.presses] == nil)
        #expect(milliseconds(found.total) == 2)
    }

    @Test func withoutAnyCostThereAreNoStages() throws {
        let test = try TestReplay(chainOfFive(profile: "ios15"), "press cmd+g\n")
        var stages = Stages()
        try Replayer(try test.replay.instantiate()).run(test.timeline, &stages)
        #expect(stages.all.map(\.isEmpty) == [true])
    }

    /// A recording's own times stand in for those that a scene does not declare.
    @Test func recordedTimesAreReplayed() throws {
        let timed = try TestReplay(scene("keyCommands: 3ms, \"go:\": 250ms"), "hold cmd+g 500ms\n")
        let recording = try timed.replay.record(timed.timeline)
        let untimed = try TestReplay(scene("presses: 1ms"), "")
        var replay = untimed.replay
        replay.adopt(RecordedEnvironment(recording))
        let again = try replay.record(try ReplayTimeline(recording))
        let total = { (recording: Recording, stage: LatencyStage) in
            recording.records.reduce(Int64(0)) { sum, record in
                guard case .stage(let time) = record.body, time.stage == stage else { return sum }
                return sum + time.duration.nanoseconds
            }
        }
        #expect(total(again, .collect) == total(recording, .collect))
        #expect(total(again, .action) == total(recording, .action))
        // Repeats climb no responders (spec EV-7).
        #expect(total(again, .presses) == 1_000_000)
    }
}
