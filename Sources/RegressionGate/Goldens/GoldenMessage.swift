package import FlightReplay
import KeyModel
import ResponderEngine
package import Scenes
import TraceFormat
import TraceReports

extension GoldenComparison {
    /// The summary for a person: the first difference, and how many more there are. Ends without a line break.
    package var message: String {
        let slow = slowLines
        switch verdict {
        case .tooSlow: return (["\(name) is too slow:"] + slow).joined(separator: "\n")
        default: return ([difference] + slow).joined(separator: "\n")
        }
    }

    private var name: String { "golden “\(VisibleText.escaped(golden.title))”" }

    private var difference: String {
        switch verdict {
        case .same, .tooSlow: return "\(name) is the same"
        case .missing: return "\(name): no text was accepted yet"
        case .checkedByTest: return "\(name): its responders are a test's own, which alone can replay it"
        case .notComparable(let why): return "\(name): \(why)"
        case .linesChanged: return "\(name): \(changedLine ?? "")"
        case .streamChanged:
            return "\(name): every line is the same, but states or arrival times are not (stream)"
        case .findingsChanged(let new, let gone):
            let lines = GoldenComparison.lines(new: new, gone: gone)
            return ("\(name): every line is the same, but lint is not:" + lines.map { "\n  " + $0 }.joined())
        case .notDeterministic(let diff):
            var lines = ["\(name): \(differenceOfRuns)" + (diff.changes.isEmpty ? "" : ", first at")]
            lines += [GoldenComparison.first(diff)] + diff.renames.map { "renamed " + DiffFormatter.rename($0) }
            lines += (diff.counts ?? []).prefix(4).map(DiffFormatter.count)
            if golden.isOfLiveApp, !unstable.isEmpty { lines.append("To leave it out: \(unstableRemedy)") }
            return lines.filter { !$0.isEmpty }.joined(separator: "\n")
        case .changed(let diff, let excesses):
            var lines = ["\(name) differs" + (diff.changes.isEmpty ? "" : " first at"), GoldenComparison.first(diff)]
            let rest = diff.changes.count - 1
            if rest > 0 { lines.append("and \(HumanNumbers.counted(rest, "more press", "more presses"))") }
            lines += diff.renames.map { "renamed " + DiffFormatter.rename($0) }
            lines += (diff.counts ?? []).prefix(4).map(DiffFormatter.count)
            lines += excesses.map {
                "\($0.budget.count) \($0.budget.span.rawValue): \($0.found), budget \($0.budget.words)"
            }
            return lines.filter { !$0.isEmpty }.joined(separator: "\n")
        }
    }

    /// `every press is the same, but line 3 is not: expected …, found …`; `nil` for another verdict.
    var changedLine: String? {
        guard case .linesChanged(let line, let expected, let found) = verdict else { return nil }
        func quoted(_ text: String) -> String { text.isEmpty ? "none" : "“\(SafeText.escaped(text, limit: 200))”" }
        return "every press is the same, but line \(line) is not: expected \(quoted(expected)), found \(quoted(found))"
    }

    /// The accepted text does not say whose the responders are, as those of earlier versions: what is found has to be
    /// accepted again.
    package var needsAcceptance: Bool {
        guard case .notComparable = verdict, let found, let accepted = try? golden.expected() else { return false }
        return GoldenRows.heading(of: accepted)["responders"] == nil
            && GoldenRows.heading(of: found)["responders"] != nil
    }

    /// `two runs of the app differ in action, target`
    var differenceOfRuns: String {
        let fields = unstable.map(\.rawValue).joined(separator: ", ")
        return (golden.isOfLiveApp ? "two runs of the app differ" : "two replays of the same input differ")
            + (fields.isEmpty ? "" : " in \(fields)")
    }

    /// Remedy that leaves out fields of a live app that are not the same in every run.
    var unstableRemedy: String {
        let lines = unstable.map { "“\($0.rawValue) ignore”" }.joined(separator: " and ")
        return "\(lines) in \(golden.folder)/budgets.txt"
    }

    /// The first press above its latency budget, how many more there are, and what to look at.
    private var slowLines: [String] {
        guard let first = slow.first else { return [] }
        var lines = [first.line]
        if slow.count > 1 { lines.append("and \(HumanNumbers.counted(slow.count - 1, "more press", "more presses"))") }
        let own = (try? golden.accepted())?.budgets
        let isOfText = (first.stage.map { own?.stages[$0] } ?? own?.total) == first.most
        let budget = isOfText
            ? "“\(LatencyBudgets.mark) \(first.what) \(first.most.text)” in \(golden.path)"
            : "GoldenTest.budgets of the test"
        return lines + ["Its budget: \(budget)"] + [slowCommand.map { "Where it goes: " + $0 }].compactMap(\.self)
    }

    /// `press 3 (cmd+w): total: expected at most 16ms, found 20ms`, of the first, and how many more; `nil` for none.
    var slowSummary: String? {
        slow.first.map { $0.line + (slow.count > 1 ? " (and \(slow.count - 1) more)" : "") }
    }

    /// Explains the first press that is too slow.
    var slowCommand: String? { slow.first.flatMap { golden.command("explain", "--press \($0.press.press)") } }

    /// All changes, for an attachment; `nil` where the message contains them all.
    package var everything: String? {
        switch verdict {
        case .changed(let diff, _), .notDeterministic(let diff): diff.text(extent: .everything)
        default: nil
        }
    }

    static func lines(new: [String], gone: [String]) -> [String] {
        new.map { "+ \(SafeText.escaped($0, limit: 300))" } + gone.map { "- \(SafeText.escaped($0, limit: 300))" }
    }

    private static func first(_ diff: TraceDiff) -> String {
        diff.changes.first.map { DiffFormatter.lines(of: $0).map(\.text).joined(separator: "\n") } ?? ""
    }

    /// Leaves what was found to be looked at.
    package func propose() throws(VerdictError) { try golden.propose(proposedText, findings: findings) }

    /// What this build finds may be accepted.
    package var isProposable: Bool {
        switch verdict {
        case .notComparable: needsAcceptance
        case .same, .tooSlow, .notDeterministic, .checkedByTest: false
        case .missing, .changed, .streamChanged, .linesChanged, .findingsChanged: true
        }
    }

    /// `nil` where the accepted text is unchanged, and only what `lint` finds is new.
    var proposedText: String? {
        switch verdict {
        case .findingsChanged, .tooSlow: nil
        default: found
        }
    }

    /// Text in clear that a pending golden would show, in the order it was typed and at most 60 characters of it; `nil`
    /// where there is none.
    package var typedText: String? {
        guard let found = proposedText, let rows = try? GoldenRows(found) else { return nil }
        let text: String = rows.results.compactMap(\.decision.text).joined()
        return text.isEmpty ? nil : text.count > 60 ? text.prefix(60) + "…" : text
    }
}

extension GoldenCase {
    /// The inputs of the folder for responders that are not in it.
    package func inputs(for plan: any ReplayPlan, _ resources: SceneResources) throws -> ReplayTimeline {
        let input = try input()
        guard input.isScript else { return try ReplayTimeline(try GoldenCase.recording(input.bytes, input.path)) }
        let layout = try plan.makeSubject().engine.layout
        return try ReplayTimeline(
            try KeyScript(input.bytes, file: input.path), layout: layout, layoutNamed: resources.layoutNamed)
    }
}
