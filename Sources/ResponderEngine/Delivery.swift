public import KeyModel

/// The delivery of one key event (spec §2.2).
extension KeyboardEngine {
    /// Held modifiers, Caps Lock included (spec EV-17).
    public var modifiers: KeyModifiers { heldFlags }

    /// A key goes down. `nil` for a lone modifier, which yields no line (spec EV-11), and inside an action.
    public func keyDown(_ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime) -> Resolution? {
        var resolution = Resolution()
        return keyDown(key, device: device, at: time, into: &resolution) ? resolution : nil
    }

    /// The same, told in a resolution that may be an earlier press's: it costs less than a new one. False, and
    /// `resolution` is as it was, where there is nothing to tell.
    public func keyDown(
        _ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime, into resolution: inout Resolution
    ) -> Bool {
        if case .clear(let usage) = key, !isResolving, !usage.isModifier, let plan = knownPlan(usage, device) {
            plan._withUnsafeGuaranteedRef { press($0, key, device, at: time, into: &resolution) }
            return true
        }
        return keyDownAtLength(key, device, at: time, into: &resolution)
    }

    private func keyDownAtLength(
        _ key: KeyIdentity, _ device: UInt16, at time: TraceTime, into resolution: inout Resolution
    ) -> Bool {
        let isModifier = key.usage?.isModifier ?? false
        if let usage = key.usage { modifierState.apply(usage, .down, device: device) }
        guard !isResolving else { return false }
        if key.usage != nil, let again = takeHeld(key, device) { finish(again, phase: .ended, at: time) }
        if let usage = key.usage {
            if isModifier {
                if let steady = steadyMembers() {
                    steady._withUnsafeGuaranteedRef { hold(usage, device, at: time, on: $0) }
                    return false
                }
            } else if let steady = steadyChain(), let plan = steady._withUnsafeGuaranteedRef({ plan(usage, on: $0) }) {
                press(plan, key, device, at: time, into: &resolution)
                return true
            }
        }
        var own = Resolution(time: time, key: key, device: device, modifiers: heldFlags, isRepeat: false)
        guard resolve(key, device, at: time, isModifier: isModifier, into: &own) else { return false }
        resolution = own
        return true
    }

    /// Begins a press. False for a lone modifier.
    private func resolve(
        _ key: KeyIdentity, _ device: UInt16, at time: TraceTime, isModifier: Bool, into resolution: inout Resolution
    ) -> Bool {
        let stroke = stroke(key)
        resolution.character = stroke.characters.plain
        begin(at: time)
        defer { isResolving = false }
        let start = isReserved(stroke) ? nil : startResponder()
        hadStart = start != nil
        let held = takeSpare()
        begin(held, key, device, stroke, at: time)
        if !isModifier {
            if profile.laterDownEndsRepeat { for other in self.held { other.repeats = false } }
            probe?.engine(self, reports: .pressBegan(resolution, start: start))
        }
        // Held before it is delivered: its own action may take a receiver out of its window, deactivate the app or
        // change the commands that its repeats would use.
        self.held.append(held)
        if let start {
            deliver(held, stroke, from: start, isModifier: isModifier, into: &resolution)
        } else if !isModifier, !isReserved(stroke) {
            resolution.outcome = .noStart
        }
        if isModifier { return false }
        end(&resolution, held)
        steadyChainMayBegin()
        return true
    }

    /// A held key repeats (spec EV-13). `nil` when this key does not repeat, or no longer.
    public func repeatTick(_ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime) -> Resolution? {
        guard let held = held.first(where: { $0.key == key && $0.device == device && $0.repeats }),
            let stage = held.stage
        else { return nil }
        var resolution = Resolution(
            time: time, key: key, device: device, modifiers: held.stroke.flags.union(heldFlags), isRepeat: true)
        resolution.character = held.stroke.characters.plain
        begin(at: time)
        defer { isResolving = false }
        let start = startResponder()
        hadStart = start != nil
        probe?.engine(self, reports: .pressBegan(resolution, start: start))
        guard let start else {
            resolution.outcome = .noStart
            end(&resolution, held)
            return resolution
        }
        followChain(from: start)
        resolution.cycle = chain.cycle
        if held.didCollect { collect(for: held, isTick: true, into: &resolution) }
        // A tick reruns the one stage that took the press, so no command could have had it instead.
        resolution.possible = []
        if run(stage, held, held.stroke, into: &resolution) { noteRepeat(of: stage, held, &resolution) }
        end(&resolution, held)
        return resolution
    }

    /// A key comes up, or is cancelled by its source: its receivers are told in order, whoever is first responder
    /// now (spec §2.2). `nil` when it was not held.
    public func keyUp(_ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime, cancelled: Bool = false)
        -> Release?
    {
        var release = Release()
        return keyUp(key, device: device, at: time, cancelled: cancelled, into: &release) ? release : nil
    }

    /// The same, told in a release that may be an earlier key's. False, and `release` is as it was, when the key was
    /// not held.
    public func keyUp(
        _ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime, cancelled: Bool = false,
        into release: inout Release
    ) -> Bool {
        if let usage = key.usage { modifierState.apply(usage, .up, device: device) }
        guard let held = takeHeld(key, device) else { return false }
        if held.isQuiet, !cancelled, probe == nil {
            self.release(held, at: time, into: &release)
        } else {
            release = self.release(held, key, at: time, cancelled: cancelled)
        }
        return true
    }

    /// Tells everyone who has to be told.
    private func release(_ held: HeldPress, _ key: KeyIdentity, at time: TraceTime, cancelled: Bool) -> Release {
        begin(at: time)
        defer { isResolving = false }
        // Under policy `chain` a pass at key-up reads nothing.
        let queries = held.queriesOnUp && profile.queryOnKeyUp && !cancelled && cachePolicy != .chain
        var release = finish(held, phase: cancelled ? .cancelled : .ended, at: time)
        if queries, let start = startResponder() {
            followChain(from: start)
            readOnRelease()
        }
        release.calls = calls
        release.shadowReads = shadowReads
        release.cache = takeAccount()
        if !pendingEffects.isEmpty { release.effects = pendingEffects }
        probe?.engine(self, reports: .keyReleased(key, release))
        return release
    }

    /// Text that comes from no key: paste, dictation, an emoji picker. `nil` when nothing takes text.
    public func insertText(_ text: String, at time: TraceTime) -> Resolution? {
        guard let first = firstResponder, let input = first.textInput, input.isEditable else { return nil }
        var resolution = Resolution(time: time, key: nil, device: 0, modifiers: heldFlags, isRepeat: false)
        begin(at: time)
        defer { isResolving = false }
        probe?.engine(self, reports: .pressBegan(resolution, start: first))
        let inserted = input.offerText(text, isTyped: false)
        resolution.outcome = .consumedByText
        resolution.takenBy = .text
        resolution.target = first
        resolution.text = input.isSecureTextEntry ? nil : inserted
        probe?.engine(self, reports: .taken(.text, by: first))
        end(&resolution, nil)
        return resolution
    }

    // MARK: Steps

    func begin(at time: TraceTime) {
        tree.now = time
        if !keyboardControl.due.isEmpty { postDueNotifications() }
        isResolving = true
        calls = CallCounts()
        shadowReads = 0
        if !pendingEffects.isEmpty { pendingEffects.removeAll() }
        if !fates.isEmpty { fates.removeAll() }
    }

    func end(_ resolution: inout Resolution, _ held: HeldPress?) {
        resolution.calls = calls
        resolution.shadowReads = shadowReads
        resolution.cache = takeAccount()
        if !pendingEffects.isEmpty { resolution.effects = pendingEffects }
        if recordedAnswers != nil { markUnrecorded(&resolution, held) }
        if let held { resolution.repeatsWhileHeld = held.repeats && held.press.phase == .began }
        guard let probe else { return }
        if probe.wantsCandidates, let held { reportCandidates(held, resolution) }
        probe.engine(self, reports: .pressEnded(resolution))
    }

    /// Steps 4 to 6 of spec §2.2.
    private func deliver(
        _ held: HeldPress, _ stroke: Stroke, from start: Responder, isModifier: Bool, into resolution: inout Resolution
    ) {
        followChain(from: start)
        resolution.cycle = chain.cycle
        if let probe, !isModifier { probe.engine(self, reports: .chain(chain.members, cycle: chain.cycle)) }
        if profile.rawPresses {
            var climbs = true
            if !isModifier, !profile.pressesSeenForMatchedCommands {
                collect(for: held, isTick: false, into: &resolution)
                climbs = resolution.candidates?.entries.allSatisfy(\.isDisabled) ?? true
            }
            if climbs, let steady = steadyMembers() {
                // None of them has code of its own for presses.
                steady._withUnsafeGuaranteedRef { held.hold($0.members) }
            } else if climbs, climb(held, start), profile.swallowBlocksSystem {
                resolution.receivers = held.receivers
                resolution.outcome = .swallowedByPresses
                resolution.takenBy = .presses
                return
            }
            resolution.receivers = held.receivers
            if isModifier { return }
            followChain(from: start)
        }
        guard !isModifier, stroke.usage != .capsLock else { return }
        held.queriesOnUp = true
        let hearsCommands = !profile.commandsNeedNoFirstResponder || firstResponder == nil
        if profile.stageOrder == .textFirst, hearsCommands, !held.didCollect {
            collect(for: held, isTick: false, into: &resolution)
        }
        for stage in stages {
            if stage == .keyCommands, !hearsCommands { continue }
            if stage == .keyCommands, !held.didCollect { collect(for: held, isTick: false, into: &resolution) }
            guard run(stage, held, stroke, into: &resolution) else { continue }
            noteRepeat(of: stage, held, &resolution)
            break
        }
        if !resolution.possible.isEmpty { markUndetermined(&resolution, held) }
    }

    private func run(
        _ stage: DeliveryStage, _ held: HeldPress, _ stroke: Stroke, into resolution: inout Resolution
    ) -> Bool {
        switch stage {
        case .priorityKeyCommands, .keyCommands: runCommands(stage, held, into: &resolution)
        case .inputMethod: runInputMethod(stroke, into: &resolution)
        case .standardEdit: runStandardKeys(earlyStandardKeys, stroke, held, into: &resolution)
        case .systemKeys: runStandardKeys(lateStandardKeys, stroke, held, into: &resolution)
        case .builtinText: runBuiltinText(stroke, into: &resolution)
        case .keyBinding: runKeyBinding(stroke, held, isLate: false, into: &resolution)
        case .lateKeyBinding: runKeyBinding(stroke, held, isLate: true, into: &resolution)
        case .text: runText(stroke, into: &resolution)
        case .focus: runFocus(stroke, into: &resolution)
        case .scroll: runScroll(stroke, into: &resolution)
        }
    }

    /// Remembers the stage for the repeats of a held key. Text, focus and scrolling repeat under every profile.
    func noteRepeat(of stage: DeliveryStage, _ held: HeldPress, _ resolution: inout Resolution) {
        held.stage = stage
        switch stage {
        case .priorityKeyCommands, .keyCommands, .standardEdit, .systemKeys:
            let isOptedOut =
                profile.honoursRepeatBehavior && resolution.command?.repeatBehavior == .nonRepeatable
            held.repeats = profile.repeats && !isOptedOut
        case .inputMethod, .builtinText, .text, .focus, .scroll:
            held.repeats = true
        case .keyBinding, .lateKeyBinding:
            // A sequence waits for another key.
            held.repeats = editableText?.input.keyBindingInterpreter?.isPending != true
        }
    }
}
