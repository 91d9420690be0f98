import KeyModel
import TraceFormat

/// Moves keys to a fixed cadence, so that the rhythm of typing is removed. Keys of one moment stay together, the order
/// stays, and the time that a key that types no text was held stays in whole steps, since it decides how often the key
/// repeats. Records between keys keep their distance up to one step.
struct KeyCadence {
    static let step: Int64 = 100_000_000

    private(set) var counts = IdentifyingDataCounts()
    /// Times of the key record before: the recorded and the new one.
    private var key: (old: Int64, new: Int64) = (0, 0)
    private var last: (old: Int64, new: Int64) = (0, 0)
    /// The end of a gap: what comes after it must not fall into it.
    private var gap: (old: Int64, new: Int64)?

    mutating func apply(_ record: inout TraceRecord) {
        let old = record.time.nanoseconds
        var floor = last.new
        if let gap, old >= gap.old {
            floor = max(floor, gap.new)
            self.gap = nil
        }
        let new: Int64
        if case .key(let record) = record.body {
            new = old == key.old ? max(key.new, floor) : onGrid(record, old, floor)
            if new != old { counts.add(.interKeyTimes) }
            key = (old, new)
        } else {
            new = max(last.new.saturatingAdding(min(old &- last.old, KeyCadence.step)), floor)
        }
        last = (old, new)
        record.time = TraceTime(nanoseconds: new)
        if let body = withoutDate(record.body) { record.body = body }
        if case .loss(var loss) = record.body, let duration = loss.duration {
            let whole = SecureGap.roundedUp(duration.nanoseconds)
            if whole != duration.nanoseconds { counts.add(.interKeyTimes) }
            gap = (old.saturatingAdding(duration.nanoseconds), new.saturatingAdding(whole))
            loss.duration = TraceDuration(nanoseconds: whole)
            record.body = .loss(loss)
        }
    }

    /// The record without wall-clock time and times of presses; `nil` when it has none.
    mutating func withoutDate(_ body: TraceRecord.Body) -> TraceRecord.Body? {
        switch body {
        case .clock(var clock) where clock.unixTime != nil:
            counts.add(.interKeyTimes)
            clock.unixTime = nil
            return .clock(clock)
        case .clockRelation(var relation) where relation.first != nil || relation.last != nil:
            counts.add(.interKeyTimes)
            relation.first = nil
            relation.last = nil
            return .clockRelation(relation)
        default: return nil
        }
    }

    private func onGrid(_ record: KeyRecord, _ old: Int64, _ floor: Int64) -> Int64 {
        var steps: Int64 = 1
        if record.phase == .up || record.phase == .cancel, record.key.usage.map({ TextKeyClass($0) == nil }) ?? false {
            steps = max(1, (old &- key.old) / KeyCadence.step)
        }
        let least = floor &- key.new
        let needed = least / KeyCadence.step &+ (least % KeyCadence.step == 0 ? 0 : 1)
        let (product, isOverflow) = max(steps, needed).multipliedReportingOverflow(by: KeyCadence.step)
        return isOverflow ? Int64.max : key.new.saturatingAdding(product)
    }
}
