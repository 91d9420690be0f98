import KeyModel
import ResponderEngine
import Scenes
import TraceFormat

extension TraceRecorder {
    /// One decision of the engine.
    func note(_ report: EngineReport) {
        guard !isInStep, !isSkipping else { return }
        switch report {
        case .pressBegan(_, let start): self.start = start
        case .chain(let members, _): chain = members
        case .pressDelivered(.began, let responder, let passedOn):
            append(
                .receiver(ReceiverRecord(at: tick, responder: ref(responder), phase: .down, isSwallowed: !passedOn)))
        case .keyCommands(let responder, let pass, let commands, let source):
            note(commands, of: responder, pass: pass, source)
        case .canPerform(let responder, let action, let answer):
            append(call(.canPerformAction, responder, action: action.name, answer: answer ? .yes : .no))
        case .validated(let responder, let command):
            append(call(.validate, responder, action: command.action.name, answer: .none))
        case .buildMenu(let responder): append(call(.buildMenu, responder, action: nil, answer: .none))
        case .candidate(let reference, let verdict): note(reference, verdict)
        case .effect(let effect): note(effect)
        default: break
        }
    }

    private func note(_ commands: [KeyCommand], of responder: Responder, pass: Int, _ source: EngineReport.Source) {
        guard source != .cached else { return }
        let refs = commands.flatMap { command in definitions(of: command).map { self.command($0) } }
        let isShadow = source == .shadow
        let duration = costs.time(of: .keyCommands, at: responder.id)
        if !isShadow { readTime = readTime + (duration ?? .zero) }
        append(
            .call(
                CallRecord(
                    at: tick, kind: .keyCommands, occasion: isShadow ? .shadow : occasion, responder: ref(responder),
                    pass: isShadow ? 0 : UInt16(clamping: pass + 1), depth: 0,
                    duration: duration, action: nil,
                    answer: .commands(list(refs)))))
    }

    private func call(
        _ kind: CallKind, _ responder: Responder, action: String?, answer: CallRecord.Answer
    ) -> TraceRecord.Body {
        let cost: DeclaredCall =
            switch kind {
            case .keyCommands: .keyCommands
            case .canPerformAction: .canPerformAction
            case .validate: .validate
            case .buildMenu: .buildMenu
            }
        // Which action was asked about tells the key that asked for it.
        let shown = isMasked ? nil : action.map(string)
        return .call(
            CallRecord(
                at: tick, kind: kind, occasion: occasion, responder: ref(responder), pass: 0, depth: 0,
                duration: costs.time(of: cost, at: responder.id), action: shown, answer: answer))
    }

    private func note(_ reference: CommandReference, _ verdict: ResponderEngine.CandidateVerdict) {
        let (shown, reason) = TraceRecorder.words(for: verdict)
        // The commands that have a masked key's character would give the key away; those that some key of its
        // class has do not.
        guard !isMasked || shown == .possible else { return }
        append(
            .candidate(
                CandidateRecord(
                    at: tick, supplier: reference.supplier.map(ref),
                    command: command(
                        definition(of: reference.command, action: reference.action, in: reference.supplier)),
                    verdict: shown, reason: string(reason))))
    }

    private static func words(
        for verdict: ResponderEngine.CandidateVerdict
    ) -> (verdict: TraceFormat.CandidateVerdict, reason: String) {
        switch verdict {
        case .performed: (.won, "performed")
        case .notPerformable: (.unperformable, "nobody performs it, the search went on")
        case .blocked: (.unperformable, "nobody performs it, and it blocks the others")
        case .shadowed(let other): (.shadowed, "shadowed by \(other.supplierID)")
        case .takenBefore(let taker): (.taken, "taken before by \(taker.name)")
        case .disabled: (.disabled, "disabled")
        case .wrongModifiers: (.otherModifiers, "other modifiers")
        case .wantsKeypad: (.otherModifiers, "wants a key of the numeric pad")
        case .possible: (.possible, "a key of this class matches")
        case .notReached: (.taken, "not reached")
        }
    }

    private func note(_ effect: Effect) {
        let responder = engine.flatMap { _ in followed(effect.id) }
        if let responder, let change = presentation(effect, responder) { append(change) }
        append(
            .effect(
                EffectRecord(
                    at: tick, responder: responder.map(ref), kind: string(effect.kind.rawValue),
                    value: effect.value.json.map(string))))
    }

    // MARK: The end of a press

    func resolved(_ resolution: Resolution, stages: StageTimes) {
        let tick = self.tick
        for stage in LatencyStage.allCases {
            if let duration = stages[stage] {
                append(.stage(StageRecord(at: tick, stage: stage, duration: duration)))
            }
        }
        append(.cache(cacheRecord(resolution.cache, resolution.calls, resolution.shadowReads)))
        if resolution.action != nil || !resolution.effects.isEmpty { recordContext(cause: .become, at: time) }
        if !isSkipping { append(.resolution(record(resolution))) }
    }

    private func record(_ resolution: Resolution) -> ResolutionRecord {
        var record = ResolutionRecord(
            at: tick, outcome: resolution.outcome, takenBy: resolution.takenBy, state: engine?.stateHash() ?? 0)
        record.start = start.map(ref)
        record.keyWindow = engine?.application.keyWindow.map { ref($0) }
        record.target = resolution.target.map(ref)
        if tick.press > 0, !isMasked { record.character = string(resolution.character) }
        if showsKeys { record.text = resolution.text.map(string) }
        guard !isMasked || tick.press == 0 else { return record }
        record.supplier = resolution.supplier.map(ref)
        record.action = resolution.action.map { string($0.name) }
        record.command = resolution.command.map { decided in
            command(
                definition(
                    of: decided, action: resolution.action ?? decided.action,
                    in: resolution.isFromMainMenu ? nil : resolution.supplier))
        }
        return record
    }

    func released(_ release: Release?, of event: KeyEvent, press: UInt32) {
        let at = PressTick(press: endPress(press), tick: 0)
        guard let release, !isSkipping else { return }
        for receiver in release.receivers {
            append(
                .receiver(ReceiverRecord(at: at, responder: ref(receiver), phase: event.phase, isSwallowed: false)),
                at: event.time)
        }
        var record = cacheRecord(release.cache, release.calls, release.shadowReads)
        record.at = at
        let isEmpty = record.hits == 0 && record.misses == 0 && record.invalidations == 0 && record.callsSaved == 0
        if !isEmpty { append(.cache(record), at: event.time) }
    }

    /// Saved calls are those that policy `none` makes beyond the ones made: each pass that was needed reads every
    /// responder of the chain.
    private func cacheRecord(
        _ cache: ResponderEngine.CacheCounts, _ calls: CallCounts, _ shadowReads: Int
    ) -> CacheRecord {
        let passes = passesWithoutCache(needsAny: cache.lookups > 0)
        let saved = max(0, passes * chain.count - calls.keyCommands)
        var time: Int64 = 0
        if saved > 0, !costs.isEmpty {
            for member in chain {
                time &+= (costs.time(of: .keyCommands, at: member.id)?.nanoseconds ?? 0) &* Int64(passes)
            }
            time = max(0, time &- readTime.nanoseconds)
        }
        return CacheRecord(
            at: tick, hits: UInt32(clamping: cache.hits), misses: UInt32(clamping: cache.misses),
            stale: UInt32(clamping: cache.stale), invalidations: UInt32(clamping: cache.invalidations),
            shadowReads: UInt32(clamping: shadowReads), callsSaved: UInt32(clamping: saved),
            timeSaved: TraceDuration(nanoseconds: time))
    }

    private func passesWithoutCache(needsAny: Bool) -> Int {
        guard let profile = engine?.profile else { return 0 }
        switch occasion {
        case .down:
            if needsAny { readPresses.insert(tick.press) }
            return needsAny ? profile.passesPerKeyDown : 0
        case .repeatTick: return needsAny && profile.queryOnRepeatTick ? 1 : 0
        case .release: return readPresses.remove(tick.press) != nil && profile.queryOnKeyUp ? 1 : 0
        case .shadow: return 0
        }
    }

    // MARK: Commands

    /// The command and its alternates, in the order in which they are matched by default (spec MT-12).
    private func definitions(of command: KeyCommand) -> [CommandDefinition] {
        [definition(command)]
            + command.alternates.map { alternate in
                var definition = self.definition(command)
                definition.modifiers.formUnion(alternate.modifierFlags)
                definition.action = alternate.action.name
                definition.title = showsKeys && !alternate.title.isEmpty ? alternate.title : nil
                definition.attributes.insert(.alternate)
                return definition
            }
    }

    private func definition(_ command: KeyCommand) -> CommandDefinition {
        var attributes: CommandDefinition.Attributes = []
        if command.attributes.contains(.disabled) { attributes.insert(.disabled) }
        if command.attributes.contains(.hidden) { attributes.insert(.hidden) }
        if command.wantsPriorityOverSystemBehavior { attributes.insert(.wantsPriority) }
        return CommandDefinition(
            input: command.input, modifiers: command.modifierFlags, action: command.action.name,
            title: showsKeys && !command.title.isEmpty ? command.title : nil, attributes: attributes)
    }

    /// The command, or the alternate of it that has this action. `nil` as supplier is the main menu.
    private func definition(
        of command: KeyCommand, action: Selector, in supplier: Responder?
    ) -> CommandDefinition {
        var found = definition(command)
        if command.action != action {
            found = definitions(of: command).first { $0.action == action.name } ?? found
        }
        if supplier == nil { found.attributes.insert(.mainMenu) }
        return found
    }
}
