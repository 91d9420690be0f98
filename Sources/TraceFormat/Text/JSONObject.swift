package import KeyModel

/// A value of JSON. An absent one is written as `null`, since absent is not zero.
package protocol JSONValue {
    func write(to json: inout JSONText)
    /// It is absent.
    var isNull: Bool { get }
}

extension JSONValue {
    package var isNull: Bool { false }

    package var jsonText: String {
        var json = JSONText()
        write(to: &json)
        return json.text
    }
}

/// An object as a literal: names with their values, written in this order.
package struct JSONObject: JSONValue, ExpressibleByDictionaryLiteral {
    private var members: [(name: String, value: any JSONValue)]

    package init(dictionaryLiteral elements: (String, any JSONValue)...) {
        members = elements.map { (name: $0.0, value: $0.1) }
    }

    /// In place of a comparison that could not be made, with the reason.
    package static func incomparable(_ schema: String, _ line: String) -> JSONObject {
        ["schema": schema, "identical": false, "incomparable": [line]]
    }

    /// Adds members behind the ones that are there.
    package mutating func add(_ more: JSONObject) { members += more.members }

    package mutating func add(_ name: String, _ value: some JSONValue) { members.append((name, value)) }
    package mutating func add(_ name: String, _ object: JSONObject) { members.append((name, object)) }

    /// Adds those that are there: what a thing cannot have is not the same as `null`.
    package mutating func addKnown(_ more: JSONObject) { members += more.members.filter { !$0.value.isNull } }

    package func write(to json: inout JSONText) { json.object(writeMembers) }

    /// Writes the members alone, for an object that has others besides.
    package func writeMembers(to json: inout JSONText) {
        for (name, value) in members {
            json.key(name)
            value.write(to: &json)
        }
    }

    package var text: String { jsonText }

    /// The object as a line, with its line break.
    package var line: String { text + "\n" }
}

/// An array of values of different kinds: a row of a table.
package struct JSONArray: JSONValue, ExpressibleByArrayLiteral {
    private var values: [any JSONValue]

    package init(arrayLiteral elements: any JSONValue...) { values = elements }

    package func write(to json: inout JSONText) { json.array(values) { $1.write(to: &$0) } }
}

/// A number as it is written.
package struct JSONNumber: JSONValue {
    private var text: String?

    /// `nil` is `null`.
    package init(_ text: String?) { self.text = text }

    package func write(to json: inout JSONText) { json.raw(text ?? "null") }
}

extension Sequence {
    /// An object for each element.
    package func objects(_ object: (Element) -> JSONObject) -> [JSONObject] { map(object) }
    /// A row for each element.
    package func rows(_ row: (Element) -> JSONArray) -> [JSONArray] { map(row) }
}

extension Optional {
    /// An object about the value, where there is one.
    package func object(_ object: (Wrapped) -> JSONObject) -> JSONObject? { map(object) }
}

extension Optional: JSONValue where Wrapped: JSONValue {
    package var isNull: Bool { map { $0.isNull } ?? true }
    package func write(to json: inout JSONText) { if let self { self.write(to: &json) } else { json.null() } }
}

extension Array: JSONValue where Element: JSONValue {
    package func write(to json: inout JSONText) { json.array(self) { $1.write(to: &$0) } }
}

extension String: JSONValue { package func write(to json: inout JSONText) { json.value(self) } }
extension Bool: JSONValue { package func write(to json: inout JSONText) { json.value(self) } }
extension JSONValue where Self: BinaryInteger { package func write(to json: inout JSONText) { json.value(self) } }
extension Int: JSONValue {}
extension Int64: JSONValue {}
extension UInt8: JSONValue {}
extension UInt16: JSONValue {}
extension UInt32: JSONValue {}
extension UInt64: JSONValue {}
extension TraceTime: JSONValue { package func write(to json: inout JSONText) { json.value(nanoseconds) } }
extension TraceDuration: JSONValue { package func write(to json: inout JSONText) { json.value(nanoseconds) } }
