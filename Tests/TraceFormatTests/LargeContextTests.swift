import KeyModel
import Testing

@testable import TraceFormat

/// A context may have hundreds of thousands of entries: what is cut off it, and compared with it, is not copied whole.
@Suite struct LargeContextTests {
    private static func context(_ count: Int) -> (context: TraceContext, definitions: TraceDefinitions) {
        var definitions = TraceDefinitions()
        var context = TraceContext()
        let views = (0...count).map { definitions.intern(ResponderDefinition(id: "r\($0)", kind: "view")) }
        for (view, next) in zip(views, views.dropFirst()) {
            context.apply(.link(LinkRecord(responder: view, next: next, window: nil)))
        }
        context.apply(.environment(EnvironmentRecord(name: "fact", value: "x")))
        return (context, definitions)
    }

    @Test(arguments: [0, 1, 2, 1500, 3000, 3001, 4000])
    func aPrefixHasTheFirstEntries(_ count: Int) {
        let context = Self.context(3000).context
        let entries = context.entries
        #expect(entries.count == 3001 && context.entryCount == 3001)
        let prefix = context.prefix(count)
        #expect(prefix.entries == Array(entries.prefix(count)))
        #expect(prefix.isPrefix(of: context, leavingOut: max(0, 3001 - count)))
        #expect(!prefix.isPrefix(of: context, leavingOut: max(0, 3001 - count) + 1))
        #expect(count >= 3001 || !context.isPrefix(of: prefix, leavingOut: 0))
    }

    @Test func aPrefixWithAnotherEntryIsNone() {
        let (context, definitions) = Self.context(2000)
        var other = context.prefix(1000)
        let last = ResponderRef(rawValue: 998)
        #expect(definitions[last] != nil && other.isPrefix(of: context, leavingOut: 1001))
        other.apply(.link(LinkRecord(responder: last, next: nil, window: nil)))
        #expect(!other.isPrefix(of: context, leavingOut: 1001))
    }

    /// Of the contexts of later blocks none is kept but where it is asked for.
    @Test func aReaderKeepsTheContextOfTheBlockThatItSought() throws {
        let (context, made) = Self.context(3000)
        var definitions = made
        let output = ByteCollector()
        var writer = try TraceWriter(header: TraceHeader(level: .calls, isMasked: false), context: context) {
            output.bytes.append(contentsOf: $0)
        }
        for number in 0..<20 {
            let text = definitions.intern("\(number)" + String(repeating: "m", count: 40_000))
            try writer.append(
                .text(TextRecord(text: text)), at: TraceTime(nanoseconds: Int64(number)), definitions: definitions)
        }
        try writer.finish()
        let bytes = TraceBytes(output.bytes)
        var reader = try TraceReader(bytes)
        while reader.next() != nil { #expect(reader.blockContext.isEmpty) }
        #expect(reader.blocks > 2 && reader.initialContext.count == 3001)
        let index = try #require(TraceIndex(stored: bytes))
        let block = try #require(index.blocks.dropFirst().first)
        let isFound = reader.seek(to: block)
        #expect(isFound)
        #expect(reader.blockContext.count == 3001)
    }
}
