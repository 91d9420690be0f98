import KeyModel
import Testing

@testable import TraceFormat

/// `Traces/FORMAT.md`, as far as tests compare it with the code.
enum Specification {
    static let path = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/Traces/FORMAT.md"

    static func text() throws -> String { try TraceFile.read(path).withBytes { String(decoding: $0, as: UTF8.self) } }

    static func section(of schema: RecordSchema) -> String { "#### \(schema.number) `\(schema.name)`" }

    static func table(of schema: RecordSchema) -> String {
        var lines = ["| field | type | unit | allowed | on violation |", "|---|---|---|---|---|"]
        for field in schema.fields {
            let type = (field.isOptional ? "optional " : "") + field.type.rawValue
            lines.append(
                "| `\(field.name)` | \(type) | \(unit(field)) | \(field.allowed) | \(violation(field)) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func unit(_ field: FieldSchema) -> String {
        let units = [("_ns", "ns"), ("_ppb", "10⁻⁹"), ("_mpt", "pt/1000")]
        return units.first { field.name.hasSuffix($0.0) }?.1 ?? "–"
    }

    private static func violation(_ field: FieldSchema) -> String {
        switch field.type {
        case .number, .modifiers, .pressTick: "outOfRange, overlongNumber"
        case .flag, .code, .identity: "outOfRange"
        case .signed, .hash: "–"
        case .text: "invalidText, limitExceeded"
        case .string, .responder, .command, .list: field.isOptional ? "unknownReference" : "unknownReference, field"
        }
    }

    /// The trace whose bytes the specification explains one by one.
    static func example() throws -> [UInt8] {
        var recording = Recording()
        let view = recording.definitions.intern(ResponderDefinition(id: "vc", kind: "view"))
        recording.append(.firstResponder(FirstResponderRecord(responder: view, cause: .become)), at: .zero)
        func key(_ usage: KeyUsage, _ phase: KeyPhase, _ flags: KeyModifiers, _ press: UInt32?, _ time: Int64) {
            recording.append(
                .key(KeyRecord(device: 1, key: .clear(usage), phase: phase, modifiers: flags, press: press)),
                at: TraceTime(nanoseconds: time))
        }
        key(.leftGUI, .down, .command, nil, 1_000_000)
        key(.keyboard(0x1A), .down, .command, 1, 1_000_000)
        key(.keyboard(0x1A), .up, .command, 1, 31_000_000)
        key(.leftGUI, .up, [], nil, 31_000_000)
        recording.append(
            .key(KeyRecord(device: 2, key: .masked(.letter), phase: .down, modifiers: [], press: 2)),
            at: TraceTime(nanoseconds: 131_000_000))
        return try recording.bytes(header: TraceHeader(level: .keys, isMasked: true))
    }

    /// The bytes of the block ```` ```hexdump ````: lines of offset, bytes and, after `|`, what they mean.
    static func annotatedBytes() throws -> [UInt8] {
        let document = try text()
        let start = try #require(document.firstRange(of: "```hexdump\n")).upperBound
        let end = try #require(document[start...].firstRange(of: "```")).lowerBound
        var bytes: [UInt8] = []
        for line in document[start..<end].split(separator: "\n") {
            let words = line.split(separator: "|")[0].split(separator: " ")
            let offset = try #require(Int(words[0], radix: 16))
            #expect(offset == bytes.count, "\(line)")
            for word in words.dropFirst() { bytes.append(try #require(UInt8(word, radix: 16))) }
        }
        return bytes
    }
}
