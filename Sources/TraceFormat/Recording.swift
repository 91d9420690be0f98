public import KeyModel

/// A whole trace in memory: what the handles mean, and the records in order.
public struct Recording: Sendable {
    public var definitions = TraceDefinitions()
    public private(set) var records: [TraceRecord] = []

    public init() {}

    /// Appends a record with the next sequence number. Times must not decrease.
    public mutating func append(_ body: TraceRecord.Body, at time: TraceTime) {
        records.append(TraceRecord(time: time, sequence: UInt64(records.count), body: body))
    }
}
