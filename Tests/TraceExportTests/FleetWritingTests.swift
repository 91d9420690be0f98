import KeyModel
import Testing

@testable import LatencyAnalysis
@testable import TraceExport

/// Hashes, ids and forms of tables of many traces.
@Suite struct FleetWritingTests {
    private static func hash(_ text: String) -> String { SHA256.hash(Array(text.utf8)).hexadecimal }

    /// Examples of FIPS 180-4 and RFC 4231.
    @Test func `SHA-256 and HMAC are those of their standards`() {
        #expect(Self.hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Self.hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            Self.hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            SHA256.hash(Array(repeating: UInt8(ascii: "a"), count: 1_000_000)).hexadecimal
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(
            SHA256.hmac(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8)).hexadecimal
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            SHA256.hmac(
                key: Array(repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
            ).hexadecimal == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test func `a hash is the same however the bytes are cut`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for cut in 0...bytes.count {
            var hash = SHA256()
            bytes[..<cut].withUnsafeBytes { hash.update($0) }
            bytes[cut...].withUnsafeBytes { hash.update($0) }
            #expect(hash.finish() == SHA256.hash(bytes), "\(cut)")
        }
    }

    @Test func `only ids that a pattern names are in a table`() {
        let privacy = FleetPrivacy(allowed: ["tab*", "w?n", "closeTab:"])
        for id in ["tabs", "win", "closeTab:"] { #expect(privacy.id(id) == id) }
        for id in ["Budget 2026", "window", "close", "tab\u{1B}[0m", "tab" + String(repeating: "x", count: 300)] {
            #expect(privacy.id(id) == "(other)", "\(id)")
        }
        #expect(privacy.id(nil) == "(other)" && FleetPrivacy().id("tabs") == "(other)")
    }

    @Test func `a pseudonym is of its key, its fact and its value`() {
        let key = Array("0123456789abcdef0123456789abcdef".utf8)
        let privacy = FleetPrivacy(key: key)
        let whole = SHA256.hmac(key: key, Array("session.id\0abc".utf8)).hexadecimal
        #expect(privacy.sessionKey("abc") == String(whole.prefix(32)))
        #expect(privacy.sessionKey("abd") != privacy.sessionKey("abc"))
        #expect(FleetPrivacy(key: key.reversed()).sessionKey("abc") != privacy.sessionKey("abc"))
        #expect(FleetPrivacy().sessionKey("abc") == nil && privacy.sampleID(nil) == nil)
        let samples = (0..<5_000).compactMap { privacy.sampleID("installation-\($0)") }
        #expect(Set(samples) == Set(0..<100), "all hundred are used")
    }

    /// Counts cells, and checks each row's against the columns.
    private struct Widths: FleetRowSink {
        var table: FleetTable
        var place = 0
        var rows = 0
        mutating func take(_ kind: TableColumn.Kind) {
            #expect(place < table.columns.count && table.columns[place].kind == kind, "\(table) \(place)")
            place += 1
        }
        mutating func number(_ value: Int64?) { take(.integer) }
        mutating func text(_ value: String?) { take(.text) }
        mutating func flag(_ value: Bool?) { take(.flag) }
        mutating func numbers(_ values: [Int64]) { take(.integers) }
        mutating func end() {
            #expect(place == table.columns.count)
            (place, rows) = (0, rows + 1)
        }
        mutating func finish() {}
    }

    @Test func `rows have the columns of their table`() throws {
        for table in FleetTable.allCases {
            #expect(Set(table.columns.map(\.name)).count == table.columns.count)
        }
        var rows = FleetRows(.sessions, privacy: FleetPrivacy(), version: "1", sink: Widths(table: .sessions))
        for status in FleetSession.Status.allCases { try rows.write(FleetSession(status)) }
        #expect(rows.sink.rows == FleetSession.Status.allCases.count)
        var chords = FleetRows(.chords, privacy: FleetPrivacy(), version: "1", sink: Widths(table: .chords))
        var session = FleetSession(.ok)
        session.hash = [1]
        session.rows = .chords([
            SessionChord(chord: "w", outcome: "x", firstResponder: nil, action: nil, presses: 1, stale: 0)
        ])
        try chords.write(session)
        session.status = .damaged
        try chords.write(session)
        #expect(chords.sink.rows == 1, "a session that is not ok has no row")
    }

    @Test func `machine CSV has texts as they are, and tells NULL from nothing`() throws {
        var bytes: [UInt8] = []
        var csv = try MachineCSV(.findings) { bytes += $0 }
        for text in [nil, "", "=1+1"] { csv.text(text) }
        csv.number(-3)
        try csv.end()
        for text in ["⌘−", "a,\"b\"\r\n", "-"] { csv.text(text) }
        csv.number(nil)
        try csv.end()
        try csv.finish()
        let expected = "trace_id,rule,chord,presses\r\n,\"\",=1+1,-3\r\n⌘−,\"a,\"\"b\"\"\r\n\",-,\r\n"
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func `an Arrow stream is messages of whole eights, a schema first and an end last`() throws {
        for rows in [0, 1, 9, 40_000] {
            var stream: [UInt8] = []
            var arrow = ArrowStream(.histograms) { stream += $0 }
            for row in 0..<rows {
                for _ in 0..<5 { arrow.text(row % 3 == 0 ? nil : "text \(row)") }
                for _ in 0..<3 { arrow.number(row % 2 == 0 ? nil : Int64(row)) }
                arrow.numbers(Array(0..<Int64(row % 5)))
                arrow.numbers([])
                try arrow.end()
            }
            try arrow.finish()
            var (place, messages) = (0, 0)
            func int(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(stream[at + $1]) << (8 * $1) } }
            while place + 8 < stream.count {
                #expect(stream[place..<place + 4].elementsEqual([255, 255, 255, 255]) && place % 8 == 0)
                let length = int(place + 4)
                #expect(length % 8 == 0)
                let root = place + 8 + int(place + 8)
                let vtable = root - int(root)
                #expect(stream[root + int(vtable + 6) % 65_536] == (messages == 0 ? 1 : 3), "the kind of header")
                place += 8 + length + int(root + int(vtable + 10) % 65_536)
                messages += 1
            }
            #expect(stream[place...].elementsEqual([255, 255, 255, 255, 0, 0, 0, 0]))
            #expect((messages > 2) == (rows > 16_384) && (messages > 1) == (rows > 0))
        }
    }
}
