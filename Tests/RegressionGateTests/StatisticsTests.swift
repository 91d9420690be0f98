import GeneratedTraces
import KeyModel
import Testing

@testable import RegressionGate

@Suite struct SignedRankTests {
    @Test func ranksAreThoseOfTheTables() {
        // One-sided 0.005 and 0.025, n = 10: W = 3 and 8 (Wilcoxon's table).
        #expect(SignedRank.rank(10, error: 0.005) == 3)
        #expect(SignedRank.rank(10, error: 0.025) == 8)
        #expect(SignedRank.rank(5, error: 0.01) == nil)
        #expect(SignedRank.rank(20, error: 0.025) == 52)
    }

    @Test func theEstimateIsTheMiddleOfAllMeans() {
        #expect(SignedRank([1, 2, 3]).estimate == 2)
        #expect(SignedRank([]).estimate == 0)
        #expect(SignedRank([]).lowerBound(SignedRank.rank(0, error: 0.01)) == -.infinity)
    }

    /// The normal distribution takes over where the exact one ends, without a step.
    @Test func theTwoWaysMeet() throws {
        let exact = try #require(SignedRank.rank(100, error: 0.01))
        let approximate = try #require(SignedRank.rank(101, error: 0.01))
        #expect((exact...(exact + 60)).contains(approximate))
    }
}

@Suite struct BinomialIntervalTests {
    @Test func boundsAreThoseOfTheTables() {
        let some = BinomialInterval(successes: 5, trials: 10)
        #expect(abs(some.low - 0.1871) < 1e-4 && abs(some.high - 0.8129) < 1e-4)
        let none = BinomialInterval(successes: 0, trials: 300)
        #expect(none.low == 0 && abs(none.high - 0.01222) < 1e-5)
        let all = BinomialInterval(successes: 20, trials: 20)
        #expect(abs(all.low - 0.8316) < 1e-4 && all.high == 1)
    }
}

@Suite struct BootstrapIntervalTests {
    @Test func theSameSampleHasTheSameInterval() {
        let sample = (0..<50).map { Double($0 * $0 % 37) }
        #expect(BootstrapInterval(sample) == BootstrapInterval(sample))
        #expect(BootstrapInterval([]) == nil)
    }

    @Test func theIntervalHoldsTheMedianAndNarrowsWithTheSample() throws {
        var random = SplitMix(seed: 3)
        func width(_ count: Int) throws -> Double {
            let sample = (0..<count).map { _ in Double(random.below(1000)) }
            let interval = try #require(BootstrapInterval(sample))
            #expect((interval.low...interval.high).contains(OrderStatistics.median(sample)))
            return interval.high - interval.low
        }
        #expect(try width(400) < width(25))
    }
}

@Suite struct ChangePointTests {
    private func series(_ levels: [(Double, Int)], seed: UInt64) -> [Double] {
        var random = SplitMix(seed: seed)
        return levels.flatMap { level, count in
            (0..<count).map { _ in level * (0.99 + Double(random.below(2001)) / 100_000) }
        }
    }

    @Test func aStepIsFoundWhereItIs() {
        let found = ChangePoint.all(in: series([(100, 20), (110, 20)], seed: 1))
        #expect(found.map(\.place) == [20])
        #expect(found.first.map { abs($0.after / $0.before - 1.1) < 0.02 } == true)
    }

    @Test func twoStepsAreTwo() {
        #expect(ChangePoint.all(in: series([(100, 15), (120, 15), (100, 15)], seed: 2)).map(\.place) == [15, 30])
    }

    @Test(arguments: 0..<(isOptimisedBuild ? 50 : 20)) func noiseAloneIsNoStep(seed: UInt64) {
        #expect(ChangePoint.all(in: series([(100, 60)], seed: seed)).isEmpty)
    }

    @Test func aShortSeriesSaysNothing() {
        #expect(ChangePoint.all(in: [1, 1, 1, 9, 9, 9]).isEmpty)
        #expect(ChangePoint.all(in: []).isEmpty)
    }
}

extension [TimeGate.Measure: Double] {
    /// A run of which medians alone are known.
    static func medians(_ medians: [LatencyStage?: Double]) -> TimeGate.Run {
        TimeGate.Run(uniqueKeysWithValues: medians.map { (TimeGate.Measure($0, .p50), $1) })
    }
}

@Suite struct TimeGateTests {
    /// A machine whose runs differ by `noise`, with a drift that both builds see.
    private func gate(
        seed: UInt64, noise: Double, slowdown: Double, _ options: TimeGate.Options = .init()
    ) -> TimeGate {
        var random = SplitMix(seed: seed)
        func draw() -> Double { Double(random.below(1 << 20)) / Double(1 << 19) - 1 }
        var drift = 1.0
        return TimeGate(options) { _ in
            drift *= 1 + noise * draw()
            func run(_ factor: Double) -> TimeGate.Run {
                let action = 1e6 * factor * (1 + noise * (draw() + draw() + draw())) * drift
                return .medians([.collect: 5e5 * (1 + noise * draw()) * drift, .action: action])
            }
            return (run(1), run(1 + slowdown))
        }
    }

    @Test func aSlowerStageIsWorseAndNamed() {
        let gate = gate(seed: 1, noise: 0.03, slowdown: 0.1)
        #expect(gate.verdict == .worse)
        #expect(gate.rows.first { $0.verdict == .worse }?.measure.stage == .action)
        #expect(gate.rows.first { $0.measure.stage == .action }.map { $0.ratio > 1.07 && $0.ratio < 1.13 } == true)
    }

    @Test func aQuietMachineSaysNotWorse() {
        let gate = gate(seed: 2, noise: 0.003, slowdown: 0)
        #expect(gate.verdict == .notWorse)
        #expect(gate.pairs == 12)
    }

    @Test func aLoudMachineSaysThatItDoesNotKnow() {
        let gate = gate(seed: 3, noise: 0.3, slowdown: 0)
        #expect(gate.verdict == .inconclusive)
        #expect(gate.pairs == 48)
        #expect(gate.rows.allSatisfy { $0.verdict == .inconclusive && ($0.pairsNeeded ?? 49) > 48 })
    }

    @Test func aFasterBuildIsBetter() {
        #expect(gate(seed: 4, noise: 0.01, slowdown: -0.2).rows.contains { $0.verdict == .better })
    }

    /// Runs of one build with itself must not go on for a stage that no number of them decides.
    @Test func aStageTooShortToDecideDrivesNoMorePairs() {
        var random = SplitMix(seed: 5)
        func run() -> TimeGate.Run {
            .medians([.match: 900 * (1 + Double(random.below(1000)) / 1000), .action: 2e6, nil: 2e6])
        }
        let gate = TimeGate { _ in (run(), run()) }
        #expect(gate.pairs == 12 && gate.verdict == .notWorse)
        #expect(gate.rows.first { $0.measure.stage == .match }?.verdict == .tooShort)
        // A clock of milliseconds tells nothing of microseconds.
        func coarse() -> TimeGate.Run { run().mapValues { $0 == 2e6 ? $0 : $0 * 100 } }
        #expect(TimeGate { _ in (coarse(), coarse()) }.pairs == 48)
        #expect(TimeGate(clockStep: { 1e6 }) { _ in (coarse(), coarse()) }.pairs == 12)
        // Alone it decides nothing, and what is clearly slower is told all the same.
        func match() -> TimeGate.Run { run().filter { $0.key.stage == .match } }
        #expect(TimeGate { _ in (match(), match()) }.verdict == .inconclusive)
        #expect(TimeGate { _ in (.medians([.match: 900]), .medians([.match: 9000])) }.verdict == .worse)
    }

    /// A stage that some run does not have is not compared, and nothing to compare is not a pass.
    @Test func nothingMeasuredIsInconclusive() {
        let gate = TimeGate { _ in (.medians([.action: 0]), .medians([.action: 5])) }
        #expect(gate.rows.isEmpty && gate.verdict == .inconclusive)
    }

    /// Every fourth run is slow: in plain turns those of one build always.
    @Test func aLoadThatComesAndGoesIsNoDifference() {
        var random = SplitMix(seed: 7)
        for number in 0..<40 {
            var (runs, firsts) = (number, 0)
            func run() -> TimeGate.Run {
                runs += 1
                let time = 1e6 + Double(random.below(10_000))
                return .medians([nil: runs.isMultiple(of: 4) ? time * 1.3 : time])
            }
            let gate = TimeGate(coin: { random.below(2) == 0 }) { isBaseFirst in
                firsts += isBaseFirst ? 1 : 0
                let (early, late) = (run(), run())
                return isBaseFirst ? (early, late) : (late, early)
            }
            #expect(gate.verdict != .worse && gate.verdict != .better, "from \(number) on: \(gate.rows)")
            #expect(firsts * 2 == gate.pairs)
        }
    }
}
