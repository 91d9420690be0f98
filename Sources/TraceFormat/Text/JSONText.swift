import KeyModel

/// Writes JSON without blanks, in the order of the calls. Commas are added automatically.
///
/// Strings keep their characters except those that JSON requires to be escaped, and invisible ones, which could act on
/// a terminal or turn the direction of text.
public struct JSONText: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// Bytes of a value that is a text, in UTF-8: of a longer one the begin, with an ellipsis.
    package var longestText = Int.max
    private var needsComma = false

    public init() {}

    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Removes the bytes, which were passed on; the next value continues after them.
    public mutating func drain() { bytes.removeAll(keepingCapacity: true) }

    public mutating func beginObject() { open(0x7B) }
    public mutating func endObject() { shut(0x7D) }
    public mutating func beginArray() { open(0x5B) }
    public mutating func endArray() { shut(0x5D) }

    /// The name of a member; its value must follow.
    public mutating func key(_ name: String) {
        separate()
        append(quoted: name)
        bytes.append(0x3A)
        needsComma = false
    }

    public mutating func value(_ text: String) {
        separate()
        append(quoted: JSONText.cut(text, to: longestText))
        needsComma = true
    }

    public mutating func value(_ number: some BinaryInteger) { raw(String(number)) }
    public mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }
    public mutating func null() { raw("null") }

    public mutating func value(_ text: String?) { if let text { value(text) } else { null() } }
    public mutating func value<N: BinaryInteger>(_ number: N?) { if let number { value(number) } else { null() } }
    public mutating func value(_ flag: Bool?) { if let flag { value(flag) } else { null() } }

    public mutating func member(_ name: String, _ text: String?) {
        key(name)
        value(text)
    }
    public mutating func member<N: BinaryInteger>(_ name: String, _ number: N?) {
        key(name)
        value(number)
    }
    public mutating func member(_ name: String, _ flag: Bool?) {
        key(name)
        value(flag)
    }
    /// A member without a value: absent is not zero.
    public mutating func null(_ name: String) {
        key(name)
        null()
    }
    public mutating func member(_ name: String, _ texts: [String]) {
        key(name)
        beginArray()
        for text in texts { value(text) }
        endArray()
    }

    public mutating func member(_ name: String, object members: (inout JSONText) -> Void) {
        key(name)
        object(members)
    }
    /// One object about a value, `null` where there is none.
    public mutating func member<Value>(
        _ name: String, about value: Value?, _ members: (inout JSONText, Value) -> Void
    ) {
        guard let value else { return null(name) }
        member(name, object: { members(&$0, value) })
    }
    /// A list, `null` where there is none.
    public mutating func member<S: Sequence>(
        _ name: String, array elements: S?, _ write: (inout JSONText, S.Element) -> Void
    ) {
        guard let elements else { return null(name) }
        key(name)
        array(elements, write)
    }
    /// A list of objects, `null` where there is none; `members` writes what is in one of them.
    public mutating func member<S: Sequence>(
        _ name: String, objects elements: S?, _ members: (inout JSONText, S.Element) -> Void
    ) {
        member(name, array: elements) { json, element in json.object { members(&$0, element) } }
    }

    /// One object; `members` writes what is in it.
    public mutating func object(_ members: (inout JSONText) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    public mutating func array<S: Sequence>(_ elements: S, _ write: (inout JSONText, S.Element) -> Void) {
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }

    /// A value that is JSON already.
    public mutating func raw(_ json: some StringProtocol) {
        separate()
        bytes.append(contentsOf: json.utf8)
        needsComma = true
    }

    /// Ends a line of a JSON lines file; the next value gets no comma.
    public mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    /// One object as a text; `members` writes what is in it.
    public static func objectText(_ members: (inout JSONText) -> Void) -> String {
        var json = JSONText()
        json.object(members)
        return json.text
    }

    /// A text as a JSON string.
    public static func quoted(_ text: String) -> String {
        var json = JSONText()
        json.append(quoted: text)
        return json.text
    }

    /// The text of a JSON string; `nil` for anything else.
    package static func unquoted(_ json: String) -> String? {
        var json = json
        return json.withUTF8 { utf8 in
            var cursor = LineCursor(UnsafeRawBufferPointer(utf8))
            guard let text = try? cursor.string("text"), cursor.isAtEnd else { return nil }
            return text
        }
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func shut(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() { if needsComma { bytes.append(0x2C) } }

    /// Bytes that are no JSON, for texts that have JSON values in them.
    mutating func plain(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        needsComma = false
    }

    mutating func plain(_ text: some StringProtocol) {
        bytes.append(contentsOf: text.utf8)
        needsComma = false
    }

    /// The begin of a text of more bytes, with an ellipsis.
    package static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var cut = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars {
            used += UTF8.width(scalar)
            guard used <= limit else { break }
            cut.append(scalar)
        }
        return String(cut) + "…"
    }

    private mutating func append(quoted text: String) {
        bytes.append(0x22)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: bytes.append(contentsOf: [0x5C, 0x22])
            case 0x5C: bytes.append(contentsOf: [0x5C, 0x5C])
            case 0x0A: bytes.append(contentsOf: [0x5C, 0x6E])
            case 0x0D: bytes.append(contentsOf: [0x5C, 0x72])
            case 0x09: bytes.append(contentsOf: [0x5C, 0x74])
            case 0x20..<0x7F: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default:
                if VisibleText.isHidden(scalar) {
                    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { append(escaped: unit) }
                } else {
                    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                }
            }
        }
        bytes.append(0x22)
    }

    private mutating func append(escaped unit: UInt16) {
        bytes.append(contentsOf: [0x5C, 0x75])
        for shift in [12, 8, 4, 0] as [UInt16] {
            let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xF)
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}
