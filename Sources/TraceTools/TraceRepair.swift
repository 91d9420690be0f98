package import TraceFormat

/// Makes a complete canonical trace of one that is truncated, damaged or still being recorded.
///
/// Everything whole is kept; each loss becomes a `loss` record in its place, with its cause, how many records are
/// missing where that is known, and the offset in the damaged file. A canonical trace in which nothing is wrong comes
/// out byte for byte.
package struct TraceRepair: Sendable {
    package var showsKeys: Bool

    package init(showsKeys: Bool = false) { self.showsKeys = showsKeys }

    package func run(_ bytes: TraceBytes, to sink: @escaping TraceWriter.Sink) throws -> CopySummary {
        var source = try TraceSource(bytes, text: showsKeys ? .shown : .masked)
        var output = CanonicalOutput(source.header, sink: sink)
        while let record = source.next() {
            try output.append(record, source.definitions) { TraceContext(source.initialContext) }
        }
        try output.finish()
        return CopySummary(records: output.records, report: source.report, counts: source.masked)
    }
}
