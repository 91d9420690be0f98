import KeyModel
import Testing

@Suite struct ByteNameTests {
    @Test func namesAreTheSameWhenTheirBytesAre() {
        let (one, two) = (ByteName("caf\u{E9}"), ByteName("cafe\u{301}"))
        #expect(one.text == two.text)
        #expect(one != two)
        #expect(Set([one, two, ByteName("caf\u{E9}")]).count == 2)
        #expect(two < one)
        #expect(ByteName("") < ByteName("a") && !(ByteName("a") < ByteName("a")))
    }

    @Test func marksAreCountedInARow() {
        func marked(_ count: Int) -> String {
            String(repeating: "e" + String(repeating: "\u{301}", count: count), count: 3)
        }
        #expect(!marked(30).hasEndlessMarks)
        #expect(marked(31).hasEndlessMarks)
        #expect(!String(repeating: "e\u{301}", count: 1000).hasEndlessMarks)
        #expect(!String(repeating: "👩‍👩‍👧", count: 100).hasEndlessMarks)
    }
}
