import KeyModel
package import LatencyAnalysis
import TracePresses

/// A press in three lines: the input, the responders asked with the reason why each command won or did not, and the
/// result.
package struct PressSummaryReport: Sendable {
    private let report: ExplainReport

    package init(_ explanation: PressExplanation) {
        report = ExplainReport(explanation, info: TraceInfoBuilder().info(), name: "")
    }

    /// Three lines, or four for a key that repeated. Ends with a line break.
    package func text(_ style: ReportStyle = .plain) -> String {
        let explanation = report.explanation
        var first = ["#\(explanation.press)"]
        if let key = explanation.key {
            first += [HumanNumbers.time(key.time), style.paint(report.chord, .heading)]
        }
        let details = report.keyDetails.joined(separator: " · ")
        first.append(explanation.key == nil ? "its key is not in the trace" : details)
        var lines = [asked]
        var end = "→ " + report.outcome
        if explanation.resolution == nil { end = "→ nothing was decided here" }
        if let takenBy = explanation.resolution?.takenBy { end += ", by \(takenBy.name)" }
        if let total = explanation.stages.total { end += "  \(HumanNumbers.duration(total))" }
        lines.append(end)
        if explanation.repeats.count > 0 {
            lines.append("held: " + explanation.repeats.words)
        }
        return first.joined(separator: "  ") + "\n" + lines.map { "    \($0)\n" }.joined()
    }

    /// `from pdf (window win2), 4 responders: tabs closeTab: won; app closeWindow: shadowed by tabs`
    private var asked: String {
        let explanation = report.explanation
        func safe(_ name: String) -> String { SafeText.escaped(name, limit: 40) }
        let members = explanation.ladder.count { if case .chain = $0.place { true } else { false } }
        let chain = explanation.missingCandidates == .links ? "who follows is not recorded"
            : (explanation.isShortened ? "at least " : "") + HumanNumbers.counted(members, "responder", "responders")
        let start = explanation.resolution?.start ?? explanation.context.firstResponder
        let startIsUnknown =
            explanation.context.firstResponderSince == nil && explanation.resolution?.outcome != .noStart
        let window = explanation.resolution?.eventWindow.map { " (window \(safe($0)))" } ?? ""
        let from = start.map { "from \(safe($0))\(window), \(chain)" } 
            ?? (startIsUnknown ? "where it starts is not recorded" : "from no responder")
        guard explanation.messages.isEmpty else { return from + ": " + report.messageSummary }
        var candidates: [String] = []
        for rung in explanation.ladder where !rung.candidates.isEmpty {
            let owner = rung.place == .mainMenu ? "main menu" : safe(rung.id)
            for candidate in rung.candidates {
                candidates.append(
                    "\(owner) \(report.offer(candidate).text) \(KeyFormatter.verdict(candidate, in: explanation))")
            }
        }
        let none =
            switch explanation.missingCandidates {
            case .contradicted: "who offers it is not recorded, and a replay comes to something else"
            case .undetermined, .notRecorded, .firstResponder, .links: "who offers it is not recorded"
            case .masked: "who offers it is not recorded, since the key is masked"
            case nil: explanation.calls == nil ? "who was asked is not recorded" : "no responder offers it"
            }
        let shown = candidates.prefix(PressSummaryReport.candidateLimit)
        let more = candidates.count > shown.count ? "; and \(candidates.count - shown.count) more" : ""
        return from + ": " + (candidates.isEmpty ? none : shown.joined(separator: "; ") + more)
    }

    /// The most candidates in a summary; `explain` has them all.
    private static let candidateLimit = 8
}
