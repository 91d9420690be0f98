import KeyModel

/// Presses on a chain that has not changed since the last one. They come to what `Delivery` says, and skip what is
/// known to come to nothing: telling responders that pass every press on, stages that leave the chord alone, asking
/// responders that perform what their class declares. Not taken while a probe listens.
extension KeyboardEngine {
    /// The steady chain whose plans are good, while it is that. Nothing has been done for the press yet.
    @inline(__always)
    func steadyChain() -> Unmanaged<SteadyChain>? { steady.flatMap { isSteady($0) ? $0 : nil } }

    /// The steady chain where its members alone matter: its plans may be those of former commands.
    @inline(__always)
    func steadyMembers() -> Unmanaged<SteadyChain>? { members.flatMap { isSteady($0) ? $0 : nil } }

    @inline(__always)
    private func isSteady(_ chain: Unmanaged<SteadyChain>) -> Bool {
        guard probe == nil, !shadowCheck, !menu.needsRebuild, !menu.needsRevalidate, isKeyboardAttached,
            application.isActive
        else { return false }
        // Whatever changes the first responder or the key window changes this number too.
        return chain._withUnsafeGuaranteedRef { $0.linkVersion == tree.linkVersion }
    }

    /// The first responder is on a steady chain, and its class takes no text: so it is until `linkVersion` changes.
    package var isSteadyWithoutText: Bool {
        steadyMembers().map { !$0._withUnsafeGuaranteedRef { $0.startMethods.contains(.textInput) } } ?? false
    }

    /// Makes the steady chain of an index that was good for a press, where there can be one.
    func steadyChainMayBegin() {
        guard cachePolicy == .chain, chainIsAnnounced, chain.cycle == nil, chain.linkVersion == tree.linkVersion,
            let index, index.triedSteadiness != tree.linkVersion, profile.hasSteadyPresses,
            recordedAnswers == nil, !chain.hasGestureRecognizers, let first = firstResponder,
            first === chain.members.first
        else { return }
        index.triedSteadiness = tree.linkVersion
        guard index.members.isSame(as: chain.members) else { return forgetSteadyChain() }
        if let former = ownedSteady, former.linkVersion == tree.linkVersion, former.members.isSame(as: chain.members) {
            former.forgetPlans { putAside($0) }
        } else {
            ownedSteady = SteadyChain(chain.members, linkVersion: tree.linkVersion, sendsPresses: profile.rawPresses)
        }
        steady = ownedSteady.map(Unmanaged.passUnretained)
        members = steady
    }

    func forgetSteadyChain() {
        steady = nil
        members = nil
        ownedSteady = nil
    }

    /// What a chord's press comes to, where that was worked out; `nil` also for a key that is down already.
    @inline(__always)
    func knownPlan(_ usage: KeyUsage, _ device: UInt16) -> Unmanaged<ChordPlan>? {
        guard let steady = steadyChain(), !isHeld(HeldPress.code(.clear(usage), device)),
            let plan = steady._withUnsafeGuaranteedRef({ $0.plan(SteadyChain.chord(usage, heldFlags)) }),
            plan._withUnsafeGuaranteedRef({ $0.isSteady })
        else { return nil }
        return plan
    }

    /// What a chord's press comes to; `nil` when it goes the long way.
    func plan(_ usage: KeyUsage, on steady: SteadyChain) -> ChordPlan? {
        let chord = SteadyChain.chord(usage, heldFlags)
        if let known = steady.plan(chord) { return known._withUnsafeGuaranteedRef { $0.isSteady ? $0 : nil } }
        let plan = madePlan(usage, on: steady)
        steady.remember(plan, for: chord)
        return plan.isSteady ? plan : nil
    }

    /// A press of a planned chord. The plan may be gone when its action has run.
    func press(
        _ plan: ChordPlan, _ key: KeyIdentity, _ device: UInt16, at time: TraceTime, into resolution: inout Resolution
    ) {
        begin(at: time)
        hadStart = true
        if profile.laterDownEndsRepeat { endRepeats() }
        let press = hold(plan, key, device, at: time)
        let removals = heldRemovals
        account.hits += 1
        let modifiers = heldFlags
        if let known = plan.fixed {
            calls.canPerformAction = plan.known
            resolution.begin(time: time, key: key, device: device, modifiers: modifiers, known)
        } else {
            let decision = settle(plan)
            withExtendedLifetime(decision) {
                resolution.begin(
                    time: time, key: key, device: device, modifiers: modifiers, .passUnretained(decision))
            }
        }
        // From here on the resolution keeps the decision, whatever becomes of the plan.
        var repeats = false
        if let decision = resolution.decision.map(Unmanaged.passUnretained) {
            if let performance = decision._withUnsafeGuaranteedRef({ $0.performance }) {
                // Press objects stay as long as something is resolved.
                press._withUnsafeGuaranteedRef { press in
                    performance._withUnsafeGuaranteedRef { $0.perform(press.event) }
                }
            }
            // Its action may have ended the press, or cancelled it.
            if removals == heldRemovals { repeats = noteRepeat(of: decision, press) }
        }
        isResolving = false
        resolution.repeatsWhileHeld = repeats
        resolution.calls = calls
        resolution.shadowReads = shadowReads
        resolution.cache = takeAccount()
        if !pendingEffects.isEmpty { resolution.effects = pendingEffects }
    }

    @inline(__always)
    private func noteRepeat(of decision: Unmanaged<Decision>, _ press: Unmanaged<HeldPress>) -> Bool {
        decision._withUnsafeGuaranteedRef { decision in
            guard let stage = decision.stage else { return false }
            let isOptedOut = profile.honoursRepeatBehavior && decision.command?.repeatBehavior == .nonRepeatable
            let repeats = profile.repeats && !isOptedOut
            return press._withUnsafeGuaranteedRef {
                $0.stage = stage
                $0.repeats = repeats
                return repeats && $0.press.phase == .began
            }
        }
    }

    /// A modifier key goes down: its press goes along the chain and comes to nothing else.
    func hold(_ usage: KeyUsage, _ device: UInt16, at time: TraceTime, on steady: SteadyChain) {
        tree.now = time
        let chord = SteadyChain.chord(usage, heldFlags)
        if let known = steady.modifierPlan(chord) {
            known._withUnsafeGuaranteedRef { _ = hold($0, .clear(usage), device, at: time) }
            return
        }
        let plan = ChordPlan(modifier: stroke(.clear(usage)), receivers: profile.rawPresses ? steady.members : [])
        steady.remember(plan, for: chord)
        _ = hold(plan, .clear(usage), device, at: time)
    }

    /// Gives a chord's press its object. It stays in `held`.
    @inline(__always)
    private func hold(
        _ plan: ChordPlan, _ key: KeyIdentity, _ device: UInt16, at time: TraceTime
    ) -> Unmanaged<HeldPress> {
        let press = Unmanaged.passRetained(plan.takeSpare() ?? boundPress(plan, key, device))
        press._withUnsafeGuaranteedRef {
            $0.begin(plan, code: HeldPress.code(key, device), device: device, at: time)
        }
        held.append(press.takeRetainedValue())
        return press
    }

    private func boundPress(_ plan: ChordPlan, _ key: KeyIdentity, _ device: UInt16) -> HeldPress {
        // The last one is for keys that go the long way.
        let press = spareHeld.count > 1 ? takeSpare() : HeldPress()
        press.bind(to: plan, key, device: device, table: keyTable, number: tableNumber)
        return press
    }

    private func endRepeats() {
        held.withUnsafeBufferPointer { held in
            for place in held.indices {
                Unmanaged.passUnretained(held[place])._withUnsafeGuaranteedRef { $0.repeats = false }
            }
        }
    }

    // MARK: Plans

    private func madePlan(_ usage: KeyUsage, on steady: SteadyChain) -> ChordPlan {
        let stroke = stroke(.clear(usage))
        let others = stages.split(separator: .keyCommands, maxSplits: 1, omittingEmptySubsequences: false)
        func leaveAlone(_ stages: ArraySlice<DeliveryStage>?) -> Bool {
            stages?.allSatisfy { leavesAlone($0, stroke, steady.startMethods) } ?? true
        }
        guard let index, usage != .capsLock, !isReserved(stroke), leaveAlone(others.first) else {
            return ChordPlan(unsteady: stroke)
        }
        let isFreeAfterwards = leaveAlone(others.dropFirst().first)
        let list = index.candidates(stroke)
        let hasPriorityStage = profile.stageOrder == .textFirst
        var order = list.entries.indices.filter { !list.entries[$0].isDisabled }
        if hasPriorityStage {
            order = order.filter { list.entries[$0].isPriority } + order.filter { !list.entries[$0].isPriority }
        }
        let isSeen = profile.pressesSeenForMatchedCommands || order.isEmpty
        let receivers = profile.rawPresses && isSeen ? steady.members : []
        var known = 0
        for (position, place) in order.enumerated() {
            let found = search(list.entries[place].action, on: steady, from: 0, &known, command: nil)
            if case .nobody = found, !profile.blocksUnperformable { continue }
            if case .mustAsk = found, !profile.blocksUnperformable, !isFreeAfterwards { break }
            let plan = ChordPlan(
                stroke, list, order: order, receivers: receivers, beginning: found, at: position, known: known)
            switch found {
            case .found(let target): plan.settled = settled(plan, position, target)
            case .nobody: plan.settled = settled(plan, position, nil)
            case .mustAsk: break
            }
            return plan
        }
        guard isFreeAfterwards else { return ChordPlan(unsteady: stroke) }
        let plan = ChordPlan(stroke, list, order: order, receivers: receivers, beginning: nil, at: 0, known: known)
        plan.settled = settled(plan, nil, nil)
        return plan
    }

    /// True where no key of this chord is the stage's, whatever else changes, as long as the chain does not.
    private func leavesAlone(_ stage: DeliveryStage, _ stroke: Stroke, _ start: OverriddenMethods) -> Bool {
        switch stage {
        case .priorityKeyCommands, .keyCommands: true
        case .inputMethod, .builtinText, .text, .keyBinding, .lateKeyBinding: !start.contains(.textInput)
        case .standardEdit: standardAction(earlyStandardKeys, stroke) == nil
        case .systemKeys: standardAction(lateStandardKeys, stroke) == nil
        case .focus: !profile.focusSystem || !isFocusKey(stroke)
        case .scroll: !profile.keyboardScrolling || !start.contains(.keyboardScrolling)
        }
    }

    /// Who performs an action: with a command members are asked, without one the search ends where one would be.
    private func search(
        _ action: Selector, on steady: SteadyChain, from first: Int, _ answers: inout Int, command: KeyCommand?
    ) -> ChainSearch {
        for place in first..<steady.members.count {
            let member = steady.members[place]
            if member.skipsActions, profile.filtersActionsOfPresenters { continue }
            let own = steady.methods[place].intersection(.asked)
            if own.isEmpty, action != Window.cycleAction {
                answers += 1
                if member.declares(action) { return .found(member) }
                continue
            }
            guard let command else { return .mustAsk(place) }
            if own.contains(.target) || own.isEmpty {
                member.targetSearch = .asking
                let found = member.target(forAction: action, sender: command)
                let reachedDefault = member.targetSearch == .reachedDefault
                member.targetSearch = .none
                if reachedDefault { answers += 1 }
                if let found { return .found(found) }
                if !reachedDefault { return .nobody }
                continue
            }
            answers += 1
            let performs =
                own.contains(.canPerformAction)
                ? member.answersCanPerform(action, sender: command) : member.answersResponds(to: action)
            if performs { return .found(member) }
        }
        return .nobody
    }

    /// Asks whom a plan leaves to be asked.
    private func settle(_ plan: ChordPlan) -> Decision {
        // Kept: what is asked may drop the chain with its plans.
        guard let steady = steady?.takeUnretainedValue() else { return settled(plan, nil, nil) }
        let kept = Unmanaged.passUnretained(plan).retain()
        defer {
            kept.release()
            withExtendedLifetime(steady) {}
        }
        var answers = plan.known
        var from = plan.firstAsked
        for position in plan.firstTry..<plan.order.count {
            let entry = plan.order[position]
            let found = search(
                plan.candidates.entries[entry].action, on: steady, from: from, &answers,
                command: plan.candidates.entries[entry].command)
            from = 0
            calls.canPerformAction = answers
            if case .found(let target) = found { return settled(plan, position, target) }
            if profile.blocksUnperformable { return settled(plan, position, nil) }
        }
        return settled(plan, nil, nil)
    }

    /// The decision for a candidate, by its place in the plan's order, and a target; the last one again where it is
    /// the same.
    private func settled(_ plan: ChordPlan, _ position: Int?, _ target: Responder?) -> Decision {
        let entry = position.map { plan.order[$0] } ?? -1
        if let last = plan.settled, last.decidedIndex == entry, last.target === target { return last }
        let decision = Decision()
        decision.character = plan.stroke.characters.plain
        decision.receivers = plan.receivers
        decision.candidates = plan.candidates
        if entry >= 0 {
            let command = plan.candidates.entries[entry]
            decision.decidedIndex = entry
            decision.command = command.command
            decision.action = command.action
            decision.supplier = command.supplier
            decision.isFromMainMenu = command.supplier == nil
            decision.target = target
            decision.outcome = target == nil ? .blockedUnperformable : .performed
            let isPriority = profile.stageOrder == .textFirst && command.isPriority
            decision.stage = isPriority ? .priorityKeyCommands : .keyCommands
            decision.takenBy = isPriority ? .priorityKeyCommands : decision.isFromMainMenu ? .mainMenu : .keyCommands
        }
        decision.prepare()
        plan.settled = decision
        return decision
    }
}

extension Profile {
    /// False where a press depends on more than the chain, its commands and who performs them.
    var hasSteadyPresses: Bool {
        !applicationCommandsNeedSecondPress && !performsAllMatches && !commandsNeedNoFirstResponder
    }
}
