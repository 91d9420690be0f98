package import KeyModel
package import TraceFormat

/// Exact counts of one press, or of one repeat.
package struct StageCosts: Hashable, Sendable {
    package struct Allocations: Hashable, Sendable {
        package var count: UInt64 = 0
        package var bytes: UInt64 = 0
    }
    /// By stage; a stage that was entered twice has the sum.
    package private(set) var stages: [LatencyStage: Allocations] = [:]
    /// Of the whole handling: bytes read and written, minor faults and voluntary context switches; `nil` where they
    /// were not counted.
    package private(set) var read, written, faults, switches: UInt64?

    /// The stages that have counts, in order.
    package var ordered: [(stage: LatencyStage, allocations: Allocations)] {
        LatencyStage.allCases.compactMap { stage in stages[stage].map { (stage, $0) } }
    }

    /// The counts of the whole handling, by their names in JSON.
    package var ofProcess: [(name: String, count: UInt64?)] {
        [("read", read), ("written", written), ("faults", faults), ("switches", switches)]
    }

    package init() {}

    package mutating func add(_ record: CostRecord) {
        var allocations = stages[record.stage] ?? Allocations()
        allocations.count = allocations.count.addingSaturated(record.allocations)
        allocations.bytes = allocations.bytes.addingSaturated(record.bytes)
        stages[record.stage] = allocations
        func add(_ count: UInt64?, _ sum: inout UInt64?) { if let count { sum = (sum ?? 0).addingSaturated(count) } }
        add(record.read, &read)
        add(record.written, &written)
        add(record.faults, &faults)
        add(record.switches, &switches)
    }
}
