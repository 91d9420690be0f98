import KeyModel
public import TraceFormat

/// What reads a trace record by record, in order, and keeps only what its facts need. The handles in the records
/// mean what `definitions` says, for the whole reading: equal handles stand for equal content.
///
/// Those that read long traces take runs of calls, stages and keys as they are; the others get a record for each.
public protocol TraceConsumer: RunVisitor {
    mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions)

    /// False for one that keeps no handle from one record to the next: definitions may then be forgotten meanwhile.
    var keepsHandles: Bool { get }
}

extension TraceConsumer {
    public var keepsHandles: Bool { true }

    public mutating func visit(_ record: TraceRecord, _ definitions: TraceDefinitions) {
        consume(record, definitions: definitions)
    }

    public mutating func visit(keys: PlacedKeys, _ definitions: TraceDefinitions) {
        for placed in keys { consume(TraceRecord(placed), definitions: definitions) }
    }

    public mutating func visit(calls: UnsafeBufferPointer<PlacedCall>, _ definitions: TraceDefinitions) {
        for placed in calls { consume(TraceRecord(placed), definitions: definitions) }
    }

    public mutating func visit(stages: UnsafeBufferPointer<PlacedStage>, _ definitions: TraceDefinitions) {
        for placed in stages { consume(TraceRecord(placed), definitions: definitions) }
    }
}

extension TraceConsumer {
    /// Consumes a trace that is in memory.
    public mutating func consume(_ recording: Recording) {
        for record in recording.records { consume(record, definitions: recording.definitions) }
    }
}

extension TraceRecord {
    init(_ placed: PlacedKey) {
        self.init(time: placed.time, sequence: placed.sequence, body: .key(placed.key))
    }

    init(_ placed: PlacedCall) {
        self.init(time: placed.time, sequence: placed.sequence, body: .call(placed.call))
    }

    init(_ placed: PlacedStage) {
        self.init(time: placed.time, sequence: placed.sequence, body: .stage(placed.stage))
    }
}
