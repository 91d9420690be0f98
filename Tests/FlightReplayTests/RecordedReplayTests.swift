import FlightReplay
import KeyLayout
import KeyModel
import ResponderEngine
import SceneGeneration
import Testing
import TraceFormat

/// Replays of recordings at level `calls` without their scene.
@Suite struct RecordedReplayTests {
    static let everyScene = Golden.all + (Trap.all + GalleryTests.all).flatMap(\.goldens)

    /// Under the recorded profile and layout every line is the one of the scene, and a verification finds nothing.
    @Test(arguments: everyScene) func aRecordingIsItsOwnScene(_ golden: Golden) throws {
        let (scene, timeline) = try golden.prepare()
        let recording = try scene.record(timeline, showsKeys: true)
        let replay = try #require(Self.replay(recording, scene.options.cachePolicy))
        let inputs = try ReplayTimeline(recording)
        let (expected, found) = (try scene.lines(of: timeline), try replay.lines(of: inputs))
        let place = zip(expected, found).first { $0 != $1 }
        #expect(found == expected, "\(place.map { "\($0.0.json)\n\($0.1.json)" } ?? "count")")
        let again = try replay.record(inputs, showsKeys: true)
        let verification = Verification(recorded: recording, first: again, second: again)
        #expect(verification.isIdentical, "\(verification.text(name: golden.name))")
    }

    /// Masked, too: what a masked press came to is compared by outcome, taker and target.
    @Test(arguments: everyScene) func aMaskedRecordingIsItsOwnScene(_ golden: Golden) throws {
        let (scene, timeline) = try golden.prepare()
        let recording = try scene.record(timeline, showsKeys: false)
        // A masked key resolves as an unknown character, so the scene's replay of the recording is the measure.
        let masked = try scene.record(try ReplayTimeline(recording), showsKeys: true)
        let replay = try #require(Self.replay(masked, scene.options.cachePolicy))
        let again = try replay.record(try ReplayTimeline(masked), showsKeys: true)
        let verification = Verification(recorded: masked, first: again, second: again)
        #expect(verification.isIdentical, "\(verification.text(name: golden.name))")
    }

    @Test(arguments: 1...24) func generatedScenesReplayFromTheirRecordings(_ seed: UInt64) throws {
        var generator = CaseGenerator(seed: seed, limits: .init(responders: 8, commands: 5, keys: 40))
        let generated = generator.make()
        let test = try TestReplay(generated.scene, generated.script)
        let recording = try test.replay.record(test.timeline, showsKeys: true)
        let replay = try #require(Self.replay(recording, .none))
        let (expected, found) = (try test.lines(), try replay.lines(of: try ReplayTimeline(recording)))
        let place = zip(expected, found).first { $0 != $1 }
        #expect(found == expected, "seed \(seed): \(place.map { "\($0.0.json)\n\($0.1.json)" } ?? "count")")
    }

    // MARK: Other rules

    /// ⌘G without a modifier of its own: text comes first from iOS 15, so the command keeps the letter before.
    @Test func anotherProfileDecidesByTheRecordedLists() throws {
        let test = try TestReplay(fieldScene(profile: "ios134"), "press f\npress cmd+k\npress x")
        let recording = try test.replay.record(test.timeline, showsKeys: true)
        #expect(try test.lines().map(\.outcome) == [.performed, .performed, .consumedByText])
        var replay = try #require(Self.replay(recording, .none))
        replay.options.profile = Profile.named("ios15")
        let lines = try replay.lines(of: try ReplayTimeline(recording))
        #expect(lines.map(\.outcome) == [.consumedByText, .performed, .consumedByText])
        #expect(lines[0].shadowed == [ReplayLine.Candidate(supplier: "vc", action: "flag:")])
    }

    /// Who performs an action that nobody was asked about is not known.
    @Test func aQuestionThatWasNeverAnsweredIsUnrecorded() throws {
        let test = try TestReplay(fieldScene(profile: "ios15"), "press f\npress cmd+k")
        let recording = try test.replay.record(test.timeline, showsKeys: true)
        var replay = try #require(Self.replay(recording, .none))
        replay.options.profile = Profile.named("ios134")
        let lines = try replay.lines(of: try ReplayTimeline(recording))
        #expect(lines.map(\.outcome) == [.unrecorded, .performed])
        let asked = ["field", "vc", "win", "app"].map {
            OpenQuestion(responder: $0, question: "canPerformAction", action: "flag:")
        }
        #expect(lines[0].unrecorded == asked)
        #expect(lines[0].takenBy == nil && lines[0].action == nil && lines[0].effects.isEmpty)
        #expect(
            lines[0].json.contains(
                #""unrecorded":[{"responder":"field","question":"canPerformAction","action":"flag:"}"#))
        // It is a state of its own; the recorded effects and state hold only where the recorded thing happened.
        #expect(lines[1].state == (try test.lines())[1].state)
    }

    /// The same press with the key elsewhere: on another layout the recorded lists decide.
    @Test func anotherLayoutDecidesByTheRecordedLists() throws {
        let scene = chainOfFive(profile: "ios15")
        let test = try TestReplay(scene, "press cmd+g\npress cmd+w\npress cmd+z")
        let recording = try test.replay.record(test.timeline, showsKeys: true)
        var replay = try #require(Self.replay(recording, .none))
        replay.options.layout = ShippedLayouts.named("fr")
        let lines = try replay.lines(of: try ReplayTimeline(recording))
        // The key that says W on a US keyboard says Z on a French one, and the other way round: nobody was asked to
        // undo, nor who closes at the third press.
        #expect(lines.map(\.outcome) == [.performed, .unrecorded, .unrecorded])
        #expect(lines[1].unrecorded.first?.action == "undo:")
        #expect(lines[2].unrecorded.first?.action == "close:")
    }

    @Test func aRecordingOfKeysAloneHasNoAnswers() throws {
        let test = try TestReplay(fieldScene(), "press f")
        let layout = try #require(ShippedLayouts.named("us"))
        let keys = test.timeline.recording(layout: layout, showsKeys: true)
        #expect(Self.replay(keys, .none) == nil)
    }

    // MARK: Recordings of apps

    /// An app wraps its own classes: nobody recorded what the application answers, no profile, layout or state.
    /// `isEditable`: its editor takes text, and the keys are bare.
    private func appRecording(isEditable: Bool? = nil) -> Recording {
        var recording = Recording()
        func responder(_ id: String) -> ResponderRef {
            recording.definitions.intern(ResponderDefinition(id: id, kind: "App.\(id)"))
        }
        let held: KeyModifiers = isEditable == nil ? .command : []
        let (editor, tabs, app) = (responder("editor"), responder("tabs"), responder("app"))
        let close = CommandDefinition(input: "w", modifiers: held, action: "closeTab:")
        let list = recording.definitions.intern([recording.definitions.intern(close)])
        let empty = recording.definitions.intern([CommandRef]())
        let action = recording.definitions.intern("closeTab:")
        var time: Int64 = 0
        func add(_ body: TraceRecord.Body) {
            recording.append(body, at: TraceTime(nanoseconds: time))
            time += 1_000
        }
        func key(_ usage: KeyUsage, _ phase: KeyPhase, _ modifiers: KeyModifiers, _ press: UInt32?) {
            add(.key(KeyRecord(device: 1, key: .clear(usage), phase: phase, modifiers: modifiers, press: press)))
        }
        func call(_ press: UInt32, _ kind: CallKind, _ responder: ResponderRef, _ answer: CallRecord.Answer) {
            add(
                .call(
                    CallRecord(
                        at: PressTick(press: press, tick: 0), kind: kind, occasion: .down, responder: responder,
                        pass: 0, depth: 0, duration: nil, action: kind == .keyCommands ? nil : action,
                        answer: answer)))
        }
        add(.link(LinkRecord(responder: editor, next: tabs, window: nil)))
        add(.link(LinkRecord(responder: tabs, next: app, window: nil)))
        add(.firstResponder(FirstResponderRecord(responder: editor, cause: .become)))
        if let isEditable {
            add(.environment(EnvironmentRecord(name: "textIsEditable", value: "\(isEditable)")))
            add(.textInput(TextInputRecord(responder: editor, isSecure: false)))
        }
        if isEditable == nil { key(.leftGUI, .down, .command, nil) }
        key(.keyboard(0x1A), .down, held, 1)
        call(1, .keyCommands, editor, .commands(empty))
        call(1, .keyCommands, tabs, .commands(list))
        call(1, .canPerformAction, editor, .no)
        call(1, .canPerformAction, tabs, .yes)
        var closed = ResolutionRecord(
            at: PressTick(press: 1, tick: 0), outcome: .performed, takenBy: .keyCommands, state: 0)
        closed.action = action
        (closed.supplier, closed.target) = (tabs, tabs)
        add(.resolution(closed))
        key(.keyboard(0x1A), .up, held, 1)
        key(.keyboard(0x1D), .down, held, 2)
        call(2, .keyCommands, tabs, .commands(list))
        add(
            .resolution(
                ResolutionRecord(at: PressTick(press: 2, tick: 0), outcome: .unhandled, takenBy: nil, state: 0)))
        key(.keyboard(0x1D), .up, held, 2)
        // Nobody said what became of this one.
        key(.keyboard(0x1A), .down, held, 3)
        key(.keyboard(0x1A), .up, held, 3)
        if isEditable == nil { key(.leftGUI, .up, [], nil) }
        return recording
    }

    @Test("A text that the app recorded as one that cannot be edited takes no keys", arguments: [true, false])
    func aReadOnlyTextTakesNoKeys(isEditable: Bool) throws {
        let recording = appRecording(isEditable: isEditable)
        let replay = try #require(Self.replay(recording, .none))
        let lines = try replay.lines(of: try ReplayTimeline(recording))
        // That an editable text takes this key is not recorded.
        #expect(lines[0].outcome == (isEditable ? .unrecorded : .performed), "\(lines[0])")
    }

    @Test func anAppsRecordingReplays() throws {
        let recording = appRecording()
        let replay = try #require(Self.replay(recording, .none))
        let inputs = try ReplayTimeline(recording)
        let lines = try replay.lines(of: inputs)
        #expect(lines.map(\.outcome) == [.performed, .unhandled, .unrecorded])
        #expect(lines[0].supplier == "tabs" && lines[0].target == "tabs" && lines[0].action == "closeTab:")
        #expect(
            lines[2].unrecorded.contains(
                OpenQuestion(responder: "editor", question: "canPerformAction", action: "closeTab:")))
    }

    /// What an app does not record is not compared.
    @Test func anAppsRecordingIsVerified() throws {
        var recording = appRecording()
        recording = recording.prefix(18)
        let replay = try #require(Self.replay(recording, .none))
        let again = try replay.record(try ReplayTimeline(recording), showsKeys: true)
        let verification = Verification(recorded: recording, first: again, second: again)
        #expect(verification.isIdentical && verification.lines == 2, "\(verification.text(name: "app"))")
    }

    static func replay(_ recording: Recording, _ policy: CachePolicy) -> RecordedReplay? {
        guard let layout = ShippedLayouts.named("us") else { return nil }
        var options = ReplayRunOptions()
        options.cachePolicy = policy
        return RecordedReplay(recording, otherwise: (Profile(), layout), options: options)
    }
}

extension Recording {
    /// The first records.
    fileprivate func prefix(_ count: Int) -> Recording {
        var part = Recording()
        part.definitions = definitions
        for record in records.prefix(count) { part.append(record) }
        return part
    }
}
