public import KeyModel

/// Begin and end of a secure entry, rounded to seconds so that they do not reveal the rhythm.
public enum SecureGap {
    package static let second: Int64 = 1_000_000_000

    /// The gap's record and its time: not before `last`.
    public static func record(
        from start: TraceTime, to end: TraceTime, last: TraceTime
    ) -> (loss: LossRecord, time: TraceTime) {
        let begin = max(last.nanoseconds, start.nanoseconds / second * second)
        let duration = max(0, roundedUp(end.nanoseconds) &- begin)
        let loss = LossRecord(
            cause: .secureEntry, count: nil, duration: TraceDuration(nanoseconds: duration),
            detail: "secure text entry")
        return (loss, TraceTime(nanoseconds: begin))
    }

    /// Whole seconds; what is beyond the range stays as it is.
    public static func roundedUp(_ nanoseconds: Int64) -> Int64 {
        let (sum, isOverflow) = nanoseconds.addingReportingOverflow(second - 1)
        return isOverflow ? nanoseconds : sum / second * second
    }
}

/// What is left out of a recording while a secure text field has the keyboard: keys, text, their decisions, and how
/// many there were. One gap replaces them, its begin and end rounded to seconds (spec TX-10).
///
/// A key belongs to the gap when its down does, whatever has the keyboard at its up. Presses after it are numbered as
/// if it had not been.
package struct SecureEntry: Sendable {
    /// Keys that went down in a gap, while they are down.
    private var keys: Set<KeyOfDevice> = []
    private var presses = PressRenumbering()
    private var start: TraceTime?
    /// What stays of the time of the gap, such as changes of focus, until it is known how long the gap was.
    private var waiting: [TraceRecord] = []

    package init() {}

    /// A gap has begun and not ended.
    package var isOpen: Bool { start != nil }

    /// True for a key event that is left out. `isSecure`: a secure field has the keyboard; it decides for a down.
    package mutating func leavesOut(
        _ key: KeyIdentity, _ phase: KeyPhase, device: UInt16, press: UInt32?, isSecure: Bool
    ) -> Bool {
        let key = KeyOfDevice(device, key)
        switch phase {
        case .down where isSecure:
            keys.insert(key)
            if let press { presses.drop(press) }
            return true
        case .down:
            if !keys.isEmpty { keys.remove(key) }
            if let press { presses.keep(press) }
            return false
        // Two threads may hold one key of a device: a press is known by its number, where it has one.
        case .repeat: return press.map(presses.isDropped) ?? keys.contains(key)
        case .up, .cancel:
            let isInGap = !keys.isEmpty && keys.remove(key) != nil
            return press.map(presses.isDropped) ?? isInGap
        }
    }

    /// True for decisions about a press that is left out.
    package func leavesOut(press: UInt32) -> Bool { presses.isDropped(press) }

    /// The number under which a press is recorded.
    package func number(of press: UInt32) -> UInt32 { presses.new(press) }

    /// No record of the press will come any more.
    package mutating func end(press: UInt32) { presses.forget(press) }

    /// Something is left out at this time: a gap begins, unless one is open.
    package mutating func begin(at time: TraceTime) { start = start ?? time }

    package mutating func wait(_ record: TraceRecord) { waiting.append(record) }

    /// Ends the gap, if there is one: its record, and what waited for it. `last`: the time of the last record before.
    package mutating func close(
        at end: TraceTime, last: TraceTime
    ) -> (gap: LossRecord, time: TraceTime, waiting: [TraceRecord])? {
        guard let start else { return nil }
        let gap = SecureGap.record(from: start, to: end, last: last)
        defer {
            self.start = nil
            waiting = []
        }
        return (gap.loss, gap.time, waiting)
    }
}
