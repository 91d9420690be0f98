/// Durations counted in buckets of equal relative width: each is at most 1/1024 wide, so that a percentile is at most
/// 0.1 % above the truth. Its size does not grow with the number of durations.
package struct DurationHistogram: Sendable {
    /// By bucket; short while durations are.
    private var counts: [UInt64] = []
    package private(set) var count = 0
    package private(set) var longest: Int64 = 0
    private static let bits = 10

    package init() {}

    package mutating func add(_ nanoseconds: Int64) {
        let bucket = DurationHistogram.bucket(of: UInt64(max(0, nanoseconds)))
        if bucket >= counts.count { counts += Array(repeating: 0, count: bucket + 1 - counts.count) }
        counts[bucket] += 1
        count += 1
        longest = max(longest, nanoseconds)
    }

    /// The largest value of the bucket in which the duration of this rank lies; the longest one exactly.
    package func value(atRank rank: Int) -> Int64 {
        var left = UInt64(max(1, rank))
        for (bucket, count) in counts.enumerated() {
            if count >= left { return min(longest, DurationHistogram.top(of: bucket)) }
            left -= count
        }
        return longest
    }

    /// Values below 2048 have a bucket each; above, each power of two has 1024.
    private static func bucket(of value: UInt64) -> Int {
        let exponent = UInt64.bitWidth - 1 - value.leadingZeroBitCount
        guard exponent > bits else { return Int(value) }
        let shift = exponent - bits
        return (shift << bits) + Int(value >> UInt64(shift))
    }

    private static func top(of bucket: Int) -> Int64 {
        guard bucket >= 2 << bits else { return Int64(bucket) }
        let shift = (bucket >> bits) - 1
        let mantissa = UInt64(bucket - (shift << bits))
        return Int64(clamping: ((mantissa + 1) << UInt64(shift)) - 1)
    }
}
