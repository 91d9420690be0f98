package import KeyModel

/// The meaning of texts of a trace: each is parsed once, however many records refer to it.
package struct ParsedTexts<Value: Sendable>: Sendable {
    private var known: [ByteName: Value] = [:]
    /// Bytes of those that are known.
    private var bytes = 0
    private let parse: @Sendable (String) -> Value
    /// A block has no more that its records refer to again and again.
    private static var limit: Int { 1 << 20 }

    package init(_ parse: @escaping @Sendable (String) -> Value) { self.parse = parse }

    package mutating func value(of text: String) -> Value {
        let name = ByteName(text)
        if let value = known[name] { return value }
        bytes += text.utf8.count
        if bytes > Self.limit {
            known.removeAll()
            bytes = text.utf8.count
        }
        let value = parse(text)
        known[name] = value
        return value
    }
}

extension ParsedTexts<Layout?> {
    /// Layouts by their tables; `nil` for a table that is none.
    package init() { self.init { try? Layout(text: $0) } }

    package mutating func layout(_ table: StringRef?, _ definitions: TraceDefinitions) -> Layout? {
        table.flatMap { definitions[$0] }.flatMap { value(of: $0) }
    }
}
