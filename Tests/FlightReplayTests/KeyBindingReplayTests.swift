import FlightReplay
import KeyModel
import ResponderEngine
import Scenes
import Testing
import TraceFormat

/// Key bindings and the software keyboard in a replay and in its trace.
@Suite struct KeyBindingReplayTests {
    private static let scene = """
        scene: 1
        name: bound
        responders:
          - {id: app, kind: application}
          - {id: win, kind: window, application: app, rootViewController: vc, keyWindow: true}
          - {id: vc, kind: viewController, view: page, actions: ["save:"], cost: {keyCommands: 1us}}
          - {id: page, kind: view}
          - {id: text, kind: textView, superview: page, text: "", keyBindings: a.dict}
        firstResponder: text
        """

    private func replay(_ dictionary: String, _ script: String) throws -> TestReplay {
        try TestReplay(Self.scene, script) { path in
            guard path == "a.dict" else { throw SceneResources.MissingFile(path: path) }
            return Array(dictionary.utf8)
        }
    }

    private static let save = #"{ ("Control-x", "Control-s") = "save:"; "~[" = ("insertText:", "‘"); }"#

    @Test func theWaitOfASequenceIsAStageOfThePressThatEndsIt() throws {
        let test = try replay(Self.save, "press ctrl+x\nwait 470ms\npress ctrl+s\npress a")
        let recording = try test.replay.record(test.timeline)
        let waits = recording.records.compactMap { record -> (UInt32, Int64)? in
            guard case .stage(let stage) = record.body, stage.stage == .chordWait else { return nil }
            return (stage.at.press, stage.duration.nanoseconds)
        }
        #expect(waits.map(\.0) == [2] && waits.map(\.1) == [500_000_000])
    }

    @Test func theTraceTellsFileLineAndSequence() throws {
        let test = try replay("// Saves\n" + Self.save, "press ctrl+x\npress ctrl+s\npress opt+[")
        for showsKeys in [false, true] {
            let recording = try test.replay.record(test.timeline, showsKeys: showsKeys)
            let described = recording.records.compactMap { record -> String? in
                guard case .candidate(let candidate) = record.body else { return nil }
                let command = recording.definitions[candidate.command]
                let reason = recording.definitions[candidate.reason]
                return "\(command?.input ?? "") \(command?.action ?? ""): \(candidate.verdict) \(reason ?? "")"
            }
            let keys = [
                "⌃X : won begins a key binding of a.dict, line 2", "⌃X ⌃S save:: won key binding of a.dict, line 2",
                "⌥[ insertText:: won key binding of a.dict, line 2",
            ]
            // What an Option key types is text, and masked.
            #expect(described == (showsKeys ? keys : Array(keys.prefix(2))))
        }
    }

    @Test func theRecordingReplaysWithoutItsFiles() throws {
        let test = try replay(Self.save, "press ctrl+x\npress ctrl+s\npress opt+[\npress ctrl+x\npress b\ntype c")
        let lines = try test.lines()
        let recording = try test.replay.record(test.timeline, showsKeys: true)
        let layout = try test.replay.scene.layoutOfItsOwn(TestReplay.resources)
        let again = try #require(RecordedReplay(recording, otherwise: (Profile(), layout)))
        let recorded = try again.lines(of: try again.timeline())
        #expect(recorded.map(\.outcome) == lines.map(\.outcome) && recorded.map(\.takenBy) == lines.map(\.takenBy))
        #expect(recorded.map(\.action) == lines.map(\.action) && recorded.map(\.target) == lines.map(\.target))
        #expect(recorded.map(\.state) == lines.map(\.state))
    }

    @Test func aFileThatIsNotThereOrNoDictionaryNamesTheLine() throws {
        func error(_ dictionary: String, _ name: String = "a.dict") throws -> String {
            let test = try replay(dictionary, "press a")
            var scene = test.replay.scene
            scene.responders[4].text.keyBindings = [name]
            let error = #expect(throws: SourceTextError.self) {
                try scene.instantiate(resources: test.replay.resources)
            }
            return error?.description ?? ""
        }
        let cut = try error("{ a = b")
        #expect(cut == "a.dict: line 1: column 8: expected ; after the value, found the end of the file")
        #expect(try error("(a)") == "a.dict: line 1: column 1: expected a dictionary of key bindings, found an array")
        let missing = try error("{}", "other.dict")
        let expected = "expected gnustep, editing, or a key binding file"
        #expect(missing.hasPrefix("test.scene.yaml: line 8: text.keyBindings: \(expected)"))
    }

    @Test func framesOfTheSoftwareKeyboardAreRecordedOnceEach() throws {
        let test = try TestReplay(
            Self.scene.replacing(", keyBindings: a.dict", with: ""),
            "do detach\ndo attach\npress a\ndo detach\ndo resign")
        let recording = try test.replay.record(test.timeline)
        let frames = recording.records.compactMap { record -> String? in
            guard case .keyboardFrame(let frame) = record.body else { return nil }
            return "\(frame.state.name) \(frame.cause.name) \((frame.frame?.height ?? 0) / 1000)"
        }
        let expected = [
            "docked hardwareDetach 264", "hidden hardwareAttach 0", "docked hardwareDetach 264", "hidden dismissal 0",
        ]
        #expect(frames == expected)
        // A replay of the recording passes them on; one through the scene makes its own.
        let again = try ReplayTimeline(recording)
        #expect(try test.replay.record(again).records.filter { $0.body.kind == .keyboardFrame }.count == 4)
    }
}
