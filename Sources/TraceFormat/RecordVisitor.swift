public import KeyModel

/// Takes the records of a trace as `TraceReader.read(into:)` decodes them. Those that come most often come as what they
/// are, so that no `TraceRecord` is made of them.
public protocol RecordVisitor {
    mutating func visit(_ key: KeyRecord, at time: TraceTime, sequence: UInt64)
    /// Key events that follow each other, valid during the call; one by one unless said otherwise.
    mutating func visit(keys: PlacedKeys)
    mutating func visit(_ stage: StageRecord, at time: TraceTime, sequence: UInt64)
    mutating func visit(_ call: CallRecord, at time: TraceTime, sequence: UInt64)
    /// Any other record.
    mutating func visit(_ record: TraceRecord)
}

extension RecordVisitor {
    public mutating func visit(keys: PlacedKeys) {
        for placed in keys { visit(placed.key, at: placed.time, sequence: placed.sequence) }
    }
}

extension TraceReader {
    /// Reads the records that are still to come, in order, with all checks and reports of `next`.
    public mutating func read(into visitor: inout some RecordVisitor) {
        let room = PlainKeyRoom()
        defer { room.deallocate() }
        while true {
            var count: Int
            repeat {
                count = plainKeys(room)
                if count > 0 { visitor.visit(keys: placed(room, count)) }
                count += plainCalls(&visitor)
                count += plainStages(&visitor)
            } while count > 0
            guard let record = next() else { return }
            switch record.body {
            case .key(let key): visitor.visit(key, at: record.time, sequence: record.sequence)
            case .stage(let stage): visitor.visit(stage, at: record.time, sequence: record.sequence)
            case .call(let call): visitor.visit(call, at: record.time, sequence: record.sequence)
            default: visitor.visit(record)
            }
        }
    }
}
