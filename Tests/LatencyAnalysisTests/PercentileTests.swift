import GeneratedTraces
import KeyModel
import Testing
import TraceFormat
import TracePresses

@testable import LatencyAnalysis

@Suite struct PercentileTests {
    /// Nearest rank by its definition: the smallest value that at least q of all are not above.
    static func naive(_ values: [Int64], perMille: Int) -> Int64? {
        values.sorted().first { candidate in
            values.count { $0 <= candidate } * 1000 >= values.count * perMille
        }
    }

    /// Late records of a press that was counted before are time, but no press; sums end at the end of the range.
    @Test func noStageSumsUpToMoreThanTheTotal() {
        var samples = StageSamples()
        var split = StageSplit()
        split.add(TraceDuration(nanoseconds: 5), to: .match)
        samples.add(split)
        var late = StageSplit()
        late.add(TraceDuration(nanoseconds: 100), to: .hid)
        samples.add(late, isRemainder: true)
        var statistics = samples.statistics()
        #expect(statistics.presses == 1 && statistics.total?.count == 1)
        #expect(statistics.total?.max.nanoseconds == 5 && statistics.total?.sum.nanoseconds == 105)
        late.add(TraceDuration(nanoseconds: .max), to: .hid)
        for isRemainder in [true, false, true] { samples.add(late, isRemainder: isRemainder) }
        statistics = samples.statistics()
        #expect(statistics[.hid]?.sum.nanoseconds == .max && statistics.total?.sum.nanoseconds == .max)
    }

    @Test func percentilesEqualTheNaiveOnes() throws {
        var random = SeededGenerator(seed: 7)
        for count in [1, 2, 3, 9, 10, 11, 99, 100, 101, 250, 999, 1000, 1001] {
            let values = (0..<count).map { _ in Int64.random(in: 0...5000, using: &random) }
            var sample = DurationPercentiles()
            for value in values { sample.add(TraceDuration(nanoseconds: value)) }
            let statistics = sample.statistics()
            let found = try #require(statistics)
            #expect(found.count == count)
            #expect(found.p50?.nanoseconds == Self.naive(values, perMille: 500))
            #expect(found.p90?.nanoseconds == (count >= 10 ? Self.naive(values, perMille: 900) : nil))
            #expect(found.p99?.nanoseconds == (count >= 100 ? Self.naive(values, perMille: 990) : nil))
            #expect(found.p999?.nanoseconds == (count >= 1000 ? Self.naive(values, perMille: 999) : nil))
            #expect(found.max.nanoseconds == values.max())
            #expect(found.sum.nanoseconds == values.reduce(0, +))
        }
    }

    @Test func anEmptySampleHasNoStatistics() {
        var sample = DurationPercentiles()
        let statistics = sample.statistics()
        #expect(statistics == nil)
    }

    @Test func durationsThatOnlyDamageExplainsNeitherTrapNorGoBelowZero() throws {
        var sample = DurationPercentiles()
        for value in [Int64.min, -1, .max, .max] { sample.add(TraceDuration(nanoseconds: value)) }
        let statistics = sample.statistics()
        let found = try #require(statistics)
        #expect(found.sum.nanoseconds == .max)
        #expect(found.p50 == .zero)
        #expect(found.max.nanoseconds == .max)
    }

    @Test func aSampleCanGrowAfterItWasLookedAt() throws {
        var sample = DurationPercentiles()
        sample.add(TraceDuration(nanoseconds: 5))
        _ = sample.statistics()
        sample.add(TraceDuration(nanoseconds: 1))
        let statistics = sample.statistics()
        #expect(statistics?.max.nanoseconds == 5)
        #expect(statistics?.p50?.nanoseconds == 1)
    }
}
