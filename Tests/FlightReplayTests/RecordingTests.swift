import FlightReplay
import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Scenes
import Testing
import TraceFormat

/// Replays recorded as traces, and those traces replayed.
@Suite struct RecordingTests {
    private let script = """
        press cmd+k
        type half
        insert "pasted words"
        do marktext "nihongo"
        press return
        hold delete 700ms
        do set vc canPerform find: false
        press cmd+k
        do layout de
        type z
        do resign
        press cmd+k
        do focus field
        down LeftGUI
        down k
        do deactivate
        do activate win
        up k
        up LeftGUI
        type ok
        """

    private func replayed(
        _ recording: Recording, _ scene: String, _ options: SceneReplay.Options = .init()
    ) throws -> [ReplayLine] {
        var replay = try TestReplay(scene, "", options).replay
        replay.adopt(RecordedEnvironment(recording))
        return try replay.lines(of: try ReplayTimeline(recording))
    }

    @Test("EV-18 a recording with keys replays to the same lines", arguments: Profile.uiKitNames)
    func aRecordingWithKeysReplaysToTheSameLines(_ profile: String) throws {
        let line = "profile: \(profile)\n"
        let scene = fieldScene(profile: profile).replacing(
            line, with: line + "parameters: {requiresWindowScene: false}\n")
        for policy in ["none", "press", "responder", "chain"] {
            let options = try #require(SceneReplay.Options.named(policy))
            let test = try TestReplay(scene, script, options)
            let recording = try test.replay.record(test.timeline, showsKeys: true)
            #expect(try replayed(recording, scene, options) == test.lines(), "policy \(policy)")
        }
    }

    /// The bytes of a trace give the same recording again, and recording a replay of it gives the same bytes.
    @Test(arguments: [true, false]) func recordingAReplayOfARecordingGivesTheSameBytes(_ showsKeys: Bool) throws {
        let test = try TestReplay(fieldScene(), script)
        let header = TraceHeader(level: .calls, isMasked: !showsKeys)
        let first = try test.replay.record(test.timeline, showsKeys: showsKeys)
        let read = try Recording.read(TraceBytes(try first.bytes(header: header)))
        #expect(read.recording.records.map(\.body).count == first.records.count)
        var replay = test.replay
        replay.adopt(RecordedEnvironment(read.recording))
        let second = try replay.record(try ReplayTimeline(read.recording), showsKeys: showsKeys)
        guard showsKeys else {
            // What was masked once stays as it is from then on.
            let third = try replay.record(try ReplayTimeline(second), showsKeys: false)
            #expect(try third.bytes(header: header) == second.bytes(header: header))
            return
        }
        #expect(try second.bytes(header: header) == first.bytes(header: header))
    }

    /// Nothing typed, pasted, marked or titled stands in a masked trace, nor what would give a masked key away.
    @Test func aMaskedRecordingGivesNothingAway() throws {
        let canary = "type qzqz\ninsert \"canaryword\"\ndo marktext \"canarymark\"\npress f\n"
        let test = try TestReplay(fieldScene(profile: "ios134"), canary)
        let recording = try test.replay.record(test.timeline)
        for record in recording.records {
            switch record.body {
            case .key(let key): #expect(key.key.maskedClass != nil)
            case .candidate(let candidate): #expect(candidate.verdict == .possible)
            case .resolution(let resolution):
                #expect(resolution.character == nil && resolution.text == nil && resolution.command == nil)
                #expect(resolution.action == nil && resolution.supplier == nil)
            case .call(let call): #expect(call.action == nil)
            default: break
            }
        }
        #expect(!recording.definitions.strings.contains { $0.contains("canary") || $0.contains("qz") })
        #expect(recording.definitions.commands.allSatisfy { $0.title == nil })
        let shown = try test.replay.record(test.timeline, showsKeys: true)
        #expect(shown.definitions.strings.contains("canaryword"))
        #expect(shown.definitions.commands.contains { $0.title == "Secret title" })
    }

    /// A command keeps the handles that its last recorder gave it: they mean something else in the next recording.
    @Test(arguments: [TraceLevel.resolutions, .calls]) func anAppIsRecordedByOneRecorderAfterTheOther(
        _ level: TraceLevel
    ) throws {
        let test = try TestReplay(chainOfFive(profile: "ios15"), "press cmd+g\npress cmd+w\n", .policy(.chain))
        let other = try TestReplay(chainOfFive(profile: "ios15"), "press cmd+w\npress cmd+g\n", .policy(.chain))
        let subject = try test.replay.instantiate()
        struct Silent: ReplayVisitor {}
        var visitor = Silent()
        for (timeline, expected) in [(test.timeline, ["go:", "close:"]), (other.timeline, ["close:", "go:"])] {
            let recorder = TraceRecorder(showsKeys: true, level: level)
            try Replayer(subject, recorder: recorder).run(timeline, &visitor)
            let recording = recorder.recording
            let decided = recording.records.compactMap { record -> [String?]? in
                guard case .resolution(let resolution) = record.body else { return nil }
                return [
                    resolution.action.flatMap { recording.definitions[$0] },
                    resolution.command.flatMap { recording.definitions[$0]?.action },
                    resolution.supplier.flatMap { recording.definitions[$0]?.id },
                ]
            }
            #expect(decided == expected.map { [$0, $0, $0 == "go:" ? "vc" : "parent"] })
        }
    }

    /// An index keeps the command that an app changes, and the recording has it as it is at each press.
    @Test(arguments: [TraceLevel.resolutions, .calls]) func aCommandThatChangesIsRecordedAsItIs(
        _ level: TraceLevel
    ) throws {
        final class Controller: ViewController {
            let kept = KeyCommand(title: "", action: "close:", input: "w", modifierFlags: .command)
            var count = 0
            override var canBecomeFirstResponder: Bool { true }
            override var keyCommands: [KeyCommand]? { [kept] }
            override class var actions: [Action] { super.actions + [Action("close:", close)] }
            func close(_ sender: Any?) {
                count += 1
                kept.title = "Close \(count)"
                if count > 1 { kept.attributes = .hidden }
            }
        }
        let layout = try #require(ShippedLayouts.named("us"))
        var plan = AppReplay("kept") { _, _ in
            let controller = Controller(id: "controller")
            let engine = KeyboardEngine(rootViewController: controller, layout: layout)
            engine.focus(controller)
            return AppReplay.App(engine, responders: [controller])
        }
        plan.options.cachePolicy = .chain
        let timeline = try TestReplay(chainOfFive(profile: "ios15"), "press cmd+w\npress cmd+w\n").timeline
        let recorder = TraceRecorder(showsKeys: true, level: level)
        struct Silent: ReplayVisitor {}
        var visitor = Silent()
        try Replayer(try plan.makeSubject(), recorder: recorder).run(timeline, &visitor)
        let recording = recorder.recording
        let commands = recording.records.compactMap { record in
            guard case .resolution(let resolution) = record.body else { return nil as CommandDefinition? }
            return resolution.command.flatMap { recording.definitions[$0] }
        }
        #expect(commands.map(\.title) == ["Close 1", "Close 2"])
        #expect(commands.map { $0.attributes.contains(.hidden) } == [false, true])
    }

    /// What responders written in Swift do with presses is not known.
    @Test(arguments: ["presses", nil])
    func anAppOfSwiftTakesLettersUnlessItStatesThatNothingDoes(_ bareKeys: String?) throws {
        let layout = try #require(ShippedLayouts.named("us"))
        let plan = AppReplay("swift") { _, _ in
            let (controller, field) = (ViewController(id: "vc"), TextField(id: "field"))
            controller.view.addSubview(field)
            let engine = KeyboardEngine(rootViewController: controller, layout: layout)
            engine.focus(field)
            var app = AppReplay.App(engine, responders: [field])
            app.bareKeys = bareKeys
            return app
        }
        let timeline = try TestReplay(chainOfFive(profile: "ios15"), "type ab\n").timeline
        let recorder = TraceRecorder(showsKeys: false, level: .calls)
        struct Silent: ReplayVisitor {}
        var visitor = Silent()
        try Replayer(try plan.makeSubject(), recorder: recorder).run(timeline, &visitor)
        let outcomes = recorder.recording.records.compactMap { record in
            if case .resolution(let resolution) = record.body { resolution.outcome } else { nil as Outcome? }
        }
        #expect(outcomes == Array(repeating: bareKeys == nil ? .consumedByText : .undetermined, count: 2))
    }

    @Test func aMaskedTraceReplaysAsMasked() throws {
        let test = try TestReplay(fieldScene(), "press cmd+k\ntype ab\n")
        let lines = try replayed(try test.replay.record(test.timeline), fieldScene())
        #expect(lines.map(\.outcome) == [.performed, .consumedByText, .consumedByText])
        #expect(lines.map(\.chord?.text) == ["cmd+k", nil, nil])
        #expect(lines.map(\.maskedClass) == [nil, .letter, .letter])
    }

    @Test func aRecordingTellsCallsStagesAndChain() throws {
        let scene = chainOfFive(profile: "ios7", extra: "cost: {keyCommands: 100us, \"go:\": 2ms}")
        let test = try TestReplay(scene, "press cmd+g\n")
        let recording = try test.replay.record(test.timeline)
        let bodies = recording.records.map(\.body)
        let calls = bodies.compactMap { if case .call(let call) = $0 { call } else { nil } }
        let passes = calls.filter { $0.kind == .keyCommands }.map(\.pass)
        #expect(passes == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3])
        #expect(calls.filter { $0.kind == .canPerformAction }.map(\.answer) == [.no, .yes])
        let links = bodies.compactMap { if case .link(let link) = $0 { link } else { nil } }
        #expect(links.compactMap { recording.definitions[$0.responder]?.id } == ["view", "vc", "parent", "win", "app"])
        #expect(
            links.compactMap { recording.definitions[$0.responder]?.kind }
                == ["view", "viewController", "viewController", "window", "application"])
        let nexts = links.compactMap { $0.next.flatMap { recording.definitions[$0]?.id } }
        #expect(nexts == ["vc", "parent", "win", "app"])
        var stages: [LatencyStage: Int64] = [:]
        for case .stage(let stage) in bodies { stages[stage.stage] = stage.duration.nanoseconds }
        #expect(stages == [.inputDelay: 0, .collect: 300_000, .action: 2_000_000])
        let resolutions = bodies.compactMap { if case .resolution(let resolution) = $0 { resolution } else { nil } }
        let resolution = try #require(resolutions.last)
        #expect(resolution.at == PressTick(press: 1, tick: 0))
        #expect(resolution.target.flatMap { recording.definitions[$0]?.id } == "vc")
    }

    /// What a cache saved, against policy none on the same input.
    @Test(arguments: ["press", "responder", "chain"]) func savedCallsAndTimeAddUpToPolicyNone(_ policy: String) throws {
        let scene = chainOfFive(profile: "ios7", extra: "cost: {keyCommands: 100us}")
        let script = "press cmd+g\npress cmd+g\ntype q\n"
        func totals(_ name: String) throws -> (calls: Int, time: Int64, savedCalls: Int, savedTime: Int64) {
            let options = try #require(CachePolicy(rawValue: name).map { SceneReplay.Options.policy($0) })
            let test = try TestReplay(scene, script, options)
            var totals = (calls: 0, time: Int64(0), savedCalls: 0, savedTime: Int64(0))
            for record in try test.replay.record(test.timeline).records {
                if case .call(let call) = record.body, call.kind == .keyCommands {
                    totals.calls += 1
                    totals.time += call.duration?.nanoseconds ?? 0
                }
                if case .cache(let cache) = record.body {
                    totals.savedCalls += Int(cache.callsSaved)
                    totals.savedTime += cache.timeSaved.nanoseconds
                }
            }
            return totals
        }
        let none = try totals("none")
        #expect(none.calls == 45 && none.savedCalls == 0 && none.savedTime == 0)
        let cached = try totals(policy)
        #expect(cached.calls + cached.savedCalls == none.calls)
        #expect(cached.time + cached.savedTime == none.time)
    }

    @Test func causesOfFocusChangesAreRecorded() throws {
        let test = try TestReplay(fieldScene(), "do resign\ndo focus field\n")
        let recording = try test.replay.record(test.timeline)
        var causes: [FocusCause] = []
        for record in recording.records {
            if case .firstResponder(let change) = record.body { causes.append(change.cause) }
        }
        #expect(causes == [.start, .resign, .become])
    }

    /// The records of inputs that are counted have their room from the beginning: an array that grows is copied.
    @Test func aRecordingOfCountedInputsIsNotCopiedAsItGrows() throws {
        let test = try TestReplay(chainOfFive(profile: "ios15"), String(repeating: "press g\n", count: 1_500))
        let timeline = ReplayTimeline(arrivals: test.timeline.arrivals, end: test.timeline.end)
        let recorder = TraceRecorder(level: .resolutions)
        try test.replay.run(timeline, recorder: recorder) { _ in }
        let records = recorder.recording.records
        #expect(records.count > 4_500)
        #expect(records.capacity < records.count + 100)
    }
}
