import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// Spec §9.2 and §9.3.
@Suite("Text input")
struct TextInputTests {
    private func caret(_ view: some DocumentTextInput, at offset: Int, extending: Int = 0) {
        guard let start = view.position(from: view.beginningOfDocument, offset: offset),
            let end = view.position(from: start, offset: extending)
        else { return }
        view.selectedTextRange = view.textRange(from: start, to: end)
    }

    private func perform(_ names: String, on view: some DocumentTextInput) {
        for name in names.split(separator: " ") { #expect(view.doCommand(by: Selector(name + ":")), "\(name)") }
    }

    @Test("TX-5 a mark joins the letter before it, and goes with it")
    func marks() {
        let view = TextView(text: "e")
        view.insertText("\u{301}")
        #expect(view.documentLength == 1 && view.text == "e\u{301}")
        view.insertText("x")
        caret(view, at: 0)
        view.insertText("👩\u{200D}")
        view.insertText("👧")
        #expect(view.text.hasPrefix("👩‍👧") && view.documentLength == 3)
        view.deleteBackward()
        #expect(view.text == "e\u{301}x")
        perform("moveForward deleteBackwardByDecomposingPreviousCharacter", on: view)
        #expect(view.text == "ex")
    }

    @Test("TX-5 a deletion that brings a letter and a mark together makes them one")
    func rejoin() {
        let view = TextView(text: "e\u{200B}\u{301}")
        let count = view.documentLength
        caret(view, at: 1, extending: 1)
        view.deleteBackward()
        #expect(view.documentLength < count && view.documentLength == view.text.count)
    }

    @Test("TX-5 characters move the caret, UTF-16 units are recorded")
    func units() throws {
        let view = TextView(text: "👩‍👩‍👧x")
        let end = try #require(view.position(from: view.beginningOfDocument, offset: 1))
        #expect(view.utf16Offset(of: end) == 8 && view.position(utf16Offset: 3) == view.beginningOfDocument)
        var hash = StableHash()
        view.combineState(into: &hash)
        let other = TextView(text: "123456789")
        var otherHash = StableHash()
        other.combineState(into: &otherHash)
        #expect(hash.value == otherHash.value)
    }

    @Test("TX-6 positions are opaque and compared; a range is two of them, empty for a caret")
    func positions() throws {
        let view = TextView(text: "one\ntwo")
        let begin = view.beginningOfDocument
        let four = try #require(view.position(from: begin, offset: 4))
        #expect(begin < four && view.offset(from: four, to: begin) == -4)
        #expect(view.position(from: begin, offset: -1) == nil && view.position(from: begin, offset: 8) == nil)
        let range = view.textRange(from: four, to: begin)
        #expect(range.start == begin && view.text(in: range) == "one\n" && !range.isEmpty)
        #expect(view.position(from: begin, in: .down, offset: 1) == four)
        #expect(view.position(from: begin, in: .up, offset: 1) == nil)
        #expect(view.position(within: range, farthestIn: .left) == begin)
        #expect(view.text(in: view.characterRange(byExtending: four, in: .right)) == "two")
        #expect(view.closestPosition(toLine: 1, column: 99) == view.endOfDocument)
        view.selectedTextRange = nil
        #expect(view.selectedTextRange?.isEmpty == true)
    }

    @Test("TX-6 a range over two lines of both directions has one rectangle a line, be it mixed")
    func rectangles() throws {
        let view = TextView(text: "abc\nאבג")
        let whole = view.textRange(from: view.beginningOfDocument, to: view.endOfDocument)
        let rects = view.selectionRects(for: whole)
        #expect(rects.map(\.columns) == [0..<3, 0..<3])
        #expect(rects.map(\.writingDirection) == [.leftToRight, .rightToLeft])
        #expect(rects.map(\.containsStart) == [true, false] && rects.map(\.containsEnd) == [false, true])
        let mixed = TextView(text: "abאב")
        let one = try #require(mixed.position(from: mixed.beginningOfDocument, offset: 1))
        let three = try #require(mixed.position(from: mixed.beginningOfDocument, offset: 3))
        #expect(mixed.selectionRects(for: mixed.textRange(from: one, to: three)).map(\.columns) == [1..<3])
    }

    @Test("TX-6 the input delegate is reported of an app's changes, not of the keyboard's")
    func inputDelegate() {
        final class Listener: TextInputDelegate {
            var heard: [String] = []
            func selectionWillChange(_ input: any DocumentTextInput) { heard.append("selection will") }
            func selectionDidChange(_ input: any DocumentTextInput) { heard.append("selection did") }
            func textWillChange(_ input: any DocumentTextInput) { heard.append("text will") }
            func textDidChange(_ input: any DocumentTextInput) { heard.append("text did") }
        }
        let view = TextView(text: "ab")
        let listener = Listener()
        view.inputDelegate = listener
        _ = view.offerText("c", isTyped: true)
        perform("moveLeft deleteBackward", on: view)
        #expect(listener.heard.isEmpty)
        view.selectedTextRange = view.textRange(from: view.beginningOfDocument, to: view.beginningOfDocument)
        view.replace(view.textRange(from: view.beginningOfDocument, to: view.endOfDocument), withText: "x")
        view.text = "y"
        #expect(
            listener.heard == ["selection will", "selection did", "text will", "text did", "text will", "text did"])
    }

    @Test("TX-7 the raw values of granularities and directions")
    func rawValues() {
        #expect(TextGranularity.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        let names = "character word sentence paragraph line document"
        #expect(TextGranularity.allCases.map { "\($0)" }.joined(separator: " ") == names)
        #expect(TextStorageDirection.forward.rawValue == 0 && TextStorageDirection.backward.rawValue == 1)
        #expect([TextLayoutDirection.right, .left, .up, .down].map(\.rawValue) == [2, 3, 4, 5])
        #expect(TextDirection.layout(.left).rawValue == 3 && TextDirection.storage(.backward).rawValue == 1)
    }

    @Test("TX-7 the tokenizer finds words, sentences, lines and paragraphs")
    func tokenizer() throws {
        let view = TextView(text: "It's here. Where?\u{2028}There\nEnd")
        func unit(_ offset: Int, _ granularity: TextGranularity) -> String? {
            view.position(from: view.beginningOfDocument, offset: offset).flatMap {
                view.tokenizer.rangeEnclosingPosition($0, with: granularity, inDirection: .storage(.forward))
            }.map(view.text)
        }
        #expect(unit(2, .word) == "It's" && unit(4, .word) == nil)
        #expect(unit(0, .sentence) == "It's here. " && unit(11, .line) == "It's here. Where?")
        #expect(unit(11, .paragraph) == "It's here. Where?\u{2028}There" && unit(0, .document) == view.text)
        let five = try #require(view.position(from: view.beginningOfDocument, offset: 5))
        #expect(view.tokenizer.isPosition(five, atBoundary: .word, inDirection: .layout(.left)))
        #expect(!view.tokenizer.isPosition(five, atBoundary: .word, inDirection: .layout(.right)))
    }

    @Test("TX-8 marked text replaces marked text, else the selection; insertion replaces it, unmarking commits it")
    func marked() {
        let view = TextView(text: "abc")
        caret(view, at: 1, extending: 1)
        view.setMarkedText("に")
        #expect(view.text == "aにc")
        view.setMarkedText("日本", selectedRange: 0..<1)
        #expect(view.text == "a日本c" && view.markedText == "日本")
        #expect(view.selectedTextRange.map(view.text) == "日" && view.markedTextRange.map(view.text) == "日本")
        view.insertText("x")
        #expect(view.text == "axc" && view.markedText == nil)
        view.setMarkedText("y")
        view.unmarkText()
        #expect(view.text == "axyc" && view.markedTextRange == nil)
        view.setMarkedText("z")
        view.setMarkedText(nil)
        #expect(view.text == "axyc")
        view.setMarkedText("q")
        perform("moveToBeginningOfDocument", on: view)
        #expect(view.markedText == nil && view.text == "axyqc")
    }

    @Test("TX-8 marked text that joins its neighbours stays itself")
    func markedMarks() {
        let view = TextView(text: "e👧")
        caret(view, at: 1)
        view.setMarkedText("\u{301}")
        #expect(view.markedText.map { Array($0.utf8) } == Array("\u{301}".utf8))
        view.setMarkedText("👩\u{200D}")
        #expect(view.documentLength == 2 && view.markedText == "👩\u{200D}")
        view.setMarkedText(nil)
        #expect(view.text == "e👧")
    }

    @Test("TX-8 a composition is one change to undo")
    func undoOfMarked() {
        let view = TextView(text: "a")
        for text in ["n", "に", "日本"] { view.setMarkedText(text) }
        view.unmarkText()
        _ = view.offerText("x", isTyped: true)
        view.perform(.undo)
        #expect(view.text == "a日本")
        view.perform(.undo)
        #expect(view.text == "a" && !view.editor.canUndo)
        view.perform(.redo)
        #expect(view.text == "a日本")
    }

    @Test("TX-9 Return is a newline, or a question in a single line; carriage returns are newlines")
    func returnKey() {
        final class Decider: TextEditingDelegate {
            var returns = 0
            func textInputShouldReturn(_ input: any DocumentTextInput) -> Bool {
                returns += 1
                return true
            }
        }
        let decider = Decider()
        let view = TextView(text: "a")
        #expect(view.pressReturn() == "\n" && view.text == "a\n")
        #expect(view.offerText("b\r\nc\rd", isTyped: true) == "b\nc\nd")
        let field = TextField(text: "a")
        field.delegate = decider
        #expect(field.pressReturn() == nil && field.text == "a" && decider.returns == 1)
        perform("insertNewline", on: field)
        #expect(decider.returns == 2)
        perform("insertNewlineIgnoringFieldEditor", on: field)
        #expect(field.text == "a\n")
    }

    @Test("TX-9 who may veto is asked for the range and the text, and keeps the text as it is")
    func veto() throws {
        final class Digits: TextEditingDelegate {
            var asked: [String] = []
            func textInput(
                _ input: any DocumentTextInput, shouldChangeTextIn range: TextRange, replacementText text: String
            ) -> Bool {
                asked.append("\(input.text(in: range))→\(text)")
                return text.allSatisfy(\.isNumber)
            }
        }
        let digits = Digits()
        let field = TextField(text: "12")
        field.delegate = digits
        #expect(field.offerText("x", isTyped: true) == nil && field.text == "12")
        #expect(field.offerText("3", isTyped: true) == "3")
        perform("deleteBackward selectAll", on: field)
        #expect(field.offerText("y", isTyped: false) == nil && field.text == "12")
        #expect(digits.asked == ["→x", "→3", "3→", "12→y"])
        field.replace(field.textRange(from: field.beginningOfDocument, to: field.endOfDocument), withText: "app")
        #expect(field.text == "app" && digits.asked.count == 4)
    }

    @Test("TX-10 the defaults of all traits")
    func defaults() {
        let traits = TextField().traits
        #expect(traits.autocapitalizationType == .sentences && traits.autocapitalizationType.rawValue == 2)
        let choices = [
            traits.autocorrectionType, traits.spellCheckingType, traits.smartQuotesType, traits.smartDashesType,
            traits.smartInsertDeleteType,
        ]
        #expect(choices.allSatisfy { $0.rawValue == 0 })
        #expect(traits.keyboardType == 0 && traits.keyboardAppearance == 0 && traits.returnKeyType == 0)
        #expect(!traits.enablesReturnKeyAutomatically && !traits.isSecureTextEntry && traits.textContentType == nil)
    }

    @Test("TX-10 Return is disabled while a text is empty, where the trait says so")
    func automaticReturn() {
        let view = TextView()
        view.traits.enablesReturnKeyAutomatically = true
        #expect(view.pressReturn() == nil && view.text == "")
        view.insertText("a")
        #expect(view.pressReturn() == "\n")
    }

    @Test("TX-10 smart punctuation changes typed text where it is on, and pasted text only by blanks")
    func smart() {
        let view = TextView()
        for character in "say \"it's\"--so" { _ = view.offerText(String(character), isTyped: true) }
        #expect(view.text == "say \"it's\"--so")
        view.text = ""
        view.traits.smartQuotesType = .yes
        view.traits.smartDashesType = .yes
        view.traits.smartInsertDeleteType = .yes
        let inserted = "say \"it's\"--so".map { view.offerText(String($0), isTyped: true) ?? "" }
        #expect(view.text == "say “it’s”—so" && inserted.contains("—"))
        perform("insertDoubleQuoteIgnoringSubstitution", on: view)
        #expect(view.text.hasSuffix("\""))
        view.text = "one two three"
        caret(view, at: 4, extending: 3)
        view.perform(.cut)
        #expect(view.text == "one three")
        caret(view, at: 3)
        view.perform(.paste)
        #expect(view.text == "one two three")
        view.traits.isSecureTextEntry = true
        _ = view.offerText("\"", isTyped: true)
        #expect(view.text == "one two\" three")
    }

    @Test("TX-10 a secure field gives nothing to clipboard and kill buffer")
    func secure() {
        let field = TextField(text: "secret")
        field.isSecureTextEntry = true
        perform("moveToBeginningOfParagraph deleteToEndOfParagraph yank", on: field)
        #expect(field.text == "")
        field.text = "secret"
        perform("selectAll cut paste", on: field)
        #expect(field.text == "secret")
    }

    @Test("TX-11 bold, italics and underline of a selection, or of what is typed next")
    func styles() throws {
        let view = TextView(text: "plain")
        view.perform(.toggleBold)
        #expect(view.typingStyle == [])
        view.allowsEditingTextAttributes = true
        view.perform(.toggleBold)
        #expect(view.typingStyle == .bold)
        _ = view.offerText("!", isTyped: true)
        let last = try #require(view.position(from: view.beginningOfDocument, offset: 5))
        #expect(view.style(at: last) == .bold && view.style(at: view.beginningOfDocument) == [])
        perform("selectAll toggleItalics", on: view)
        #expect(view.style(at: last) == [.bold, .italics] && view.style(at: view.beginningOfDocument) == .italics)
        perform("toggleBoldface", on: view)
        #expect(view.style(at: view.beginningOfDocument) == [.bold, .italics])
        perform("toggleBoldface toggleUnderline", on: view)
        #expect(view.style(at: last) == [.italics, .underline])
        view.perform(.undo)
        #expect(view.style(at: last) == .italics)
        caret(view, at: 2)
        view.insertText("\u{301}X")
        #expect(view.style(at: view.beginningOfDocument) == .italics && view.typingStyle == .italics)
    }

    @Test("TX-12 dictation inserts the likeliest text once, with or without alternatives")
    func dictation() throws {
        let plain = [DictationPhrase(text: "two "), DictationPhrase(text: "words")]
        let rich = [
            DictationPhrase(text: "two ", alternativeInterpretations: ["too ", "to "]),
            DictationPhrase(text: "words", alternativeInterpretations: ["wards"]),
        ]
        var resolutions: [String?] = []
        for phrases in [plain, rich] {
            let view = TextView()
            let window = Window(id: "win")
            window.addSubview(view)
            let application = Application(id: "app")
            application.addWindow(window)
            let engine = KeyboardEngine(
                application: application, layout: try #require(ShippedLayouts.named("us")))
            engine.activate(window)
            engine.focus(view)
            let resolution = try #require(engine.insertDictationResult(phrases, at: .zero))
            #expect(resolution.outcome == .consumedByText && resolution.key == nil && view.text == "two words")
            resolutions.append(resolution.text)
            view.perform(.undo)
            #expect(view.text.isEmpty)
        }
        #expect(resolutions == ["two words", "two words"])
    }

    @Test("a text without a strong character runs as the interface does", arguments: [false, true])
    func interfaceDirection(isRightToLeft: Bool) throws {
        let view = TextView(text: "1.2")
        let window = Window(id: "win")
        window.addSubview(view)
        let application = Application(id: "app")
        application.addWindow(window)
        let engine = KeyboardEngine(application: application, layout: try #require(ShippedLayouts.named("us")))
        engine.layoutDirection = isRightToLeft ? .rtl : .ltr
        engine.activate(window)
        engine.focus(view)
        caret(view, at: 1)
        _ = engine.keyDown(.clear(.leftArrow), at: .zero)
        #expect(view.editor.caret == (isRightToLeft ? 2 : 0))
    }

    @Test("TX-12 several placeholders stand in a text, move with it, and say where they are")
    func placeholders() {
        let view = TextView(text: "ab\ncd")
        caret(view, at: 4)
        let first = view.insertDictationResultPlaceholder()
        caret(view, at: 1)
        let second = view.insertDictationResultPlaceholder()
        view.insertText("x\n")
        #expect(view.frame(for: first)?.line == 2 && view.frame(for: first)?.column == 1)
        view.remove(second, willInsertResult: false)
        #expect(view.frame(for: second) == nil && view.editor.caret == 3)
        view.remove(first, willInsertResult: true)
        view.insertDictationResult([DictationPhrase(text: "!")])
        #expect(view.text == "ax\nb\nc!d")
    }
}
