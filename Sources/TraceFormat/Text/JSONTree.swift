/// A value of JSON (RFC 8259) that was read. Of members with one name the first counts.
package enum JSONTree {
    case null
    case bool(Bool)
    /// As it is written.
    case number(String)
    case text(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// - Throws: `TraceError` with the column of the first byte that is not JSON, counted from 1.
    package init(_ json: [UInt8]) throws {
        self = try json.withUnsafeBytes { bytes in
            var cursor = LineCursor(bytes)
            let value = try cursor.json(depth: 0)
            guard cursor.isAtEnd else { throw cursor.error(.syntax, expected: "the end", found: cursor.rest) }
            return value
        }
    }

    /// The value of a member; an absent one is read as null.
    /// - Throws: `TraceError` where it is of another type, or where this is no object.
    package func member<Value: JSONReadable>(_ name: String) throws -> Value {
        guard case .object(let members) = self else { throw mismatch("an object") }
        return try Value(json: members[name] ?? .null)
    }

    package func mismatch(_ expected: String) -> TraceError {
        TraceError(.field, expected: expected, found: "another value")
    }
}

/// A type that is read from JSON.
package protocol JSONReadable {
    /// - Throws: `TraceError` for a value of another type.
    init(json: JSONTree) throws
}

extension String: JSONReadable {
    package init(json: JSONTree) throws {
        guard case .text(let text) = json else { throw json.mismatch("a text") }
        self = text
    }
}

extension Bool: JSONReadable {
    package init(json: JSONTree) throws {
        guard case .bool(let flag) = json else { throw json.mismatch("true or false") }
        self = flag
    }
}

extension Double: JSONReadable {
    package init(json: JSONTree) throws {
        guard case .number(let text) = json, let number = Double(text), number.isFinite else {
            throw json.mismatch("a number")
        }
        self = number
    }
}

extension Int64: JSONReadable {
    /// 2.0 and 2e0 are integers, too.
    package init(json: JSONTree) throws {
        guard case .number(let text) = json, let number = try Int64(text) ?? Int64(exactly: Double(json: json)) else {
            throw json.mismatch("an integer")
        }
        self = number
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    package init(json: JSONTree) throws {
        guard case .array(let elements) = json else { throw json.mismatch("an array") }
        self = try elements.map(Element.init(json:))
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    package init(json: JSONTree) throws {
        guard case .object(let members) = json else { throw json.mismatch("an object") }
        self = try members.mapValues(Value.init(json:))
    }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    package init(json: JSONTree) throws {
        if case .null = json { self = nil } else { self = try Wrapped(json: json) }
    }
}

extension LineCursor {
    /// Levels of brackets that are read.
    private static let jsonDepth = 512

    /// A value with the blanks around it.
    fileprivate mutating func json(depth: Int) throws(TraceError) -> JSONTree {
        if depth > LineCursor.jsonDepth {
            throw error(.limitExceeded, expected: "at most \(LineCursor.jsonDepth) levels", found: "more")
        }
        skipBlanks()
        let value: JSONTree
        if take("{") {
            var members: [String: JSONTree] = [:]
            try list(until: "}") { cursor throws(TraceError) in
                cursor.skipBlanks()
                let name = try cursor.string("json")
                cursor.skipBlanks()
                try cursor.expect(":", "json")
                let value = try cursor.json(depth: depth + 1)
                if members[name] == nil { members[name] = value }
            }
            value = .object(members)
        } else if take("[") {
            var elements: [JSONTree] = []
            try list(until: "]") { cursor throws(TraceError) in elements.append(try cursor.json(depth: depth + 1)) }
            value = .array(elements)
        } else if next == 0x22 {
            value = .text(try string("json"))
        } else if take("null") {
            value = .null
        } else if take("true") {
            value = .bool(true)
        } else if take("false") {
            value = .bool(false)
        } else {
            value = try number()
        }
        skipBlanks()
        return value
    }

    /// Elements with commas between them, behind an opening bracket.
    private mutating func list(
        until end: StaticString, _ element: (inout LineCursor) throws(TraceError) -> Void
    ) throws(TraceError) {
        skipBlanks()
        if take(end) { return }
        repeat { try element(&self) } while take(",")
        try expect(end, "json")
    }

    private mutating func number() throws(TraceError) -> JSONTree {
        var text = take("-") ? "-" : ""
        var digits = self.digits()
        var isNumber = digits == "0" || !digits.isEmpty && !digits.hasPrefix("0")
        text += digits
        if take(".") {
            digits = self.digits()
            isNumber = isNumber && !digits.isEmpty
            text += "." + digits
        }
        if take("e") || take("E") {
            let sign = take("-") ? "-" : take("+") ? "+" : ""
            digits = self.digits()
            isNumber = isNumber && !digits.isEmpty
            text += "e" + sign + digits
        }
        guard isNumber else { throw error(.syntax, expected: "a value of JSON", found: rest) }
        return .number(text)
    }

    private mutating func digits() -> String { word { 0x30...0x39 ~= $0 } }

    private mutating func skipBlanks() { _ = word { $0 == 0x20 || 0x09...0x0A ~= $0 || $0 == 0x0D } }
}
