import KeyModel
package import LatencyAnalysis
import TraceFormat
import TracePresses

/// The report of `explain`: one press, from the key to the target.
package struct ExplainReport: FittedReport, Sendable {
    package var explanation: PressExplanation
    /// Facts of the trace it is in, for the header.
    package var info: TraceInfo
    /// Name of the trace, usually its file name.
    package var name: String
    /// The press's results under other profiles; `nil` where they were not requested.
    package var others: OtherProfiles?
    /// Titles of the specification's rules by id; `nil` where the text leaves out the rule that decided.
    package var ruleTitles: [String: String]?

    package init(_ explanation: PressExplanation, info: TraceInfo, name: String) {
        self.explanation = explanation
        self.info = info
        self.name = name
    }

    package func body(_ style: ReportStyle) -> String {
        var text = ReportHeader(name: name, info: info).line(style) + "\n"
        if !environment.isEmpty { text += environment.joined(separator: " · ") + "\n" }
        return text + "\n" + press(style)
    }

    /// The report without its header.
    package func pressText(_ style: ReportStyle) -> String { style.fitted(press(style)) }

    private func press(_ style: ReportStyle) -> String {
        var text = headline(style) + "\n"
        let details = (keyDetails + searchNote).joined(separator: " · ")
        for line in DisplayWidth.wrap(style.spelled(details), into: (style.width ?? 118) - 2) where !line.isEmpty {
            text += "  " + line + "\n"
        }
        text += "\n"
        if !shownLadder.isEmpty { text += ladder(style) + "\n" }
        for offer in explanation.notAsked { text += "  " + style.spelled(words(offer)) + "\n" }
        if !explanation.notAsked.isEmpty { text += "\n" }
        if !explanation.messages.isEmpty { text += messages(style) + "\n" }
        return text + facts(style)
    }

    var environment: [String] {
        let context = explanation.context
        let facts = [
            ("profile", context.profile), ("cache", context.cachePolicy), ("scene", context.scene),
        ]
        return facts.compactMap { name, value in value.map { "\(name) \(SafeText.escaped($0, limit: 40))" } }
    }

    /// The chord in glyphs.
    var chord: String {
        explanation.key.map { KeyFormatter.chord($0, character: explanation.resolution?.character) } ?? "?"
    }

    private func headline(_ style: ReportStyle) -> String {
        var parts = ["#\(explanation.press)"]
        if let key = explanation.key {
            parts.append(HumanNumbers.time(key.time))
            parts.append(style.paint(chord, .heading))
        }
        parts.append("→")
        parts.append(outcome)
        if explanation.resolution != nil, let total = explanation.stages.total {
            parts.append(HumanNumbers.duration(total))
        }
        return parts.joined(separator: "  ")
    }

    /// The result of the press, in words.
    var outcome: String {
        guard let resolution = explanation.resolution else {
            guard info.level > .keys else { return "not resolved in this trace: it has level keys" }
            return info.loss.isNone ? "not resolved in this trace"
                : "not resolved in this trace, of which records are missing"
        }
        var outcome = KeyFormatter.outcome(resolution)
        if resolution.runs > 1 { outcome += ", \(HumanNumbers.count(resolution.runs)) times" }
        if let window = resolution.targetWindow { outcome += "  (window \(SafeText.escaped(window, limit: 40)))" }
        return outcome
    }

    var keyDetails: [String] {
        guard let key = explanation.key else { return [] }
        guard let usage = key.key.usage else { return ["masked: only the class of the key was recorded"] }
        var details: [String] = []
        if let character = explanation.resolution?.character, !character.isEmpty {
            let isName = character.hasPrefix("UIKeyInput")
            let shown = SafeText.escaped(character, limit: 20)
            let words = (hasTyped ? "types" : "character") + " \"\(shown)\""
            details.append(isName ? SafeText.escaped(character) : words)
        }
        details.append("key \(usage.name), usage \(usage.numericName)")
        if let layout = explanation.context.layout {
            details.append("layout " + KeyFormatter.layout(layout, isStored: explanation.context.isLayoutStored))
        }
        return details
    }

    /// The key inserted a text, so that its character is what it typed.
    private var hasTyped: Bool {
        guard explanation.resolution?.outcome == .consumedByText, let key = explanation.key else { return false }
        return key.modifiers.isDisjoint(with: [.command, .control, .option])
            && key.key.usage.map { TextKeyClass($0) != nil } ?? false
    }

    private var searchNote: [String] {
        guard let search = explanation.search else { return [] }
        let written = SafeText.escaped(search.query.text, limit: 40)
        // An arrow is where it is on every layout.
        let types = explanation.key?.key.usage.map { TextKeyClass($0) != nil } ?? true
        let how = !types ? "" : search.match == .character ? " by what the key types" : " by the key's position"
        guard search.results.count > 1 else { return ["\(written) matched\(how), no other press does"] }
        let which = search.isLast ? "last" : "first"
        let more = search.isLast ? "" : " (--last shows the last)"
        return ["\(written) matched\(how), \(which) of \(HumanNumbers.count(search.results.count)) presses\(more)"]
    }

    /// What the presses of the chord came to, where that differs; what those of its key under another layout did.
    var chordFacts: [Fact] {
        guard let search = explanation.search else { return [] }
        let written = SafeText.escaped(search.query.text, limit: 40)
        var facts: [Fact] = []
        if search.results.results.count > 1 {
            facts.append(("all \(written)", ExplainReport.words(search.results), .plain))
        }
        if search.others.count > 0 {
            let words = ExplainReport.words(search.others)
            facts.append(("same key", "typed another character: \(words)", .bad))
        }
        return facts
    }

    /// `5 page.firstPage:, 2 text in search (#93, #94)`: presses are named of those that are fewer.
    private static func words(_ results: PressExplanation.ChordResults) -> String {
        let most = results.results.map(\.count).max() ?? 0
        let isAlone = results.results.count == 1
        let parts = results.results.prefix(6).map { result in
            let what = result.outcome.map { KeyFormatter.outcome($0) } ?? "not decided"
            let counted = "\(HumanNumbers.count(result.count)) \(what)"
            guard isAlone || result.count < most || result.count == 1 else { return counted }
            let more = result.count > result.presses.count ? ", …" : ""
            return counted + " (\(result.presses.map { "#\($0)" }.joined(separator: ", "))\(more))"
        }
        let rest = results.count - results.results.prefix(6).reduce(0) { $0 + $1.count }
        return parts.joined(separator: ", ") + (rest > 0 ? ", \(HumanNumbers.count(rest)) more" : "")
    }

    /// Empty where nothing is known of the responders but their names: those are then a fact of one line.
    var shownLadder: [LadderRung] {
        explanation.ladder.contains(where: \.hasFindings) ? explanation.ladder : []
    }

    private func ladder(_ style: ReportStyle) -> String {
        var table = TextTable([
            .right(""), .init(title: "responder", fit: .cut), .init(title: "kind", fit: .drop),
            .init(title: "window", fit: .yield), .right("calls"), .right("cost   "),
            .init(title: "\(chord)?", fit: .cut), .init(title: "verdict", fit: .wrap),
        ])
        var isGapMarked = false
        for rung in shownLadder {
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
        let (candidates, folded) = ExplainReport.folded(rung)
        let first = candidates.first
        table.add([
            .init(position), .init(id, rung.isTarget ? .good : .plain), .name(rung.kind, limit: 40),
            .name(rung.window ?? HumanNumbers.absent, limit: 40), .init(HumanNumbers.count(rung.calls)),
            .time(rung.cost), offer(first), first == nil ? ExplainReport.passedOver(rung) : verdict(first),
        ])
        if folded > 0 {
            let words = "and \(HumanNumbers.count(folded)) more of the menu with other modifiers"
            table.add(["", "", "", "", "", "", "", TextTable.Cell(words, .faint)])
        }
        for candidate in candidates.dropFirst() {
            table.add(["", "", "", "", "", "", offer(candidate), verdict(candidate)])
        }
        for command in rung.misplaced {
            table.add([
                "", "", "", "", "", "", TextTable.Cell(offer(command)),
                TextTable.Cell(KeyFormatter.whereabouts(command), .faint),
            ])
        }
    }

    /// Candidates of a menu with other modifiers are only counted: a menu has every key many times.
    private static func folded(_ rung: LadderRung) -> (shown: [LadderCandidate], folded: Int) {
        guard rung.place == .mainMenu else { return (rung.candidates, 0) }
        let shown = rung.candidates.filter { $0.verdict != .otherModifiers }
        let folded = rung.candidates.count - shown.count
        return folded > 2 ? (shown, folded) : (rung.candidates, 0)
    }

    /// `not asked: document (⌘W closeDocument:), off the chain since search became first responder (#3)`
    func words(_ offer: UnaskedOffer) -> String {
        let action = SafeText.escaped(offer.command.action, limit: 60)
        let who = "\(SafeText.escaped(offer.id, limit: 60)) (\(KeyFormatter.chord(offer.command)) \(action))"
        return "not asked: \(who), \(reason(offer))"
    }

    func reason(_ offer: UnaskedOffer) -> String {
        guard let departure = offer.departure else {
            let start = explanation.context.firstResponder ?? explanation.resolution?.start
            return "off the chain" + (start.map { ", which begins at \(SafeText.escaped($0, limit: 60))" } ?? "")
        }
        let change = departure.change
        let press = change.press.map { " (#\($0))" } ?? " (\(HumanNumbers.time(change.time)))"
        return "off the chain since \(SafeText.escaped(departure.firstResponder, limit: 60)) became first responder"
            + press
    }

    private static func passedOver(_ rung: LadderRung) -> TextTable.Cell {
        guard let presented = rung.isPassedOverFor else { return "" }
        let who = SafeText.escaped(presented, limit: 40)
        return TextTable.Cell("not asked: it presents \(who) and performs no actions meanwhile", .bad)
    }

    func offer(_ candidate: LadderCandidate?) -> TextTable.Cell {
        guard let candidate else { return TextTable.Cell(HumanNumbers.absent, .faint) }
        let action = SafeText.escaped(candidate.command.action, limit: 60)
        let own = KeyFormatter.chord(candidate.command)
        // A key binding that is not whole has no action.
        if action.isEmpty { return TextTable.Cell(own) }
        return TextTable.Cell(own == chord ? action : "\(own) \(action)")
    }

    func offer(_ misplaced: MisplacedCommand) -> String {
        "\(KeyFormatter.chord(misplaced.command)) \(SafeText.escaped(misplaced.command.action, limit: 60))"
    }

    func verdict(_ candidate: LadderCandidate?) -> TextTable.Cell {
        guard let candidate else { return "" }
        return TextTable.Cell(KeyFormatter.verdict(candidate, in: explanation), KeyFormatter.role(candidate.verdict))
    }
}
