import KeyModel

/// Reads the text format of a trace, line by line.
public struct TraceTextReader {
    private var window: TraceWindow
    private var fields = TextFieldReader()
    private var position = 0
    private var line = 0
    private var pending: TraceRecord?
    private var last: TraceRecord?
    private var isEnded = false

    public private(set) var header = TraceHeader(level: .keys, isMasked: false)
    /// The initial context.
    public private(set) var initialContext: [ContextEntry] = []
    /// The definitions of the records' handles. Grows while reading.
    public var definitions: TraceDefinitions { _read { yield fields.definitions } }

    /// Reads the header and the context.
    public init(_ bytes: TraceBytes) throws(TraceError) {
        window = TraceWindow(bytes)
        do {
            try readHeader()
            while pending == nil, !isEnded, try readLine(allowingContext: true) {}
        } catch {
            throw located(error)
        }
    }

    /// The next record; `nil` after the line `end`. A text without that line is cut short: an error.
    public mutating func next() throws(TraceError) -> TraceRecord? {
        do {
            while pending == nil, !isEnded, try readLine(allowingContext: false) {}
        } catch {
            throw located(error)
        }
        defer { pending = nil }
        return pending
    }

    /// The error with the file and the line that was read last.
    fileprivate func located(_ error: TraceError) -> TraceError {
        var error = error
        error.file = window.source.file
        error.line = max(1, line)
        return error
    }

    /// Continues to the next line with content. False at the end of the text.
    private mutating func nextLine() throws(TraceError) -> Bool {
        while let raw = wholeLine() {
            line += 1
            let end = raw.last == 0x0D ? raw.count - 1 : raw.count
            guard end <= TraceLimits.lineBytes else {
                throw TraceError(
                    .limitExceeded, expected: "a line of at most \(TraceLimits.lineBytes) bytes", found: "\(end)")
            }
            if end == 0 || raw[0] == 0x23 { continue }
            fields.line = LineCursor(UnsafeRawBufferPointer(rebasing: raw[..<end]))
            return true
        }
        return false
    }

    /// The line that begins here, without its end; at least so much of it that it is too long. `nil` at the end.
    private mutating func wholeLine() -> UnsafeRawBufferPointer? {
        var searched = 0
        while true {
            let raw = window.bytes(at: position, least: max(1, searched * 2))
            var end = searched
            while end < raw.count, raw[end] != 0x0A { end += 1 }
            let isWhole = end < raw.count
            // The same bytes as before are all that the text has.
            if isWhole || raw.count == searched || raw.count > TraceLimits.lineBytes + 1 {
                guard !raw.isEmpty else { return nil }
                position += isWhole ? end + 1 : end
                return UnsafeRawBufferPointer(rebasing: raw[..<end])
            }
            searched = end
        }
    }

    /// Not part of the text format, and invisible in a message.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private mutating func readHeader() throws(TraceError) {
        let hasMark = window.bytes(at: 0, count: 3).elementsEqual(TraceTextReader.byteOrderMark)
        guard try nextLine(), fields.line.take("keyflight-text ") else {
            throw TraceError(
                .notATrace, expected: "keyflight-text \(TraceLimits.version) …",
                found: hasMark ? "a byte order mark (EF BB BF), which must go" : fields.line.rest)
        }
        let version = fields.line.word()
        guard let number = TraceLimits.versions.first(where: { version == String($0) }) else {
            throw fields.line.error(
                .unsupportedVersion, field: "version", expected: TraceLimits.versionNames, found: "nothing",
                at: version)
        }
        header.version = number
        try header.walk(&fields)
        try fields.finish()
    }

    /// False when there is no further line.
    private mutating func readLine(allowingContext: Bool) throws(TraceError) -> Bool {
        guard try nextLine() else {
            throw TraceError(.truncated, expected: "a last line `end`", found: "the end of the text")
        }
        if fields.line.take("end") {
            try fields.finish()
            guard try !nextLine() else {
                throw TraceError(.leftover, expected: "nothing after `end`", found: fields.line.rest)
            }
            isEnded = true
        } else if fields.line.take("context ") {
            guard allowingContext else {
                throw fields.line.error(.syntax, expected: "context before the first record", found: "context")
            }
            try readContext()
        } else {
            pending = try readRecord()
        }
        return true
    }

    private mutating func readContext() throws(TraceError) {
        let word = fields.line.word()
        guard let kind = RecordKind(name: word), var entry = ContextEntry.blank(kind) else {
            throw fields.bad("kind", "a kind of context entry", word)
        }
        try entry.walk(&fields)
        try fields.finish()
        initialContext.append(entry)
    }

    private mutating func readRecord() throws(TraceError) -> TraceRecord {
        let number = fields.line.word()
        guard let sequence = UInt64(number), !number.hasPrefix("+") else {
            throw fields.line.error(.syntax, field: "seq", expected: "a sequence number", found: "nothing", at: number)
        }
        let least = last.map { $0.sequence &+ 1 } ?? header.firstSequence
        guard sequence >= least, last?.sequence != UInt64.max else {
            throw fields.line.error(.sequenceOrder, field: "seq", expected: "≥ \(least)", found: "", at: number)
        }
        guard fields.line.take(" ") else {
            throw fields.line.error(.syntax, field: "t_ns", expected: "a blank and a time", found: fields.line.rest)
        }
        let word = fields.line.word()
        guard let time = Int64(word), time >= 0, !word.hasPrefix("+") else {
            throw fields.line.error(
                .outOfRange, field: "t_ns", expected: "0…\(Int64.max)", found: "nothing", at: word)
        }
        if let earliest = last?.time.nanoseconds, time < earliest {
            throw fields.line.error(.timeOrder, field: "t_ns", expected: "≥ \(earliest)", found: "nothing", at: word)
        }
        guard fields.line.take(" ") else {
            throw fields.line.error(.syntax, field: "kind", expected: "a kind", found: fields.line.rest)
        }
        let body = try readBody()
        try fields.finish()
        let record = TraceRecord(time: TraceTime(nanoseconds: time), sequence: sequence, body: body)
        last = record
        return record
    }

    private mutating func readBody() throws(TraceError) -> TraceRecord.Body {
        let name = fields.line.word()
        if name == "unknown" { return .unknown(try readUnknown()) }
        guard let kind = RecordKind(name: name), var body = kind.blank else {
            throw fields.bad("kind", "a kind of record", name)
        }
        try body.walk(&fields)
        return body
    }

    private mutating func readUnknown() throws(TraceError) -> UnknownRecord {
        var number: UInt8 = 0
        try fields.number("kind", &number, 1...127)
        guard UnknownRecord.allows(number, version: header.version) else {
            throw fields.line.error(
                .outOfRange, field: "kind", expected: UnknownRecord.allowed, found: "\(number)")
        }
        guard fields.line.takeName("payload") else {
            throw fields.line.error(.field, field: "payload", expected: "payload=…", found: fields.line.rest)
        }
        let digits = Array(fields.line.word().utf8)
        var payload: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard index + 1 < digits.count, let byte = UInt8(ascii: digits[index], digits[index + 1]) else {
                throw fields.line.error(
                    .syntax, field: "payload", expected: "pairs of hexadecimal digits", found: "other characters")
            }
            payload.append(byte)
        }
        return UnknownRecord(kind: number, payload: payload)
    }
}

extension UInt8 {
    fileprivate init?(ascii high: UInt8, _ low: UInt8) {
        let digits = [high, low].compactMap { $0 < 0x80 ? Character(Unicode.Scalar($0)).hexDigitValue : nil }
        guard digits.count == 2 else { return nil }
        self = UInt8(digits[0] << 4 | digits[1])
    }
}

/// Conversion from the text format.
public enum TraceAssembly {
    /// Writes the canonical trace of a text in the text format.
    public static func assemble(_ text: TraceBytes, sink: @escaping TraceWriter.Sink) throws {
        var reader = try TraceTextReader(text)
        var header = reader.header
        header.form = .canonical
        var writer = try TraceWriter(header: header, context: TraceContext(reader.initialContext), sink: sink)
        while let record = try reader.next() {
            do {
                try writer.skip(toSequence: record.sequence)
                try writer.append(record.body, at: record.time, definitions: reader.definitions)
                guard writer.initialContextLeftOut == 0 else {
                    throw TraceError(
                        .limitExceeded, field: "context", expected: "at most \(TraceLimits.contextBytes) bytes",
                        found: "\(writer.initialContextLeftOut) entries beyond them")
                }
            } catch let error as TraceError where error.file == nil {
                throw reader.located(error)
            }
        }
        try writer.finish()
    }
}
