import ResponderEngine
import ResponderKit
import Testing

/// Generated editing on generated documents: emoji families, combining marks, right to left, Chinese, Japanese and
/// Korean with marked text.
@Suite("Editing generated text")
struct TextEditingPropertyTests {
    enum Step: Sendable {
        case command(TextCommand)
        case type(String)
        case insert(String)
        case mark(String?)
        case unmark
        case select(Int, Int)
    }

    private static let commands = TextEditingCommands.all.map(\.command)

    private static func steps(seed: UInt64, count: Int) -> (text: String, steps: [Step]) {
        var numbers = SeededNumbers(seed: seed)
        let text = GeneratedText.text(&numbers, pieces: numbers.next(40))
        let steps: [Step] = (0..<count).map { _ in
            let piece = GeneratedText.pieces[numbers.next(GeneratedText.pieces.count)]
            switch numbers.next(10) {
            case 0, 1, 2, 3: return .command(commands[numbers.next(commands.count)])
            case 4, 5: return .type(piece)
            case 6: return .insert(piece)
            case 7: return .mark(numbers.next(4) == 0 ? nil : piece)
            case 8: return .unmark
            default: return .select(numbers.next(60), numbers.next(60))
            }
        }
        return (text, steps)
    }

    private static func run(_ step: Step, on view: TextView) {
        switch step {
        case .command(let command): view.perform(command)
        case .type(let text): _ = view.offerText(text, isTyped: true)
        case .insert(let text): view.insertText(text)
        case .mark(let text): view.setMarkedText(text)
        case .unmark: view.unmarkText()
        case .select(let from, let to):
            let count = view.documentLength
            let start = view.position(from: view.beginningOfDocument, offset: min(from, count))
            let end = view.position(from: view.beginningOfDocument, offset: min(to, count))
            if let start, let end { view.selectedTextRange = view.textRange(from: start, to: end) }
        }
    }

    /// What is wrong after some steps, or nothing.
    private static func fault(_ text: String, _ steps: [Step]) -> String? {
        let view = TextView(text: text)
        view.allowsEditingTextAttributes = true
        for (number, step) in steps.enumerated() {
            let before = deletes(step) && view.markedText == nil ? view.text : nil
            run(step, on: view)
            let characters = Array(view.text)
            let place = "step \(number), \(step)"
            if let before, !isWhole(before, view.text) { return "\(place): took a part of a character" }
            if characters.count != view.documentLength { return "\(place): a character was split" }
            let selection = view.editor.selection
            if selection.upperBound > characters.count { return "\(place): selection beyond the end" }
            if case .mark(let marked?) = step, view.markedText.map({ Array($0.utf8) }) != Array(marked.utf8) {
                return "\(place): marked text is \(view.markedText ?? "none")"
            }
            if let range = view.editor.markedRange, selection.clamped(to: range) != selection {
                return "\(place): selection outside of the marked text"
            }
            if case .mark(nil) = step, view.markedText != nil { return "\(place): still marked" }
        }
        let end = Array(view.text.utf8)
        while view.editor.canUndo { view.perform(.undo) }
        if Array(view.text.utf8) != Array(text.utf8) {
            return "undo gives \(view.text.debugDescription) for \(text.debugDescription)"
        }
        // After an undo among the steps, redo goes further than where they ended.
        guard !steps.contains(where: isUndoOrRedo) else { return nil }
        while view.editor.canRedo { view.perform(.redo) }
        return Array(view.text.utf8) == end ? nil : "redo does not bring it back"
    }

    private static func deletes(_ step: Step) -> Bool {
        guard case .command(let command) = step else { return false }
        switch command {
        case .delete, .deleteToMark, .cut: return true
        default: return false
        }
    }

    /// What was deleted are whole characters that stood side by side, or none.
    private static func isWhole(_ before: String, _ after: String) -> Bool {
        let characters = Array(before)
        let left = Array(after.utf8)
        var lengths = [0]
        for character in characters { lengths.append(lengths[lengths.count - 1] + character.utf8.count) }
        let removed = before.utf8.count - left.count
        let bytes = Array(before.utf8)
        return lengths.contains { start in
            lengths.contains(start + removed) && Array(bytes[..<start] + bytes[(start + max(0, removed))...]) == left
        }
    }

    private static func isUndoOrRedo(_ step: Step) -> Bool {
        guard case .command(let command) = step else { return false }
        return command == .undo || command == .redo
    }

    @Test(
        "TX-5 TX-8 commands, typing and marking never split a character, and undo restores every byte",
        arguments: 1...60)
    func editing(seed: UInt64) {
        let (text, steps) = Self.steps(seed: seed, count: 60)
        guard Self.fault(text, steps) != nil else { return }
        let smallest = GeneratedText.shrink(steps) { Self.fault(text, $0) != nil }
        Issue.record("seed \(seed): \(Self.fault(text, smallest) ?? "?") on \(text.debugDescription) after \(smallest)")
    }

    @Test("TX-5 Delete takes the whole character before the caret, and nothing else", arguments: 1...10)
    func deletion(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let view = TextView(text: GeneratedText.text(&numbers, pieces: 80))
        while view.documentLength > 0 {
            let offset = 1 + numbers.next(view.documentLength)
            var reference = ReferenceText(view.text)
            guard let place = view.position(from: view.beginningOfDocument, offset: offset) else { break }
            view.selectedTextRange = view.textRange(from: place, to: place)
            view.deleteBackward()
            reference.replace(offset - 1..<offset, with: "")
            #expect(Array(view.text.utf8) == Array(reference.text.utf8), "seed \(seed)")
            guard Array(view.text.utf8) == Array(reference.text.utf8) else { break }
        }
    }

    @Test("right arrows go over every column of a line once, left arrows back", arguments: 1...20)
    func arrows(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let pieces = ["a", "bc", " ", "א", "ב", "12", ".", "שלום", "x", "٣"]
        let text = (0..<numbers.next(14)).map { _ in pieces[numbers.next(pieces.count)] }.joined()
        let view = TextView(text: text)
        func columns(_ command: TextCommand) -> [Int] {
            var columns = [view.caretPlace(for: view.selectedTextRange?.start ?? view.endOfDocument).column]
            for _ in 0..<text.count + 2 {
                view.perform(command)
                columns.append(view.caretPlace(for: view.selectedTextRange?.start ?? view.endOfDocument).column)
            }
            return columns
        }
        _ = columns(.move(.left, by: .character, extending: false))
        let right = columns(.move(.right, by: .character, extending: false))
        #expect(right == right.sorted(), "seed \(seed): \(right)")
        let left = columns(.move(.left, by: .character, extending: false))
        #expect(left == left.sorted(by: >), "seed \(seed): \(left)")
        #expect(Set(left) == Set(right), "seed \(seed)")
    }

    @Test("TX-6 of a range's rectangles one has its start and one its end, and they cover it once", arguments: 1...20)
    func rectangles(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let text = GeneratedText.text(&numbers, pieces: 40)
        let view = TextView(text: text)
        for _ in 0..<40 {
            let bounds = [numbers.next(view.documentLength + 1), numbers.next(view.documentLength + 1)].sorted()
            let ends = bounds.compactMap { view.position(from: view.beginningOfDocument, offset: $0) }
            guard ends.count == 2 else {
                Issue.record("seed \(seed): no position at \(bounds) of \(view.documentLength)")
                return
            }
            let range = view.textRange(from: ends[0], to: ends[1])
            let rects = view.selectionRects(for: range)
            #expect(rects.filter(\.containsStart).count == 1 && rects.filter(\.containsEnd).count == 1, "seed \(seed)")
            let covered = rects.reduce(0) { $0 + $1.columns.count }
            let lineEnds = Array(view.text(in: range)).filter(\.isNewline).count
            #expect(covered == view.text(in: range).count - lineEnds, "seed \(seed), \(bounds): \(rects)")
        }
    }
}
