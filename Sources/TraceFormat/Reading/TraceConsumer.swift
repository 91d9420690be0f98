/// Receives the records of a trace one by one, in order. The handles in the records refer to `definitions`, for the
/// whole reading: equal handles have equal content.
public protocol TraceConsumer {
    /// Starts from the initial context of a trace, before its first record; does nothing by default.
    mutating func begin(_ entries: [ContextEntry])

    mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions)

    /// False for a consumer that keeps no handle from one record to the next: definitions may then be forgotten
    /// meanwhile.
    var keepsHandles: Bool { get }
}

extension TraceConsumer {
    public mutating func begin(_ entries: [ContextEntry]) {}

    public var keepsHandles: Bool { true }

    /// Consumes a trace that is in memory.
    public mutating func consume(_ recording: Recording) {
        for record in recording.records { consume(record, definitions: recording.definitions) }
    }
}
