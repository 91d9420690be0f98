import FlightReplay
public import Scenes
import TraceFormat

/// What became of one golden.
public struct GoldenComparison: Sendable {
    public var golden: GoldenCase
    public var verdict: Verdict
    /// Presses of the accepted text, or of the found one where none was accepted.
    public var presses = 0
    /// What was found; `nil` where the input could not be replayed.
    public var found: String?

    public enum Verdict: Sendable {
        case same
        /// `excesses` are budgets that were not kept.
        case changed(TraceDiff, excesses: [CountBudgets.Excess])
        /// Same lines, but another `stream` in the heading: states or arrival times differ.
        case streamChanged(expected: String, found: String)
        /// Two replays of one input differ: nothing can be said about a change.
        case notDeterministic(TraceDiff)
        /// No text was accepted yet.
        case missing
        /// It could not be compared, in one line.
        case notComparable(String)
    }

    /// Replays a golden twice and compares it with what was accepted, as far as a person did not leave room for counts.
    public init(_ golden: GoldenCase, resources: SceneResources) {
        self.golden = golden
        do {
            let text = try golden.replay(resources).text
            found = text
            presses = GoldenComparison.lines(of: text)
            let second = try golden.replay(resources).text
            guard second == text else {
                verdict = .notDeterministic(
                    GoldenComparison.diff(try GoldenRows(text), try GoldenRows(second), golden))
                return
            }
            verdict = try GoldenComparison.verdict(golden, found: text)
        } catch {
            verdict = .notComparable(GoldenComparison.line(error, golden))
        }
    }

    /// Two different texts of one input.
    public init(_ golden: GoldenCase, found text: String, again: String) {
        self.golden = golden
        found = text
        do {
            verdict = .notDeterministic(GoldenComparison.diff(try GoldenRows(text), try GoldenRows(again), golden))
        } catch {
            verdict = .notComparable(GoldenComparison.line(error, golden))
        }
    }

    /// Compares a text that came from elsewhere, such as a test's own responders, with what was accepted.
    public init(_ golden: GoldenCase, found text: String) {
        self.golden = golden
        found = text
        do {
            presses = GoldenComparison.lines(of: text)
            verdict = try GoldenComparison.verdict(golden, found: text)
        } catch {
            verdict = .notComparable(GoldenComparison.line(error, golden))
        }
    }

    private static func line(_ error: any Error, _ golden: GoldenCase) -> String {
        if let error = error as? VerdictError { return error.description }
        if let error = error as? GoldenRows.ParseError { return "\(golden.path): \(error)" }
        if error is SourceTextError || error is TraceError { return "\(error)" }
        return "\(golden.folder): \(error)"
    }

    /// A line for each press after the heading.
    private static func lines(of text: String) -> Int { max(0, text.utf8.count { $0 == UInt8(ascii: "\n") } - 1) }

    /// Texts are taken apart only where they differ, or where a budget has to be kept.
    private static func verdict(_ golden: GoldenCase, found text: String) throws -> Verdict {
        guard let expected = try golden.expected() else { return .missing }
        let budgets = try golden.budgets()
        if expected == text, budgets.budgets.isEmpty { return .same }
        let rows = try GoldenRows(text)
        let accepted = try GoldenRows(expected)
        for fact in ["profile", "layout", "level", "cache"] {
            guard let old = accepted.heading[fact], let new = rows.heading[fact], old != new else { continue }
            return .notComparable("\(golden.path): \(fact): expected \(old), as accepted, found \(new)")
        }
        var diff = GoldenComparison.diff(accepted, rows, golden)
        diff.counts?.removeAll { budgets.covered.contains($0.name) }
        let excesses = budgets.excesses(of: rows.results)
        guard diff.isIdentical, diff.renames.isEmpty, excesses.isEmpty else {
            return .changed(diff, excesses: excesses)
        }
        let isWithoutBudgets = budgets.budgets.isEmpty
        guard accepted.heading["stream"] == rows.heading["stream"] || !isWithoutBudgets else {
            return .streamChanged(
                expected: accepted.heading["stream"] ?? "none", found: rows.heading["stream"] ?? "none")
        }
        return .same
    }

    private static func diff(_ base: GoldenRows, _ head: GoldenRows, _ golden: GoldenCase) -> TraceDiff {
        TraceDiff(
            base: PressResults(base), named: golden.path, head: PressResults(head), named: "this build",
            comparesCounts: true)
    }
}

extension GoldenCase {
    /// What `budgets.txt` beside it allows; nothing where there is none.
    public func budgets() throws(VerdictError) -> CountBudgets {
        let path = "\(folder)/budgets.txt"
        guard let text = try TextFile.read(path) else { return CountBudgets() }
        return try CountBudgets(text, file: path)
    }
}
