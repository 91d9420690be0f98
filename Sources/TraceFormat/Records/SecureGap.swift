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
