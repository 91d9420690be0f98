import KeyModel
package import TraceFormat
import TracePresses

extension TracePress {
    /// The explanation, with names in place of handles.
    func explanation(
        search: PressExplanation.Search?, repeats: PressExplanation.Repeats, definitions: TraceDefinitions
    ) -> PressExplanation {
        let names = definitions
        let ladder = LadderBuilder(press: self, definitions: definitions).ladder()
        var explanation = PressExplanation(
            press: at.press, level: level, search: search, key: keyFacts, context: contextFacts(names),
            ladder: ladder.rungs, rules: PressRules(self.context),
            resolution: resolution.map { facts(of: $0, at: resolutionTime ?? time, names) }, stages: stages,
            cache: cacheFacts,
            effects: effects.map { PressExplanation.Effect($0, names) },
            repeats: repeats, calls: callsByKind, callsOnRelease: callsOnRelease,
            isShortened: isShortened || ladder.isShortened)
        explanation.samples = stageFunctions
        explanation.costs = costs
        explanation.messages = askedMessages(names)
        let settings = context.environment.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        if let adapter = AdapterDescription(settings) { explanation.blindHooks = adapter.blindHooks }
        guard explanation.messages.isEmpty else {
            explanation.messageCounts = invocationCounts
            explanation.resolution?.path = explanation.messages.lazy.compactMap(\.path).last
            return explanation
        }
        if candidates.isEmpty { explanation.missingCandidates = missingCandidates(names) }
        return explanation
    }

    /// Reason for which the commands that it met are not known; `nil` where nothing of it is missing here.
    private func missingCandidates(_ names: TraceDefinitions) -> PressExplanation.MissingCandidates? {
        switch chainGap {
        case .firstResponder?: return .firstResponder
        case .links?: return .links
        case nil: break
        }
        guard let key, key.key.maskedClass != nil else { return nil }
        let mayMatch = calls.contains { call in
            guard call.kind == .keyCommands, case .commands(let list) = call.answer else { return false }
            return names[list]?.contains { names[$0].map { $0.isOfTextKey } ?? false } ?? false
        }
        return mayMatch ? .masked : nil
    }

    private var keyFacts: PressExplanation.KeyFacts? {
        key.map { key in
            PressExplanation.KeyFacts(
                time: time, device: key.device, key: key.key, modifiers: key.modifiers,
                held: held,
                isReleaseSynthetic: release?.record.isSynthetic ?? false,
                isCancelled: release?.record.phase == .cancel)
        }
    }

    private var cacheFacts: CacheEffectiveness? {
        guard var counts = cache else { return nil }
        counts.policy = context.environment["cache"]
        return counts
    }

    private var callsByKind: [UInt64]? {
        guard hasCalls else { return nil }
        return CallKind.allCases.map { kind in
            let place = Int(kind.rawValue)
            return callCounts[place] &+ (kind == .keyCommands ? callsOnRelease : 0) &+ messagesAsCalls[place]
        }
    }

    /// Recorded start of the chain; of an app that does not record it, the first responder.
    var knownStart: ResponderRef? { resolution?.outcome == .noStart ? nil : start }

    /// Calls were recorded for this press, though it may have needed none.
    var hasCalls: Bool { !calls.isEmpty || !invocations.isEmpty || !decidedCache.isEmpty || callsOnRelease > 0 }

    private func contextFacts(_ names: TraceDefinitions) -> PressExplanation.ContextFacts {
        PressExplanation.ContextFacts(
            profile: context.environment["profile"], layout: context.layoutName,
            isLayoutStored: context.layoutTable != nil,
            cachePolicy: context.environment["cache"], scene: context.environment["scene"],
            firstResponder: names.id(of: context.firstResponder?.responder),
            firstResponderSince: context.firstResponder?.change,
            keyWindow: names.id(of: context.keyWindow?.window), keyWindowSince: context.keyWindow?.change,
            mainWindow: names.id(of: context.mainWindow),
            focusedItem: context.focusedItem,
            isTextMarked: context.isTextMarked,
            commandsMayGoFirst: context.environment["parameter.commandsBeforePresses"] == "unlessKeyInput",
            keyboard: context.keyboard?.record,
            keyboardSince: context.keyboard?.change,
            presentations: context.presented.map { presenter, presented in
                PressExplanation.Presentation(
                    presenter: names.id(of: presenter) ?? "", presented: names.id(of: presented) ?? "")
            }.sorted { $0.presenter < $1.presenter })
    }

    private func facts(
        of record: ResolutionRecord, at time: TraceTime, _ names: TraceDefinitions
    ) -> PressExplanation.ResolutionFacts {
        // With the menus of a Mac the menu's commands come with priority.
        let isMenu =
            record.supplier == nil
            && (record.takenBy == .mainMenu || record.takenBy == .priorityKeyCommands && record.command != nil)
        return PressExplanation.ResolutionFacts(
            time: time, outcome: record.outcome, takenBy: record.takenBy,
            character: record.character.flatMap { names[$0] }, start: names.id(of: record.start),
            eventWindow: window(of: knownStart, names), keyWindow: names.id(of: record.keyWindow),
            command: record.command.flatMap { names[$0] },
            supplier: isMenu ? "mainMenu" : names.id(of: record.supplier),
            supplierWindow: window(of: record.supplier, names), target: names.id(of: record.target),
            targetWindow: window(of: record.target, names), action: record.action.flatMap { names[$0] },
            text: record.text.flatMap { names[$0] }, state: record.state,
            runs: UInt64(resolutions.count { $0.outcome == .performed }))
    }

    private func window(of responder: ResponderRef?, _ names: TraceDefinitions) -> String? {
        names.id(of: responder.flatMap { context.link(of: $0)?.window })
    }
}

/// Orders the questions of one press along the chain.
struct LadderBuilder {
    let press: TracePress
    let definitions: TraceDefinitions
    private let costs: [ByteName: ResponderCalls]
    /// Every call is recorded. An app records those of its own responders.
    private let isOfReplay: Bool
    private let calls: [ResponderRef: [CallRecord]]
    private let receptions: [ResponderRef: [ReceiverRecord]]
    private let candidates: [ResponderRef?: [CandidateRecord]]
    private let readsOnRelease: [ResponderRef: UInt64]
    /// Of the press, which is too large to be looked at for each of a thousand responders.
    private let hasCalls: Bool
    private let firstResponder: ResponderRef?
    private let target: ResponderRef?

    init(press: TracePress, definitions: TraceDefinitions) {
        self.press = press
        self.definitions = definitions
        hasCalls = press.hasCalls
        (firstResponder, target) = (press.context.firstResponder?.responder, press.resolution?.target)
        isOfReplay = press.context.environment.keys.contains(where: EnvironmentRecord.isProfileParameter)
        var accumulator = CallAccumulator()
        for call in press.calls { accumulator.add(call, definitions: definitions) }
        calls = Dictionary(grouping: press.calls, by: \.responder)
        receptions = Dictionary(grouping: press.receivers, by: \.responder)
        candidates = Dictionary(grouping: press.candidates, by: \.supplier)
        readsOnRelease = Dictionary(press.readOnRelease.map { ($0, 1) }, uniquingKeysWith: +)
        costs = Dictionary(accumulator.finished().responders.map { (ByteName($0.id), $0) }) { first, _ in first }
    }

    /// From the first responder on, then those that are not on the chain, then the menu; shortened where the chain is
    /// longer than it is followed: of what comes then, only those that were asked or that answered.
    func ladder() -> (rungs: [LadderRung], isShortened: Bool) {
        let chain = press.context.chain(from: press.knownStart)
        var rungs = chain.enumerated().map { rung($1, at: .chain($0 + 1)) }
        markPassedOver(&rungs, chain)
        var known = Set(chain)
        for responder in press.calls.map(\.responder) + press.candidates.compactMap(\.supplier)
        where known.insert(responder).inserted {
            rungs.append(rung(responder, at: .offChain))
        }
        let fromMenu = candidates[nil] ?? []
        if !fromMenu.isEmpty || press.resolution?.takenBy == .mainMenu {
            rungs.append(LadderRung(place: .mainMenu, id: "mainMenu", kind: "", candidates: shown(fromMenu)))
        }
        let isWhole = chain.count < TraceLimits.chainResponders
        return (rungs, !isWhole && chain.last.flatMap { press.context.link(of: $0)?.next } != nil)
    }

    /// Controllers that present another one and were left out of a search that came past them (spec DS-7).
    private func markPassedOver(_ rungs: inout [LadderRung], _ chain: [ResponderRef]) {
        guard let last = rungs.lastIndex(where: { rung in rung.answers.contains { $0.kind == .canPerformAction } })
        else { return }
        for place in rungs.indices.prefix(upTo: last) where rungs[place].answers.isEmpty {
            guard let presented = press.context.presented[chain[place]] else { continue }
            rungs[place].isPassedOverFor = definitions.id(of: presented)
        }
    }

    private func readCount(of responder: ResponderRef, _ id: String) -> UInt64? {
        guard hasCalls else { return nil }
        let onRelease = readsOnRelease[responder] ?? 0
        guard let calls = costs[ByteName(id)]?.calls ?? (isOfReplay || onRelease > 0 ? 0 : nil) else { return nil }
        return calls + onRelease
    }

    private func rung(_ responder: ResponderRef, at place: LadderRung.Place) -> LadderRung {
        let link = press.context.link(of: responder)
        let id = definitions.id(of: responder) ?? ""
        let received = receptions[responder] ?? []
        let own = calls[responder] ?? []
        // Only the last answer is taken apart: a responder may have been asked often, each time with a long list.
        let list = own.last { $0.offeredList != nil }?.offeredList.flatMap { definitions[$0] }
        let candidates = candidates[responder] ?? []
        return LadderRung(
            place: place, id: id, kind: definitions[responder]?.kind ?? "",
            window: definitions.id(of: link?.window), since: link?.change,
            isFirstResponder: firstResponder == responder, isTarget: target == responder, isReceiver: !received.isEmpty,
            isSwallower: received.contains { $0.isSwallowed }, calls: readCount(of: responder, id),
            cost: costs[ByteName(id)]?.selfTime, offered: list?.count, candidates: shown(candidates),
            misplaced: misplaced(list ?? [], besides: candidates), answers: own.compactMap(answer))
    }

    /// Room for all at once: there may be tens of thousands, of which a growing array has two or three times the bytes.
    private func shown(_ records: [CandidateRecord]) -> [LadderCandidate] {
        var shown: [LadderCandidate] = []
        shown.reserveCapacity(records.count)
        for record in records {
            if let candidate = candidate(record) { shown.append(candidate) }
        }
        return shown
    }

    private func candidate(_ record: CandidateRecord) -> LadderCandidate? {
        definitions[record.command].map {
            LadderCandidate(
                command: $0, verdict: record.verdict, reason: definitions.reason(of: record) ?? "",
                isDerived: record.isDerived)
        }
    }

    /// Input as which ⌘. arrives (spec EV-2).
    private static let escape = "UIKeyInputEscape"

    /// Commands that would have matched with the letters where a US keyboard has them.
    private func misplaced(_ list: [CommandRef], besides candidates: [CandidateRecord]) -> [MisplacedCommand] {
        guard !list.isEmpty, let down = press.key, let usage = down.key.usage else { return [] }
        let held = down.modifiers.intersection(.matchMask)
        guard !held.isDisjoint(with: [.command, .control]) else { return [] }
        if held == .command, press.resolution?.character.flatMap({ definitions[$0] }) == LadderBuilder.escape {
            return list.compactMap { definitions[$0] }.filter { $0.input == "." && $0.modifiers == .command }.map {
                MisplacedCommand(command: $0, typed: LadderBuilder.escape, layout: press.context.layoutName ?? "?")
            }
        }
        let known = Set(candidates.map(\.command))
        let wanted = list.compactMap { ref -> CommandDefinition? in
            guard !known.contains(ref), let command = definitions[ref],
                command.modifiers.intersection(.matchMask) == held, let input = command.input, input.count == 1,
                KeyUsage(name: input) == usage
            else { return nil }
            return command
        }
        // A layout takes longer to read than all the rest of a press.
        guard !wanted.isEmpty,
            let layout = press.context.layoutTable.flatMap({ definitions[$0] }).flatMap({ try? Layout(text: $0) })
        else { return [] }
        let typed = layout.plainText(for: usage)
        return wanted.compactMap { command in
            guard let input = command.input?.lowercased(), let character = input.first, input != typed.lowercased()
            else { return nil }
            let strokes = layout.keyStrokes(typing: character) ?? []
            let stroke = strokes.count == 1 ? strokes.first : nil
            return MisplacedCommand(
                command: command, typed: typed, layout: layout.name, usage: stroke?.usage,
                modifiers: strokes.isEmpty ? nil : stroke?.modifiers ?? [],
                localised: LadderBuilder.localised(command, layout, press.context.environment))
        }
    }

    /// The other key of a command on this layout, by the parameters that a replay records.
    static func localised(
        _ command: CommandDefinition, _ layout: Layout, _ facts: [String: String]
    ) -> String? {
        guard !command.attributes.contains(.notLocalised), facts["parameter.localises"] == "true",
            let input = command.input, layout.usage(ofPlain: input) == nil
        else { return nil }
        let prefix = "\(layout.name.prefix { $0 != ":" }):\(input)="
        let entry = facts["parameter.localisationTable"]?.split(separator: " ").last { $0.hasPrefix(prefix) }
        return entry.map { String($0.dropFirst(prefix.count)) }
    }

    private func answer(_ call: CallRecord) -> LadderAnswer? {
        guard call.kind == .canPerformAction || call.kind == .validate else { return nil }
        let isYes: Bool? =
            switch call.answer {
            case .yes: true
            case .no: false
            case .none, .commands: nil
            }
        return LadderAnswer(
            kind: call.kind, action: call.action.flatMap { definitions[$0] } ?? "", isYes: isYes,
            duration: call.duration)
    }
}

extension CallRecord {
    /// The key commands that were answered.
    fileprivate var offeredList: CommandListRef? {
        if kind == .keyCommands, case .commands(let list) = answer { list } else { nil }
    }
}

extension CommandDefinition {
    /// True where masking may hide its key.
    fileprivate var isOfTextKey: Bool {
        input?.count == 1 && modifiers.isDisjoint(with: [.command, .control])
    }
}

extension TraceDefinitions {
    /// Id of a responder; for an undefined handle, a text that names the handle as undefined.
    package func id(of responder: ResponderRef?) -> String? {
        responder.map { self[$0]?.id ?? "unknown-\($0.rawValue)" }
    }
}

extension PressExplanation.Effect {
    init(_ effect: EffectRecord, _ names: TraceDefinitions) {
        responder = names.id(of: effect.responder)
        kind = names[effect.kind] ?? ""
        value = effect.value.flatMap { names[$0] }
    }
}
