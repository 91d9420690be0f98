import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// The text view of spec §8.3.
@Suite("Keyboard text view")
struct KeyboardTextViewTests {
    private func shortcuts(_ view: KeyboardTextView) -> [String] {
        (view.keyCommands ?? []).map { command in
            (command.modifierFlags.names + [command.input ?? ""]).joined(separator: "+")
        }
    }

    private func select(_ view: KeyboardTextView, _ from: Int, _ count: Int) {
        if let start = view.position(from: view.beginningOfDocument, offset: from),
            let end = view.position(from: start, offset: count)
        {
            view.selectedTextRange = view.textRange(from: start, to: end)
        }
    }

    private func run(_ view: KeyboardTextView, _ action: Selector) -> String? {
        guard view.canPerformAction(action, withSender: nil) else { return nil }
        view.perform(action, sender: nil, event: nil)
        return view.editor.selectedText
    }

    @Test("Define, find and jump, in order; none where nothing can be selected, no find beside a find interaction")
    func commands() {
        let view = KeyboardTextView(text: "abc")
        let all = ["control+command+d", "command+g", "shift+command+g", "command+e", "command+j"]
        #expect(Array(shortcuts(view).prefix(5)) == all)
        view.isFindInteractionEnabled = true
        #expect(Array(shortcuts(view).prefix(2)) == ["control+command+d", "command+j"])
        view.isSelectable = false
        #expect(!shortcuts(view).contains("command+j"))
    }

    @Test("Define and ⌘E need selected text, ⌘G a text to find, ⌘J a selection")
    func conditions() {
        let view = KeyboardTextView(text: "abc")
        func can(_ action: Selector) -> Bool { view.canPerformAction(action, withSender: nil) }
        #expect(!can("define:") && !can("useSelectionForFind:") && !can("findNext:") && can("jumpToSelection:"))
        select(view, 0, 2)
        #expect(can("define:") && can("useSelectionForFind:") && !can("findPrevious:"))
        #expect(run(view, "useSelectionForFind:") == "ab")
        #expect(can("findNext:") && can("findPrevious:"))
        var defined = ""
        view.showsDefinition = { defined = $0 }
        #expect(run(view, "define:") == "ab" && defined == "ab")
        view.isSelectable = false
        #expect(!can("findNext:") && !can("jumpToSelection:"))
    }

    @Test("find goes on from the selection's end, backwards from its start, round the ends, blind to case and accents")
    func find() {
        let view = KeyboardTextView(text: "resume, Résumé — RE\u{301}SUME\u{301}.")
        select(view, 0, 6)
        #expect(run(view, "useSelectionForFind:") == "resume")
        #expect(run(view, "findNext:") == "Résumé")
        #expect(run(view, "findNext:") == "RE\u{301}SUME\u{301}")
        #expect(run(view, "findNext:") == "resume")
        #expect(run(view, "findPrevious:") == "RE\u{301}SUME\u{301}")
        #expect(run(view, "findPrevious:") == "Résumé")
    }

    @Test("the text to find is the app's: another view of it finds it")
    func shared() {
        let application = Application(id: "app")
        let views = [KeyboardTextView(id: "a", text: "abc"), KeyboardTextView(id: "b", text: "xbc")]
        for view in views { view.explicitNext = application }
        select(views[0], 1, 2)
        #expect(run(views[0], "useSelectionForFind:") == "bc" && views[1].findText == "bc")
        #expect(run(views[1], "findNext:") == "bc" && application.findText == "bc")
        #expect(KeyboardTextView(text: "abc").findText == nil)
        for view in views { view.explicitNext = nil }
    }

    @Test("a jump scrolls as far as shows the selection")
    func jump() {
        let view = KeyboardTextView(text: Array(repeating: "line", count: 100).joined(separator: "\n"))
        view.viewport = Extent(width: 100, height: 170)
        view.contentSize = Extent(width: 100, height: 1_700)
        #expect(run(view, "jumpToSelection:") == "" && view.contentOffset.height == 1_530)
        select(view, 0, 4)
        #expect(run(view, "jumpToSelection:") == "line" && view.contentOffset.height == 0)
    }
}
