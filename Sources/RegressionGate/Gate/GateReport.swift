import KeyModel
import TraceFormat
import TraceReports

/// All results of a gate, exact ones first.
package struct GateReport: Sendable {
    package var comparisons: [GoldenComparison]
    /// `nil` where no builds were timed.
    package var time: TimeGate?
    /// `nil` where no instructions were counted.
    package var instructions: InstructionCounts?
    /// Differences between two builds in resolutions and questions; `nil` where none were run.
    package var builds: TraceDiff?
    /// The folder that holds the traces of both builds, the first run of each; `nil` where they were not kept.
    package var kept: String?
    /// Findings of `lint` in head that base lacks.
    package var newFindings: [String] = []
    /// Folders of goldens that no test names.
    package var orphans: [String] = []
    /// What was named and could not be compared, besides the goldens among the comparisons.
    package var refusals: [Finding] = []
    /// The history that this gate was added to; `nil` where none is kept.
    package var history: GateHistory?
    /// Slower builds fail the gate; else they are reported only.
    package var failsOnTime: Bool
    /// An undecided time ends with a status of its own.
    package var failsOnUndecided: Bool

    package init(
        comparisons: [GoldenComparison], time: TimeGate? = nil, instructions: InstructionCounts? = nil,
        failsOnTime: Bool = false, failsOnUndecided: Bool = false
    ) {
        self.comparisons = comparisons
        self.time = time
        self.instructions = instructions
        self.failsOnTime = failsOnTime
        self.failsOnUndecided = failsOnUndecided
    }

    /// Instructions that a run of each build executed, as valgrind counts them; two runs of one build differ by
    /// 0.004 %.
    package struct InstructionCounts: Hashable, Sendable {
        package var base: UInt64
        package var head: UInt64
        /// Tolerated increase, as a part; a third of it is reported.
        package var margin: Double

        package init(base: UInt64, head: UInt64, margin: Double = 0.03) {
            (self.base, self.head, self.margin) = (base, head, margin)
        }

        package var ratio: Double { base == 0 ? 1 : Double(head) / Double(base) }
        package var verdict: TimeGate.Verdict {
            ratio - 1 > margin ? .worse : 1 - ratio > margin ? .better : .notWorse
        }
        var isReported: Bool { verdict == .notWorse && ratio - 1 >= margin / 3 && ratio > 1 }
    }

    package enum Verdict: String, Hashable, Sendable {
        case passed, failed
        /// A baseline is missing, torn or made otherwise: not a pass.
        case notComparable
        /// Exact gates passed, and the time is undecided.
        case inconclusive
    }

    /// A result that cannot be compared precedes a failure, as among exit codes.
    package var verdict: Verdict {
        let isIncomparable = comparisons.contains { comparison in
            switch comparison.verdict {
            case .missing, .notComparable: true
            case .same, .changed, .streamChanged, .linesChanged, .tooSlow, .findingsChanged, .notDeterministic,
                .checkedByTest:
                false
            }
        }
        if isIncomparable || !refused.isEmpty || comparisons.isEmpty && time == nil { return .notComparable }
        if !findings.isEmpty { return .failed }
        return time?.verdict == .inconclusive ? .inconclusive : .passed
    }

    package var presses: Int { comparisons.reduce(0) { $0 + $1.presses } }
    /// Names of goldens that only their tests can replay.
    package var checkedByTests: [String] {
        comparisons.compactMap { if case .checkedByTest = $0.verdict { $0.golden.title } else { nil } }
    }
    /// Goldens of which fields were not compared, and in words what that leaves of their verdicts.
    package var relaxed: [(golden: GoldenCase, fields: [GoldenField], line: String)] {
        comparisons.compactMap { comparison in
            comparison.ignoredLine.map { (comparison.golden, comparison.ignored, $0) }
        }
    }
    package var passed: Int {
        comparisons.reduce(0) { if case .same = $1.verdict { $0 + 1 } else { $0 } }
    }

    /// The problems, one a line, the most important first: causes that prevent a verdict, then changes.
    package var findings: [Finding] {
        refused + comparisons.compactMap { Finding($0) } + buildFindings
            + orphans.map { folder in
                Finding(
                    kind: .orphan, golden: folder.split(separator: "/").last.map(String.init) ?? folder, file: folder,
                    line: "no test names it", remedy: "name it in a test, or delete \(folder)")
            }
    }

    /// The refusals, what the two builds lack, and one more where no golden was compared here.
    var refused: [Finding] {
        let refused = refusals + incomparable
        guard !comparisons.isEmpty, checkedByTests.count == comparisons.count else { return refused }
        return refused + [
            Finding(
                refused: comparisons[0].golden.store,
                "nothing was compared here: the responders of every golden are a Swift test's; run swift test",
                remedy: "run swift test as well, which compares them; the gate is for goldens with scene.yaml")
        ]
    }

    /// Parts of the two builds that could not be compared.
    var incomparable: [Finding] {
        let head = builds?.head.name ?? "head"
        var lines = builds?.incomparable ?? []
        if failsOnTime, let time, !time.rows.contains(where: { $0.measure.family == .total }) {
            lines.append("time: expected stages with a time in every run of both builds, found none")
        }
        // A stage alone may go with a resolution that changed: that is undecided. One left out of both may not.
        if failsOnTime {
            lines += (time?.missingTimes ?? []).filter { missing in
                switch missing.measure.family {
                case .total: true
                case .stage: (missing.measure.stage == .action ? min : max)(missing.base, missing.head) == 0
                case .action: builds?.isIdentical ?? true
                }
            }.map(\.line)
        }
        return lines.map { line in
            Finding(
                kind: .notComparable, golden: Finding.ofBuilds, file: head, line: line,
                remedy: remedy { "keyflight diff \($0.base) \($0.head)" })
        }
    }

    /// What of the two builds is another, or in neither, and keeps no gate from passing: names of responders, counts,
    /// times of single actions.
    var notCompared: [String] {
        var lines = (builds?.renames ?? []).map { "responder renamed: " + DiffFormatter.rename($0) }
        if let builds, builds.counts == nil, builds.inequality == nil {
            lines.append("counts: not recorded in both builds")
        }
        if let actions = time?.unwatchedActions, actions > 0 {
            lines.append("times of \(actions) actions, which take less than those compared: they are in the total")
        }
        return lines
    }

    /// Findings about the two builds.
    var buildFindings: [Finding] {
        var found: [Finding] = []
        if let builds, var finding = Finding(builds: builds) {
            finding.remedy = remedy { "keyflight diff \($0.base) \($0.head)" }
            found.append(finding)
        }
        let head = builds?.head.name ?? "head"
        found += newFindings.map {
            Finding(
                kind: .lint, golden: Finding.ofBuilds, file: head, line: "lint finds in head alone: \($0)",
                remedy: remedy { "keyflight lint \($0.head)" })
        }
        if let instructions, instructions.verdict == .worse {
            found.append(
                Finding(
                    kind: .instructions, golden: Finding.ofBuilds, file: head, line: instructions.line,
                    remedy: "valgrind --tool=callgrind on both shows where"))
        }
        guard failsOnTime else { return found }
        return found
            + (time?.rows ?? []).filter { $0.verdict == .worse }.map { row in
                Finding(
                    kind: .time, golden: TimingFormatter.name(row), file: head, line: TimingFormatter.line(row),
                    remedy: remedy { "keyflight tail \($0.head)" })
            }
    }

    /// A command about the traces of both builds, or how to get them.
    private func remedy(_ command: (_ traces: (base: String, head: String)) -> String) -> String {
        guard let kept else { return "gate again with --keep FOLDER: the traces of both builds stay there" }
        return command((ShellWord.quoted("\(kept)/base.keyflight"), ShellWord.quoted("\(kept)/head.keyflight")))
    }

    package struct Finding: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case resolutions, counts, budget, latency, state, renamed, lint, notDeterministic, missing, notComparable
            case orphan, instructions, time
            /// Fields were not compared, as requested.
            case ignored
        }

        /// Used as golden name where two builds were compared.
        static let ofBuilds = "base and head"

        package var kind: Kind
        package var golden: String
        /// The file to look at.
        package var file: String
        package var line: String
        /// Line of the finding in `file`, from 1.
        package var lineNumber = 1
        /// The next command: one that shows more, where there is one.
        package var remedy: String
        /// The command after it, towards accepting what was found; `nil` where that cannot help, and for a budget.
        package var accept: String?
    }
}

extension GoldenComparison {
    /// `the same but for action, ignored`; `nil` where every field was compared, or none could be.
    var ignoredLine: String? {
        guard !ignored.isEmpty else { return nil }
        let fields = ignored.map(\.rawValue).joined(separator: ", ")
        switch verdict {
        case .same: return "the same but for \(fields), ignored"
        case .missing, .notComparable, .checkedByTest: return nil
        default: return "\(fields) ignored"
        }
    }
}

extension GateReport.Finding {
    /// Something that was named and could not be compared, by its path; empty where it has none.
    package init(refused path: String, _ line: String, remedy: String) {
        self.init(
            kind: .notComparable, golden: path.isEmpty ? "gate" : path, file: path, line: line, remedy: remedy)
    }

    init?(_ comparison: GoldenComparison) {
        let golden = comparison.golden
        self.golden = golden.title
        file = golden.path
        line = ""
        remedy = ""
        // What it would keep in clear has to be allowed.
        let keepsText = comparison.isProposable && comparison.typedText != nil
        switch comparison.verdict {
        case .same, .checkedByTest: return nil
        case .missing:
            kind = .missing
            line = "no text was accepted yet"
            (remedy, accept) =
                comparison.found == nil
                ? ("put scene.yaml there, or let a test make its responders: swift test", golden.pendingAcceptance)
                : golden.steps(nil, keepsText: keepsText)
        case .notComparable(let why):
            kind = .notComparable
            line = why
            (remedy, accept) = comparison.needsAcceptance
                ? golden.steps(nil, keepsText: keepsText) : (comparison.remedy ?? "repair it or record again", nil)
        case .notDeterministic(let diff):
            kind = .notDeterministic
            let summary = GateReport.Finding.summary(diff, [])
            line = comparison.differenceOfRuns + (summary.isEmpty ? "" : ": \(summary)")
            remedy = "find what is not a function of its input: time, hash order, threads"
            if golden.isOfLiveApp, !comparison.unstable.isEmpty { remedy += "; or " + comparison.unstableRemedy }
        case .linesChanged(let number, _, _):
            kind = .state
            line = comparison.changedLine ?? ""
            lineNumber = number
            (remedy, accept) = golden.steps(nil, keepsText: keepsText)
        case .streamChanged:
            kind = .state
            line = "every line is the same, but states or arrival times are not (stream)"
            (remedy, accept) = golden.steps(nil, keepsText: keepsText)
        case .tooSlow:
            kind = .latency
            line = comparison.slowSummary ?? ""
            lineNumber = comparison.slow.first.map { golden.line(of: $0.press) } ?? 1
            remedy = comparison.slowCommand ?? "keyflight help goldens"
        case .findingsChanged(let new, let gone):
            kind = .lint
            let lines = GoldenComparison.lines(new: new, gone: gone)
            line = "every line is the same, but lint is not: " + lines.prefix(3).joined(separator: "; ")
            file = golden.findingsPath
            (remedy, accept) = golden.steps(golden.command("lint"), keepsText: keepsText)
        case .changed(let diff, let excesses):
            kind =
                !diff.changes.isEmpty
                ? .resolutions : !excesses.isEmpty ? .budget : diff.counts?.isEmpty == false ? .counts : .renamed
            line = [GateReport.Finding.summary(diff, excesses), comparison.slowSummary].compactMap(\.self)
                .joined(separator: "; ")
            let press = diff.changes.first?.press ?? diff.counts?.lazy.compactMap(\.presses.first).first.map {
                PressTick(press: $0, tick: 0)
            }
            lineNumber = press.map { golden.line(of: $0) } ?? 1
            let number = press?.press ?? excesses.lazy.compactMap(\.press).first
            let look = number.flatMap { $0 > 0 ? golden.command("explain", "--press \($0)") : nil }
                ?? golden.command("stats")
            (remedy, accept) = golden.steps(look, keepsText: keepsText)
            // A budget is a decision of its own: it is kept or edited, never accepted in passing.
            if !excesses.isEmpty || !comparison.slow.isEmpty {
                (remedy, accept) = (look ?? "keyflight help goldens", nil)
            }
        }
    }

    /// Finding for differences between two builds.
    init?(builds diff: TraceDiff) {
        guard !diff.isIdentical else { return nil }
        kind = diff.changes.isEmpty ? .counts : .resolutions
        golden = GateReport.Finding.ofBuilds
        file = diff.head.name
        line = GateReport.Finding.summary(diff, [])
        remedy = "keyflight diff"
    }

    private static func summary(_ diff: TraceDiff, _ excesses: [CountBudgets.Excess]) -> String {
        var parts: [String] = []
        if !diff.changes.isEmpty { parts.append(diff.summary) }
        if let first = diff.changes.first {
            let lines = DiffFormatter.lines(of: first).map { $0.text.trimmed }
            parts.append("first " + lines.joined(separator: " "))
        }
        parts += excesses.map { excess in
            let budget = excess.budget
            let place = excess.press.map { " (press \($0))" } ?? ""
            return "\(budget.count) \(budget.span.rawValue) \(excess.found)\(place), budget \(budget.words)"
        }
        parts += (diff.counts ?? []).prefix(3).map(DiffFormatter.count)
        parts += diff.renames.prefix(3).map { "renamed " + DiffFormatter.rename($0) }
        return parts.joined(separator: "; ")
    }
}

extension StringProtocol {
    /// Without spaces at both ends.
    package var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
