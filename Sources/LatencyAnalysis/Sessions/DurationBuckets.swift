import KeyModel
import TraceFormat

/// A histogram of durations that is merged by adding its counts: 64 buckets for each power of two, by the code of a
/// rounded duration (FORMAT §5.4), so that a quantile out of it is at most 0.8 % off. Count, sum and maximum are
/// exact.
package struct DurationBuckets: Hashable, Sendable {
    /// Number of durations, and of calls and stages without one, such as a call that was not timed.
    package private(set) var count: Int64 = 0
    /// `nil` where there is no duration.
    package private(set) var sum: Int64?
    package private(set) var longest: Int64?
    /// The codes that occur, ascending, and how often each does.
    package private(set) var codes: [Int64] = []
    package private(set) var counts: [Int64] = []

    init(_ totals: DurationTotals, _ cells: [(code: UInt32, count: UInt64)]) {
        count = totals.count
        if totals.timed > 0 { (sum, longest) = (totals.sum.nanoseconds, totals.longest) }
        codes = cells.map { Int64($0.code) }
        counts = cells.map { Int64(clamping: $0.count) }
    }

    /// The middle of a bucket in nanoseconds; `nil` for what is no code.
    package static func nanoseconds(ofCode code: Int64) -> Int64? {
        UInt64(exactly: code).flatMap(RoundedDuration.nanoseconds).flatMap { Int64(exactly: $0) }
    }
}

/// The exact numbers of a histogram.
struct DurationTotals: Sendable {
    var count: Int64 = 0
    var timed: Int64 = 0
    var sum = TraceDuration.zero
    var longest: Int64 = 0

    mutating func add(_ other: DurationTotals) {
        count &+= other.count
        timed &+= other.timed
        sum = sum + other.sum
        longest = max(longest, other.longest)
    }
}

/// Histograms by number, in one table: most have a few buckets only.
struct BucketTable: Sendable {
    private var totals: [DurationTotals] = []
    /// By number × 4096 + code.
    private var cells: [UInt32: UInt64] = [:]
    /// Most buckets that are kept; a trace with more contains no measured durations.
    private static let cellLimit = 1 << 19
    private(set) var isFull = false

    mutating func add(_ nanoseconds: Int64?, to number: Int) {
        if number >= totals.count {
            totals += Array(repeating: DurationTotals(), count: number + 1 - totals.count)
        }
        guard let nanoseconds else {
            totals[number].count &+= 1
            return
        }
        let duration = max(0, nanoseconds)
        let sum = TraceDuration(nanoseconds: duration)
        totals[number].add(DurationTotals(count: 1, timed: 1, sum: sum, longest: duration))
        let code = RoundedDuration.code(UInt64(duration))
        let key = UInt32(truncatingIfNeeded: number) << 12 | UInt32(truncatingIfNeeded: code)
        guard cells.count < BucketTable.cellLimit || cells[key] != nil else {
            isFull = true
            return
        }
        cells[key, default: 0] &+= 1
    }

    /// The histograms whose numbers `group` gives the same name to, merged; those without any count are left out.
    func merged<Name: Hashable>(by group: (Int) -> Name) -> [Name: DurationBuckets] {
        var sums: [Name: DurationTotals] = [:]
        for (number, total) in totals.enumerated() where total.count > 0 {
            sums[group(number), default: DurationTotals()].add(total)
        }
        var counts: [Name: [UInt32: UInt64]] = [:]
        for (key, count) in cells { counts[group(Int(key >> 12)), default: [:]][key & 0xFFF, default: 0] &+= count }
        return sums.reduce(into: [:]) { merged, entry in
            let cells = (counts[entry.key] ?? [:]).map { (code: $0.key, count: $0.value) }
            merged[entry.key] = DurationBuckets(entry.value, cells.sorted { $0.code < $1.code })
        }
    }
}
