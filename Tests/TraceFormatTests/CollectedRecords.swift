import TraceFormat

/// The records that a reader hands over.
struct CollectedRecords: TraceConsumer {
    private(set) var records: [TraceRecord] = []

    mutating func consume(_ record: TraceRecord, definitions _: TraceDefinitions) { records.append(record) }
}
