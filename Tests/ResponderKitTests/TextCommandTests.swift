import ResponderEngine
import ResponderKit
import Testing

/// Spec §2.3 and the editing commands that key bindings name (KB-10).
@Suite("Editing commands")
struct TextCommandTests {
    /// `|` is the caret, `[` and `]` a selection.
    private func view(_ text: String) -> TextView {
        let view = TextView(text: text.filter { !"|[]".contains($0) })
        let places = text.filter { "|[]".contains($0) }.count
        let characters = Array(text)
        guard let start = characters.firstIndex(where: { "|[".contains($0) }) else { return view }
        let end = places == 2 ? (characters.firstIndex(of: "]") ?? start + 1) - 1 : start
        if let from = view.position(from: view.beginningOfDocument, offset: start),
            let to = view.position(from: view.beginningOfDocument, offset: end)
        {
            view.selectedTextRange = view.textRange(from: from, to: to)
        }
        return view
    }

    private func shown(_ view: TextView) -> String {
        var characters = Array(view.text)
        let selection = view.editor.selection
        if selection.isEmpty {
            characters.insert("|", at: selection.lowerBound)
        } else {
            characters.insert("]", at: selection.upperBound)
            characters.insert("[", at: selection.lowerBound)
        }
        return String(characters)
    }

    @Test(
        "§2.3 each command from a state to the next",
        arguments: [
            ("one t|wo", "moveWordForward", "one two|"), ("one t|wo", "moveWordBackward", "one |two"),
            ("a|b", "moveForwardAndModifySelection", "a[b]"), ("[ab]", "moveLeft", "|ab"), ("[ab]", "moveRight", "ab|"),
            ("ab\nc|d", "moveUp", "a|b\ncd"), ("a|b\ncd", "moveDown", "ab\nc|d"), ("a|b", "moveUp", "|ab"),
            ("a|b", "moveDown", "ab|"), ("long\na\nlon|g", "moveUp moveUp", "lon|g\na\nlong"),
            ("ab\ncd|\nef", "moveToBeginningOfParagraph", "ab\n|cd\nef"),
            ("ab\n|cd\nef", "moveParagraphBackwardAndModifySelection", "[ab\n]cd\nef"),
            ("ab|\ncd\nef", "moveParagraphForwardAndModifySelection", "ab[\ncd]\nef"),
            ("a\u{2028}b|", "moveToBeginningOfLine", "a\u{2028}|b"),
            ("a\u{2028}b|", "moveToBeginningOfParagraph", "|a\u{2028}b"),
            ("a|b", "moveToEndOfDocumentAndModifySelection", "a[b]"), ("a b|", "deleteWordBackward", "a |"),
            ("|a b", "deleteWordForward", "| b"), ("ab|c\nd", "deleteToEndOfParagraph", "ab|\nd"),
            ("ab|\nd", "deleteToEndOfParagraph", "ab|d"), ("ab|c", "deleteToBeginningOfLine", "|c"),
            ("ab|c", "deleteToEndOfParagraph moveToBeginningOfDocument yank", "c|ab"),
            ("ab|cd", "transpose", "acb|d"), ("abc|", "transpose", "acb|"), ("a|", "transpose", "a|"),
            ("one| two", "transposeWords", "two one|"), ("one|", "transposeWords", "one|"),
            ("|one two", "uppercaseWord", "ONE| two"), ("ON|E", "lowercaseWord", "ONe|"),
            ("|don't stop", "capitalizeWord", "Don't| stop"), ("|ab", "changeCaseOfLetter", "A|b"),
            ("a b|c d", "selectWord", "a [bc] d"), ("ab\nc|d", "selectLine", "ab\n[cd]"),
            ("a|b", "setMark moveToEndOfDocument selectToMark", "a[b]"),
            ("a|bc", "setMark moveToEndOfDocument deleteToMark", "a|"),
            ("a|bc", "setMark moveToEndOfDocument swapWithMark", "a|bc"),
            ("a|b", "setMark moveToBeginningOfDocument insertTab swapWithMark", "\ta|b"),
            ("a|b", "insertTab insertLineBreak insertNewline", "a\t\u{2028}\n|b"), ("a|b", "insertBacktab", "a|b"),
            ("[ab]c", "cut moveToEndOfDocument paste", "cab|"), ("[ab]", "noop cancelOperation complete", "[ab]"),
            ("שלום|", "moveLeft", "שלום|"),
            ("שלו|ם", "moveLeft", "שלום|"), ("ש|לום", "moveRight", "|שלום"),
            ("שלום| x", "moveWordRight", "|שלום x"), ("של|ום", "moveToLeftEndOfLine", "שלום|"),
            ("של|ום", "moveBackward", "ש|לום"), ("ab|", "makeBaseWritingDirectionRightToLeft moveRight", "a|b"),
        ])
    func command(before: String, names: String, after: String) {
        let view = view(before)
        for name in names.split(separator: " ") { #expect(view.doCommand(by: Selector(name + ":")), "\(name)") }
        #expect(shown(view) == after, "\(before) \(names)")
    }

    @Test("what is typed in a row is undone at once; a caret that moved, a newline or another edit begins anew")
    func typing() {
        let view = TextView()
        func type(_ text: String) { for character in text { _ = view.offerText(String(character), isTyped: true) } }
        type("abc")
        view.doCommand(by: "moveLeft:")
        view.doCommand(by: "moveRight:")
        type("def")
        type("\n")
        type("gh")
        view.deleteBackward()
        var seen: [String] = []
        while view.editor.canUndo {
            view.perform(.undo)
            seen.append(view.text)
        }
        #expect(seen == ["abcdef\ngh", "abcdef\n", "abc", ""])
        while view.editor.canRedo { view.perform(.redo) }
        #expect(view.text == "abcdef\ng")
    }

    @Test("an editing command of text that cannot be edited moves and copies only")
    func readOnly() {
        let view = TextView(text: "ab")
        view.isEditable = false
        #expect(view.doCommand(by: "moveLeft:"))
        #expect(!view.doCommand(by: "deleteBackward:") && !view.doCommand(by: "yank:"))
        #expect(!view.doCommand(by: "closeTab:") && view.text == "ab")
    }

    @Test("page commands move the caret by the lines of the viewport, scrolling leaves it")
    func pages() {
        let view = TextView(text: Array(repeating: "line", count: 100).joined(separator: "\n"))
        view.viewport = Extent(width: 100, height: 170)
        view.contentSize = Extent(width: 100, height: 1_700)
        view.doCommand(by: "moveToBeginningOfDocument:")
        view.doCommand(by: "pageDown:")
        #expect(view.document.line(of: view.editor.caret) == 9)
        view.doCommand(by: "scrollPageDown:")
        #expect(view.contentOffset.height == 170 && view.document.line(of: view.editor.caret) == 9)
        view.doCommand(by: "moveToEndOfDocument:")
        view.doCommand(by: "centerSelectionInVisibleArea:")
        #expect(view.contentOffset.height == 1_530)
    }
}
