/// An error of a trace, its text format, or a record to be written, with its place.
public struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, CaseIterable, Sendable {
        /// The bytes are not a keyflight trace, or the text is not in the text format.
        case notATrace
        /// A version that this build does not read.
        case unsupportedVersion
        /// The bytes end before the value does.
        case truncated
        /// A checksum does not fit its bytes.
        case checksum
        /// A number is coded in more bytes than it needs.
        case overlongNumber
        /// A value outside its allowed range.
        case outOfRange
        /// A reference to something that the block does not define.
        case unknownReference
        /// Bytes that are not UTF-8 where text is required.
        case invalidText
        /// Bytes left over at the end of a record, a block or the file.
        case leftover
        /// More than `TraceLimits` allows.
        case limitExceeded
        /// A record earlier than the one before it.
        case timeOrder
        /// Sequence numbers that do not follow each other.
        case sequenceOrder
        /// A field is missing, comes twice or has another name.
        case field
        /// The text does not follow the grammar.
        case syntax
        /// The operating system refused something.
        case file
    }

    public var code: Code
    public var file: String?
    /// `errno`, where the operating system refused something.
    public var systemError: Int32?
    /// Byte offset in the trace.
    public var offset: UInt64?
    /// 1-based line of the text format, and the 1-based byte column in it.
    public var line: Int?
    public var column: Int?
    /// 0-based number of the block.
    public var block: Int?
    /// Sequence number of the record.
    public var record: UInt64?
    public var field: String?
    public var expected: String
    public var found: String

    public init(_ code: Code, field: String? = nil, expected: String, found: String) {
        self.code = code
        self.field = field
        self.expected = expected
        self.found = found
    }

    /// `FILE: where: what: expected …, found …`, in one line.
    public var description: String {
        var place: [String] = []
        if let offset { place.append("byte \(offset)") }
        if let line { place.append(column.map { "line \(line), column \($0)" } ?? "line \(line)") }
        if let block { place.append("block \(block)") }
        if let record { place.append("record \(record)") }
        if let field { place.append("field \(field)") }
        let parts: [String?] = [file, place.isEmpty ? nil : place.joined(separator: ", "), reason]
        return parts.compactMap { $0 }.joined(separator: ": ")
    }

    /// The error without its place.
    public var reason: String { "\(code.words): expected \(expected), found \(found)" }
}

extension TraceError.Code {
    /// The code in words.
    public var words: String {
        switch self {
        case .notATrace: "not a keyflight trace"
        case .unsupportedVersion: "unsupported version"
        case .truncated: "cut short"
        case .checksum: "wrong checksum"
        case .overlongNumber: "overlong number"
        case .outOfRange: "value out of range"
        case .unknownReference: "unknown reference"
        case .invalidText: "invalid text"
        case .leftover: "bytes left over"
        case .limitExceeded: "limit exceeded"
        case .timeOrder: "time runs backwards"
        case .sequenceOrder: "sequence out of order"
        case .field: "wrong field"
        case .syntax: "syntax"
        case .file: "file"
        }
    }
}
