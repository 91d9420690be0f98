import KeyModel
package import LatencyAnalysis

/// The report of `lint`: one line for each conflict, the most severe first.
package struct LintReport: FittedReport, Sendable {
    /// The input of the check.
    package enum Subject: Hashable, Sendable {
        case trace(TraceInfo)
        /// A scene whose chords were all pressed.
        case scene(contexts: Int, presses: Int, isShortened: Bool)
    }

    package var findings: [Finding]
    package var subject: Subject
    /// Its name, usually a file name.
    package var name: String

    package init(_ findings: [Finding], subject: Subject, name: String) {
        self.findings = findings
        self.subject = subject
        self.name = name
    }

    package func body(_ style: ReportStyle) -> String {
        var text = header(style) + "\n"
        guard !findings.isEmpty else {
            return text + (unchecked.isEmpty ? "\nNothing found.\n" : "\nNothing found of what was looked for.\n\n")
                + notes(style)
        }
        let table = TextTable(
            findings,
            [
                .cell(.init(title: "severity", fit: .yield)) {
                    .init($0.rule.severity.name, $0.rule.severity == .note ? .faint : .bad)
                },
                .text("rule") { $0.rule.rawValue },
                .text("key", .cut) { $0.chord.map(KeyFormatter.chord) ?? HumanNumbers.absent },
                .number("presses") { $0.presses == 0 ? HumanNumbers.absent : HumanNumbers.count($0.presses) },
                .text("seen at", .drop, LintReport.places), .text("what happens", .wrap, LintReport.message),
            ])
        text += "\n" + table.rendered(style) + "\n" + style.paint("What to do", .heading) + "\n"
        return text + hints(style) + "\n" + summary + "\n" + (unchecked.isEmpty ? "" : "\n" + notes(style))
    }

    /// Rules that could not be checked.
    var unchecked: [UncheckedRules] { if case .trace(let info) = subject { info.uncheckedRules } else { [] } }

    private func notes(_ style: ReportStyle) -> String {
        unchecked.flatMap { DisplayWidth.wrap(LintReport.words($0, adapter), into: style.width ?? 118) }
            .map { $0 + "\n" }.joined()
    }

    private var adapter: AdapterDescription? { if case .trace(let info) = subject { info.adapter } else { nil } }

    /// `adapter`: the recorder of an app from outside, where the app's own calls could not add anything.
    static func words(_ unchecked: UncheckedRules, _ adapter: AdapterDescription?) -> String {
        let others = LintRule.allCases.filter { !unchecked.rules.contains($0) }
        let rules =
            others.count < unchecked.rules.count
            ? "all but " + others.map(\.rawValue).joined(separator: ", ")
            : unchecked.rules.map(\.rawValue).joined(separator: ", ")
        let missing = "Not looked for: \(rules). No \(unchecked.missing) recorded"
        guard let adapter else { return "\(missing): call \(unchecked.call)." }
        let blind = adapter.blindHooks.map(\.absence)
        return missing + (blind.isEmpty ? "." : ": \(blind.joined(separator: ", ")).")
    }

    private func header(_ style: ReportStyle) -> String {
        switch subject {
        case .trace(let info):
            return ReportHeader(name: name, info: info).line(style)
        case .scene(let contexts, let presses, let isShortened):
            let title = style.paint(SafeText.escaped(name), .heading)
            let places = HumanNumbers.counted(contexts, "focus context", "focus contexts")
            let rest = isShortened ? ", then stopped" : ""
            let count = HumanNumbers.counted(presses, "press", "presses")
            return "\(title): \(count) of what it offers in \(places)\(rest)"
        }
    }

    private func hints(_ style: ReportStyle) -> String {
        var hinted: Set<String> = []
        let hints = findings.filter { hinted.insert("\($0.rule.rawValue) \($0.hint)").inserted }
        return TextTable(facts: hints.map { ($0.rule.rawValue, TextTable.Cell($0.hint)) }).rendered(style)
    }

    private var summary: String {
        let counts = [LintRule.Severity.error, .warning, .note].compactMap { severity -> String? in
            let count = findings.count { $0.rule.severity == severity }
            return count == 0 ? nil : HumanNumbers.counted(count, severity.name, severity.name + "s")
        }
        return counts.joined(separator: ", ")
    }

    /// A sentence with names of the trace in it, safe and of bounded length.
    static func message(_ finding: Finding) -> String { SafeText.escaped(finding.message, limit: 400) }

    /// `#3 #7 …`, or the places of a scene.
    private static func places(_ finding: Finding) -> String {
        let evidence = finding.evidence
        var words: [String] = []
        for one in evidence.prefix(3) {
            let word = one.place.map { SafeText.escaped($0, limit: 40) } ?? "#\(one.press)"
            if !words.contains(word) { words.append(word) }
        }
        let isAll = UInt64(words.count) >= finding.presses || evidence.first?.place != nil && evidence.count <= 3
        if !isAll { words.append("…") }
        return words.joined(separator: evidence.first?.place == nil ? " " : ", ")
    }
}
