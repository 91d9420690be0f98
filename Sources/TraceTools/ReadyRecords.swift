import TraceFormat

/// A queue of records ready for output, in their order: a record that is read may become none, one or several.
struct ReadyRecords {
    private var records: [TraceRecord] = []
    private var taken = 0

    var isEmpty: Bool { taken == records.count }

    /// The next record; `nil` when none is ready.
    mutating func next() -> TraceRecord? {
        guard !isEmpty else { return nil }
        taken += 1
        return records[taken - 1]
    }

    /// Adds records, once all before them are taken.
    mutating func refill(with more: [TraceRecord]) {
        records = more
        taken = 0
    }
}
