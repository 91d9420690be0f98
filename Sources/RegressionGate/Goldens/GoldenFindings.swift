import KeyModel
package import LatencyAnalysis
package import TraceFormat
import TraceReports

/// Findings of `lint` in a golden's replay, as text in the repository: `findings.txt` beside the accepted text. Where
/// there is no such file, none was accepted. Notes are left out: they fail no gate.
///
///     # findings · fields rule | chord | presses | what happens
///     text-stolen | n | presses 2 | …
///
/// Rule, chord and number of presses are compared; the sentence is for readers.
package struct GoldenFindings: Hashable, Sendable {
    package private(set) var rows: [String] = []

    package init() {}

    /// Findings in a recording at level `calls`, but for those of one rule.
    package init(of recording: Recording, leavingOut rule: LintRule? = nil) {
        var scanner = LintScanner()
        scanner.begin(recording.initialContext)
        scanner.consume(recording)
        self.init(scanner.findings(definitions: recording.definitions).filter { $0.rule != rule })
    }

    package init(_ findings: [LatencyAnalysis.Finding]) {
        rows = findings.filter { $0.rule.severity > .note }.map { finding in
            let chord = finding.chord.map { $0.text ?? "(\($0.key?.maskedClass?.name ?? "unknown"))" } ?? "-"
            let message = SafeText.escaped(finding.message, limit: 400).replacing(" | ", with: " ¦ ")
            return "\(finding.rule.rawValue) | \(chord) | presses \(finding.presses) | \(message)"
        }
    }

    static let heading = "# findings · fields rule | chord | presses | what happens"

    /// Reads an accepted text. A torn one, or one that is something else, is no baseline.
    package init(_ text: String, file: String) throws(VerdictError) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard text.hasPrefix("# findings"), text.hasSuffix("\n") else {
            throw VerdictError(
                .notComparable, "\(file): line \(text.hasPrefix("# findings") ? lines.count : 1)", "findings",
                expected: "a first line “\(GoldenFindings.heading)” and a line break at the end",
                found: text.isEmpty ? "an empty file" : String(lines[lines.count - 1].prefix(40)))
        }
        for (place, line) in lines.enumerated() where !line.isEmpty && (place > 0 || !line.hasPrefix("#")) {
            guard !line.hasPrefix("# findings") else {
                throw VerdictError(
                    .notComparable, "\(file): line \(place + 1)", "heading", expected: "one, in the first line",
                    found: "another")
            }
            guard !line.hasPrefix("#") else { continue }
            guard line.split(separator: " | ").count >= 4 else {
                throw VerdictError(
                    .notComparable, "\(file): line \(place + 1)", "columns", expected: "rule | chord | presses | text",
                    found: String(line.prefix(80)))
            }
            rows.append(String(line))
        }
    }

    /// The text of the file in the repository.
    package var text: String { ([GoldenFindings.heading] + rows).map { $0 + "\n" }.joined() }

    /// Findings that only `found` has, and findings that it lacks.
    func changes(to found: GoldenFindings) -> (new: [String], gone: [String]) {
        func missing(of rows: [String], in others: [String]) -> [String] {
            var left: [String: Int] = [:]
            for other in others { left[GoldenFindings.key(other), default: 0] += 1 }
            return rows.filter { row in
                let key = GoldenFindings.key(row)
                guard let count = left[key], count > 0 else { return true }
                left[key] = count - 1
                return false
            }
        }
        return (missing(of: found.rows, in: rows), missing(of: rows, in: found.rows))
    }

    private static func key(_ row: String) -> String {
        row.components(" | ").prefix(3).joined(separator: " | ")
    }

    mutating func rewrite(_ body: (String) -> String) { rows = rows.map(body) }
}

extension GoldenCase {
    package var findingsPath: String { "\(folder)/" + (profile.map { "findings.\($0).txt" } ?? "findings.txt") }
    package var pendingFindingsPath: String { findingsPath + ".new" }

    /// Accepted findings; none without a file of them.
    package func acceptedFindings() throws(VerdictError) -> GoldenFindings {
        guard let text = try TextFile.readAccepted(findingsPath) else { return GoldenFindings() }
        return try GoldenFindings(text, file: findingsPath)
    }

    /// `nil` where none are pending.
    package func pendingFindings() throws(VerdictError) -> GoldenFindings? {
        guard let text = try TextFile.readAccepted(pendingFindingsPath) else { return nil }
        return try GoldenFindings(text, file: pendingFindingsPath)
    }
}
