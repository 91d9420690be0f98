/// A place in the bytes of a settings file, and the readers of single words and values.
struct SettingsCursor {
    private let bytes: [UInt8]
    private let file: String
    private var index = 0
    private var line = 1
    private var lineStart = 0

    /// Refuses what no settings file may hold: too many bytes, text that is not UTF-8, control characters.
    init(_ bytes: [UInt8], file: String) throws(SettingsError) {
        self.bytes = bytes
        self.file = file
        guard bytes.count <= SettingsText.longest else {
            let limit = "at most \(SettingsText.longest) bytes"
            throw SettingsError(file, "size", Setting.Refusal(expected: limit, found: "\(bytes.count)"))
        }
        var parser = Unicode.UTF8.ForwardParser()
        var input = bytes.makeIterator()
        parsing: while true {
            switch parser.parseScalar(from: &input) {
            case .emptyInput: break parsing
            case .error:
                throw error("encoding", "UTF-8", "bytes that are none")
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                try check(scalar)
                index += encoded.count
                if scalar == "\n" { beginLine() }
            }
        }
        (index, line, lineStart) = (0, 1, 0)
    }

    private func check(_ scalar: Unicode.Scalar) throws(SettingsError) {
        switch scalar {
        case "\t", "\n": return
        case "\r" where index + 1 < bytes.count && bytes[index + 1] == 0x0A: return
        default: break
        }
        guard scalar.value >= 0x20, scalar.value != 0x7F else {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let name = "U+" + String(repeating: "0", count: 4 - digits.count) + digits
            throw error("encoding", "text", "the control character \(name)")
        }
    }

    private mutating func beginLine() {
        line += 1
        lineStart = index
    }

    // MARK: Where it is

    var isAtEnd: Bool { index >= bytes.count }
    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Columns are characters: bytes that go on with one do not count.
    var place: SettingsText.Place {
        SettingsText.Place(line: line, column: bytes[lineStart..<index].count { $0 & 0xC0 != 0x80 } + 1)
    }

    /// Here, unless `place` is given.
    func error(
        at place: SettingsText.Place? = nil, _ subject: String, _ expected: String, _ found: String,
        remedy: String? = nil
    ) -> SettingsError {
        SettingsError(
            file, at: place ?? self.place, subject,
            Setting.Refusal(expected: expected, found: found, remedy: remedy))
    }

    /// The rest of the line, for a message.
    var found: String {
        let rest = bytes[index...].prefix { $0 != 0x0A && $0 != 0x0D }
        if rest.isEmpty { return isAtEnd ? "the end of the file" : "the end of the line" }
        return String(decoding: rest.prefix(40), as: UTF8.self)
    }

    // MARK: Steps

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = peek, UInt32(byte) == character.value else { return false }
        index += 1
        return true
    }

    mutating func skipBlanks() {
        while peek == 0x20 || peek == 0x09 { index += 1 }
    }

    /// Passes over a comment and the end of the line. False where something else follows.
    mutating func skipLineEnd() throws(SettingsError) -> Bool {
        if peek == UInt8(ascii: "#") {
            while let byte = peek, byte != 0x0A { _ = byte; index += 1 }
        }
        if isAtEnd { return true }
        if peek == 0x0D { index += 1 }
        guard take("\n") else { return false }
        beginLine()
        return true
    }

    /// A bare word.
    mutating func word(_ expected: String) throws(SettingsError) -> String {
        let start = index
        while let byte = peek, SettingsCursor.isBare(byte) { index += 1 }
        guard index > start else {
            let isQuoted = peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'")
            throw error("syntax", expected, isQuoted ? "a quoted name" : found)
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    // MARK: Values

    private static let values = #"a "string", true, false, a number or a list of strings"#

    mutating func value() throws(SettingsError) -> SettingsText.Value {
        switch peek {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try string())
        case UInt8(ascii: "["): return .list(try list())
        case UInt8(ascii: "{"): throw error("syntax", SettingsCursor.values, "a table in braces")
        default: break
        }
        let start = place
        let text = plain()
        switch text {
        case "": throw error(at: start, "syntax", SettingsCursor.values, found)
        case "true": return .flag(true)
        case "false": return .flag(false)
        default: break
        }
        guard let number = SettingsCursor.number(text) else {
            throw error(at: start, "syntax", SettingsCursor.values, text)
        }
        return number
    }

    /// Up to a blank, a comment, a comma, a bracket or the end of the line.
    private mutating func plain() -> String {
        let start = index
        while let byte = peek, byte > 0x20, !"#,]".utf8.contains(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func number(_ text: String) -> SettingsText.Value? {
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.allSatisfy({ part in !part.isEmpty && part.utf8.allSatisfy(isDigit) }),
            whole == "0" || !whole.hasPrefix("0")
        else { return nil }
        if parts.count == 1 { return Int(text).map { .integer($0) } }
        return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func list() throws(SettingsError) -> [String] {
        _ = take("[")
        var items: [String] = []
        while true {
            try skipEmptyLines("a string or ]")
            if take("]") { return items }
            guard peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") else {
                throw error("syntax", "a string or ]", found)
            }
            items.append(try string())
            try skipEmptyLines(", or ]")
            if take(",") { continue }
            guard take("]") else { throw error("syntax", ", or ]", found) }
            return items
        }
    }

    private mutating func skipEmptyLines(_ expected: String) throws(SettingsError) {
        while true {
            skipBlanks()
            if isAtEnd { throw error("syntax", expected, found) }
            guard try skipLineEnd() else { return }
        }
    }

    private mutating func string() throws(SettingsError) -> String {
        let quote = bytes[index]
        let start = place
        index += 1
        if peek == quote, index + 1 < bytes.count, bytes[index + 1] == quote {
            throw error(at: start, "syntax", "a string of one line", "one of several lines")
        }
        var text: [UInt8] = []
        while let byte = peek, byte != 0x0A, byte != 0x0D {
            if byte == quote {
                index += 1
                return String(decoding: text, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                text.append(contentsOf: Array(String(Character(try escape())).utf8))
            } else {
                text.append(byte)
                index += 1
            }
        }
        throw error(at: start, "syntax", "a closing quote in the same line", found)
    }

    private mutating func escape() throws(SettingsError) -> Unicode.Scalar {
        let start = place
        index += 1
        guard let byte = peek else { throw error(at: start, "syntax", "an escape", found) }
        index += 1
        switch byte {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            let count = byte == UInt8(ascii: "u") ? 4 : 8
            let digits = bytes[index...].prefix(count)
            let isHex = digits.count == count && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
            guard isHex, let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(number)
            else {
                let found = "\\" + String(UnicodeScalar(byte))
                throw error(at: start, "syntax", "a character as \(count) hexadecimal digits", found)
            }
            index += count
            return scalar
        default:
            let found = "\\" + String(UnicodeScalar(byte))
            throw error(at: start, "syntax", #"one of \b \t \n \f \r \" \\ \uXXXX \UXXXXXXXX"#, found)
        }
    }
}
