package import KeyModel
package import TraceFormat

/// All known losses of a trace. Every report begins with it.
package struct LossSummary: Hashable, Sendable {
    /// Records or events lost because a buffer was full, as far as they were counted.
    package var dropped: UInt64 = 0
    /// Number of drops with an unknown number of records.
    package var uncountedDrops: UInt64 = 0
    /// Stretches without recording, in order of time: the first `gapLimit` of them.
    package private(set) var gaps: [Gap] = []
    /// Number of all gaps, those that are not in `gaps` included.
    package private(set) var gapCount: UInt64 = 0
    /// Sum of their durations, as far as they are known; `nil` where none is.
    package private(set) var gapTime: TraceDuration?
    /// Number of all gaps by cause, in the order in which the causes first occurred.
    package private(set) var gapCauses: [CauseCount] = []
    private var lastGap: Gap?

    /// Gaps that are kept one by one: a trace of four megabytes has room for 300,000.
    package static let gapLimit = 1_024

    package struct CauseCount: Hashable, Sendable {
        package var cause: LossCause
        package var count: UInt64
    }

    /// Gaps that are counted and not kept.
    package var gapsLeftOut: UInt64 { gapCount - UInt64(gaps.count) }

    /// Releases that no source sent.
    package var synthetic: UInt64 = 0
    /// Place at which the file stopped being readable; `nil` for a whole file.
    package var damage: ReadingReport.Damage?

    package init() {}

    /// A stretch of which nothing, or not everything, is in the trace.
    package struct Gap: Hashable, Sendable {
        package var time: TraceTime
        package var duration: TraceDuration?
        package var cause: LossCause
        /// Number of missing records; `nil` where it is not known.
        package var count: UInt64?
        /// Place in the source, in words.
        package var detail: String
    }

    /// True if nothing is missing and nothing is synthetic.
    package var isNone: Bool {
        dropped == 0 && uncountedDrops == 0 && gapCount == 0 && synthetic == 0 && damage == nil
    }

    mutating func note(_ loss: LossRecord, at time: TraceTime) {
        if loss.cause == .dropped {
            if let count = loss.count {
                dropped = dropped.addingSaturated(count)
            } else {
                uncountedDrops = uncountedDrops.addingSaturated(1)
            }
            guard loss.duration != nil else { return }
        }
        // The recorder writes a gap of its own when it begins, and once more when it ends.
        if let last = lastGap, last.time == time, last.cause == loss.cause, last.duration == nil, last.count == nil,
            loss.duration != nil
        {
            if gapsLeftOut == 0 { gaps.removeLast() }
            gapCount -= 1
            count(loss.cause, -1)
        }
        add(Gap(time: time, duration: loss.duration, cause: loss.cause, count: loss.count, detail: loss.detail))
    }

    private mutating func add(_ gap: Gap) {
        lastGap = gap
        if gaps.count < LossSummary.gapLimit { gaps.append(gap) }
        gapCount += 1
        if let duration = gap.duration { gapTime = (gapTime ?? .zero) + max(duration, .zero) }
        count(gap.cause, 1)
    }

    private mutating func count(_ cause: LossCause, _ change: Int64) {
        if let place = gapCauses.firstIndex(where: { $0.cause == cause }) {
            gapCauses[place].count &+= UInt64(bitPattern: change)
        } else {
            gapCauses.append(CauseCount(cause: cause, count: 1))
        }
    }
}
