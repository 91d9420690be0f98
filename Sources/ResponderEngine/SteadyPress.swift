import KeyModel

/// Presses on a chain that has not changed since the last one. They come to what `Delivery` says, and skip what is
/// known to come to nothing: telling responders that pass every press on, stages that leave the chord alone, asking
/// responders that perform what their class declares. Not taken while a probe listens.
extension KeyboardEngine {
    /// The steady chain, while it is that. Nothing has been done for the press yet.
    @inline(__always)
    func steadyChain() -> Unmanaged<SteadyChain>? {
        guard let steady, probe == nil, !shadowCheck, !menu.needsRebuild, !menu.needsRevalidate, isKeyboardAttached,
            application.isActive
        else { return nil }
        // Whatever changes the first responder or the key window changes this number too.
        let isStill = steady._withUnsafeGuaranteedRef { $0.linkVersion == tree.linkVersion }
        return isStill ? steady : nil
    }

    /// Makes the steady chain of an index that was good for a press, where there can be one.
    func steadyChainMayBegin() {
        guard cachePolicy == .chain, chainIsAnnounced, chain.cycle == nil, chain.linkVersion == tree.linkVersion,
            let index, index.triedSteadiness != tree.linkVersion, profile.hasSteadyPresses,
            recordedAnswers == nil, !chain.hasGestureRecognizers, let first = firstResponder,
            first === chain.members.first
        else { return }
        index.triedSteadiness = tree.linkVersion
        let former = formerSteady
        formerSteady = nil
        steady = nil
        guard index.members.isSame(as: chain.members) else { return }
        if let former, former.linkVersion == tree.linkVersion, former.members.isSame(as: chain.members) {
            former.forgetPlans()
            index.steady = former
        } else {
            index.steady = SteadyChain(chain.members, linkVersion: tree.linkVersion, sendsPresses: profile.rawPresses)
        }
        steady = index.steady.map(Unmanaged.passUnretained)
    }

    /// What a chord's press comes to; `nil` when it goes the long way.
    @inline(__always)
    func plan(_ usage: KeyUsage, on steady: SteadyChain) -> Unmanaged<ChordPlan>? {
        let chord = SteadyChain.chord(usage, heldFlags)
        let plan = steady.plan(chord) ?? makePlan(usage, chord, on: steady)
        return plan._withUnsafeGuaranteedRef { $0.isSteady } ? plan : nil
    }

    /// A press of a planned chord.
    func press(
        _ plan: ChordPlan, _ key: KeyIdentity, _ device: UInt16, at time: TraceTime, into resolution: inout Resolution
    ) {
        resolution.character = plan.stroke.characters.plain
        begin(at: time)
        hadStart = true
        if !held.isEmpty, profile.laterDownEndsRepeat { for other in held { other.repeats = false } }
        let press = Unmanaged.passRetained(takeSpare())
        held.append(press.takeRetainedValue())
        press._withUnsafeGuaranteedRef {
            begin($0, key, device, plan.stroke, at: time)
            $0.hold(plan.receivers, plan.start)
            $0.didCollect = true
            $0.queriesOnUp = true
        }
        account.hits += 1
        let decision: Unmanaged<Decision>
        if let known = plan.fixed {
            calls.canPerformAction = plan.known
            decision = known
            resolution.decision = known.takeUnretainedValue()
        } else {
            let settled = settle(plan)
            decision = .passUnretained(settled)
            resolution.decision = settled
        }
        // From here on the resolution keeps the decision, whatever becomes of the plan.
        let stage = decision._withUnsafeGuaranteedRef { decision in
            resolution.outcome = decision.outcome
            resolution.takenBy = decision.takenBy
            return decision.stage
        }
        if resolution.outcome == .performed {
            // Its action may cancel the press and have another one begin with the object.
            let kept = press.takeUnretainedValue()
            decision._withUnsafeGuaranteedRef { $0.perform(kept.event) }
            if let stage { noteRepeat(of: stage, kept, &resolution) }
            end(&resolution, kept)
        } else {
            press._withUnsafeGuaranteedRef {
                if let stage { noteRepeat(of: stage, $0, &resolution) }
                end(&resolution, $0)
            }
        }
        isResolving = false
    }

    /// A modifier key goes down: its press goes along the chain and comes to nothing else.
    func hold(_ key: KeyIdentity, _ device: UInt16, at time: TraceTime, on steady: SteadyChain) {
        tree.now = time
        let press = takeSpare()
        begin(press, key, device, stroke(key), at: time)
        if profile.rawPresses { press.hold(steady.members, steady.members.first.map(Unmanaged.passUnretained)) }
        held.append(press)
    }

    // MARK: Plans

    private func makePlan(_ usage: KeyUsage, _ chord: UInt64, on steady: SteadyChain) -> Unmanaged<ChordPlan> {
        let plan = madePlan(usage, on: steady)
        steady.remember(plan, for: chord)
        return .passUnretained(plan)
    }

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
        // Kept: what is asked may drop the index with its chain and plans.
        guard let steady = steady?.takeUnretainedValue() else { return settled(plan, nil, nil) }
        defer { withExtendedLifetime(steady) {} }
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
