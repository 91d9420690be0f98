import Testing

@testable import RegressionGate

/// Values by SciPy 1.x `mannwhitneyu` (`Scripts/compare-scipy` compares a hundred seeded samples).
@Suite struct MannWhitneyTests {
    @Test func smallSamplesAreExact() {
        let test = MannWhitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])
        #expect(test.u == 25)
        #expect(abs(test.p - 2.0 / 252) < 1e-12)
    }

    @Test func equalSamplesDifferByChance() {
        let test = MannWhitney([1, 2, 3], [1, 2, 3])
        #expect(test.p == 1)
        #expect(test.u == 4.5)
    }

    @Test func nothingToCompareIsNoDifference() {
        #expect(MannWhitney([], [1]).p == 1)
        #expect(MannWhitney([4, 4, 4], [4, 4]).p == 1)
    }

    /// Whichever sample comes first, the probability is the same.
    @Test(arguments: 0..<40) func orderOfSamplesDoesNotMatter(seed: UInt64) {
        var random = SplitMix(seed: seed)
        func sample() -> [Double] { (0..<(1 + random.below(40))).map { _ in Double(random.below(30)) } }
        let (a, b) = (sample(), sample())
        #expect(abs(MannWhitney(a, b).p - MannWhitney(b, a).p) < 1e-9)
    }
}
