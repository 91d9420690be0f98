/// JSON written member by member, in the order given, without blanks: the same values always give the same bytes.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    init(reserving capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// One object; `members` writes what is in it.
    mutating func object(_ members: (inout JSONText) -> Void) {
        bracketed("{", "}", members)
    }

    mutating func array<S: Sequence>(_ elements: S, _ write: (inout JSONText, S.Element) -> Void) {
        bracketed("[", "]") { json in
            for element in elements { write(&json, element) }
        }
    }

    /// The name of the member whose value is written next.
    mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: "\":".utf8)
        needsComma = false
    }

    mutating func null() { raw("null") }
    mutating func flag(_ flag: Bool) { raw(flag ? "true" : "false") }
    mutating func number(_ number: some BinaryInteger) { raw(String(number)) }

    /// Text that is JSON already.
    mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
        needsComma = true
    }

    /// A string; `null` for `nil`. Control characters are escaped, everything else stands as UTF-8.
    mutating func string(_ value: String?) {
        guard let value else { return null() }
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in value.utf8 { append(escaping: byte) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20, 0x7F:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(JSONText.hexDigit(byte >> 4))
            bytes.append(JSONText.hexDigit(byte & 15))
        default: bytes.append(byte)
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func bracketed(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONText) -> Void) {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }
}

/// A string as a JSON string literal.
func jsonLiteral(_ value: String) -> String {
    var json = JSONText(reserving: value.utf8.count + 2)
    json.string(value)
    return json.text
}
