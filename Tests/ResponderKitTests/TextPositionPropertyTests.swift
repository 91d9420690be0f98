import ResponderEngine
import ResponderKit
import Testing

/// Every operation on positions and ranges against the slow reference of the same text.
@Suite("Positions and ranges of generated text")
struct TextPositionPropertyTests {
    /// A text, its reference, and all its positions.
    fileprivate struct Sample {
        let view: TextView
        let reference: ReferenceText
        let all: [TextPosition]
        let lines: [Range<Int>]

        init(seed: UInt64, pieces: Int) {
            var numbers = SeededNumbers(seed: seed)
            let text = GeneratedText.text(&numbers, pieces: pieces)
            let view = TextView(text: text)
            self.view = view
            reference = ReferenceText(text)
            lines = reference.units(.line)
            all = (0...reference.count).compactMap { view.position(from: view.beginningOfDocument, offset: $0) }
        }

        func line(of offset: Int) -> Int {
            lines.lastIndex { $0.lowerBound <= offset } ?? 0
        }

        /// The position at an offset of the reference; `nil` outside the text.
        func at(_ offset: Int) -> TextPosition? { all.indices.contains(offset) ? all[offset] : nil }
    }

    @Test("TX-6 distances and orders of positions, and the text between them", arguments: 1...8)
    func distances(seed: UInt64) {
        let it = Sample(seed: seed, pieces: 25)
        #expect(it.all.count == it.reference.count + 1)
        #expect(it.view.endOfDocument == it.all.last && it.view.beginningOfDocument == it.all.first)
        for (from, position) in it.all.enumerated() {
            for offset in [Int.min, -Int.max, -from - 1, -from, -1, 0, 1, it.reference.count - from + 1, Int.max] {
                let (target, overflow) = from.addingReportingOverflow(offset)
                let found = it.view.position(from: position, offset: offset)
                #expect(found == (overflow ? nil : it.at(target)), "\(from) and \(offset), seed \(seed)")
            }
            for (to, other) in it.all.enumerated() {
                #expect(it.view.offset(from: position, to: other) == to - from && (position < other) == (from < to))
                let range = it.view.textRange(from: position, to: other)
                let bounds = min(from, to)..<max(from, to)
                #expect(range.start == it.all[bounds.lowerBound] && range.end == it.all[bounds.upperBound])
                #expect(range.isEmpty == bounds.isEmpty)
                #expect(
                    Array(it.view.text(in: range).utf8) == Array(String(it.reference.characters[bounds]).utf8),
                    "\(bounds), seed \(seed)")
            }
        }
    }

    @Test("TX-5 TX-6 units and places of every position, and back", arguments: 1...10)
    func places(seed: UInt64) {
        let it = Sample(seed: seed, pieces: 50)
        for (offset, position) in it.all.enumerated() {
            let here = "\(offset), seed \(seed)"
            let unit = it.view.utf16Offset(of: position)
            #expect(unit == it.reference.utf16Offset(of: offset), "\(here)")
            #expect(it.view.position(utf16Offset: unit) == position, "\(here)")
            let place = it.view.caretPlace(for: position)
            let number = it.line(of: offset)
            #expect(place.line == number, "\(here)")
            let line = it.lines[number]
            let back = it.view.baseWritingDirection(for: position) == .rightToLeft
            #expect(place.column == (back ? line.upperBound - offset : offset - line.lowerBound), "\(here)")
            let columns = line.lowerBound...line.upperBound
            let nearest = it.view.closestPosition(toLine: number, column: place.column)
            #expect(it.view.caretPlace(for: nearest).column == place.column, "\(here)")
            // Far outside, the nearest line and one of its ends on the screen.
            let ends = columns.map { it.view.caretPlace(for: it.all[$0]).column }
            for (far, end) in [(Int.min, ends.min()), (Int.max, ends.max())] {
                let last = it.view.closestPosition(toLine: number, column: far)
                #expect(it.view.caretPlace(for: last).column == end && it.line(of: it.offset(last)) == number)
            }
        }
        #expect(it.line(of: it.offset(it.view.closestPosition(toLine: .min, column: 0))) == 0)
        #expect(it.line(of: it.offset(it.view.closestPosition(toLine: .max, column: 0))) == it.lines.count - 1)
    }

    @Test("TX-7 steps on the screen: characters in the line's direction, lines in their columns", arguments: 1...10)
    func steps(seed: UInt64) {
        let it = Sample(seed: seed, pieces: 40)
        for (offset, position) in it.all.enumerated() {
            let back = it.view.baseWritingDirection(for: position) == .rightToLeft
            let number = it.line(of: offset)
            for count in [Int.min, -Int.max, -3, -1, 0, 1, 2, it.reference.count + 1, Int.max] {
                let (right, rightOverflow) = back
                    ? offset.subtractingReportingOverflow(count) : offset.addingReportingOverflow(count)
                let (left, leftOverflow) = back
                    ? offset.addingReportingOverflow(count) : offset.subtractingReportingOverflow(count)
                let place = "\(count) from \(offset), seed \(seed)"
                func step(_ direction: TextLayoutDirection) -> TextPosition? {
                    it.view.position(from: position, in: direction, offset: count)
                }
                #expect(step(.right) == (rightOverflow ? nil : it.at(right)), "right \(place)")
                #expect(step(.left) == (leftOverflow ? nil : it.at(left)), "left \(place)")
                for (direction, sign) in [(TextLayoutDirection.up, -1), (.down, 1)] {
                    let target = (-9...9).contains(count) ? number + sign * count : -1
                    let line = it.lines.indices.contains(target) ? it.lines[target] : nil
                    let column = offset - it.lines[number].lowerBound
                    let expected = line.flatMap { it.at(min($0.upperBound, $0.lowerBound + column)) }
                    guard (-9...9).contains(count) || count.clampedMagnitude > it.lines.count else { continue }
                    #expect(step(direction) == expected, "\(direction) \(place)")
                }
            }
        }
    }

    @Test("TX-6 TX-7 the ends of ranges, and units, in directions of the screen", arguments: 1...8)
    func directions(seed: UInt64) {
        let it = Sample(seed: seed, pieces: 30)
        var numbers = SeededNumbers(seed: seed + 99)
        for (offset, position) in it.all.enumerated() {
            let other = it.all[numbers.next(it.all.count)]
            let range = it.view.textRange(from: position, to: other)
            let runsBack = it.view.baseWritingDirection(for: range.start) == .rightToLeft
            let wholeRunsBack = it.view.baseWritingDirection(for: it.view.beginningOfDocument) == .rightToLeft
            for direction in TextLayoutDirection.allCases {
                func isForward(_ back: Bool) -> Bool {
                    direction == .down || direction == (back ? .left : .right)
                }
                #expect(
                    it.view.position(within: range, farthestIn: direction)
                        == (isForward(runsBack) ? range.end : range.start))
                let rest = it.view.characterRange(byExtending: position, in: direction)
                let expected = isForward(wholeRunsBack) ? offset..<it.reference.count : 0..<offset
                #expect(rest.start == it.all[expected.lowerBound] && rest.end == it.all[expected.upperBound])
                // The tokenizer takes a direction of the screen for the one of storage that it is here.
                let here = it.view.baseWritingDirection(for: position) == .rightToLeft
                let storage = TextDirection.storage(isForward(here) ? .forward : .backward)
                let layout = TextDirection.layout(direction)
                for granularity in TextGranularity.allCases {
                    let tokenizer = it.view.tokenizer
                    #expect(
                        tokenizer.rangeEnclosingPosition(position, with: granularity, inDirection: layout)
                            == tokenizer.rangeEnclosingPosition(position, with: granularity, inDirection: storage))
                    #expect(
                        tokenizer.position(from: position, toBoundary: granularity, inDirection: layout)
                            == tokenizer.position(from: position, toBoundary: granularity, inDirection: storage))
                }
            }
        }
    }

    @Test("a paragraph runs as its first strong character does", arguments: 1...10)
    func baseDirections(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let pieces = ["a", "日本", "א", "مرحبا", "12", "٣", " ", ".", "👩‍👩‍👧", "\n", "\u{2028}"]
        let text = (0..<40).map { _ in pieces[numbers.next(pieces.count)] }.joined()
        let view = TextView(text: text)
        let reference = ReferenceText(text)
        for paragraph in reference.units(.paragraph) {
            let first = reference.characters[paragraph].first(where: \.isLetter)
            let scalar = first?.unicodeScalars.first?.value ?? 0
            let expected: TextWritingDirection = (0x590...0x8FF).contains(scalar) ? .rightToLeft : .leftToRight
            for offset in paragraph.lowerBound...paragraph.upperBound {
                guard let place = view.position(from: view.beginningOfDocument, offset: offset) else { continue }
                #expect(view.baseWritingDirection(for: place) == expected, "\(offset), seed \(seed)")
            }
        }
    }

    @Test("positions of a text that has become shorter answer without a trap")
    func stalePositions() throws {
        let view = TextView(text: "one two\nthree אב")
        let stale = view.endOfDocument
        let range = view.textRange(from: view.beginningOfDocument, to: stale)
        for text in ["", "a", "א\n"] {
            view.text = text
            #expect(view.text(in: range) == text)
            #expect(view.position(from: stale, in: .left, offset: 1) == nil)
            _ = view.position(from: stale, in: .up, offset: 1)
            _ = view.caretPlace(for: stale)
            _ = view.selectionRects(for: range)
            _ = view.style(at: stale)
            #expect(view.utf16Offset(of: stale) == text.utf16.count)
            for granularity in TextGranularity.allCases {
                for direction in [TextStorageDirection.forward, .backward] {
                    let way = TextDirection.storage(direction)
                    _ = view.tokenizer.rangeEnclosingPosition(stale, with: granularity, inDirection: way)
                    _ = view.tokenizer.position(from: stale, toBoundary: granularity, inDirection: way)
                    _ = view.tokenizer.isPosition(stale, atBoundary: granularity, inDirection: way)
                }
            }
            view.selectedTextRange = range
            #expect(view.selectedTextRange.map(view.text) == text)
            view.replace(range, withText: "one two\nthree אב")
        }
    }
}

extension TextPositionPropertyTests.Sample {
    fileprivate func offset(_ position: TextPosition) -> Int {
        view.offset(from: view.beginningOfDocument, to: position)
    }
}

extension Int {
    /// Of the least number too.
    fileprivate var clampedMagnitude: Int { magnitude > UInt(Int.max) ? .max : Int(magnitude) }
}
