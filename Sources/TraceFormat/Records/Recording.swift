public import KeyModel

/// A whole trace in memory: what the handles mean, and the records in order.
public struct Recording: Sendable {
    public var definitions = TraceDefinitions()
    public private(set) var records: [TraceRecord] = []
    /// The initial context; not empty in a recording that was cut out of another.
    public var initialContext: [ContextEntry] = []

    /// The level at the beginning, by the header of a trace that was read. One that was not read contains it in its
    /// records.
    public private(set) var level = TraceLevel.keys

    public init() {}

    /// Appends a record with the next sequence number. Times must not decrease.
    public mutating func append(_ body: consuming TraceRecord.Body, at time: TraceTime) {
        // Of the last record only its number is read: a copy would count references.
        let next = records.isEmpty ? 0 : records[records.count - 1].sequence &+ 1
        records.append(TraceRecord(time: time, sequence: next, body: body))
    }

    /// Makes room for so many records in all, so that a long recording is not copied each time it has doubled.
    public mutating func reserveCapacity(_ count: Int) { records.reserveCapacity(count) }

    /// Removes all records but the last, after which the next one is numbered.
    public mutating func keepLastRecordOnly() {
        if records.count > 1 { records.removeFirst(records.count - 1) }
    }

    /// Appends a record that keeps its sequence number.
    public mutating func append(_ record: TraceRecord) { records.append(record) }
}

extension Recording {
    /// Reads a whole trace. Damaged records are missing, and are reported. Long traces are better read record by
    /// record.
    public static func read(_ bytes: TraceBytes) throws(TraceError) -> (recording: Recording, report: ReadingReport) {
        var reader = try TraceReader(bytes)
        var recording = Recording()
        while let record = reader.next() { recording.records.append(record) }
        recording.definitions = reader.definitions
        recording.initialContext = reader.initialContext
        recording.level = reader.level
        return (recording, reader.report)
    }

    public static func read(
        _ bytes: [UInt8], file: String? = nil
    ) throws(TraceError) -> (recording: Recording, report: ReadingReport) {
        try read(TraceBytes(bytes, file: file))
    }

    /// The lowest version of the format that has all kinds of the records.
    public var version: UInt16 {
        records.reduce(into: TraceLimits.version) { version, record in
            if let kind = record.body.kind { version = max(version, kind.version) }
        }
    }

    /// The bytes of these records, in the version of the header or the one that they need. Sequence numbers that were
    /// left out stay left out.
    public func bytes(header: TraceHeader) throws -> [UInt8] {
        let output = ByteCollector()
        var header = header
        header.version = max(header.version, version)
        if let first = records.first { header.firstSequence = first.sequence }
        let context = TraceContext(initialContext)
        var writer = try TraceWriter(header: header, context: context) { output.bytes.append(contentsOf: $0) }
        for record in records {
            try writer.skip(toSequence: record.sequence)
            try writer.append(record.body, at: record.time, definitions: definitions)
        }
        try writer.finish()
        return output.bytes
    }
}

/// Collects the bytes of a writer.
final class ByteCollector {
    var bytes: [UInt8] = []
}
