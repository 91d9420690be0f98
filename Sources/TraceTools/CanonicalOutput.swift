package import TraceFormat

/// Writes the output of a tool. The file begins with the first record, since the initial context is known only then.
struct CanonicalOutput {
    private let sink: TraceWriter.Sink
    private var header: TraceHeader
    private var writer: TraceWriter?
    /// Records written.
    private(set) var records: UInt64 = 0

    init(_ header: TraceHeader, sink: @escaping TraceWriter.Sink) {
        self.header = header
        self.header.form = .canonical
        self.sink = sink
    }

    /// `context`: the initial context, evaluated for the first record only.
    mutating func append(
        _ record: TraceRecord, _ definitions: TraceDefinitions, context: () -> TraceContext
    ) throws {
        try begin(record.sequence, context)
        try writer?.skip(toSequence: record.sequence)
        try writer?.append(record.body, at: record.time, definitions: definitions)
        records += 1
    }

    private mutating func begin(_ sequence: UInt64, _ context: () -> TraceContext) throws {
        guard writer == nil else { return }
        header.firstSequence = sequence
        writer = try TraceWriter(header: header, context: context(), sink: sink)
    }

    /// Ends the file. A trace without records keeps its header.
    mutating func finish() throws {
        try begin(header.firstSequence) { TraceContext() }
        try writer?.finish()
    }
}

/// The result of a tool that makes one trace of another.
package struct CopySummary: Hashable, Sendable {
    package var records: UInt64
    /// The damage and losses that reading found.
    package var report: ReadingReport
    /// Number of data removed, by kind.
    package var counts: IdentifyingDataCounts
}
