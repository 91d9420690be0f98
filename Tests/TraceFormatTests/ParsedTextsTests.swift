import KeyModel
import Synchronization
import Testing

@testable import TraceFormat

@Suite struct ParsedTextsTests {
    @Test func aTextIsParsedOnceHoweverOftenItIsReferredTo() {
        let parsed = Counter()
        var texts = ParsedTexts { text in
            parsed.add()
            return text.utf8.count
        }
        for _ in 0..<1000 { #expect(texts.value(of: "mark a") == 6) }
        #expect(parsed.count == 1)
        // Equal by canonical equivalence, and two texts.
        #expect(texts.value(of: "\u{E9}") == 2 && texts.value(of: "e\u{301}") == 3)
        // What is kept is bounded.
        for number in 0..<64 { _ = texts.value(of: "\(number)" + String(repeating: "x", count: 60_000)) }
        #expect(texts.value(of: "mark a") == 6)
        #expect(parsed.count == 68)
    }

    @Test func aLayoutIsReadFromItsTable() {
        var definitions = TraceDefinitions()
        let (table, other) = (definitions.intern("layout us\nkey 04 U+0061 U+0041 - -\n"), definitions.intern("none"))
        var layouts = ParsedTexts<Layout?>()
        #expect(layouts.layout(table, definitions)?.name == "us")
        #expect(layouts.layout(other, definitions) == nil && layouts.layout(nil, definitions) == nil)
    }
}

private final class Counter: Sendable {
    private let number = Mutex(0)
    func add() { number.withLock { $0 += 1 } }
    var count: Int { number.withLock { $0 } }
}
