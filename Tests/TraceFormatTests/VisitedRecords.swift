import KeyModel
import TraceFormat

/// Puts records together again out of what a visitor gets, and counts the keys that came with others.
struct VisitedRecords: RunVisitor {
    private(set) var records: [TraceRecord] = []
    private(set) var keysInRuns = 0

    mutating func visit(keys: PlacedKeys, _: TraceDefinitions) {
        keysInRuns += keys.count
        for key in keys { add(.key(key.key), key.time, key.sequence) }
    }

    mutating func visit(calls: UnsafeBufferPointer<PlacedCall>, _: TraceDefinitions) {
        for call in calls { add(.call(call.call), call.time, call.sequence) }
    }

    mutating func visit(stages: UnsafeBufferPointer<PlacedStage>, _: TraceDefinitions) {
        for stage in stages { add(.stage(stage.stage), stage.time, stage.sequence) }
    }

    mutating func visit(_ record: TraceRecord, _: TraceDefinitions) { records.append(record) }

    private mutating func add(_ body: TraceRecord.Body, _ time: TraceTime, _ sequence: UInt64) {
        records.append(TraceRecord(time: time, sequence: sequence, body: body))
    }
}
