import ResponderKit
import Testing

/// Generated documents against the slow reference of the same text.
@Suite("Text documents")
struct TextDocumentPropertyTests {
    private struct Edit: CustomStringConvertible {
        var from: Int
        var length: Int
        var text: String
        var description: String { "(\(from), \(length), \(text.unicodeScalars.map { String($0.value, radix: 16) }))" }
    }

    private static func edits(seed: UInt64, count: Int) -> [Edit] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<count).map { _ in
            let length = numbers.next(3) == 0 ? numbers.next(12) : 0
            // Now and then a long text.
            let pieces = numbers.next(20) == 0 ? 200 : numbers.next(3)
            return Edit(
                from: numbers.next(1 << 20), length: length, text: GeneratedText.text(&numbers, pieces: pieces))
        }
    }

    /// What differs after a list of edits, or nothing.
    private static func difference(_ edits: [Edit], probes: Int = 3) -> String? {
        var document = TextDocument()
        var reference = ReferenceText("")
        for (number, edit) in edits.enumerated() {
            let from = edit.from % (reference.count + 1)
            // A long document is cut down again.
            let length = reference.count > 3_000 ? 2_500 : edit.length
            let range = from..<min(reference.count, from + length)
            document.replace(range, with: edit.text)
            reference.replace(range, with: edit.text)
            guard document.count == reference.count else {
                return "edit \(number): expected \(reference.count) characters, found \(document.count)"
            }
            let place = edit.from % (reference.count + 1)
            guard document[place] == (place < reference.count ? reference.characters[place] : nil) else {
                return "edit \(number): another character at \(place)"
            }
            guard number % probes == 0 else { continue }
            if Array(document.text.utf8) != Array(reference.text.utf8) { return "edit \(number): other bytes" }
            if document.utf16Offset(of: place) != reference.utf16Offset(of: place) { return "edit \(number): UTF-16" }
        }
        return nil
    }

    @Test("TX-5 a document stays the same as a text edited alike, and never splits a character", arguments: 1...12)
    func edits(seed: UInt64) {
        let edits = Self.edits(seed: seed, count: 250)
        guard Self.difference(edits) != nil else { return }
        let smallest = GeneratedText.shrink(edits) { Self.difference($0, probes: 1) != nil }
        Issue.record("seed \(seed): \(Self.difference(smallest, probes: 1) ?? "only with all edits") after \(smallest)")
    }

    @Test("TX-5 UTF-16 offsets and characters map onto one another", arguments: 1...6)
    func utf16(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let text = GeneratedText.text(&numbers, pieces: 120)
        let document = TextDocument(text)
        let reference = ReferenceText(text)
        for offset in 0...reference.count {
            #expect(document.utf16Offset(of: offset) == reference.utf16Offset(of: offset), "character \(offset)")
        }
        for unit in -1...document.utf16Count + 1 {
            #expect(document.offset(ofUTF16: unit) == reference.offset(ofUTF16: unit), "unit \(unit)")
        }
    }

    @Test("TX-7 the tokenizer answers for every position, unit and direction as the reference", arguments: 1...8)
    func tokenizer(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let text = GeneratedText.text(&numbers, pieces: 60)
        let view = TextView(text: text)
        let reference = ReferenceText(text)
        let all = (0...reference.count).compactMap { view.position(from: view.beginningOfDocument, offset: $0) }
        #expect(all.count == reference.count + 1 && view.documentLength == reference.count)
        for granularity in TextGranularity.allCases {
            for forward in [true, false] {
                let direction = TextDirection.storage(forward ? .forward : .backward)
                for (offset, position) in all.enumerated() {
                    let place = "\(granularity) at \(offset), forward \(forward), seed \(seed)"
                    let unit = view.tokenizer.rangeEnclosingPosition(
                        position, with: granularity, inDirection: direction)
                    let expected = reference.enclosing(offset, granularity, forward: forward)
                    let range = expected.map { view.textRange(from: all[$0.lowerBound], to: all[$0.upperBound]) }
                    #expect(unit == range, "\(place)")
                    #expect(
                        view.tokenizer.isPosition(position, withinTextUnit: granularity, inDirection: direction)
                            == (expected != nil), "\(place)")
                    #expect(
                        view.tokenizer.isPosition(position, atBoundary: granularity, inDirection: direction)
                            == reference.isBoundary(offset, granularity, forward: forward), "\(place)")
                    let next = view.tokenizer.position(
                        from: position, toBoundary: granularity, inDirection: direction)
                    let boundary = reference.boundary(from: offset, granularity, forward: forward)
                    #expect(next == boundary.map { all[$0] }, "\(place)")
                }
            }
        }
    }
}
