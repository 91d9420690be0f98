public import KeyModel

/// Exact counts of the thread that handled a press, in one stage of it: only those that were made.
public struct CostRecord: Hashable, Sendable {
    public var at: PressTick
    public var stage: LatencyStage
    /// Calls of malloc's family that give memory, and the bytes that they were asked for.
    public var allocations, bytes: UInt64
    /// Of the handling up to here, since it began or went on after something else; in its last record alone. Bytes read
    /// and written by system calls, minor page faults, and voluntary context switches.
    public var read, written, faults, switches: UInt64?

    public init(
        at: PressTick, stage: LatencyStage, allocations: UInt64, bytes: UInt64, read: UInt64? = nil,
        written: UInt64? = nil, faults: UInt64? = nil, switches: UInt64? = nil
    ) {
        (self.at, self.stage, self.allocations, self.bytes) = (at, stage, allocations, bytes)
        (self.read, self.written, self.faults, self.switches) = (read, written, faults, switches)
    }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) {
        let range: ClosedRange<UInt64> = 0...UInt64(Int64.max)
        try w.pressTick(&at)
        try w.choice("stage", &stage)
        try w.number("allocations", &allocations, range)
        try w.number("bytes", &bytes, range)
        try w.optionalNumber("read", &read, range)
        try w.optionalNumber("written", &written, range)
        try w.optionalNumber("faults", &faults, range)
        try w.optionalNumber("switches", &switches, range)
    }
}
