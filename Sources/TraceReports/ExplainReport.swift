import KeyModel
public import LatencyAnalysis
import TraceFormat

/// What `explain` prints: one press, from the key to the target.
public struct ExplainReport: Sendable {
    public var explanation: PressExplanation
    /// Facts of the trace it is in, for the header.
    public var info: TraceInfo
    /// What the trace is called, usually its file name.
    public var name: String

    public init(_ explanation: PressExplanation, info: TraceInfo, name: String) {
        self.explanation = explanation
        self.info = info
        self.name = name
    }

    /// For people. Ends with a line break.
    public func text(_ style: ReportStyle = .plain) -> String {
        var text = ReportHeader(name: name, info: info).line(style, tail: environment) + "\n\n"
        text += headline(style) + "\n"
        if let search = searchNote { text += search + "\n" }
        text += "\n"
        if !explanation.ladder.isEmpty { text += ladder(style) + "\n" }
        return text + facts(style)
    }

    private var environment: String? {
        let context = explanation.context
        let parts = [
            context.profile.map { "profile \(SafeText.escaped($0, limit: 40))" },
            context.cachePolicy.map { "cache \(SafeText.escaped($0, limit: 40))" },
            context.scene.map { "scene \(SafeText.escaped($0, limit: 40))" },
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The chord as people read it.
    var chord: String {
        explanation.key.map { KeyWords.chord($0, character: explanation.resolution?.character) } ?? "?"
    }

    private func headline(_ style: ReportStyle) -> String {
        var parts = ["#\(explanation.press)"]
        if let key = explanation.key {
            parts.append(HumanNumbers.time(key.time))
            parts.append(style.paint(chord, .heading) + keyDetails(key))
        }
        parts.append("→")
        guard let resolution = explanation.resolution else {
            return (parts + ["not resolved in this trace: it has level \(info.level.name)"]).joined(separator: "  ")
        }
        var outcome = KeyWords.outcome(resolution)
        if let window = resolution.targetWindow { outcome += " in window \(SafeText.escaped(window, limit: 40))" }
        if resolution.runs > 1 { outcome += ", \(HumanNumbers.count(resolution.runs)) times" }
        parts.append(outcome)
        if let total = explanation.stages.total { parts.append(HumanNumbers.duration(total)) }
        return parts.joined(separator: "  ")
    }

    private func keyDetails(_ key: PressExplanation.KeyFacts) -> String {
        guard let usage = key.key.usage else { return "" }
        var details: [String] = []
        if let character = explanation.resolution?.character, !character.isEmpty {
            details.append(character.hasPrefix("UIKeyInput") ? SafeText.escaped(character) : "types \"\(SafeText.escaped(character, limit: 20))\"")
        }
        details.append("key \(usage.name), usage \(usage.numericName)")
        if let layout = explanation.context.layout { details.append("layout \(SafeText.escaped(layout, limit: 40))") }
        return "  (\(details.joined(separator: ", ")))"
    }

    private var searchNote: String? {
        guard let search = explanation.search else { return nil }
        let written = SafeText.escaped(search.query.text, limit: 40)
        let how = search.match == .character ? "by what the key types" : "by the key's position"
        guard search.count > 1 else { return "  \(written) found \(how); no other press matches." }
        let which = search.isLast ? "last" : "first"
        let more = search.isLast ? "" : "; --last shows the last"
        return "  \(written) found \(how); the \(which) of \(HumanNumbers.count(search.count)) presses\(more)."
    }

    private func ladder(_ style: ReportStyle) -> String {
        let right = TextTable.Alignment.right
        var table = TextTable([
            .init(title: "", alignment: right), .init(title: "responder, first one first", isFlexible: true),
            .init(title: "kind", isFlexible: true), .init(title: "window", isFlexible: true),
            .init(title: "calls", alignment: right), .init(title: "cost   ", alignment: right),
            .init(title: "offers for \(chord)", isFlexible: true), .init(title: "verdict", isFlexible: true),
        ])
        var isGapMarked = false
        for rung in explanation.ladder {
            if rung.place != .mainMenu, case .offChain = rung.place, !isGapMarked {
                isGapMarked = true
                table.add(["", TextTable.Cell("not on the chain:", .faint)])
            }
            add(rung, to: &table)
        }
        return table.rendered(style)
    }

    private func add(_ rung: LadderRung, to table: inout TextTable) {
        let position = if case .chain(let position) = rung.place { "\(position)" } else { "" }
        var id = rung.place == .mainMenu ? "main menu" : SafeText.escaped(rung.id, limit: 60)
        if rung.isTarget { id += " ◀" }
        let first = rung.candidates.first
        table.add([
            TextTable.Cell(position), TextTable.Cell(id, rung.isTarget ? .good : .plain),
            TextTable.Cell(SafeText.escaped(rung.kind, limit: 40)),
            TextTable.Cell(rung.window.map { SafeText.escaped($0, limit: 40) } ?? HumanNumbers.absent),
            TextTable.Cell(HumanNumbers.count(rung.calls)), TextTable.Cell(HumanNumbers.column(rung.cost)),
            offer(first, of: rung), verdict(first),
        ])
        for candidate in rung.candidates.dropFirst() {
            table.add(["", "", "", "", "", "", offer(candidate, of: rung), verdict(candidate)])
        }
    }

    private func offer(_ candidate: LadderCandidate?, of rung: LadderRung) -> TextTable.Cell {
        guard let candidate else {
            guard let offered = rung.offered else { return TextTable.Cell(HumanNumbers.absent, .faint) }
            let others = HumanNumbers.counted(offered, "other command", "other commands")
            return TextTable.Cell(offered == 0 ? HumanNumbers.absent : "\(HumanNumbers.absent)  (\(others))", .faint)
        }
        let action = SafeText.escaped(candidate.command.action, limit: 60)
        let own = KeyWords.chord(candidate.command)
        return TextTable.Cell(own == chord ? action : "\(own) \(action)")
    }

    private func verdict(_ candidate: LadderCandidate?) -> TextTable.Cell {
        guard let candidate else { return "" }
        return TextTable.Cell(KeyWords.verdict(candidate), KeyWords.role(candidate.verdict))
    }
}
