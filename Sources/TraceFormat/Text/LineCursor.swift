/// Consumes one line of the text format. Columns count bytes from 1.
struct LineCursor {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    /// The rest of the line, shortened, for errors.
    var rest: String {
        if isAtEnd { return "the end of the line" }
        let next = bytes[position...].prefix(40)
        return "`" + String(decoding: next, as: UTF8.self) + (bytes.count - position > 40 ? "…`" : "`")
    }

    /// An error at this place, or at the word that was just consumed.
    func error(
        _ code: TraceError.Code, field: StaticString? = nil, expected: String, found: String, at word: String = ""
    ) -> TraceError {
        var error = TraceError(
            code, field: field.map { "\($0)" }, expected: expected, found: word.isEmpty ? found : "`\(word)`")
        error.column = max(1, position - word.utf8.count + 1)
        return error
    }

    /// Consumes ` name=` when it is next.
    mutating func takeName(_ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        guard bytes.count - position >= length + 2, bytes[position] == 0x20, bytes[position + 1 + length] == 0x3D
        else { return false }
        let matches = name.withUTF8Buffer { $0.elementsEqual(bytes[position + 1..<position + 1 + length]) }
        if matches { position += length + 2 }
        return matches
    }

    /// The next byte; `nil` at the end.
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    /// Everything up to the next blank or the end; empty when there is nothing.
    mutating func word() -> String { word { $0 != 0x20 } }

    /// All bytes from here for which `isPart` is true.
    mutating func word(_ isPart: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, isPart(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    mutating func take(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard bytes.count - position >= length else { return false }
        let matches = text.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + length]) }
        if matches { position += length }
        return matches
    }

    mutating func expect(_ text: StaticString, _ field: StaticString) throws(TraceError) {
        guard take(text) else { throw error(.syntax, field: field, expected: "`\(text)`", found: rest) }
    }

    /// A JSON string.
    mutating func string(_ field: StaticString) throws(TraceError) -> String {
        try expect("\"", field)
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case 0x22:
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw error(.invalidText, field: field, expected: "UTF-8", found: "other bytes")
                }
                position += 1
                do { try TraceLimits.check(string, of: field) } catch {
                    throw self.error(error.code, field: field, expected: error.expected, found: error.found)
                }
                return string
            case 0x5C: try escape(into: &text, field)
            case 0..<0x20: throw error(.syntax, field: field, expected: "an escaped control character", found: rest)
            default:
                text.append(byte)
                position += 1
            }
        }
        throw error(.truncated, field: field, expected: "the end of the string", found: rest)
    }

    private static let shortEscapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09, 0x62: 0x08, 0x66: 0x0C,
    ]

    private mutating func escape(into text: inout [UInt8], _ field: StaticString) throws(TraceError) {
        guard bytes.count - position >= 2 else {
            throw error(.truncated, field: field, expected: "an escape", found: rest)
        }
        if let byte = LineCursor.shortEscapes[bytes[position + 1]] {
            text.append(byte)
            position += 2
            return
        }
        var value = try unit(field)
        if value & 0xFC00 == 0xD800 {
            let low = try unit(field)
            guard low & 0xFC00 == 0xDC00 else {
                throw error(.invalidText, field: field, expected: "the second half of a pair", found: rest)
            }
            value = 0x1_0000 + (value & 0x3FF) << 10 + (low & 0x3FF)
        }
        guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else {
            throw error(.invalidText, field: field, expected: "a character", found: rest)
        }
        text.append(contentsOf: encoded)
    }

    /// `\uXXXX`
    private mutating func unit(_ field: StaticString) throws(TraceError) -> UInt32 {
        guard bytes.count - position >= 6, bytes[position] == 0x5C, bytes[position + 1] == 0x75 else {
            throw error(.syntax, field: field, expected: "an escape of JSON", found: rest)
        }
        var value: UInt32 = 0
        for byte in bytes[position + 2..<position + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw error(.syntax, field: field, expected: "four hexadecimal digits", found: rest)
            }
            value = value << 4 | UInt32(digit)
        }
        position += 6
        return value
    }
}
