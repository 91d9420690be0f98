import FlightReplay
import KeyLayout
import KeyModel
import Testing
import TraceFormat

/// Which table a recorded layout name means.
@Suite("Recorded layouts")
struct RecordedLayoutTests {
    private func environment(_ name: String, hash: UInt64 = 0, facts: [(String, String)] = []) -> RecordedEnvironment {
        var recording = Recording()
        for (name, value) in facts {
            recording.append(.environment(EnvironmentRecord(name: name, value: value)), at: .zero)
        }
        recording.append(.layout(LayoutRecord(name: name, hash: hash, table: nil)), at: .zero)
        return RecordedEnvironment(recording)
    }

    private func layout(_ name: String, hash: UInt64 = 0, facts: [(String, String)] = []) throws -> Layout {
        try environment(name, hash: hash, facts: facts).layoutByName { try Layout.named($0) }
    }

    private func shipped(_ name: String, as recorded: String) throws -> Layout {
        var layout = try #require(ShippedLayouts.named(name))
        layout.name = recorded
        return layout
    }

    private let facts = [(Layout.tablesFact.name, Layout.tablesFact.value)]

    @Test("a name alone in a trace of a recorder before Apple's tables is the PC table", arguments: [
        ("us", "us:pc"), ("fr", "fr:pc"), ("us:dvorak", "us:dvorak-pc"),
    ])
    func former(name: String, table: String) throws {
        #expect(try layout(name) == shipped(table, as: name))
        #expect(try layout(name, facts: facts) == ShippedLayouts.named(name))
        #expect(try layout(name, facts: [("layout.tables", "other")]) == shipped(table, as: name))
    }

    @Test("a hash decides, whatever the recorder's version")
    func hashes() throws {
        let (apple, pc) = (try shipped("de", as: "de"), try shipped("de:pc", as: "de"))
        #expect(apple.hash != pc.hash)
        for facts in [[], facts] {
            #expect(try layout("de", hash: apple.hash, facts: facts) == apple)
            #expect(try layout("de", hash: pc.hash, facts: facts) == pc)
        }
    }

    @Test("a PC name is itself, and what is unknown is us")
    func others() throws {
        #expect(try layout("us:pc") == ShippedLayouts.named("us:pc"))
        #expect(try layout("nowhere") == ShippedLayouts.named("us"))
        #expect(try RecordedEnvironment(Recording()).layoutByName { try Layout.named($0) }.name == "us")
    }
}
