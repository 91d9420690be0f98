package import FlightReplay
package import Scenes
import KeyModel
import TraceFormat
import TraceReports

/// Result of one golden.
package struct GoldenComparison: Sendable {
    package var golden: GoldenCase
    package var verdict: Verdict
    /// Presses of the accepted text, or of the found one where none was accepted.
    package var presses = 0
    /// The text that was found; `nil` where the input could not be replayed.
    package var found: String?
    /// Its `lint` findings; `nil` where only a text was compared.
    package var findings: GoldenFindings?
    /// Fields that were not compared, by `budgets.txt` or the test; in the order of `GoldenField`.
    package var ignored: [GoldenField] = []
    /// Fields to which two runs of one input gave different values; in the order of `GoldenField`.
    package private(set) var unstable: [GoldenField] = []
    /// The command that compares it, where leave to start its program is all that it lacks.
    private(set) var remedy: String?
    /// Presses above a latency budget of the accepted text or of the test.
    package var slow: [LatencyBudgets.Excess] = []

    package enum Verdict: Sendable {
        case same
        /// `excesses` are budgets that were not kept.
        case changed(TraceDiff, excesses: [CountBudgets.Excess])
        /// Same lines, but another `stream` in the heading: states or arrival times differ.
        case streamChanged(expected: String, found: String)
        /// Same presses, but another line: rows in another order, or a text that was edited. `line` counts from 1.
        case linesChanged(line: Int, expected: String, found: String)
        /// Same lines, but presses take longer than they may.
        case tooSlow
        /// Same lines, but other `lint` findings, by row.
        case findingsChanged(new: [String], gone: [String])
        /// Two replays of one input differ, or two runs of a live app: a change cannot be determined.
        case notDeterministic(TraceDiff)
        /// No text was accepted yet.
        case missing
        /// It could not be compared, in one line.
        case notComparable(String)
        /// Its responders are written in Swift: only the test that makes them can replay it, and it is there.
        case checkedByTest
    }

    /// Results of a replay beside its text.
    private struct Extras {
        var findings: GoldenFindings
        var bytes: UInt64
        var slow: [LatencyBudgets.Excess] = []
    }

    /// Replays a golden twice and compares it with what was accepted, as far as a person did not leave room. A live app
    /// runs once, and again before anything of it is for review: what differs between two runs is no golden.
    package init(_ golden: GoldenCase, resources: SceneResources, rules: GoldenRules = GoldenRules()) {
        do {
            try golden.checkFiles()
            if let app = try LiveGolden(golden, rules) {
                self.init(golden, app, rules)
                return
            }
            let (plan, timeline, responders) = try golden.prepare(resources)
            self.init(golden, plan, timeline, responders, rules)
        } catch let error as VerdictError where error.kind == .noResponders {
            self.init(golden, withoutResponders: error, rules)
        } catch {
            self.init(golden, notComparable: error)
        }
    }

    private init(_ golden: GoldenCase, _ app: LiveGolden, _ rules: GoldenRules) {
        do {
            let first = try app.run(rules)
            self.init(golden, text: first.text, Extras(findings: first.findings, bytes: 0), rules)
            let counts = try golden.budgets().adding(rules.classes).ignores(.allocations)
                ? nil : golden.accepted()?.allocations ?? GoldenAllocations()
            switch verdict {
            case .notComparable: return
            case .same:
                // What is rare in an app is rarer in four runs.
                var runs = [first.allocations]
                while counts?.change(in: runs) != nil, runs.count < 4 { runs.append(try app.run(rules).allocations) }
                compareAllocations(counts, runs)
            default:
                let second = try app.run(rules)
                try compareRuns(first, second, rules)
                compareAllocations(counts, [first.allocations, second.allocations])
            }
        } catch {
            self.init(golden, notComparable: error)
        }
    }

    /// Adds the allocations of two runs to the text that was found, and compares those of all with the accepted ones
    /// where all else is the same. `nil`: they are not compared.
    private mutating func compareAllocations(_ accepted: GoldenAllocations?, _ runs: [GoldenAllocations]) {
        guard let accepted, runs.count > 1 else { return }
        found = found.map { BudgetedText.inserting(GoldenAllocations(runs[0], runs[1]).text, in: $0) }
        guard case .same = verdict, let (press, expected, line) = accepted.change(in: runs) else { return }
        verdict = .linesChanged(line: golden.line(ofAllocations: press), expected: expected, found: line)
    }

    /// Refuses a golden of two runs that differ, but for fields that are not compared anyway.
    private mutating func compareRuns(_ first: GoldenRun, _ second: GoldenRun, _ rules: GoldenRules) throws {
        guard first.text != second.text || first.findings != second.findings else { return }
        let budgets = try golden.budgets().adding(rules.classes)
        let diff = GoldenComparison.diff(try GoldenRows(first.text), try GoldenRows(second.text), golden, budgets)
        unstable = diff.fields
        if first.findings != second.findings, !budgets.ignores(.findings) { unstable.append(.findings) }
        guard diff.isIdentical, diff.renames.isEmpty, unstable.isEmpty else { return verdict = .notDeterministic(diff) }
    }

    /// A golden in whose folder are no responders. Where its heading says that a Swift test makes them, and that test
    /// is there, its accepted text is read, and not compared.
    private init(_ golden: GoldenCase, withoutResponders error: VerdictError, _ rules: GoldenRules) {
        self.golden = golden
        verdict = .missing
        do {
            guard let accepted = try golden.accepted() else { return }
            let rows = try GoldenRows(accepted.text)
            presses = rows.results.count
            func refuse(_ reason: String) -> VerdictError { VerdictError(.notComparable, golden.path, reason: reason) }
            guard rows.responders(.swift) else {
                var error = error
                error.remedy = "where a Swift test makes its responders, accept again: the heading does not say that"
                    + " responders are Swift's"
                throw error
            }
            guard golden.profile == nil else {
                throw refuse("its responders are a Swift test's, which compares expected.txt alone")
            }
            guard !rules.tests.isEmpty else {
                throw refuse(
                    "its responders are a Swift test's, which alone compares it: run it, and name it by --tests")
            }
            guard rules.tests.contains(where: { $0.mention(golden.name) }) else {
                throw refuse("its responders are a Swift test's, and no test names it")
            }
            guard rules.tests.contains(where: { $0.compare(golden) }) else {
                throw refuse("its responders are a Swift test's, and no test compares it: expectGolden(NAME, PLAN)")
            }
            // Read as well where they are compared elsewhere: a torn one is no baseline.
            _ = (try golden.budgets(), try golden.acceptedFindings())
            verdict = presses == 0 ? GoldenComparison.noPresses(golden) : .checkedByTest
        } catch {
            verdict = .notComparable(GoldenComparison.line(error, golden))
        }
    }

    /// The same for responders that a test makes.
    package init(_ golden: GoldenCase, plan: any ReplayPlan, resources: SceneResources, rules: GoldenRules) {
        do {
            try golden.checkFiles()
            self.init(golden, plan, try golden.inputs(for: plan, resources), .swift, rules)
        } catch {
            self.init(golden, notComparable: error)
        }
    }

    /// The second replay is recorded: being watched must change nothing either. Its lines are compared with those of
    /// the first, of which alone a text is made.
    private init(
        _ golden: GoldenCase, _ plan: any ReplayPlan, _ timeline: ReplayTimeline, _ responders: GoldenText.Responders,
        _ rules: GoldenRules
    ) {
        do {
            var heading = try plan.heading()
            heading.responders = responders
            let lines = try plan.lines(of: timeline)
            let recorder = TraceRecorder(showsKeys: true)
            var again: [ReplayLine] = []
            again.reserveCapacity(lines.count)
            try plan.run(timeline, recorder: recorder) { row in
                if case .resolution(let line) = row { again.append(line) }
            }
            let text = GoldenText(heading, lines).text
            if again != lines {
                // How late a line was is no part of the text.
                let other = GoldenText(heading, again).text
                guard other == text else {
                    self.init(golden, found: text, again: other)
                    return
                }
            }
            let recording = recorder.recording
            let extras = Extras(
                findings: rules.redacted(GoldenFindings(of: recording)),
                bytes: try GoldenComparison.bytes(recording, golden, rules),
                slow: try (golden.accepted()?.budgets ?? LatencyBudgets()).joined(with: rules.latency)
                    .excesses(of: recording, file: golden.path))
            self.init(golden, text: rules.redacted(text), extras, rules)
        } catch {
            self.init(golden, notComparable: error)
        }
    }

    /// Two different texts of one input.
    package init(_ golden: GoldenCase, found text: String, again: String) {
        self.golden = golden
        found = text
        do {
            presses = GoldenComparison.lines(of: text)
            let diff = GoldenComparison.diff(try GoldenRows(text), try GoldenRows(again), golden)
            verdict = .notDeterministic(diff)
            unstable = diff.fields
        } catch {
            verdict = .notComparable(GoldenComparison.line(error, golden))
        }
    }

    /// Compares a text that came from elsewhere, such as a pending one, with what was accepted, and so its findings.
    package init(_ golden: GoldenCase, found text: String, findings: GoldenFindings? = nil) {
        self.init(golden, text: text, findings.map { Extras(findings: $0, bytes: 0) }, GoldenRules())
    }

    private init(_ golden: GoldenCase, text: String, _ extras: Extras?, _ rules: GoldenRules) {
        self.golden = golden
        found = text
        findings = extras?.findings
        slow = extras?.slow ?? []
        do {
            let other = try BudgetedText(text, file: golden.pendingPath)
            let replayed = other.text
            let accepted = try golden.accepted()
            found = accepted?.keepingBudgets(in: other) ?? text
            presses = GoldenComparison.lines(of: replayed)
            let budgets = try golden.budgets().adding(rules.classes)
            ignored = GoldenField.allCases.filter(budgets.ignored.contains)
            // The digest has the counts as well.
            if !budgets.covered.isEmpty, budgets.ignored.isEmpty { ignored.append(.stream) }
            verdict = try GoldenComparison.verdict(golden, accepted, found: replayed, extras, budgets)
        } catch {
            verdict = .notComparable(GoldenComparison.line(error, golden))
        }
    }

    private init(_ golden: GoldenCase, notComparable error: any Error) {
        self.golden = golden
        verdict = .notComparable(GoldenComparison.line(error, golden))
        if (error as? VerdictError)?.remedy == LiveGolden.leave { remedy = golden.startCommand }
    }

    private static func line(_ error: any Error, _ golden: GoldenCase) -> String {
        if let error = error as? VerdictError { return error.description }
        if let error = error as? GoldenRows.ParseError { return "\(golden.path): \(error)" }
        if error is SourceTextError || error is TraceError { return "\(error)" }
        return "\(golden.folder): \(error)"
    }

    /// A line for each press after the heading.
    private static func lines(of text: String) -> Int { max(0, text.utf8.count { $0 == UInt8(ascii: "\n") } - 1) }

    /// Bytes of the trace, where there is a budget for them; else 0.
    private static func bytes(_ recording: Recording, _ golden: GoldenCase, _ rules: GoldenRules) throws -> UInt64 {
        guard try golden.budgets().adding(rules.classes).ignores(.bytes) else { return 0 }
        return UInt64(try recording.bytes(header: TraceHeader(level: .calls, isMasked: false)).count)
    }

    /// Texts are taken apart only where they differ, or where room was left.
    private static func verdict(
        _ golden: GoldenCase, _ budgeted: BudgetedText?, found text: String, _ extras: Extras?, _ budgets: CountBudgets
    ) throws -> Verdict {
        guard let budgeted else { return .missing }
        let expected = budgeted.text
        if lines(of: expected) == 0, lines(of: text) == 0 { return noPresses(golden) }
        if let mistake = budgets.mistake { return .notComparable("\(golden.folder): \(mistake)") }
        if ByteName(expected) == ByteName(text), budgets.isEmpty { return try findings(golden, extras, budgets) }
        let rows = try GoldenRows(text)
        let accepted = try GoldenRows(expected)
        for fact in ["profile", "layout", "level", "cache"] {
            guard let old = accepted.heading[fact], let new = rows.heading[fact], old != new else { continue }
            return .notComparable("\(golden.path): \(fact): expected \(old), as accepted, found \(new)")
        }
        if let reason = accepted.mismatchOfResponders(rows) { return .notComparable("\(golden.path): \(reason)") }
        if budgeted.budgets.isEmpty, budgets.comparesNothing(of: accepted.results + rows.results) {
            return .notComparable("\(golden.folder): every field is ignored: nothing is compared")
        }
        let diff = GoldenComparison.diff(accepted, rows, golden, budgets)
        var excesses = budgets.excesses(of: rows.results)
        if let extras {
            excesses += budgets.excess(of: .bytes, extras.bytes)
            excesses += budgets.excess(of: .findings, UInt64(extras.findings.rows.count))
        }
        guard diff.isIdentical, diff.renames.isEmpty, excesses.isEmpty else {
            return .changed(diff, excesses: excesses)
        }
        guard diff.undecided == diff.undecidedInBoth else {
            let open = diff.undecided - diff.undecidedInBoth
            return .notComparable(
                "\(golden.path): presses: expected outcomes in both texts, found \(open) that one leaves open")
        }
        guard accepted.heading["stream"] == rows.heading["stream"] || budgets.allowsAnyDifference else {
            return .streamChanged(
                expected: accepted.heading["stream"] ?? "none", found: rows.heading["stream"] ?? "none")
        }
        if let (place, old, new) = GoldenRows.firstDifference(expected, text, budgets) {
            let line = place + (place == 0 ? 1 : 1 + budgeted.commentLines)
            return .linesChanged(line: line, expected: old, found: new)
        }
        if let unused = try golden.unusedBudget(accepted.results + rows.results) { return .notComparable(unused) }
        return try findings(golden, extras, budgets)
    }

    /// Verdict for an input without presses, which cannot be compared.
    private static func noPresses(_ golden: GoldenCase) -> Verdict {
        .notComparable("\(golden.path): presses: expected at least one, found none")
    }

    /// The last things compared: what presses take, and what `lint` finds, unless there is room for it.
    private static func findings(
        _ golden: GoldenCase, _ extras: Extras?, _ budgets: CountBudgets
    ) throws -> Verdict {
        guard let extras else { return .same }
        guard extras.slow.isEmpty else { return .tooSlow }
        guard !budgets.ignores(.findings) else { return .same }
        let (new, gone) = try golden.acceptedFindings().changes(to: extras.findings)
        return new.isEmpty && gone.isEmpty ? .same : .findingsChanged(new: new, gone: gone)
    }

    /// The difference, but for what budgets leave room for.
    private static func diff(
        _ base: GoldenRows, _ head: GoldenRows, _ golden: GoldenCase, _ budgets: CountBudgets = CountBudgets()
    ) -> TraceDiff {
        var (base, head) = (base, head)
        base.ignore(budgets.ignored)
        head.ignore(budgets.ignored)
        var diff = TraceDiff(
            base: PressResults(base), named: golden.path, head: PressResults(head), named: "this build",
            comparesCounts: true)
        diff.counts?.removeAll { budgets.covered.contains($0.name) }
        return diff
    }
}

extension GoldenCase {
    /// Budgets of `budgets.txt` beside it; empty without one.
    package func budgets() throws(VerdictError) -> CountBudgets {
        guard let text = try TextFile.readAccepted(budgetsPath) else { return CountBudgets() }
        return try CountBudgets(text, file: budgetsPath)
    }

    private var budgetsPath: String { "\(folder)/budgets.txt" }

    /// A line of `budgets.txt` about something that no press has, in words; `nil` where there is none. Of a live app, a
    /// run may lack what another has.
    func unusedBudget(_ results: [PressResult]) throws(VerdictError) -> String? {
        guard !isOfLiveApp else { return nil }
        let budgets = try budgets()
        let counts = budgets.budgets.map(\.count).filter(CountBudgets.names.contains)
        // None at all is a budget that can be broken, wherever the count is one that is made.
        let zero = budgets.budgets.filter { $0.limit == 0 && !$0.isFloor }.map(\.count)
        let checksStale = try expected().map(GoldenRows.containsShadowReads) ?? false
        func canCount(_ name: String, _ press: PressResult) -> Bool {
            zero.contains(name) && press.counts[name] != nil && (name != "cache.stale" || checksStale)
        }
        let unused = counts.first { name in
            !results.contains { ($0.counts[name] ?? 0) > 0 || canCount(name, $0) }
        }
            ?? GoldenField.allCases.first { field in
                budgets.ignored.contains(field) && !results.contains(where: field.isIn)
            }?.rawValue
        return unused.map {
            "\(budgetsPath): \($0): expected a press that has some, found none; take the line out"
        }
    }
}
