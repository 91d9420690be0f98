import TraceFormat

/// What was recorded of the decisions that steady presses share, so that a chord pressed again costs no look into any
/// table of definitions.
struct RecordedDecisions {
    private struct Entry {
        /// Kept, so that no other decision can come to its address.
        let decision: AnyObject
        let isMasked: Bool
        let record: ResolutionRecord
    }

    /// One place for each hash: a chord whose place another one took is recorded the long way.
    private var entries: [Entry?] = Array(repeating: nil, count: 1_024)

    @inline(__always)
    func record(of decision: AnyObject, isMasked: Bool) -> ResolutionRecord? {
        let place = RecordedResponders.mix(ObjectIdentifier(decision)) & (entries.count - 1)
        guard let entry = entries[place], entry.decision === decision, entry.isMasked == isMasked else { return nil }
        return entry.record
    }

    mutating func remember(_ record: ResolutionRecord, of decision: AnyObject, isMasked: Bool) {
        let place = RecordedResponders.mix(ObjectIdentifier(decision)) & (entries.count - 1)
        entries[place] = Entry(decision: decision, isMasked: isMasked, record: record)
    }
}
