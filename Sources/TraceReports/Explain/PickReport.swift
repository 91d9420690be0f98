import KeyModel
package import LatencyAnalysis
import TraceFormat

/// The report of `explain --pick`: one item of the main menu, from the bar to the target.
package struct PickReport: FittedReport, Sendable {
    package var pick: PickExplanation
    /// Name of the script.
    package var name: String

    package init(_ pick: PickExplanation, name: String) { (self.pick, self.name) = (pick, name) }

    package func body(_ style: ReportStyle) -> String {
        let head = "\(HumanNumbers.time(pick.time))  pick \(safe(pick.item))  →  \(KeyFormatter.outcome(pick.outcome))"
        return "\(SafeText.escaped(name)): profile \(safe(pick.profile))\n\n\(style.paint(head, .heading))\n\n"
            + TextTable(facts: facts.map { ($0.0, TextTable.Cell($0.1, $0.2)) }).rendered(style)
    }

    private func safe(_ text: String) -> String { SafeText.escaped(text, limit: 60) }

    private var facts: [ExplainReport.Fact] {
        var facts: [ExplainReport.Fact] = []
        if let resigned = pick.resigned {
            facts.append(("first responder", "\(safe(resigned)) gave it up to the menu bar", .bad))
        }
        if let start = pick.start { facts.append(("chain starts at", safe(start), .plain)) }
        if let action = pick.outcome.action { facts.append(("action", safe(action), .plain)) }
        if let target = pick.outcome.target { facts.append(("target", safe(target), .plain)) }
        if let failure = pick.failure { facts.append(("not performed", words(failure), .bad)) }
        if pick.outcome.takenBy == .system { facts.append(("taken by", TakenBy.system.words, .plain)) }
        if let responder = pick.notAsked {
            let words = "\(safe(responder)), which performs it for its key: the bar took first responder away"
            facts.append(("not asked", words, .bad))
        }
        return facts + ExplainReport.facts(of: pick.others, repeats: 0)
    }

    private func words(_ failure: PickExplanation.Failure) -> String {
        switch failure {
        case .ended: "the app has ended: building its main menu raised"
        case .disabled: "the item is disabled"
        case .noTarget: "no responder \(pick.start.map { "from \(safe($0)) on " } ?? "")performs the action"
        }
    }

    /// Schema `keyflight.pick/1`, one line with a line break.
    package var json: String {
        let object: JSONObject = [
            "schema": "keyflight.pick/1", "item": pick.item, "t_ns": pick.time, "profile": pick.profile,
            "outcome": pick.outcome.outcome.name, "takenBy": pick.outcome.takenBy?.name,
            "action": pick.outcome.action, "target": pick.outcome.target, "resigned": pick.resigned,
            "start": pick.start, "reason": pick.failure?.rawValue, "not_asked": pick.notAsked,
            "otherProfiles": ExplainReport.object(pick.others),
        ]
        return object.line
    }
}
