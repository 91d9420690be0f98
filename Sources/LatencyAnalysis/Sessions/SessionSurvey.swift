package import TraceFormat

/// The part of a trace that a table of many traces contains.
package enum SessionPart: Hashable, Sendable {
    /// Only the facts.
    case facts
    case histograms, chords, findings
}

/// Collects the facts of one trace, and what one table of many traces has of it. Memory grows with what the trace
/// defines and, for findings, with what lint keeps.
package struct SessionSurvey: TraceConsumer {
    package private(set) var facts = TraceInfoBuilder()
    private var histograms: SessionHistograms?
    private var chords: SessionChords?
    private var lint: LintScanner?
    private var sawInsertedText = false

    /// `context`: the initial context.
    package init(_ part: SessionPart, context: [ContextEntry] = []) {
        if part == .histograms { histograms = SessionHistograms() }
        if part == .chords { chords = SessionChords() }
        if part == .findings { lint = LintScanner() }
        facts.begin(context)
        lint?.begin(context)
    }

    package var keepsHandles: Bool { histograms != nil || chords != nil || lint != nil }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        if case .resolution(let resolution) = record.body, resolution.text != nil { sawInsertedText = true }
        histograms?.consume(record)
        chords?.consume(record)
        lint?.consume(record, definitions: definitions)
    }

    /// Text was recorded in clear, whatever the header's flag.
    package var hasClearText: Bool { facts.sawClearText || sawInsertedText }

    /// A limit was reached, so that the result would not be whole.
    package var isFull: Bool { histograms?.isFull == true || chords?.isFull == true }

    /// Rows of the table for the trace. `name` gives the text that an id has there.
    package mutating func rows(_ definitions: TraceDefinitions, name: (String?) -> String) -> SessionRows {
        if let rows = histograms?.finish(definitions, name: name) { return .histograms(rows) }
        if let rows = chords?.finish(definitions, name: name) { return .chords(rows) }
        if let findings = lint?.findings(definitions: definitions) { return .findings(findings) }
        return .facts
    }
}

/// Rows of one table of many traces, for one of them.
package enum SessionRows: Sendable {
    case facts
    case histograms([SessionHistogram])
    case chords([SessionChord])
    case findings([Finding])
}
