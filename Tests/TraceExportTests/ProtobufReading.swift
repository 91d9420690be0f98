import Foundation

/// A protobuf message, read by a schema as text (`perfetto_trace.proto`) that shares nothing with the writer.
struct ProtobufReading {
    enum Value {
        case number(UInt64)
        case text(String)
        case message(ProtobufReading)
    }

    struct Field {
        var number: Int
        var name: String
        var type: String
        var value: Value
    }

    var fields: [Field] = []

    /// The messages and enumerations of the schema, by name: their fields or cases by number.
    private typealias Schema = [String: [Int: (type: String, name: String)]]
    private static let schema = readSchema()

    struct Fault: Error { var what: String }

    init(_ bytes: some Collection<UInt8>, as type: String) throws {
        guard let known = ProtobufReading.schema[type] else { throw Fault(what: "no message \(type)") }
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let key = try ProtobufReading.varint(&rest)
            let number = Int(key >> 3)
            guard let (type, name) = known[number] else { throw Fault(what: "\(type) has no field \(number)") }
            let value: Value
            switch (key & 7, type) {
            case (0, _): value = .number(try ProtobufReading.varint(&rest))
            case (1, "fixed64"):
                value = .number(try ProtobufReading.take(8, &rest).reversed().reduce(0) { $0 << 8 | UInt64($1) })
            case (2, "string"):
                let content = try ProtobufReading.take(Int(try ProtobufReading.varint(&rest)), &rest)
                guard let text = String(validating: content, as: UTF8.self) else { throw Fault(what: "\(name): UTF-8") }
                value = .text(text)
            case (2, _):
                let content = try ProtobufReading.take(Int(try ProtobufReading.varint(&rest)), &rest)
                value = .message(try ProtobufReading(content, as: type))
            default: throw Fault(what: "\(name): wire type \(key & 7)")
            }
            fields.append(Field(number: number, name: name, type: type, value: value))
        }
    }

    func messages(_ name: String) -> [ProtobufReading] {
        fields.compactMap { if $0.name == name, case .message(let message) = $0.value { message } else { nil } }
    }
    func numbers(_ name: String) -> [UInt64] {
        fields.compactMap { if $0.name == name, case .number(let number) = $0.value { number } else { nil } }
    }
    func text(_ name: String) -> String {
        fields.lazy.compactMap { if $0.name == name, case .text(let text) = $0.value { text } else { nil } }.first ?? ""
    }

    /// Protobuf's text format.
    func lines(_ indent: String = "") -> String {
        fields.map { field in
            switch field.value {
            case .message(let inner): "\(indent)\(field.name) {\n" + inner.lines(indent + "  ") + "\(indent)}\n"
            case .text(let text): "\(indent)\(field.name): \"\(text)\"\n"
            case .number(let number):
                "\(indent)\(field.name): \(ProtobufReading.word(number, field.type))\n"
            }
        }.joined()
    }

    private static func word(_ number: UInt64, _ type: String) -> String {
        if type == "bool" { return number == 0 ? "false" : "true" }
        if type.hasPrefix("int") { return "\(Int64(bitPattern: number))" }
        return schema[type]?[Int(clamping: number)]?.name ?? "\(number)"
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try take(1, &rest).reduce(0) { $1 + $0 }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw Fault(what: "a number of more than ten bytes")
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw Fault(what: "\(count) bytes expected, \(rest.count) left") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// `message NAME {`, `enum NAME {`, `[repeated] TYPE NAME = NUMBER;` and `NAME = NUMBER;`, a line each.
    private static func readSchema() -> Schema {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "perfetto_trace.proto")
        var schema: Schema = [:]
        var open: [String] = []
        for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n") {
            let words = line.prefix { $0 != ";" }.split(separator: " ")
                .filter { $0 != "optional" && $0 != "repeated" }.map(String.init)
            switch words.first {
            case "message"?, "enum"?:
                open.append(words[1])
                schema[words[1]] = [:]
            // The fields of a oneof are the message's own.
            case "oneof"?: open.append(open.last ?? "")
            case "}"?: open.removeLast()
            default:
                guard let owner = open.last, words.count >= 3, words[words.count - 2] == "=",
                    let number = Int(words[words.count - 1])
                else { continue }
                schema[owner]?[number] = (words[0], words[words.count - 3])
            }
        }
        return schema
    }
}
