/// JSON written member by member, in the order given, without blanks: the same facts always give the same bytes.
struct JSONText {
    private(set) var text = ""
    private var needsComma = false

    /// One object; `members` writes what is in it.
    mutating func object(_ members: (inout JSONText) -> Void) { bracketed("{", "}", members) }

    mutating func array<S: Sequence>(_ elements: S, _ write: (inout JSONText, S.Element) -> Void) {
        bracketed("[", "]") { json in
            for element in elements { write(&json, element) }
        }
    }

    mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
        self.name(name)
        value(number.map { String($0) } ?? "null")
    }

    mutating func member(_ name: String, _ string: String?) {
        self.name(name)
        self.string(string)
    }

    mutating func member(_ name: String, flag: Bool?) {
        self.name(name)
        value(flag.map { $0 ? "true" : "false" } ?? "null")
    }

    mutating func member(_ name: String, object members: (inout JSONText) -> Void) {
        self.name(name)
        object(members)
    }

    mutating func member<S: Sequence>(_ name: String, array: S, _ write: (inout JSONText, S.Element) -> Void) {
        self.name(name)
        self.array(array, write)
    }

    mutating func null(_ name: String) {
        self.name(name)
        value("null")
    }

    mutating func string(_ string: String?) {
        guard let string else { return value("null") }
        var literal = "\""
        for scalar in string.unicodeScalars { JSONText.append(scalar, to: &literal) }
        value(literal + "\"")
    }

    private mutating func name(_ name: String) {
        if needsComma { text += "," }
        text += "\"" + name + "\":"
        needsComma = false
    }

    private mutating func value(_ literal: String) {
        if needsComma { text += "," }
        text += literal
        needsComma = true
    }

    /// Characters that could act on a terminal or turn the direction of text are escaped, as JSON allows.
    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        default:
            guard SafeText.isHidden(scalar) else { return text.unicodeScalars.append(scalar) }
            for unit in UTF16.encode(scalar) ?? .init([]) {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
    }

    private mutating func bracketed(_ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
        if needsComma { text += "," }
        text += open
        needsComma = false
        body(&self)
        text += close
        needsComma = true
    }
}
