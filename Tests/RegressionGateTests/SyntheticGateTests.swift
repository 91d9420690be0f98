import Foundation
import GeneratedTraces
import KeyModel
import Testing

@testable import RegressionGate

/// Thousands of gates over timings that real programs had on a busy machine: two runs that followed each other are a
/// pair of one build, and what a pair's second run takes is changed as a slower build would.
@Suite struct SyntheticGateTests {
    /// Fewer in a debug build, which takes ten times as long for each.
    private static let gates = isOptimisedBuild ? 10_000 : 40
    private static let stages: [LatencyStage] = [.collect, .match, .validate, .action]

    /// Runs by stage, as `Traces/workloads/timing-samples.txt` holds them.
    private static let runs: [[Double]] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Traces/workloads/timing-samples.txt")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ").compactMap { Double($0) } }
    }()

    /// What came of the stage `action` in so many gates in which it is slower by a part.
    private func verdicts(slowdown: Double, seed: UInt64) -> [TimeGate] {
        (0..<Self.gates).map { gate in
            var random = SplitMix(seed: seed &+ UInt64(gate) &* 0x1_0000_0001)
            return TimeGate { _ in
                let place = random.below(Self.runs.count - 1)
                let isTurned = random.next() & 1 == 1
                let (first, second) = (Self.runs[place], Self.runs[place + 1])
                func run(_ values: [Double], _ factor: Double) -> TimeGate.Run {
                    var run: TimeGate.Run = [:]
                    for (stage, value) in zip(Self.stages, values) {
                        let time = value * (stage == .action ? factor : 1)
                        for statistic in TimeGate.Measure.Statistic.allCases {
                            run[TimeGate.Measure(stage, statistic)] = time
                            run[TimeGate.Measure(nil, statistic), default: 0] += time
                        }
                    }
                    return run
                }
                return (run(isTurned ? second : first, 1), run(isTurned ? first : second, 1 + slowdown))
            }
        }
    }

    /// Says how often something came, with its Clopper–Pearson interval, whether the test passes or not.
    private func say(_ count: Int, _ what: String, allowed: String) -> Comment {
        let interval = BinomialInterval(successes: count, trials: Self.gates)
        func percent(_ part: Double) -> String { DiffFormatter.decimal(part * 100, places: 2) }
        let line = "synthetic gates: \(what) in \(count) of \(Self.gates), "
            + "\(percent(Double(count) / Double(Self.gates))) % "
            + "(Clopper–Pearson, 95 %: \(percent(interval.low)) to \(percent(interval.high)) %); \(allowed)"
        print(line)
        return Comment(rawValue: line)
    }

    @Test func samplesAreThere() {
        #expect(Self.runs.count == 160 && Self.runs.allSatisfy { $0.count == 4 })
    }

    @Test func theSameBuildIsHardlyEverCalledWorse() {
        let worse = verdicts(slowdown: 0, seed: 1).count { $0.verdict == .worse }
        let line = say(worse, "the same build is called worse", allowed: "at most 1 % allowed")
        #expect(Double(worse) <= 0.01 * Double(Self.gates), line)
    }

    @Test func tenPercentInOneStageIsFound() {
        let found = verdicts(slowdown: 0.1, seed: 2).count { gate in
            gate.rows.contains { $0.measure.stage == .action && $0.verdict == .worse }
        }
        let line = say(found, "10 % more in one stage is called worse", allowed: "at least 95 % asked for")
        #expect(Double(found) >= 0.95 * Double(Self.gates), line)
    }

    @Test func threePercentIsHardlyEverPassedAsLessThanTwo() {
        let passed = verdicts(slowdown: 0.03, seed: 3).count { gate in
            gate.rows.contains { $0.measure.stage == .action && ($0.verdict == .notWorse || $0.verdict == .better) }
        }
        let stated = TimeGate.Options().miss
        let line = say(
            passed, "3 % more in one stage is called not worse by more than 2 %",
            allowed: "at most \(DiffFormatter.decimal(stated * 100, places: 0)) % allowed")
        #expect(Double(passed) <= stated * Double(Self.gates), line)
    }
}
