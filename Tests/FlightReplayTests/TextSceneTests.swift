import FlightReplay
import KeyModel
import Testing

/// Each key of text responders in scenes and each step about text, by what comes of it.
@Suite struct TextSceneTests {
    private func scene(_ kind: String, _ keys: String = "") -> String {
        """
        scene: 1
        name: text
        profile: ios15
        responders:
          - {id: app, kind: application}
          - {id: win, kind: window, next: app, keyWindow: true}
          - {id: vc, kind: viewController, next: win, actions: ["act:"], keyCommands: [{input: f5, action: "act:"}]}
          - {id: it, kind: \(kind), next: vc\(keys.isEmpty ? "" : ", " + keys)}
        firstResponder: it
        """
    }

    private func lines(_ kind: String, _ keys: String = "", _ script: String) throws -> [ReplayLine] {
        try TestReplay(scene(kind, keys), script).lines()
    }

    private func lengths(_ lines: [ReplayLine]) -> [String?] {
        lines.map { line in line.effects.first(where: { $0.kind == "text" })?.value }
    }

    @Test func textIsThereAtTheStart() throws {
        #expect(lengths(try lines("textField", "text: abc", "press delete\npress delete")) == ["2", "1"])
        #expect(lengths(try lines("textView", #"text: "a\n👩‍👩‍👧""#, "press delete\npress delete")) == ["2", "1"])
    }

    @Test func aStepThatCannotBeCarriedOutIsNamedOnce() throws {
        let error = #expect(throws: Replayer.StepError.self) { try lines("textField", "", "press a\ndo select 2") }
        #expect(error?.position == 2)
        #expect(error?.description == "step \"select 2\": expected a tabBarController in scene text, found none")
    }

    @Test func markedTextIsThereAtTheStart() throws {
        let lines = try lines("textView", "text: ab, markedText: に", "press delete\npress delete")
        #expect(lines.map(\.outcome) == [.consumedByInputMethod, .consumedByText])
        #expect(lines[0].effects.map(\.value) == ["2", "false"] && lengths(lines) == ["2", "1"])
    }

    @Test func markTextAndUnmarkAreSteps() throws {
        let script = """
            do marktext にほ
            press n
            do marktext 日本
            do unmark
            press return
            do marktext x
            press return
            """
        let lines = try lines("textView", "", script)
        #expect(lines.map(\.takenBy) == [.inputMethod, .text, .inputMethod])
        #expect(lengths(lines) == ["3", "3", nil])
        #expect(lines[2].effects.map(\.value) == ["false"])
    }

    @Test func secureTextLeavesNoTrace() throws {
        let lines = try lines("textField", "secure: true", "type hidden\npress cmd+a\npress cmd+c\ninsert word")
        #expect(lines.allSatisfy { $0.text == nil && $0.effects.isEmpty })
        #expect(lines.filter { $0.outcome == .unhandled }.map(\.action) == [nil])
    }

    @Test func textThatCannotBeEditedTakesNoKeys() throws {
        let lines = try lines("textView", "text: abc, editable: false", "press a\npress cmd+a\npress delete\ninsert x")
        #expect(lines.map(\.outcome) == [.unhandled, .performed, .unhandled])
    }

    @Test func aSingleLineAsksForReturn() throws {
        let asking = #"singleLine: true, actions: {"textFieldShouldReturn:": [resign]}"#
        let view = try lines("textView", asking, "press a\npress return\npress b")
        #expect(view.map(\.text) == ["a", nil, nil] && view[1].outcome == .consumedByText)
        #expect(view[1].effects.map(\.kind) == ["firstResponder"])
        #expect(try lines("textField", "singleLine: false", "press return").map(\.text) == ["\n"])
    }

    @Test func stylesNeedTheirKey() throws {
        let script = "press cmd+b\npress cmd+i\npress cmd+u"
        let actions = try lines("textView", "allowsEditingTextAttributes: true", script).map(\.action)
        #expect(actions == ["toggleBoldface:", "toggleItalics:", "toggleUnderline:"])
        #expect(try lines("textView", "", script).allSatisfy { $0.outcome == .unhandled })
    }

    @Test func traitsThatHardwareKeysMeet() throws {
        let empty = try lines("textView", "enablesReturnKeyAutomatically: true", "press return\npress a\npress return")
        #expect(empty.map(\.text) == [nil, "a", "\n"] && empty[0].outcome == .consumedByText)
        let smart = try lines("textView", "smartQuotes: true, smartDashes: true", #"type "\"a\"--""#)
        #expect(smart.map(\.text) == ["\u{201C}", "a", "\u{201D}", "-", "\u{2014}"])
        let plain = try lines("textView", "smartQuotes: false", #"type "\"a\"--""#)
        #expect(plain.map(\.text) == ["\"", "a", "\"", "-", "-"])
        let paste = "press opt+shift+left\npress cmd+x\npress cmd+v"
        #expect(lengths(try lines("textView", "text: a b, smartInsertDelete: true", paste)) == [nil, "1", "3"])
    }

    @Test func insertIsOneEventWithoutAKey() throws {
        let lines = try lines("textView", "text: ab", "press shift+left\ninsert \"👩‍👩‍👧 dictated\"\npress cmd+z")
        #expect(lines[1].press == nil && lines[1].text == "👩‍👩‍👧 dictated" && lengths(lines) == [nil, "11", "2"])
    }

    /// TX-12: what was dictated is one insertion, so that it replays from its recording to the same.
    @Test func dictationReplaysFromItsRecording() throws {
        let test = try TestReplay(scene("textField", "text: ab"), "insert \"two words\"\npress delete")
        let recording = try test.replay.record(test.timeline, showsKeys: true)
        let again = try test.replay.lines(of: try ReplayTimeline(recording))
        #expect(again == (try test.lines()) && again[0].text == "two words")
    }

    @Test func findKeysBelongToTheSystemsFindWhereThereIsOne() throws {
        let script = "press cmd+a\npress cmd+e\npress cmd+g\npress cmd+j\npress ctrl+cmd+d"
        let own = try lines("keyboardTextView", "text: abc", script)
        #expect(own.map(\.action) == ["selectAll:", "useSelectionForFind:", "findNext:", "jumpToSelection:", "define:"])
        let system = try lines("keyboardTextView", "text: abc, findInteraction: true", script)
        #expect(system.map(\.outcome) == [.performed, .unhandled, .unhandled, .performed, .performed])
        let none = try lines("keyboardTextView", "text: abc, selectable: false", script)
        #expect(none.dropFirst().allSatisfy { $0.outcome == .unhandled })
    }
}
