import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

/// The facts below the ladder: the context, the questions, the time.
extension ExplainReport {
    func facts(_ style: ReportStyle) -> String {
        TextTable(facts: allFacts.map { ($0.0, TextTable.Cell($0.1, $0.2)) }).rendered(style) + stages(style)
            + samples(style) + costs(style)
    }

    typealias Fact = (String, String, ReportStyle.Role)

    /// Hooks whose messages are missing, where that may be why something is not recorded.
    private var blindFacts: [Fact] {
        explanation.messages.isEmpty && explanation.resolution == nil
            ? [] : explanation.blindHooks.map { ("not seen", $0.absence, .faint) }
    }

    var allFacts: [Fact] { chordFacts + contextFacts + blindFacts + candidateFacts + questionFacts + consequences }

    /// The reason why no candidate is shown, where there may have been some.
    private var candidateFacts: [Fact] {
        guard let missing = explanation.missingCandidates, explanation.resolution != nil else { return [] }
        return [("candidates", ExplainReport.words(missing), .faint)]
    }

    static func words(_ missing: PressExplanation.MissingCandidates) -> String {
        switch missing {
        case .notRecorded: "not recorded: call Keyflight.candidate, or record keyCommands at level calls"
        case .contradicted:
            "not recorded, and not derived: replayed, the press comes to something else; call Keyflight.candidate, or "
                + "try --profile"
        case .undetermined:
            "not recorded, and not derived: the key is masked, or an answer is not recorded; call Keyflight.candidate"
        case .firstResponder: "not recorded, nor where the chain begins: call Keyflight.firstResponder"
        case .links: "not recorded, nor which responders are on the chain: call Keyflight.link"
        case .masked: "not recorded: the key is masked, and commands of such keys were offered"
        }
    }

    private func safe(_ name: String) -> String { SafeText.escaped(name, limit: 60) }

    private var contextFacts: [Fact] {
        let context = explanation.context
        var facts: [Fact] = []
        if let since = context.firstResponderSince {
            let who = context.firstResponder.map(safe) ?? "none"
            let isNone = context.firstResponder == nil
            let words = KeyFormatter.since(since, isNone: isNone)
            facts.append(("first responder", "\(who), \(words)", isNone ? .bad : .plain))
        }
        if let reason = explanation.keysStop { facts.append(("keys reach no responder", reason, .bad)) }
        if let start = explanation.resolution?.start, start != context.firstResponder {
            facts.append(("chain starts at", "\(safe(start)), which is not the first responder", .bad))
        }
        if let item = context.focusedItem { facts.append(("focused item", safe(item), .plain)) }
        let keyWindow = explanation.resolution?.keyWindow ?? context.keyWindow
        if let keyWindow {
            let isShown = context.keyWindow == keyWindow
            let since = isShown ? context.keyWindowSince.map { ", " + KeyFormatter.since($0) } : nil
            facts.append(("key window", safe(keyWindow) + (since ?? ""), .plain))
        }
        if let mainWindow = context.mainWindow, mainWindow != keyWindow {
            facts.append(("main window", safe(mainWindow), .plain))
        }
        if let window = explanation.resolution?.eventWindow, let start = explanation.resolution?.start {
            let isOther = keyWindow.map { $0 != window } ?? false
            let words = "\(safe(window)), that of \(safe(start))" + (isOther ? "  ← not the key window" : "")
            facts.append(("event window", words, isOther ? .bad : .plain))
        }
        facts += chainFacts + crossings
        for presentation in context.presentations {
            facts.append(("presented", "\(safe(presentation.presented)) by \(safe(presentation.presenter))", .plain))
        }
        if let keyboard = context.keyboard {
            let height = keyboard.frame.map { ", \(HumanNumbers.count(max(0, $0.height) / 1000)) points high" } ?? ""
            let since = context.keyboardSince.map { ", " + KeyFormatter.since($0) } ?? ""
            let shown = keyboard.state == .hidden ? "" : height
            facts.append(("software keyboard", keyboard.state.name + shown + since, .plain))
        }
        for stuck in explanation.stuckModifiers { facts.append(("stuck modifier", stuck.words, .bad)) }
        if context.isTextMarked { facts.append(("marked text", "yes: an input method is composing", .plain)) }
        return facts
    }

    /// The responders of a chain that no ladder shows, from the first on.
    private var chainFacts: [Fact] {
        guard shownLadder.isEmpty else { return [] }
        let names = explanation.ladder.compactMap { rung in
            if case .chain = rung.place { safe(rung.id) + (rung.isTarget ? " ◀" : "") } else { nil }
        }
        guard !names.isEmpty else { return [] }
        let more = names.count > ExplainReport.answerLimit ? ", …" : ""
        let shown = names.prefix(ExplainReport.answerLimit).joined(separator: ", ") + more
        let count = HumanNumbers.counted(UInt64(names.count), "responder", "responders")
        return [("chain", "\(count): \(shown)", .plain)]
    }

    /// Links of the chain that lead from one window into another.
    private var crossings: [Fact] {
        var facts: [Fact] = []
        for (rung, next) in zip(explanation.ladder, explanation.ladder.dropFirst()) {
            guard case .chain(let position) = rung.place, case .chain(let following) = next.place,
                let window = rung.window, let other = next.window, window != other
            else { continue }
            let since = next.since.map { ", " + KeyFormatter.since($0) } ?? ""
            let crossing = "leaves window \(safe(window)) for \(safe(other)) between \(position) and \(following)"
            facts.append(("chain", crossing + since, .bad))
        }
        return facts
    }

    private var questionFacts: [Fact] {
        var facts: [Fact] = []
        let receivers = explanation.ladder.filter(\.isReceiver)
        if !receivers.isEmpty {
            var words = receivers.map { safe($0.id) }.joined(separator: ", ")
            for rung in receivers where rung.isSwallower { words += "; \(safe(rung.id)) did not pass it on" }
            facts.append(("got the press", words, receivers.contains(where: \.isSwallower) ? .bad : .plain))
        }
        if let resolution = explanation.resolution, let takenBy = resolution.takenBy {
            let input = resolution.character ?? explanation.key?.key.usage?.usInput
            let item = takenBy == .system
                ? SystemChord.name(input: input, modifiers: explanation.key?.modifiers ?? []) : nil
            facts.append(("taken by", takenBy.words + (item.map { ", for \($0)" } ?? ""), .plain))
        }
        if let ruleTitles {
            let words = explanation.decidingRule.map { rule in "\(rule)" + (ruleTitles[rule].map { ": \($0)" } ?? "") }
            facts.append(("rule", words ?? "none: the press was not decided", .plain))
        }
        if let resolution = explanation.resolution { facts += ends(of: resolution) }
        if let calls = explanation.calls {
            let words = CallKind.allCases.compactMap { kind -> String? in
                let count = calls[Int(kind.rawValue)]
                let isShown = count > 0 || kind == .keyCommands && explanation.messages.isEmpty
                return isShown ? "\(HumanNumbers.count(count)) \(kind.name)" : nil
            } + InvocationCounts.kinds.compactMap { kind, name in
                let count = explanation.messageCounts?[kind] ?? 0
                return count > 0 ? "\(HumanNumbers.count(count)) \(name)" : nil
            }
            let released = explanation.callsOnRelease
            let end = released > 0 ? " (\(HumanNumbers.count(released)) keyCommands at the release)" : ""
            if !words.isEmpty { facts.append(("calls", words.joined(separator: ", ") + end, .plain)) }
        }
        return facts + answers
    }

    /// The command's supplier and the action's target: two responders, maybe in two windows.
    private func ends(of resolution: PressExplanation.ResolutionFacts) -> [Fact] {
        var facts: [Fact] = []
        if let supplier = resolution.supplier {
            let title = resolution.command?.title.map { ", \"\(safe($0))\"" } ?? ""
            let window = resolution.supplierWindow.map { ", window \(safe($0))" } ?? ""
            facts.append(("supplier", (supplier == "mainMenu" ? "main menu" : safe(supplier)) + window + title, .plain))
        }
        if let target = resolution.target {
            let window = resolution.targetWindow.map { ", window \(safe($0))" } ?? ""
            let warning = resolution.leavesKeyWindow ? "  ← not the key window" : ""
            facts.append(("target", safe(target) + window + warning, warning.isEmpty ? .plain : .bad))
        }
        return facts
    }

    /// The answers to `canPerformAction` and `validate`: each question once, with the responders asked, in order.
    private var answers: [Fact] {
        var questions: [String] = []
        var answers: [String: [String]] = [:]
        for answer in explanation.ladder.flatMap({ rung in rung.answers.map { (rung.id, $0) } }) {
            // A scene closes by the system's own answer, whatever it implements (spec I26-4).
            let isOfSystem = answer.1.isYes == false && answer.0 == explanation.resolution?.target
                && answer.1.action == explanation.resolution?.action
            let reply = answer.1.isYes.map { $0 ? "yes" : isOfSystem ? "no (the system acts for it)" : "no" }
                ?? "was asked"
            // The action of a question about a masked key is not recorded.
            let question = answer.1.kind.name + (answer.1.action.isEmpty ? "" : "(\(safe(answer.1.action)))")
            if answers[question] == nil { questions.append(question) }
            let words = "\(safe(answer.0)) \(reply)"
            if answers[question]?.last != words { answers[question, default: []].append(words) }
        }
        var facts = questions.prefix(ExplainReport.answerLimit).enumerated().map { index, question in
            let all = answers[question] ?? []
            let shown = all.prefix(ExplainReport.answerLimit) + (all.count > ExplainReport.answerLimit ? ["…"] : [])
            return (index == 0 ? "asked" : "", "\(question): \(shown.joined(separator: ", "))", ReportStyle.Role.plain)
        }
        if questions.count > ExplainReport.answerLimit {
            facts.append(("", "and \(HumanNumbers.count(questions.count - ExplainReport.answerLimit)) more", .faint))
        }
        return facts
    }

    /// The most questions, and answers to each, that are shown of a press.
    private static let answerLimit = 16

    private var consequences: [Fact] {
        var facts: [Fact] = []
        if let cache = explanation.cache {
            let wrong = cache.stale > 0 ? ", \(HumanNumbers.counted(cache.stale, "wrong answer", "wrong answers"))" : ""
            let counts = [
                HumanNumbers.counted(cache.lookups, "lookup", "lookups"),
                HumanNumbers.counted(cache.hits, "hit", "hits"),
                HumanNumbers.counted(cache.misses, "miss", "misses"),
            ].joined(separator: ", ")
            let policy = safe(cache.policy ?? "unknown policy")
            // No cache saves nothing: a release whose chain is shorter has fewer calls.
            let isSaving = cache.callsSaved > 0 && cache.policy != "none"
            let saved = isSaving ? ", \(HumanNumbers.counted(cache.callsSaved, "call", "calls")) saved" : ""
            facts.append(("cache", "\(policy): \(counts)\(saved)\(wrong)", cache.stale > 0 ? .bad : .plain))
        }
        for drop in explanation.menuDrops.prefix(ExplainReport.answerLimit) {
            facts.append(("menu", "\(safe(drop.kind)) earlier\(words(drop.value))", .plain))
        }
        for (index, effect) in explanation.effects.prefix(ExplainReport.answerLimit).enumerated() {
            let owner = effect.responder.map { "\(safe($0)) " } ?? ""
            let what = "\(owner)\(safe(effect.kind))\(words(effect.value))"
            facts.append((index == 0 ? "effects" : "", what, .plain))
        }
        if let key = explanation.key {
            let after = key.held.map { "after \(HumanNumbers.duration($0))" } ?? "never"
            let synthetic = key.isReleaseSynthetic ? ", synthetic: the source never sent it" : ""
            let how = key.isCancelled ? ", cancelled" : synthetic
            facts.append(("released", after + how, .plain))
        }
        if explanation.repeats.count > 0 {
            facts.append(("repeats", explanation.repeats.words, .plain))
        }
        if let others { facts += ExplainReport.facts(of: others, repeats: explanation.repeats.decided) }
        if explanation.isShortened {
            let what = "this press has more records, or responders that were not asked, than are shown of one"
            facts.append(("shortened", what, .bad))
        }
        return facts
    }

    /// Long enough for all commands of a menu that is left out.
    private func words(_ value: String?) -> String { value.map { " = " + SafeText.escaped($0, limit: 400) } ?? "" }

    /// Results under other profiles of what had `repeats` under its own.
    static func facts(of others: OtherProfiles, repeats own: UInt64) -> [Fact] {
        func safe(_ name: String) -> String { SafeText.escaped(name, limit: 60) }
        let label = "other profiles"
        if let unknown = others.unknown { return [(label, "not known: \(ExplainReport.words(unknown))", .faint)] }
        var facts = others.differences.map { difference -> Fact in
            let profiles = difference.profiles.map(safe).joined(separator: ", ")
            if let question = difference.openQuestion {
                let what = difference.outcome.outcome == .unrecorded ? "not known" : "its repeats are not known"
                return ("", "under \(profiles): \(what), \(safe(question))", .faint)
            }
            let outcome = difference.outcome
            var words = KeyFormatter.outcome(outcome)
            if outcome.outcome == .performed, let supplier = outcome.supplier, supplier != outcome.target {
                words += ", a command of \(supplier == "mainMenu" ? "the main menu" : safe(supplier))"
            }
            if let repeats = outcome.repeats, repeats != own {
                words += repeats == 0 ? ", once" : ", \(HumanNumbers.counted(repeats, "repeat", "repeats"))"
            }
            return ("", "under \(profiles): \(words)", .plain)
        }
        if !others.same.isEmpty {
            let rest = others.same.map(safe).joined(separator: ", ")
            facts.append(("", facts.isEmpty ? "the same under all others" : "the same under \(rest)", .faint))
        }
        if !facts.isEmpty { facts[0].0 = label }
        return facts
    }

    private static func words(_ unknown: OtherProfiles.Unknown) -> String {
        switch unknown {
        case .masked: "the key is masked"
        case .noCalls: "this trace does not hold what responders answered (level calls)"
        case .notAsked: "no question to a responder is recorded of this press"
        case .notReproduced: "what is recorded does not bring the press about again"
        }
    }

    private func stages(_ style: ReportStyle) -> String {
        guard let total = explanation.stages.total else { return "" }
        var table = TextTable([.init(title: "stage"), .right("time   "), .init(title: "")])
        for stage in LatencyStage.allCases {
            guard let duration = explanation.stages[stage] else { continue }
            let bar = StatsReport.bar(UInt64(duration.nanoseconds), of: UInt64(total.nanoseconds))
            let words = StatsReport.words(stage, isDerived: explanation.stages.isDerived(stage))
            table.add([.init(words), .time(duration), .init(bar)])
        }
        table.add(["total", .time(total)])
        let absent = LatencyStage.allCases.filter { explanation.stages[$0] == nil }.map { StatsReport.words($0) }
        var text = "\n" + table.rendered(style)
        guard !absent.isEmpty else { return text }
        let note = "– not seen by this recording: \(absent.joined(separator: ", "))"
        let lines = DisplayWidth.wrap(style.spelled(note), into: (style.width ?? 118) - 2)
        for line in lines { text += "  " + line + "\n" }
        return text
    }
}

extension PressExplanation.Repeats {
    /// `3 performed, 2 never decided`
    var words: String {
        var parts = outcomes.map { "\(HumanNumbers.count($0.count)) \($0.outcome.name)" }
        if count > decided { parts.append("\(HumanNumbers.count(count - decided)) never decided") }
        return parts.joined(separator: ", ")
    }
}
