import KeyModel
import ResponderEngine
import Scenes
import TraceFormat
import TracePresses

extension TraceRecorder {
    /// One decision of the engine.
    func note(_ report: EngineReport) {
        guard !isSkipping else { return }
        // Steps cause them too: they are of no press.
        if case .commandsChanged(let responder) = report { return invalidation(.responder, responder, at: time) }
        guard !isInStep else { return }
        switch report {
        case .pressBegan(let resolution, let start):
            if resolution.key?.usage?.isModifier == true { modifierIsHeard() }
            self.start = start
        case .chain(let members, _): chain = members
        case .pressDelivered(.began, let responder, let passedOn):
            append(
                .receiver(ReceiverRecord(at: tick, responder: ref(responder), phase: .down, isSwallowed: !passedOn)))
        case .keyCommands(let responder, let pass, let commands, let source):
            note(commands, of: responder, pass: pass, source)
        case .canPerform(let responder, let action, let answer):
            append(call(.canPerformAction, responder, action: action, answer: answer ? .yes : .no))
        case .validated(let responder, let command):
            append(call(.validate, responder, action: command.action, answer: .none))
        case .buildMenu(let responder): append(call(.buildMenu, responder, action: nil, answer: .none))
        case .candidate(let reference, let verdict): note(reference, verdict)
        case .keyBinding(let match, let responder): note(match, of: responder)
        case .effect(let effect): note(effect)
        case .message(let message): note(message)
        default: break
        }
    }

    private func note(_ commands: [KeyCommand], of responder: Responder, pass: Int, _ source: EngineReport.Source) {
        guard source != .cached else { return }
        let isShadow = source == .shadow
        let duration = costs.time(of: .keyCommands, at: responder.id)
        if !isShadow { readTime = readTime + (duration ?? .zero) }
        append(
            .call(
                CallRecord(
                    at: tick, kind: .keyCommands, occasion: isShadow ? .shadow : occasion, responder: ref(responder),
                    pass: isShadow ? 0 : UInt16(clamping: pass + 1), depth: 0,
                    duration: duration, action: nil, answer: self.answer(commands, of: responder))))
    }

    private func call(
        _ kind: CallKind, _ responder: Responder, action: Selector?, answer: CallRecord.Answer
    ) -> TraceRecord.Body {
        // The action asked about would reveal the key.
        let shown = isMasked ? nil : action.map { string($0) }
        return .call(
            CallRecord(
                at: tick, kind: kind, occasion: occasion, responder: ref(responder), pass: 0, depth: 0,
                duration: costs.time(of: DeclaredCall(kind), at: responder.id), action: shown, answer: answer))
    }

    private func note(_ reference: CommandReference, _ verdict: ResponderEngine.CandidateVerdict) {
        let shown = TraceRecorder.shown(verdict)
        // The commands that have a masked key's character would give the key away; those that some key of its
        // class has do not.
        guard !isMasked || shown == .possible else { return }
        let command = self.command(
            definition(of: reference.command, action: reference.action, in: reference.supplier), of: reference.command)
        append(
            .candidate(
                CandidateRecord(
                    at: tick, supplier: reference.supplier.map(ref), command: command, verdict: shown,
                    reason: reason(for: verdict))))
    }

    /// Adds a key binding to the candidates, with its keys as input and its place as reason.
    private func note(_ match: KeyBindingMatch, of responder: Responder) {
        guard !isMasked else { return }
        let place = match.file.map { file in " of \(file)" + (match.line.map { ", line \($0)" } ?? "") } ?? ""
        let reason = match.recordedReason ?? TraceRecorder.words[match.kind, default: ""] + place
        let definition = CommandDefinition(
            input: match.keys, modifiers: [], action: match.action?.name ?? "", title: nil, attributes: [])
        append(
            .candidate(
                CandidateRecord(
                    at: tick, supplier: ref(responder), command: command(definition),
                    verdict: .won, reason: string(reason))))
    }

    private static let words: [KeyBindingMatch.Kind: String] = [
        .binding: "key binding", .prefix: "begins a key binding", .quote: "the next key is literal",
        .literal: "literal, after the quote key", .abort: "gives up the keys before it",
        .lost: "lost: the keys before it met a key binding",
    ]

    /// Returns true if only a key binding has this reason.
    static func isOfKeyBinding(_ reason: String) -> Bool { words.values.contains { reason.hasPrefix($0) } }

    /// Records a message as an app does: the menu is a receiver like any other.
    private func note(_ message: KeyEventMessage) {
        var record = InvocationRecord(
            at: tick, kind: message.kind, occasion: occasion, responder: message.receiver.map(ref) ?? mainMenuRef,
            duration: .zero)
        record.depth = message.depth
        // The resolution would identify the key.
        record.selector = isMasked && message.kind.isAboutSelector ? nil : message.selector.map { string($0) }
        record.sender = message.sender.map(ref) ?? (message.isOfMenu ? mainMenuRef : nil)
        record.answer =
            switch message.answer {
            case .nothing: .nothing
            case .no: .no
            case .yes: .yes
            case .responder(let responder): .responder(ref(responder))
            }
        append(.invocation(record))
    }

    private static func shown(_ verdict: ResponderEngine.CandidateVerdict) -> TraceFormat.CandidateVerdict {
        switch verdict {
        case .performed: .won
        case .notPerformable, .blocked: .unperformable
        case .shadowed: .shadowed
        case .takenBefore, .notReached: .taken
        case .disabled: .disabled
        case .wrongModifiers, .wantsKeypad, .movedTo: .otherModifiers
        case .possible: .possible
        }
    }

    private func reason(for verdict: ResponderEngine.CandidateVerdict) -> StringRef {
        switch verdict {
        case .performed: reason(0, "performed")
        case .notPerformable: reason(1, "no responder performs it, the search went on")
        case .blocked: reason(2, "no responder performs it, and it blocks the others")
        case .disabled: reason(3, "disabled")
        case .wrongModifiers: reason(4, "other modifiers")
        case .wantsKeypad: reason(5, "wants a key of the numeric pad")
        case .movedTo(let key): string("other key: the system has it on \(key)")
        case .possible: reason(6, "a key of this class matches")
        case .notReached: reason(7, "not reached")
        case .takenBefore(.system): reason(16 + Int(TakenBy.system.rawValue), "kept by the system")
        case .takenBefore(let taker): reason(16 + Int(taker.rawValue), "taken before by \(taker.name)")
        case .shadowed(let other): shadowing(other.supplier, other.supplierID)
        }
    }

    private func note(_ effect: Effect) {
        let responder = followed(effect.id)
        if let responder, let change = presentation(effect, responder) { append(change) }
        append(
            .effect(
                EffectRecord(
                    at: tick, responder: responder.map(ref), kind: string(effect.kind.rawValue),
                    value: effect.value.json.map(string))))
    }

    // MARK: The end of a press

    func resolved(_ resolution: Resolution, stages: StageSplit, in engine: KeyboardEngine) {
        if resolution.key?.usage?.isModifier == true { modifierIsHeard() }
        guard needsEveryDecision else { return resolvedBriefly(resolution, engine) }
        let tick = self.tick
        if !stages.isEmpty {
            for stage in LatencyStage.allCases {
                guard let duration = stages[stage] else { continue }
                append(.stage(StageRecord(at: tick, stage: stage, duration: duration)))
            }
        }
        recordMenu(engine)
        append(.cache(cacheRecord(resolution.cache, resolution.calls, resolution.shadowReads, engine.profile)))
        if resolution.action != nil || !resolution.effects.isEmpty { recordContext(engine, cause: .become, at: time) }
        if !isSkipping { append(.resolution(record(resolution, from: start, engine))) }
    }

    /// The commands of the main menu, once it was built or validated. No call of the press: its answer is the menu.
    private func recordMenu(_ engine: KeyboardEngine) {
        // With a press that hides it, it would be left out for good.
        guard engine.mainMenuVersion != context.menuVersion, !isSkipping, !decisions.hides(tick.press) else { return }
        context.menuVersion = engine.mainMenuVersion
        let commands = engine.mainMenuCommands
        guard !commands.isEmpty || context.hasMenu else { return }
        context.hasMenu = true
        append(
            .call(
                CallRecord(
                    at: tick, kind: .buildMenu, occasion: .shadow, responder: ref(engine.application), pass: 0,
                    depth: 0, duration: nil, action: nil, answer: menuAnswer(commands))))
    }

    /// Records a resolution at level `resolutions`: the effects and the outcome.
    private func resolvedBriefly(_ resolution: Resolution, _ engine: KeyboardEngine) {
        if isMasked, let decided = resolution.decided {
            decisions.follow(definition(of: decided.command, action: decided.action, in: decided.supplier))
        }
        for effect in resolution.effects { note(effect) }
        if resolution.action != nil || !resolution.effects.isEmpty { recordContext(engine, cause: .become, at: time) }
        guard !isSkipping else { return }
        append(.resolution(record(resolution, from: engine.lastStart, engine)))
    }

    private func record(
        _ resolution: Resolution, from start: Responder?, _ engine: KeyboardEngine
    ) -> ResolutionRecord {
        var record = ResolutionRecord(
            at: tick, outcome: resolution.outcome, takenBy: resolution.takenBy,
            state: decisions.hidesText ? nil : engine.stateHash())
        // Closures: the method itself as argument would be an object that holds the recorder.
        record.start = start.map { ref($0) }
        record.keyWindow = engine.application.keyWindow.map { ref($0) }
        record.target = resolution.target.map { ref($0) }
        if tick.press > 0, !isMasked { record.character = string(resolution.character, of: resolution.key) }
        if showsKeys { record.text = resolution.text.map(string) }
        guard !isMasked || tick.press == 0 else { return record }
        if let decided = resolution.decided {
            let handles = handles(of: decided)
            record.supplier = handles.supplier.map { ResponderRef(rawValue: $0) }
            record.action = StringRef(rawValue: handles.action)
            record.command = CommandRef(rawValue: handles.command)
        } else {
            record.supplier =
                resolution.supplier.map { ref($0) } ?? (resolution.isFromMainMenu ? mainMenuRef : nil)
            record.action = resolution.action.map { string($0) }
        }
        return record
    }

    /// Described once, as long as the command stays as it is.
    private func handles(of decided: CollectedCommand) -> RecordedHandles {
        if let known = decided.handles(in: identity) { return known }
        let supplier = decided.supplier.map { ref($0) }
        let action = string(decided.action)
        let command = self.command(
            definition(of: decided.command, action: decided.action, in: decided.supplier), of: decided.command)
        let handles = RecordedHandles(
            command: command.rawValue, action: action.rawValue, supplier: supplier?.rawValue)
        decided.keep(handles, of: identity)
        return handles
    }

    func released(_ release: Release?, of event: KeyEvent, press: UInt32, in engine: KeyboardEngine) {
        let at = PressTick(press: endPress(press), tick: 0)
        // In this order: the release is copied only where it is recorded.
        guard needsEveryDecision, !isSkipping, let release else { return }
        for receiver in release.receivers {
            append(
                .receiver(ReceiverRecord(at: at, responder: ref(receiver), phase: event.phase, isSwallowed: false)),
                at: event.time)
        }
        var record = cacheRecord(release.cache, release.calls, release.shadowReads, engine.profile)
        record.at = at
        // What a masked press invalidated is left out.
        let isInvalidated = record.invalidations > 0 && (showsKeys || !decisions.hides(at.press))
        let isEmpty = record.hits == 0 && record.misses == 0 && !isInvalidated && record.callsSaved == 0
        if !isEmpty { append(.cache(record), at: event.time) }
    }

    /// Saved calls are those that policy `none` makes beyond the ones made: each pass that was needed reads every
    /// responder of the chain.
    private func cacheRecord(
        _ cache: ResponderEngine.CacheCounts, _ calls: CallCounts, _ shadowReads: Int, _ profile: Profile
    ) -> CacheRecord {
        let passes = passesWithoutCache(profile, needsAny: cache.lookups > 0)
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

    private func passesWithoutCache(_ profile: Profile, needsAny: Bool) -> Int {
        switch occasion {
        case .down:
            guard needsAny else { return 0 }
            if readPresses.count >= 2 * KeyboardState.usualLimit {
                readPresses = Set(readPresses.sorted().suffix(KeyboardState.usualLimit))
            }
            readPresses.insert(tick.press)
            return profile.passesPerKeyDown
        case .repeatTick: return needsAny && profile.queryOnRepeatTick ? 1 : 0
        case .release: return readPresses.remove(tick.press) != nil && profile.queryOnKeyUp ? 1 : 0
        case .shadow: return 0
        }
    }

    // MARK: Commands

    /// The command and its alternates, in the order in which they are matched by default (spec MT-12).
    func definitions(of command: KeyCommand) -> [CommandDefinition] {
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

    func definition(_ command: KeyCommand) -> CommandDefinition {
        var attributes: CommandDefinition.Attributes = []
        if command.attributes.contains(.disabled) { attributes.insert(.disabled) }
        if command.attributes.contains(.hidden) { attributes.insert(.hidden) }
        if command.wantsPriorityOverSystemBehavior { attributes.insert(.wantsPriority) }
        if command.effectiveRepeatBehavior == .nonRepeatable { attributes.insert(.notRepeating) }
        if !command.allowsAutomaticLocalization { attributes.insert(.notLocalised) }
        if !command.allowsAutomaticMirroring { attributes.insert(.notMirrored) }
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
