import Testing

@testable import LatencyAnalysis

/// Histograms that are merged by adding counts.
@Suite struct DurationBucketsTests {
    private static func durations(_ seed: UInt64) -> [Int64] {
        var state = seed
        return (0..<2_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> (8 + state >> 59))
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a quantile is at most 0.8 percent off, and count, sum and maximum are exact`(seed: UInt64) throws {
        let durations = Self.durations(seed).map { $0 >> 20 }
        var table = BucketTable()
        for duration in durations { table.add(duration, to: 3) }
        let buckets = try #require(table.merged { $0 }[3])
        #expect(buckets.count == 2_000 && buckets.sum == durations.reduce(0, +) && buckets.longest == durations.max())
        #expect(buckets.codes == buckets.codes.sorted() && buckets.counts.reduce(0, +) == 2_000)
        let sorted = durations.sorted()
        for rank in [1, 20, 1_000, 1_800, 1_980, 2_000] {
            var left = Int64(rank)
            let place = try #require(buckets.counts.firstIndex { count in
                left -= count
                return left <= 0
            })
            let found = try #require(DurationBuckets.nanoseconds(ofCode: buckets.codes[place]))
            let exact = sorted[rank - 1]
            #expect(Double(abs(found - exact)) <= Double(exact) * 0.008, "\(rank): \(found), exactly \(exact)")
        }
    }

    @Test func `parts merge to the whole in any order`() {
        let durations = Self.durations(7)
        var (whole, parts) = (BucketTable(), BucketTable())
        for (number, duration) in durations.enumerated() {
            whole.add(duration, to: 0)
            parts.add(duration, to: number % 5)
        }
        #expect(parts.merged { _ in "all" } == whole.merged { _ in "all" })
    }

    @Test func `what has no duration is counted, and has no sum`() throws {
        var table = BucketTable()
        table.add(nil, to: 0)
        let untimed = try #require(table.merged { $0 }[0])
        #expect(untimed.count == 1 && untimed.sum == nil && untimed.longest == nil && untimed.codes.isEmpty)
        table.add(.max, to: 0)
        table.add(.max, to: 0)
        table.add(-5, to: 0)
        let extreme = try #require(table.merged { $0 }[0])
        #expect(extreme.count == 4 && extreme.sum == .max && extreme.longest == .max && extreme.counts == [1, 2])
    }
}
