package import TraceFormat

/// Removes from a trace the data that identify who typed, what, or where; the result is pseudonymous, not anonymous. A
/// second redaction with the same options changes nothing.
package struct Redaction: Sendable {
    package enum Option: String, CaseIterable, Sendable {
        /// Keys that type text, characters, text and marked text: as masking does, even if the trace is marked as
        /// masked.
        case text
        /// Presses of text in a row become one; lengths of documents, hashes of states that include them, and counts of
        /// all presses are removed.
        case runs
        /// Keys follow each other at a fixed cadence; how long a key that types no text was held stays, in steps of
        /// it. Wall-clock time goes. Durations of stages and calls stay.
        case timing
        /// Titles, marks, class names, device names, serials and ids, host, user, paths.
        case titles
    }

    package var options: Set<Option>
    package var showsKeys: Bool

    /// `showsKeys`: without the option `text`, a trace in clear stays in clear.
    package init(_ options: Set<Option> = Set(Option.allCases), showsKeys: Bool = false) {
        self.options = options
        self.showsKeys = showsKeys
    }

    package func run(_ bytes: TraceBytes, to sink: @escaping TraceWriter.Sink) throws -> CopySummary {
        var stages = RedactionStages(try source(bytes), options)
        let header = stages.source.header
        var output = CanonicalOutput(header, sink: sink)
        let context = stages.initialContext
        while let record = stages.next() { try output.append(record, stages.definitions) { TraceContext(context) } }
        try output.finish()
        return CopySummary(records: output.records, report: stages.source.report, counts: stages.counts)
    }

    /// Counts the data that the options would remove.
    package func check(_ bytes: TraceBytes) throws -> CopySummary {
        var stages = RedactionStages(try source(bytes), options)
        var records: UInt64 = 0
        while stages.next() != nil { records += 1 }
        return CopySummary(records: records, report: stages.source.report, counts: stages.counts)
    }

    private func source(_ bytes: TraceBytes) throws -> TraceSource {
        let text: TraceSource.Text = options.contains(.text) ? .checked : showsKeys ? .shown : .masked
        return try TraceSource(bytes, text: text, keepsTitles: options.contains(.titles) || showsKeys)
    }
}

/// A trace as it passes through the requested redactions.
struct RedactionStages {
    private(set) var source: TraceSource
    /// The initial context.
    private(set) var initialContext: [ContextEntry]
    private var runs: TextRuns?
    private var cadence: KeyCadence?
    private let names: NameRedaction?
    private var queue = ReadyRecords()
    private var isAtEnd = false

    init(_ source: TraceSource, _ options: Set<Redaction.Option>) {
        self.source = source
        runs = options.contains(.runs) ? TextRuns(source.initialContext) : nil
        cadence = options.contains(.timing) ? KeyCadence() : nil
        names = options.contains(.titles) ? NameRedaction() : nil
        var context = runs?.initialContext ?? source.initialContext
        for index in context.indices {
            if case .record(let body) = context[index], let cadenced = cadence?.withoutDate(body) {
                context[index] = .record(cadenced)
            }
            if let names { context[index] = names.redacted(context[index], source.definitions) }
        }
        initialContext = context
    }

    /// The definitions of the records' handles.
    var definitions: TraceDefinitions {
        _read {
            if let names { yield names.space.definitions } else { yield source.definitions }
        }
    }

    var counts: IdentifyingDataCounts {
        var counts = source.masked
        if let runs { counts.add(runs.counts) }
        if let cadence { counts.add(cadence.counts) }
        if let names { counts.add(names.counts) }
        return counts
    }

    mutating func next() -> TraceRecord? {
        while queue.isEmpty, !isAtEnd { queue.refill(with: read()) }
        return queue.next()
    }

    /// The redacted form of the source's next record.
    private mutating func read() -> [TraceRecord] {
        var out: [TraceRecord] = []
        if let record = source.next() {
            if runs == nil { out.append(record) } else { runs?.apply(record, source.definitions, &out) }
        } else {
            isAtEnd = true
            runs?.finish(&out)
        }
        for index in out.indices {
            cadence?.apply(&out[index])
            if let names { out[index].body = names.redacted(out[index].body, source.definitions) }
        }
        return out
    }
}
