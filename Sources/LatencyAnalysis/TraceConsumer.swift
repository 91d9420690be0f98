public import TraceFormat

/// What reads a trace record by record, in order, and keeps only what its facts need. The handles in the records
/// mean what `definitions` says, for the whole reading: equal handles stand for equal content.
public protocol TraceConsumer {
    mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions)

    /// False for one that keeps no handle from one record to the next: definitions may then be forgotten meanwhile.
    var keepsHandles: Bool { get }
}

extension TraceConsumer {
    public var keepsHandles: Bool { true }
}

extension TraceConsumer {
    /// Consumes a trace that is in memory.
    public mutating func consume(_ recording: Recording) {
        for record in recording.records { consume(record, definitions: recording.definitions) }
    }
}
