import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

/// Definitions that are as long as they may be, and traces in which one thing is.
@Suite struct LongListTests {
    @Test(arguments: [0, 1, 256, 257, 65_536])
    func aListComesBackWhateverItsLength(_ count: Int) {
        var definitions = TraceDefinitions()
        let commands = (0..<20_000).map { number in
            definitions.intern(CommandDefinition(input: "w", modifiers: .command, action: "a\(number)"))
        }
        let list = (0..<count).map { commands[($0 &* 7919) % commands.count] }
        let ref = definitions.intern(list)
        #expect(definitions[ref] == list)
        #expect(definitions.intern(list) == ref)
        if count > 1 {
            let other = Array(list.reversed())
            #expect(definitions.intern(other) != ref && definitions[definitions.intern(other)] == other)
        }
    }

    @Test func textsAreToldApartByTheirBytes() {
        var definitions = TraceDefinitions()
        let texts = ["é", "e\u{301}", "", "e"]
        let refs = texts.map { definitions.intern($0) }
        #expect(Set(refs).count == 4)
        #expect(texts.map { definitions.intern($0) } == refs)
        let responders = texts.map { definitions.intern(ResponderDefinition(id: $0, kind: $0)) }
        #expect(Set(responders).count == 4)
        let titles = [nil, "", "é", "e\u{301}"].map { title in
            definitions.intern(CommandDefinition(input: nil, modifiers: [], action: "a", title: title))
        }
        #expect(Set(titles).count == 4)
    }

    @Test(arguments: OutsizedTrace.allCases)
    func outsizedTracesAreSound(_ kind: OutsizedTrace) throws {
        let output = ByteCollector()
        try kind.write(size: kind == .lists || kind == .manyLists ? 2 : 300) { output.bytes.append(contentsOf: $0) }
        let (recording, report) = try Recording.read(output.bytes)
        #expect(report.complete && !recording.records.isEmpty)
    }

    /// A few small ones: `Scripts/soak` reads ten thousand.
    @Test func lyingTracesAreTheSameForTheSameSeed() throws {
        for seed in 0..<4 as Range<UInt64> {
            let bytes = try LyingTrace.bytes(seed: seed)
            #expect(try LyingTrace.bytes(seed: seed) == bytes)
            // The header stays one of this version, unless it was changed.
            if var reader = try? TraceReader(bytes) { while reader.next() != nil {} }
        }
    }
}
