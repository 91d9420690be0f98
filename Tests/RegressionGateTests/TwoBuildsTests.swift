import GeneratedTraces
import KeyModel
import TraceFormat
import TracePresses
import Testing

@testable import RegressionGate

/// Situations in which two builds differ, or cannot be compared, though the medians of their runs are the same.
@Suite struct TwoBuildsTests {
    /// A run of 40 presses of `milliseconds`, each with noise of a part of it.
    private static func run(
        _ random: inout SplitMix, noise: Double = 0.02, presses: [(action: String, stages: [LatencyStage: Double])]
    ) -> TimeGate.Run {
        func draw() -> Double { Double.random(in: -1...1, using: &random) }
        let machine = 1 + noise * draw()
        return TimeGate.Run(
            presses.map { press in
                var split = StageSplit()
                for (stage, time) in press.stages.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    let noisy = time * 1e6 * machine * (1 + noise * draw())
                    split.add(TraceDuration(nanoseconds: Int64(noisy)), to: stage)
                }
                return (press.action, split)
            })
    }

    private static func gate(
        seed: UInt64, base: [(action: String, stages: [LatencyStage: Double])],
        head: [(action: String, stages: [LatencyStage: Double])]
    ) -> TimeGate {
        var random = SplitMix(seed: seed)
        return TimeGate { _ in (run(&random, presses: base), run(&random, presses: head)) }
    }

    private static func row(_ gate: TimeGate, _ name: String) -> TimeGate.Row? {
        gate.rows.first { TimingFormatter.name($0) == name }
    }

    // MARK: Part of the presses

    @Test func thirteenOfFortyPressesTwiceAsSlowAreWorse() throws {
        func presses(_ slow: Double) -> [(action: String, stages: [LatencyStage: Double])] {
            (0..<40).map { $0 % 3 == 1 ? ("closeTab:", [.action: slow]) : ("newTab:", [.action: 7]) }
        }
        let gate = Self.gate(seed: 1, base: presses(7), head: presses(14))
        #expect(gate.verdict == .worse)
        #expect(Self.row(gate, "total p50").map { abs($0.ratio - 1) < 0.02 && $0.verdict != .worse } == true)
        let p90 = try #require(Self.row(gate, "total p90"))
        #expect(p90.verdict == .worse && abs(p90.ratio - 2) < 0.1)
        let sum = try #require(Self.row(gate, "total sum"))
        #expect(sum.verdict == .worse && abs(sum.ratio - 1.325) < 0.03)
        let report = Self.report(gate)
        for form in Self.forms(report) { #expect(form.contains("total  p90"), "\(form)") }
        // More pairs show which of the actions it is.
        var random = SplitMix(seed: 1)
        var options = TimeGate.Options()
        options.looks = [48]
        let whole = TimeGate(options) { _ in
            (Self.run(&random, presses: presses(7)), Self.run(&random, presses: presses(14)))
        }
        #expect(Self.row(whole, "closeTab: sum")?.verdict == .worse)
        #expect(Self.row(whole, "newTab: sum")?.verdict == .notFoundWorse)
    }

    /// 3 % of the time in an action that takes twice as long: no more of the total than chance explains.
    @Test func aRareActionIsFoundByItself() {
        func presses(_ slow: Double) -> [(action: String, stages: [LatencyStage: Double])] {
            (0..<60).map { $0 == 30 ? ("find:", [.action: slow]) : ("newTab:", [.action: 7]) }
        }
        let gate = Self.gate(seed: 2, base: presses(7), head: presses(14))
        #expect(Self.row(gate, "find: sum")?.verdict == .worse, "\(gate.lines)")
        #expect(Self.row(gate, "total p50")?.verdict == .notWorse && gate.verdict == .worse)
    }

    /// The quickest of many actions, of which the 32 that take longest are compared each by itself.
    @Test(arguments: [20, 40])
    func aQuickActionAmongManyIsFoundOrSaidToBeLeftOut(_ count: Int) {
        func presses(_ slow: Double) -> [(action: String, stages: [LatencyStage: Double])] {
            (0..<count).map { $0 == 0 ? ("quick:", [.action: slow]) : ("a\($0):", [.action: 20]) }
        }
        let gate = Self.gate(seed: 3, base: presses(1), head: presses(4))
        let report = Self.report(gate)
        let line = "times of 8 actions, which take less than those compared: they are in the total"
        for form in Self.forms(report) + [report.json] {
            #expect(form.contains(count == 20 ? "quick:" : line), "\(form)")
        }
        #expect(report.verdict == (count == 20 ? .failed : .passed), "\(gate.lines)")
    }

    @Test func aPercentileNeedsEnoughPresses() {
        let few = Self.gate(
            seed: 3, base: (0..<9).map { _ in ("a:", [.action: 1]) }, head: (0..<9).map { _ in ("a:", [.action: 1]) })
        #expect(few.rows.map(TimingFormatter.name) == ["total p50", "total sum", "action p50", "action sum"])
    }

    // MARK: Stages of one side

    /// The action became faster by as much, so that the total is the same.
    @Test(arguments: [(0.5, TimeGate.Verdict.worse), (0.05, .notWorse)])
    func aNewStageIsWorseWhereItCostsMoreThanTheMargin(_ cost: Double, _ verdict: TimeGate.Verdict) throws {
        let base = (0..<20).map { _ in ("a:", [LatencyStage.action: 10.0]) }
        let head = (0..<20).map { _ in ("a:", [LatencyStage.action: 10 - cost, .validate: cost]) }
        let gate = Self.gate(seed: 4, base: base, head: head)
        let row = try #require(Self.row(gate, "validate sum"))
        #expect(row.verdict == verdict && row.partOfTotal == .head, "\(gate.lines)")
        #expect(abs(row.ratio - 1 - cost / 10) < 0.005)
        #expect(gate.lines.contains { $0.contains("validate  sum 0 ns → ") && $0.contains("in head alone: ") })
        #expect(Self.row(gate, "total p50")?.verdict == .notWorse)
        #expect(Self.report(gate).json.contains("\"part_of_total\":\"head\""))
    }

    @Test func aStageThatBaseAloneHasIsNamed() throws {
        let base = (0..<20).map { _ in ("a:", [LatencyStage.action: 9.0, .validate: 1]) }
        let head = (0..<20).map { _ in ("a:", [LatencyStage.action: 10.0]) }
        let gate = Self.gate(seed: 5, base: base, head: head)
        let row = try #require(Self.row(gate, "validate sum"))
        #expect(row.partOfTotal == .base && row.isDecisive && abs(row.ratio - 0.9) < 0.01)
        #expect(row.verdict == .better || row.verdict == .notWorse)
        #expect(gate.lines.contains { $0.contains("validate") && $0.contains("in base alone: ") }, "\(gate.lines)")
    }

    @Test func aStageWhoseMedianIsZeroIsNamedAndComparedByItsSum() throws {
        func presses(_ slow: Double) -> [(action: String, stages: [LatencyStage: Double])] {
            (0..<20).map { ("a:", [.action: 10, .match: $0 < 5 ? slow : 0]) }
        }
        let gate = Self.gate(seed: 6, base: presses(0.1), head: presses(0.2))
        #expect(gate.notes == ["match: its p50 is 0 in some run: its sum is compared instead"])
        let row = try #require(Self.row(gate, "match sum"))
        #expect(row.verdict == .worse && row.isDecisive)
        #expect(Self.row(gate, "match p50") == nil)
        let report = Self.report(gate)
        for form in [report.text(), report.json, report.summary()] { #expect(form.contains("match: its p50 is 0")) }
    }

    /// As the gate sees a head that no longer records some of the times.
    @Test func timesOfFewerPressesLeaveTheVerdictOpen() {
        func presses(_ count: Int) -> [(action: String, stages: [LatencyStage: Double])] {
            (0..<20).map { ("a:", $0 < count ? [.action: 10, .match: 1] : [.action: 10]) }
        }
        for (base, head) in [(20, 19), (19, 20)] {
            let gate = Self.gate(seed: 8, base: presses(base), head: presses(head))
            #expect(gate.incomplete == ["match: presses with a time: \(base) in base, \(head) in head"])
            #expect(gate.verdict == .inconclusive || base < head && gate.verdict == .worse, "\(gate.lines)")
        }
        let report = Self.report(Self.gate(seed: 8, base: presses(20), head: presses(19)))
        for form in [report.text(), report.github, report.codeQuality, report.summary()] {
            #expect(form.contains("match: presses with a time: 20 in base, 19 in head"), "\(form)")
        }
        #expect(Self.gate(seed: 8, base: presses(19), head: presses(19)).verdict == .notWorse)
    }

    /// Repeats of held keys, of which their median shows the half alone.
    @Test func repeatsAreComparedByAllOfThem() throws {
        func gate(_ base: [Double?], _ head: [Double?]) -> TimeGate {
            var random = SplitMix(seed: 9)
            func run(_ repeats: [Double?]) -> TimeGate.Run {
                var run = Self.run(&random, presses: (0..<20).map { _ in ("a:", [.action: 10]) })
                run.add(repeats: repeats.map { $0.map { TraceDuration(nanoseconds: Int64($0 * 1e6)) } })
                return run
            }
            return TimeGate { _ in (run(base), run(head)) }
        }
        let base = [Double?](repeating: 1, count: 10)
        let slow = gate(base, base.dropLast() + [20])
        #expect(Self.row(slow, "repeats mean")?.verdict == .worse && slow.verdict == .worse, "\(slow.lines)")
        #expect(Self.row(slow, "repeats p50")?.verdict == .notFoundWorse)
        let some = [[nil, 1, 1], [0, 0, 0]] + [[Double?](repeating: nil, count: 3)]
        for repeats in some {
            let open = gate([1, 1, 1], repeats)
            #expect(open.verdict == .inconclusive && open.incomplete.count == 1, "\(open.lines)")
            #expect(open.incomplete[0].hasPrefix("repeats: presses with a time above 0: 3 in base, "))
            #expect(Self.report(open).verdict == .notComparable)
        }
        #expect(gate(base, base).incomplete.isEmpty && gate(base, base).verdict == .notWorse)
        let alone = TimeGate { _ in
            let run: TimeGate.Run = [.sum: 1e6, TimeGate.Measure.repeats[2]: 1e6]
            return (run, run.merging([TimeGate.Measure.repeats[2].counting(.alone): 2]) { $1 })
        }
        #expect(alone.incomplete.count == 1 && alone.incomplete[0].hasSuffix("2 presses with one in one build alone"))
    }

    // MARK: Stages that one build derives

    /// Presses with a call of `keyCommands` and the stage `action`; those that `records` takes have `collect` as well.
    private static func results(_ records: (UInt32) -> Bool) -> PressResults {
        var results = PressResults()
        let names = TraceDefinitions()
        var sequence: UInt64 = 0
        for press in UInt32(1)...20 {
            let at = PressTick(press: press, tick: 0)
            func key(_ phase: KeyPhase) -> TraceRecord.Body {
                .key(KeyRecord(device: 1, key: .clear(.keyboard(4)), phase: phase, modifiers: [], press: press))
            }
            func stage(_ stage: LatencyStage, _ time: Int64) -> TraceRecord.Body {
                .stage(StageRecord(at: at, stage: stage, duration: TraceDuration(nanoseconds: time)))
            }
            let call = CallRecord(
                at: at, kind: .keyCommands, occasion: .down, responder: ResponderRef(rawValue: 0), pass: 1, depth: 0,
                duration: TraceDuration(nanoseconds: 400), action: nil, answer: .none)
            let bodies = [key(.down), .call(call)] + (records(press) ? [stage(.collect, 500)] : [])
                + [
                    stage(.action, 1000),
                    .resolution(ResolutionRecord(at: at, outcome: .performed, takenBy: nil, state: nil)), key(.up),
                ]
            for body in bodies {
                let time = TraceTime(nanoseconds: Int64(sequence) * 10_000)
                results.consume(TraceRecord(time: time, sequence: sequence, body: body), definitions: names)
                sequence += 1
            }
        }
        results.finish(names)
        return results
    }

    private static func gate(_ base: PressResults, _ head: PressResults) -> TimeGate {
        TimeGate { _ in
            let alone = base.timesAlone(beside: head)
            return (base.times(beside: head), head.times(beside: base).merging(alone) { $1 })
        }
    }

    @Test func aStageThatOneBuildRecordsAndTheOtherDerivesIsLeftOutOfBothAndNoted() {
        let (recorded, derived) = (Self.results { _ in true }, Self.results { _ in false })
        for (base, head) in [(recorded, derived), (derived, recorded)] {
            let gate = Self.gate(base, head)
            #expect(gate.rows.map(TimingFormatter.name).allSatisfy { !$0.hasPrefix("collect") }, "\(gate.lines)")
            #expect(Self.row(gate, "total p50")?.ratio == 1)
            #expect(gate.incomplete.count == 1 && gate.incomplete[0].hasPrefix("collect: "), "\(gate.incomplete)")
            #expect(Self.report(gate).verdict == .notComparable)
        }
    }

    /// An app that begins to record a stage, or ceases to, has the calls of its other presses all the same.
    @Test func aStageOfOnePressTakesNoCallsFromTheOthers() {
        let some = Self.results { $0 == 1 }
        let gate = Self.gate(some, some)
        #expect(Self.row(gate, "collect p50") != nil && gate.incomplete.isEmpty, "\(gate.lines)")
        let more = Self.gate(some, Self.results { $0 < 3 })
        #expect(more.incomplete.count == 1 && more.incomplete[0].contains("1 press"), "\(more.incomplete)")
    }

    // MARK: Nothing to compare, or nothing decided

    private static func report(_ gate: TimeGate, fails: Bool = true) -> GateReport {
        GateReport(comparisons: [], time: gate, failsOnTime: fails)
    }

    private static func forms(_ report: GateReport) -> [String] {
        [report.text(), report.junit, report.github, report.codeQuality, report.summary()]
    }

    @Test func noTimesToCompareIsNoPass() {
        let report = Self.report(TimeGate { _ in ([:], .medians([.action: 5])) })
        #expect(report.verdict == .notComparable)
        let line = "time: expected stages with a time in every run of both builds, found none"
        for form in Self.forms(report) + [report.json] { #expect(form.contains(line), "\(form)") }
        #expect(report.junit.contains("<error type=\"notComparable\"") && report.github.contains("::error "))
        // Without --time fail, time has no verdict.
        #expect(Self.report(TimeGate { _ in ([:], [:]) }, fails: false).verdict == .inconclusive)
    }

    /// A machine on which two runs of one build differ by up to a half.
    private static func loud(_ seed: UInt64, slowdown: Double = 0, noise: Double = 0.5, pairs: Int = 48) -> TimeGate {
        var random = SplitMix(seed: seed)
        var options = TimeGate.Options()
        options.looks = [12, 24, pairs]
        return TimeGate(options) { _ in
            func run(_ factor: Double) -> TimeGate.Run {
                .medians([nil: 1e6 * factor * (1 + noise * Double.random(in: -1...1, using: &random))])
            }
            return (run(1), run(1 + slowdown))
        }
    }

    @Test func anUndecidedTimeIsAWarningAndALineOfItsOwn() {
        let report = Self.report(Self.loud(7, slowdown: 0.02, noise: 0.9))
        #expect(report.verdict == .inconclusive)
        let line = "time undecided after 48 runs of each build: total p50"
        #expect(report.text().contains("\n  \(line); --strict makes this status 6\n"), "\(report.text())")
        #expect(report.github.contains("::warning title=keyflight::\(line)\n"), "\(report.github)")
        for form in [report.codeQuality, report.summary()] { #expect(form.contains(line), "\(form)") }
        #expect(report.junit.contains("<skipped message=\"~ total  p50"))
        #expect(report.junit.contains("failures=\"0\" errors=\"0\""))
        // With --strict it ends the job, and no report of it is green.
        let strict = GateReport(comparisons: [], time: report.time, failsOnTime: true, failsOnUndecided: true)
        #expect(strict.junit.contains("errors=\"1\"") && strict.junit.contains("<error type=\"undecided\""))
        #expect(strict.github.contains("::error title=keyflight::\(line)") && !strict.github.contains("::warning"))
        #expect(strict.codeQuality.contains("\"keyflight.time\"") && strict.text().contains("\(line); status 6\n"))
    }

    @Test func whatIsAskedOnReleaseIsARowOfItsOwn() {
        func run(_ asked: Int64) -> TimeGate.Run {
            var run = TimeGate.Run.medians([.action: 5e6])
            run.add(releases: TraceDuration(nanoseconds: 40 * asked), timed: 40, of: 40)
            return run
        }
        let gate = TimeGate { _ in (run(120_000), run(9_000_000)) }
        #expect(Self.row(gate, "releases sum")?.verdict == .worse && gate.verdict == .worse)
        #expect(Self.row(TimeGate { _ in (run(0), run(0)) }, "releases sum") == nil)
    }

    // MARK: Claims about the noise

    /// The number of pairs is that with which more gates decide than do not, or it is not printed.
    @Test func aboutSoManyRunsWouldDecide() throws {
        var decided = (0, 0)
        var silent = 0
        for seed in UInt64(0)..<30 {
            let first = Self.loud(seed, slowdown: 0.1, noise: 0.2)
            guard first.verdict == .inconclusive else { continue }
            // A debug build takes long for more pairs.
            guard let pairs = first.rows.first?.pairsNeeded, pairs <= 200 else {
                silent += 1
                continue
            }
            #expect(pairs > 48 && pairs <= 16 * 48)
            let second = Self.loud(seed &+ 1000, slowdown: 0.1, noise: 0.2, pairs: pairs)
            if second.verdict == .inconclusive { decided.1 += 1 } else { decided.0 += 1 }
        }
        print("named a number: \(decided.0) decide with it, \(decided.1) do not; \(silent) named none or more")
        #expect(decided.0 > decided.1)
    }

    /// 2⁻¹² is more than the error that a stage has at the first look: 12 pairs of one sign prove nothing about it.
    @Test func aStageThatSoFewPairsCannotDecideNamesHowManyCan() throws {
        func presses(_ time: Double) -> [(action: String, stages: [LatencyStage: Double])] {
            (0..<20).map { _ in ("a:", [.collect: time, .action: time, .match: time]) }
        }
        let gate = TimeGate { _ in
            var random = SplitMix(seed: 1)
            return (
                Self.run(&random, noise: 0, presses: presses(1)), Self.run(&random, noise: 0, presses: presses(1.3))
            )
        }
        #expect(gate.pairs == 12 && gate.verdict == .worse)
        let row = try #require(Self.row(gate, "action p50"))
        #expect(row.verdict == .inconclusive && !row.low.isNormal, "\(gate.lines)")
        let pairs = try #require(row.pairsNeeded)
        #expect((13...20).contains(pairs), "\(gate.lines)")
        #expect(gate.lines.contains { $0.contains("inconclusive: about \(pairs) runs of each would decide") })
    }

    @Test func noNumberIsNamedWhereNoneIsKnown() {
        // The estimate is too near to the margin for its distance to be known.
        let near = (UInt64(0)..<20).map { Self.loud($0, slowdown: 0.02) }.filter { $0.verdict == .inconclusive }
        #expect(near.contains { $0.rows[0].pairsNeeded == nil })
        #expect(near.allSatisfy { $0.rows[0].pairsNeeded.map { $0 > 48 } ?? true })
    }

    /// So many gates of builds that differ by what a gate said it finds.
    @Test(arguments: [0.02, 0.1])
    func whatItFindsIsFoundByFourOfFive(_ noise: Double) {
        let claims = (UInt64(0)..<30).map { Self.loud($0, noise: noise).rows[0].detectable }
        let claim = OrderStatistics.median(claims)
        let gates = 150
        let found = (UInt64(0)..<UInt64(gates)).count {
            Self.loud($0 &+ 5000, slowdown: claim, noise: noise).verdict == .worse
        }
        let line = "noise \(noise): finds +\(claim), found in \(found) of \(gates) gates"
        print(line)
        #expect(found >= gates * 72 / 100 && found <= gates * 90 / 100, "\(line)")
    }
}
