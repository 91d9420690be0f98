public import KeyModel

/// The delivery of one key event (spec §2.2).
extension KeyboardEngine {
    /// Held modifiers, Caps Lock included (spec EV-17).
    public var modifiers: KeyModifiers { heldKeys.flags }

    /// A key goes down. `nil` for a modifier that no command hears, which yields no line (spec EV-11), and inside an
    /// action.
    public func keyDown(_ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime) -> Resolution? {
        var resolution = Resolution(time: time, key: key, device: device)
        return keyDown(&resolution) ? resolution : nil
    }

    /// The key of this resolution goes down, on its keyboard and at its time, and is resolved where it is: a replay
    /// would copy what is returned three times.
    /// - Returns: false where there is no resolution.
    package func keyDown(_ resolution: inout Resolution) -> Bool {
        guard let key = resolution.key else { return false }
        let (device, time) = (resolution.device, resolution.time)
        if let usage = key.usage { heldKeys.apply(usage, .down, device: device) }
        guard !progress.isResolving else { return false }
        let isModifier = key.usage?.isModifier == true
        // AppKit reports modifiers by `flagsChanged:`, which comes to nothing.
        if let appKit = profile.appKit, isModifier || appKit.isLock(key.usage) { return false }
        if key.usage != nil, let again = heldKeys.take(key, device) { finish(again, phase: .ended, at: time) }
        resolution.modifiers = heldKeys.flags
        let held = PressesEvent(
            key, device: device, stroke: rules.stroke(key, flags: heldKeys.flags), at: time)
        resolve(held, isModifier: isModifier, into: &resolution)
        return !isModifier || resolution.isMatchedModifier
    }

    private func resolve(_ held: PressesEvent, isModifier: Bool, into resolution: inout Resolution) {
        resolution.character = held.stroke.characters.plain
        begin(at: resolution.time)
        if !isModifier, profile.insertionDuplicate == .exception, !isRecorded { buildMenuOfLaunch() }
        if !isModifier, !menu.unreported.isEmpty { reportMenu() }
        var start = startResponder()
        followed.hadStart = start != nil
        if !isModifier {
            if profile.laterDownEndsRepeat { heldKeys.endRepeats() }
            probe?.engine(self, reports: .pressBegan(resolution, start: start))
        }
        // Held before it is delivered: its own action may take a receiver out of its window, deactivate the app or
        // change the commands that its repeats would use.
        heldKeys.append(held)
        if held.stroke.isReserved {
            keepForSystem(from: start, into: &resolution)
        } else {
            let observed = profile.observesApplicationCommands ? observe(held) : []
            if !observed.isEmpty { start = startResponder() }
            if let start = consume start {
                deliver(held, from: start, isModifier: isModifier, into: &resolution)
            } else {
                resolution.outcome = .noStart
            }
            note(observed, held, &resolution)
        }
        if !isModifier || resolution.isMatchedModifier { end(&resolution, held) }
        progress.isResolving = false
    }

    /// What building the menu left out before this press.
    private func reportMenu() {
        let effects = menu.unreported
        menu.unreported = []
        for effect in effects { report(effect) }
    }

    /// A held key repeats (spec EV-13). `nil` when this key does not repeat, or no longer.
    public func repeatTick(_ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime) -> Resolution? {
        if let appKit = profile.appKit { return repeatTick(key, device, in: appKit, at: time) }
        guard let held = repeating(key, device), held.stage != nil || !generatesRepeats else { return nil }
        var (resolution, start) = beginRepeat(of: held, key, device, at: time)
        defer { progress.isResolving = false }
        guard let start else {
            resolution.outcome = .noStart
            end(&resolution, held)
            return resolution
        }
        followChain(from: start)
        resolution.cycle = followed.chain.cycle
        if held.didCollect { collect(for: held, isTick: true, into: &resolution) }
        // A repeat reruns the one stage that took the press, so no command could have had it instead.
        resolution.possible = []
        if let stage = held.stage, held.repeats {
            if run(stage, held, held.stroke, into: &resolution) { noteRepeat(of: stage, held, resolution) }
        } else if held.isUndecided {
            resolution.outcome = .unrecorded
        }
        end(&resolution, held)
        return resolution
    }

    /// Repeats come by the profile's rate, and not from a recording.
    package var generatesRepeats: Bool { !isRecorded || recordedAnswers?.recordsRepeats != true }

    func repeating(_ key: KeyIdentity, _ device: UInt16) -> PressesEvent? {
        generatesRepeats ? heldKeys.repeating(key, device) : heldKeys.press(key, device)
    }

    /// A repeat that nothing has resolved yet, and the first responder to be asked. The caller ends `isResolving`.
    func beginRepeat(
        of held: PressesEvent, _ key: KeyIdentity, _ device: UInt16, at time: TraceTime
    ) -> (resolution: Resolution, start: Responder?) {
        var resolution = Resolution(
            time: time, key: key, device: device, modifiers: held.stroke.flags.union(heldKeys.flags), isRepeat: true)
        resolution.character = held.stroke.characters.plain
        begin(at: time)
        let start = startResponder()
        followed.hadStart = start != nil
        probe?.engine(self, reports: .pressBegan(resolution, start: start))
        return (resolution, start)
    }

    /// A key comes up, or is cancelled by its source: its receivers get it in order, whichever responder is first now
    /// (spec §2.2). `nil` when it was not held.
    public func keyUp(_ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime, cancelled: Bool = false) -> Release? {
        if let usage = key.usage { heldKeys.apply(usage, .up, device: device) }
        guard let held = heldKeys.take(key, device) else { return nil }
        return release(held, at: time, cancelled: cancelled)
    }

    private func release(_ held: PressesEvent, at time: TraceTime, cancelled: Bool) -> Release {
        begin(at: time)
        var release = finish(held, phase: cancelled ? .cancelled : .ended, at: time)
        complete(&release, of: held)
        return release
    }

    private func complete(_ release: inout Release, of held: PressesEvent) {
        // Under policy `chain` a pass at key-up reads nothing.
        let queries = held.queriesOnUp && profile.queryOnKeyUp && !release.isCancelled && cachePolicy != .chain
        if queries, let start = startResponder() {
            followChain(from: start)
            readOnRelease()
        }
        release.calls = progress.calls
        release.shadowReads = progress.shadowReads
        checkPressLists()
        release.cache = cache.takeCounts()
        if progress.hasLists { release.effects = progress.effects }
        progress.isResolving = false
    }

    /// Text that comes from no key: paste, dictation, an emoji picker. `nil` when nothing takes text.
    public func insertText(_ text: String, at time: TraceTime) -> Resolution? {
        guard let first = firstResponder, let input = first.textInput, input.isEditable else { return nil }
        var resolution = Resolution(time: time, key: nil, device: 0, modifiers: heldKeys.flags, isRepeat: false)
        begin(at: time)
        defer { progress.isResolving = false }
        probe?.engine(self, reports: .pressBegan(resolution, start: first))
        let inserted = input.offerText(text, isTyped: false)
        resolution.outcome = .consumedByText
        resolution.takenBy = .text
        resolution.target = first
        resolution.text = input.isSecureTextEntry ? nil : inserted
        end(&resolution, nil)
        return resolution
    }

    // MARK: Steps

    func begin(at time: TraceTime) {
        tree.now = time
        if !tree.due.isEmpty { tree.runDue() }
        progress.begin()
    }

    func end(_ resolution: inout Resolution, _ held: PressesEvent?) {
        if isRecorded { markUnrecorded(&resolution, held) }
        if resolution.candidates == nil, profile.appKit == nil, let held {
            readUnmetCommands(of: held, into: &resolution)
        }
        resolution.calls = progress.calls
        resolution.shadowReads = progress.shadowReads
        checkPressLists()
        resolution.cache = cache.takeCounts()
        if progress.hasLists { (resolution.messages, resolution.effects) = (progress.messages, progress.effects) }
        if held?.repeats == true, held?.press.phase == .began { resolution.repeatsWhileHeld = generatesRepeats }
        if probe?.wantsCandidates == true, let held { reportCandidates(held, resolution) }
    }

    /// The system keeps the key: no responder gets it, and none is asked.
    private func keepForSystem(from start: Responder?, into resolution: inout Resolution) {
        resolution.takenBy = .system
        guard let start else { return }
        followChain(from: start)
        resolution.cycle = followed.chain.cycle
        probe?.engine(self, reports: .chain(followed.members.array, cycle: followed.chain.cycle))
    }

    /// Steps 4 to 6 of spec §2.2.
    private func deliver(
        _ held: PressesEvent, from start: Responder, isModifier: Bool, into resolution: inout Resolution
    ) {
        let stroke = held.stroke
        if let appKit = profile.appKit { return deliver(held, stroke, in: appKit, from: start, into: &resolution) }
        followChain(from: start)
        resolution.cycle = followed.chain.cycle
        if let probe, !isModifier {
            probe.engine(self, reports: .chain(followed.members.array, cycle: followed.chain.cycle))
        }
        if profile.rawPresses {
            var climbs = true
            if !isModifier, let stage = runBeforePresses(held, stroke, climbs: &climbs, into: &resolution) {
                return noteRepeat(of: stage, held, resolution)
            }
            let isSwallowed = climbs && climb(held, start)
            resolution.receiverList = held.receivers
            if isSwallowed, profile.swallowBlocksSystem {
                swallow(held, isRepeat: false, into: &resolution)
                if runSwallower(held, into: &resolution) { noteRepeat(of: .swallower, held, resolution) }
                return
            }
            followChain(from: start)
        }
        guard !isModifier, stroke.usage != .capsLock else {
            return hear(held, stroke, isModifier: isModifier, into: &resolution)
        }
        held.queriesOnUp = true
        if profile.stageOrder == .textFirst, !held.didCollect {
            collect(for: held, isTick: false, into: &resolution)
        }
        var (takesText, isPage) = (false, false)
        if let first = firstResponder {
            (takesText, isPage) = (first.textInput != nil, first.interpretsKeysAsPage)
        }
        let stages = isPage ? rules.stagesInPage : rules.stages
        let taken = stages.firstIndex { stage in
            if stage.isOfText, !takesText { return false }
            if stage == .keyCommands, !held.didCollect { collect(for: held, isTick: false, into: &resolution) }
            return run(stage, held, stroke, into: &resolution)
        }
        if let taken {
            noteRepeat(of: stages[taken], held, resolution)
        } else if runCloseOfWindow(stroke, held, into: &resolution) {
            noteRepeat(of: .systemKeys, held, resolution)
        }
        if !resolution.possible.isEmpty {
            markUndetermined(&resolution, held, passed: stages.prefix(taken ?? stages.count))
        }
    }

    /// The stage that takes the key before any responder gets `pressesBegan` of it; `climbs` is false for a key that a
    /// later stage takes without that.
    private func runBeforePresses(
        _ held: PressesEvent, _ stroke: Stroke, climbs: inout Bool, into resolution: inout Resolution
    ) -> DeliveryStage? {
        guard commandsComeBeforePresses(stroke) else {
            climbs = !textComesBeforePresses(stroke)
            return nil
        }
        if profile.commandsBeforePresses == .unlessKeyInput, runSystemMenu(stroke, held, into: &resolution) {
            return .systemKeys
        }
        collect(for: held, isTick: false, into: &resolution)
        // A command that text comes before does not take the key from anyone.
        let losesToText = textComesBeforeCommands(stroke)
        let isTaken = resolution.candidates?.entries.contains { !$0.isDisabled && ($0.isPriority || !losesToText) }
        climbs = isTaken != true && !textComesBeforePresses(stroke)
        guard climbs, profile.macMenus else { return nil }
        // The items of the Mac's menu are key equivalents (spec §15).
        for stage: DeliveryStage in [.systemKeys, .standardEdit, .builtinText]
        where run(stage, held, stroke, into: &resolution) { return stage }
        return runCloseOfWindow(stroke, held, into: &resolution) ? .systemKeys : nil
    }

    /// Text, or an input method in it, takes the key unless a command has priority.
    private func textComesBeforeCommands(_ stroke: Stroke) -> Bool {
        guard profile.stageOrder == .textFirst, let (responder, input) = editableText else { return false }
        if input.markedText != nil, stroke.flags.isDisjoint(with: [.command, .control]) { return true }
        return responder.interpretsKeysAsPage ? isTextCommand(stroke) : textEdit(stroke) != nil
    }

    /// A key that a command matches goes to it and to no `pressesBegan`: on the Mac, one with Control or Command
    /// (spec I26-1, I27-5).
    private func commandsComeBeforePresses(_ stroke: Stroke) -> Bool {
        switch profile.commandsBeforePresses {
        case .never: false
        case .unlessKeyInput: firstResponder?.textInput == nil && firstResponder?.interpretsKeysAsPage != true
        case .always: !profile.macMenus || !stroke.flags.isDisjoint(with: [.control, .command])
        }
    }

    /// On the Mac text types before anyone hears of a press.
    private func textComesBeforePresses(_ stroke: Stroke) -> Bool {
        profile.macMenus && profile.commandsBeforePresses == .always && editableText != nil && textEdit(stroke) != nil
    }

    func run(
        _ stage: DeliveryStage, _ held: PressesEvent, _ stroke: Stroke, into resolution: inout Resolution
    ) -> Bool {
        switch stage {
        case .priorityKeyCommands, .keyCommands: runCommands(stage, held, into: &resolution)
        case .inputMethod: runInputMethod(stroke, into: &resolution)
        case .standardEdit: runStandardKeys(isEarly: true, stroke, held, into: &resolution)
        case .systemKeys: runStandardKeys(isEarly: false, stroke, held, into: &resolution)
        case .builtinText: runBuiltinText(stroke, into: &resolution)
        case .keyBinding: runKeyBinding(stroke, held, isLate: false, into: &resolution)
        case .lateKeyBinding: runKeyBinding(stroke, held, isLate: true, into: &resolution)
        case .text: runText(stroke, into: &resolution)
        case .textCommand: isTextCommand(stroke) && runText(stroke, into: &resolution)
        case .focus: runFocus(stroke, into: &resolution)
        case .scroll: runScroll(stroke, into: &resolution)
        case .swallower: runSwallower(held, into: &resolution)
        }
    }

    private func runSwallower(_ held: PressesEvent, into resolution: inout Resolution) -> Bool {
        guard held.stroke.usage != .capsLock,
            held.receivers?.array.last?.handlesKeyPress(held.press, isRepeat: true) == true
        else { return false }
        swallow(held, isRepeat: true, into: &resolution)
        return true
    }

    private func swallow(_ held: PressesEvent, isRepeat: Bool, into resolution: inout Resolution) {
        let isHandled = held.receivers?.array.last?.handlesKeyPress(held.press, isRepeat: isRepeat) == true
        resolution.outcome = isHandled ? .handledByKeyPress : .swallowedByPresses
        resolution.takenBy = .presses
    }

    private func isOptedOut(_ held: PressesEvent, _ resolution: borrowing Resolution) -> Bool {
        guard profile.honoursRepeatBehavior, let command = resolution.decided?.command else { return false }
        switch command.effectiveRepeatBehavior {
        case .nonRepeatable: return true
        case .repeatable: return false
        case .automatic: return rules.isExceptedFromRepeats(held.stroke)
        }
    }

    /// Remembers the stage for the repeats of a held key. Text, focus and scrolling repeat under every profile.
    private func noteRepeat(of stage: DeliveryStage, _ held: PressesEvent, _ resolution: borrowing Resolution) {
        held.stage = stage
        switch stage {
        case .priorityKeyCommands, .keyCommands, .standardEdit, .systemKeys:
            held.repeats = profile.repeats && !isOptedOut(held, resolution)
        case .inputMethod, .builtinText, .text, .textCommand, .focus, .scroll, .swallower:
            held.repeats = true
        case .keyBinding, .lateKeyBinding:
            // A sequence waits for another key.
            held.repeats = editableText?.input.keyBindingInterpreter?.isPending != true
        }
    }
}
