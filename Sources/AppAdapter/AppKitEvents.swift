import CObjCHooks
import FlightRecorder
import KeyModel

/// Events, one after the other and one inside the other.
extension AppKitSession {
    /// The app handles an event, which becomes the innermost one.
    func arrive(_ event: keyflight_object?) {
        finishSettling()
        beginFolds()
        // Classes of bundles that were loaded meanwhile.
        if keyflight_hooks_need_scan() { keyflight_hooks_scan() }
        if !hasRoles { readRoles() }
        let type = messages.word(event, messages.type)
        guard let event, AppKitSession.keyTypes.contains(type), let usage = usage(of: event, type) else {
            return presses.append(nil)
        }
        let isModifier = AppKitSession.isModifier(usage)
        // GNUstep's Help key comes as a key as well.
        if isModifier, type != 12 { return presses.append(nil) }
        // A release goes where its press went.
        if type != 11 { updateFocus(.unknown) }
        pauseStage()
        let flags = messages.word(event, messages.modifierFlags)
        for lost in modifiers.lost(flags, except: isModifier ? usage : nil) {
            Keyflight.key(lost, .up, isSynthetic: true)
        }
        let outer = presses.reversed().lazy.compactMap { $0 }.first?.own
        let time = messages.double(event, messages.timestamp)
        guard let phase = phase(usage, type, flags, isModifier, event, time) else {
            if let outer { Keyflight.adopt(outer) }
            resumeStage()
            return presses.append(nil)
        }
        Keyflight.key(usage, phase, systemTime: time > 0 && time < 9e9 ? UInt64(time * 1e9) : nil)
        // Nothing of it is stored, and so it is no press that something could belong to.
        guard !isEntrySecure else { return presses.append(nil) }
        // Its release is an event of the keys that it was composed of.
        if usage == AppKitSession.composed { Keyflight.key(usage, .up, isSynthetic: true) }
        // The event's window need not be the key window: that has changed, or the window gets keys without it.
        let window = messages.object(event, messages.window) ?? focus.window
        let start = window == focus.window ? focus.responder : messages.object(window, messages.firstResponder)
        var press = AppKitPress(
            own: Keyflight.currentPress, outer: outer, phase: phase, event: event, isModifier: isModifier,
            start: start.map { names.name($0) } ?? none, window: window.map { names.name($0) } ?? none,
            character: character(of: event, flags))
        if press.isResolved {
            PressCosts.begin()
            press.span = Keyflight.begin(.collect)
        }
        presses.append(press)
        if press.isResolved { SlowPresses.begin() }
    }

    /// Phase of a key event; `nil` for a release whose press was not recorded.
    private func phase(
        _ usage: KeyUsage, _ type: UInt, _ flags: UInt, _ isModifier: Bool, _ event: keyflight_object, _ time: Double
    ) -> KeyPhase? {
        if isModifier {
            guard let change = modifiers.change(usage, flags: flags) else { return nil }
            if change.isReleasedBefore { Keyflight.key(usage, .up, isSynthetic: true) }
            return change.phase
        }
        guard type == 10 else { return keys.up(usage, time: time) ? .up : nil }
        if usage == AppKitSession.composed { return .down }
        switch keys.down(usage, place: place, time: time, isMarked: messages.isTrue(event, messages.isRepeat)) {
        case .first: return .down
        case .again: return .repeat
        case .lostRelease:
            Keyflight.key(usage, .up, isSynthetic: true)
            return .down
        }
    }

    func leave() {
        guard let last = presses.popLast() else { return }
        // What settles belongs to no menu of the event around it.
        if settling != nil { resumeFolds() }
        guard let press = last else { return resumeFolds() }
        endRun()
        conclude(press)
        // What a release settles is no part of a press's time.
        let span = press.isResolved ? Keyflight.begin(.settle) : StageSpan(stage: .settle, start: 0)
        settling = (span, press.outer)
    }

    private func conclude(_ press: AppKitPress) {
        guard press.isResolved else { return }
        var press = press
        press.conclude()
        record(press)
        if let span = press.span {
            Keyflight.end(span)
            PressCosts.end(span)
        }
    }

    func record(_ press: AppKitPress, isPending: Bool = false) {
        Keyflight.endKey(
            press.outcome ?? .unhandled, press.takenBy, cAction: press.action,
            supplier: press.supplier ?? (press.hasMenuAnswer ? mainMenu : none), target: press.target ?? none,
            start: press.start, keyWindow: press.window, state: 0, chordCharacter: press.character,
            isPending: isPending)
    }

    /// The app ends inside of these messages and presses, and what is held never comes up.
    func end() {
        endMessages()
        finishSettling()
        while !presses.isEmpty { endPress() }
        for usage in keys.held.sorted(by: { $0.rawValue < $1.rawValue }) + modifiers.all {
            Keyflight.key(usage, .up, isSynthetic: true)
        }
    }

    func endPress() {
        leave()
        finishSettling()
    }

    /// Called when the app requests its next event, or continues with the event around the last one.
    func finishSettling() {
        endRun()
        guard let settling else { return }
        self.settling = nil
        resumeFolds()
        Keyflight.end(settling.span)
        PressCosts.end(settling.span, isLast: true)
        SlowPresses.end()
        guard let outer = settling.outer else { return }
        Keyflight.adopt(outer)
        resumeStage()
        if presses.last??.outcome != nil { pend() }
    }

    // MARK: Time

    /// Time inside a press, and time that a modal loop waits, is not that of the press around it.
    func pauseStage() {
        guard let last = presses.indices.last, let span = presses[last]?.span else { return }
        Keyflight.end(span)
        PressCosts.end(span, isLast: true)
        SlowPresses.end()
        presses[last]?.span = nil
    }

    func resumeStage() {
        guard let last = presses.indices.last, let press = presses[last], press.isResolved, press.span == nil else {
            return
        }
        PressCosts.begin()
        presses[last]?.span = Keyflight.begin(.action)
    }

    // MARK: Modal loops

    func beginModal(_ call: Activation) {
        place &+= 1
        pauseStage()
        guard let modal = call.argument(0) else { return }
        // A sheet's second argument is its window.
        let isSheet = call.pointee.hook.pointee.types.pointee == CChar(bitPattern: UInt8(ascii: "v"))
        let presenter = (isSheet ? call.argument(1) : focus.window) ?? modal
        presenters.append(names.name(presenter))
        Keyflight.presentation(by: names.name(presenter), of: names.name(modal))
    }

    func endModal(_ call: Activation) {
        place &+= 1
        finishSettling()
        resumeStage()
        guard call.argument(0) != nil, let presenter = presenters.popLast() else { return }
        guard !isEntrySecure else { return endedInSecureEntry.append(presenter) }
        Keyflight.presentation(by: presenter, of: nil)
    }

    func markText(_ isMarked: Bool) {
        guard isMarked != isTextMarked else { return }
        isTextMarked = isMarked
        Keyflight.markedText(isMarked)
    }

    // MARK: Roles of modifier keys

    private func readRoles() {
        hasRoles = true
        keymap = XKeymap(messages)
        if let layout = keymap?.layoutName { Keyflight.layout(layout) }
        let roles = GNUstepRoles.ofApp(messages)
        guard roles != modifiers.roles else { return }
        modifiers.roles = roles
        Keyflight.modifierRoles(roles)
    }
}
