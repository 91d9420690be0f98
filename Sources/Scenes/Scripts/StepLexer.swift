import KeyModel

/// The words of one line of a key script or of one context step.
///
/// Words are separated by blanks (space, tab). A word that begins with `"` is a JSON string and may hold anything. `#`
/// begins a comment at the start of the line or after a blank, outside JSON strings.
struct StepLexer {
    /// An error inside a line; the caller knows file and line.
    struct Problem: Error, Hashable {
        var expected: String
        var found: String
    }

    private(set) var rest: ArraySlice<UInt8>

    init(_ line: ArraySlice<UInt8>) {
        rest = line
        skipBlanks(isAfterBlank: true)
    }

    init(_ text: String) { self.init(Array(text.utf8)[...]) }

    var isEmpty: Bool { rest.isEmpty }

    /// The next word, `nil` at the end of the line.
    mutating func next() throws(Problem) -> String? {
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "\"") { return try quoted() }
        let end = rest.firstIndex(where: StepLexer.isBlank) ?? rest.endIndex
        let word = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[end...]
        skipBlanks(isAfterBlank: false)
        return word
    }

    /// The next word; its absence is a problem that contains what was expected.
    mutating func next(_ expected: String) throws(Problem) -> String {
        guard let word = try next() else { throw Problem(expected: expected, found: "the end of the line") }
        return word
    }

    /// The next word as `read` takes it; a word that it does not take is a problem.
    mutating func next<Value>(_ expected: String, _ read: (String) -> Value?) throws(Problem) -> Value {
        let word: String = try next(expected)
        guard let value = read(word) else { throw Problem(expected: expected, found: SourceTextError.quoted(word)) }
        return value
    }

    /// Everything up to a comment, without the blanks at its end; or one JSON string.
    mutating func remainder(_ expected: String) throws(Problem) -> String {
        guard let first = rest.first else { throw Problem(expected: expected, found: "the end of the line") }
        if first == UInt8(ascii: "\"") {
            let text = try quoted()
            try end()
            return text
        }
        var end = rest.startIndex
        var isAfterBlank = false
        for at in rest.indices {
            let byte = rest[at]
            if byte == UInt8(ascii: "#"), isAfterBlank { break }
            isAfterBlank = StepLexer.isBlank(byte)
            if !isAfterBlank { end = rest.index(after: at) }
        }
        let text = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[rest.endIndex...]
        return text
    }

    /// Nothing may be left.
    mutating func end() throws(Problem) {
        if let extra = try next() {
            throw Problem(expected: "the end of the line", found: SourceTextError.quoted(extra))
        }
    }

    /// Blanks, then a comment if there is one. A `#` right after a word belongs to no comment.
    private mutating func skipBlanks(isAfterBlank: Bool) {
        let start = rest.startIndex
        rest = rest.drop(while: StepLexer.isBlank)
        if rest.first == UInt8(ascii: "#"), isAfterBlank || rest.startIndex > start { rest = rest[rest.endIndex...] }
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func quoted() throws(Problem) -> String {
        let (text, after) = try JSONString.parse(rest)
        guard after == rest.endIndex || StepLexer.isBlank(rest[after]) else {
            throw Problem(expected: "a blank after the string", found: "more characters")
        }
        rest = rest[after...]
        skipBlanks(isAfterBlank: false)
        return text
    }
}

/// JSON string literals (RFC 8259 §7).
enum JSONString {
    typealias Problem = StepLexer.Problem

    /// Parses the literal at the start of `bytes`; returns its value and the index after the closing quote.
    static func parse(_ bytes: ArraySlice<UInt8>) throws(Problem) -> (String, ArraySlice<UInt8>.Index) {
        var value: [UInt8] = []
        var rest = bytes.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return (String(decoding: value, as: UTF8.self), rest.startIndex)
            case UInt8(ascii: "\\"): try escape(&rest, into: &value)
            case 0..<0x20: throw Problem(expected: "an escape such as \\n", found: "a control character")
            default: value.append(byte)
            }
        }
        throw Problem(expected: "a closing \"", found: "the end of the line")
    }

    private static func escape(_ rest: inout ArraySlice<UInt8>, into value: inout [UInt8]) throws(Problem) {
        guard let letter = rest.popFirst() else { throw Problem(expected: "an escape", found: "the end of the line") }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): value.append(letter)
        case UInt8(ascii: "b"): value.append(0x08)
        case UInt8(ascii: "f"): value.append(0x0C)
        case UInt8(ascii: "n"): value.append(0x0A)
        case UInt8(ascii: "r"): value.append(0x0D)
        case UInt8(ascii: "t"): value.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal(&rest)
            if code & 0xFC00 == 0xD800, rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
                rest = rest.dropFirst(2)
                let low = try hexadecimal(&rest)
                guard low & 0xFC00 == 0xDC00 else {
                    throw Problem(expected: "the second half of a surrogate pair", found: "another escape")
                }
                code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
            }
            guard let scalar = Unicode.Scalar(code) else {
                throw Problem(expected: "a pair of surrogates", found: "half of one")
            }
            value.append(contentsOf: String(scalar).utf8)
        default:
            throw Problem(
                expected: "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
                found: SourceTextError.quoted("\\" + String(decoding: [letter], as: UTF8.self)))
        }
    }

    private static func hexadecimal(_ rest: inout ArraySlice<UInt8>) throws(Problem) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = rest.popFirst(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80
            else { throw Problem(expected: "four hexadecimal digits after \\u", found: "something else") }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// The literal for a text: only `"`, `\` and control characters are escaped.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case let control where control.value < 0x20: literal += "\\u" + control.value.hexadecimal(4)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// The text itself where it reads back as one word, else its literal.
    static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.utf8.first != UInt8(ascii: "\"") && text.utf8.first != UInt8(ascii: "#")
            && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
        return isPlain ? text : literal(text)
    }
}
