import KeyModel

/// Raw presses and the keys that are down.
extension KeyboardEngine {
    /// Offers the press to each responder until one does not pass it on (spec EV-4). True when it was swallowed.
    func climb(_ held: HeldPress, _ start: Responder) -> Bool {
        probe?.engine(self, reports: .stageBegan(.presses))
        held.press.responder = start
        if chain.hasGestureRecognizers { offerToGestureRecognizers(held) }
        let members = chain.members
        let (presses, event, probe) = (held.presses, held.event, probe)
        var count = 0
        var isSwallowed = false
        leftWhileClimbing = nil
        isClimbing = true
        members.forEachBorrowed { member in
            count += 1
            event.isPassedOn = false
            member.pressesBegan(presses, with: event)
            isSwallowed = !event.isPassedOn
            probe?.engine(self, reports: .pressDelivered(.began, to: member, passedOn: !isSwallowed))
            return !isSwallowed
        }
        held.receivers = count == members.count ? members : Array(members.prefix(count))
        isClimbing = false
        if let left = leftWhileClimbing {
            leftWhileClimbing = nil
            for leaving in left { cancelPresses(inside: leaving, of: held) }
        }
        probe?.engine(self, reports: .stageEnded(.presses))
        return isSwallowed
    }

    /// Ends or cancels a press at everyone who got its began, in that order (spec EV-6), and keeps its object for
    /// another press.
    @discardableResult
    func finish(_ held: HeldPress, phase: Press.Phase, at time: TraceTime) -> Release {
        held.press.phase = phase
        held.press.timestamp = time
        held.event.timestamp = time
        held.event.modifierFlags = heldFlags
        if !held.recognizers.isEmpty { endAtGestureRecognizers(held, isCancelled: phase == .cancelled) }
        let receivers = held.receivers
        let (presses, event, probe) = (held.presses, held.event, probe)
        receivers.forEachBorrowed { receiver in
            event.isPassedOn = false
            if phase == .cancelled {
                receiver.pressesCancelled(presses, with: event)
            } else {
                receiver.pressesEnded(presses, with: event)
            }
            probe?.engine(self, reports: .pressDelivered(phase, to: receiver, passedOn: event.isPassedOn))
            return true
        }
        return putAway(held, receivers, isCancelled: phase == .cancelled)
    }

    @inline(__always)
    private func putAway(_ held: HeldPress, _ receivers: [Responder], isCancelled: Bool) -> Release {
        held.disown()
        held.receivers = []
        held.press.responder = nil
        if held.commands != nil { held.commands = nil }
        putAside(held)
        return Release(receivers: receivers, isCancelled: isCancelled)
    }

    /// Keeps the object for another press. While something is resolved none is let go: an action may end its own
    /// press.
    func putAside(_ held: HeldPress) {
        if spareHeld.count < 8 || isResolving { spareHeld.append(held) }
    }

    /// Ends a press of whose receivers none has to be told.
    @inline(__always)
    func release(_ held: HeldPress, at time: TraceTime, into release: inout Release) {
        tree.now = time
        held.press.phase = .ended
        held.press.responder = nil
        release.begin(held.receivers, cache: takeAccount())
        if let plan = held.plan, !isResolving, plan._withUnsafeGuaranteedRef({ $0.giveBack(held) }) { return }
        held.disown()
        held.receivers = []
        putAside(held)
    }

    /// Begins a press with an object that may have been another's.
    func begin(_ held: HeldPress, _ key: KeyIdentity, _ device: UInt16, _ stroke: Stroke, at time: TraceTime) {
        held.begin(key, device: device, stroke: stroke, at: time)
        guard held.press.tableNumber != tableNumber else { return }
        held.press.table = keyTable
        held.press.tableNumber = tableNumber
    }

    func takeSpare() -> HeldPress { spareHeld.popLast() ?? HeldPress() }

    @inline(__always)
    func isHeld(_ code: UInt64) -> Bool {
        held.withUnsafeBufferPointer { held in
            for index in held.indices {
                let isIt = Unmanaged.passUnretained(held[index])._withUnsafeGuaranteedRef { $0.code == code }
                if isIt { return true }
            }
            return false
        }
    }

    /// Takes the oldest held press of this key: masked keys of one class cannot be told apart.
    @inline(__always)
    func takeHeld(_ key: KeyIdentity, _ device: UInt16) -> HeldPress? {
        if held.isEmpty { return nil }
        let code = HeldPress.code(key, device)
        // What went down last comes up first, most often; a key in clear is held once.
        let last = held.count - 1
        let isLast = Unmanaged.passUnretained(held[last])._withUnsafeGuaranteedRef { $0.code == code }
        guard isLast, last == 0 || key.usage != nil else { return takeFromHeld(code) }
        heldRemovals &+= 1
        return held.removeLast()
    }

    private func takeFromHeld(_ code: UInt64) -> HeldPress? {
        let place = held.firstIndex { $0.code == code }
        guard let place else { return nil }
        heldRemovals &+= 1
        return held.remove(at: place)
    }

    /// Cancels every held key and forgets the modifiers (spec EV-17).
    func cancelHeldKeys(at time: TraceTime) -> [Release] {
        let all = held
        held = []
        heldRemovals &+= 1
        modifierState = ModifierState()
        return all.map { held in
            let release = finish(held, phase: .cancelled, at: time)
            if keepsCancelled { cancelled.append((held.key, release)) }
            probe?.engine(self, reports: .keyReleased(held.key, release))
            return release
        }
    }

    /// Presses that went to someone inside a view that leaves its window are cancelled there (spec EV-6).
    func cancelPresses(inside leaving: Responder) {
        for held in held { cancelPresses(inside: leaving, of: held) }
    }

    private func cancelPresses(inside leaving: Responder, of held: HeldPress) {
        let (inside, others) = held.receivers.reduce(into: ([Responder](), [Responder]())) { parts, receiver in
            if receiver.isInside(leaving) { parts.0.append(receiver) } else { parts.1.append(receiver) }
        }
        let recognizers = held.recognizers.filter { $0.view?.isInside(leaving) == true }
        guard !inside.isEmpty || !recognizers.isEmpty else { return }
        held.press.keepResponder()
        held.disown()
        held.receivers = others
        held.recognizers.removeAll { recognizer in recognizers.contains { $0 === recognizer } }
        held.press.phase = .cancelled
        for recognizer in recognizers { recognizer.end(held.presses, held.event, isCancelled: true) }
        for receiver in inside {
            receiver.pressesCancelled(held.presses, with: held.event)
            probe?.engine(self, reports: .pressDelivered(.cancelled, to: receiver, passedOn: true))
        }
        held.press.phase = .began
    }

    /// The event as the app sees it: ⌘. is Escape (spec EV-2).
    func stroke(_ key: KeyIdentity) -> Stroke {
        guard case .clear(let usage) = key else {
            return Stroke(usage: nil, maskedClass: key.maskedClass, flags: heldFlags)
        }
        let isOfPad = usage.isKeypad || profile.arrowsCarryNumericPad && usage.isArrow
        let flags = isOfPad ? heldFlags.union(.numericPad) : heldFlags
        let characters = keyTable.characters(usage)
        if profile.commandDotIsEscape, flags.intersection(.matchMask) == .command,
            characters.shortcut == CommandInput.period
        {
            return Stroke(
                usage: .escape, flags: flags.subtracting([.command, .numericPad]),
                characters: keyTable.characters(.escape))
        }
        return Stroke(usage: usage, flags: flags, characters: characters)
    }

    /// Keys that the system keeps for itself (spec MT-13).
    func isReserved(_ stroke: Stroke) -> Bool {
        guard stroke.flags.contains(.command), profile.systemKeysReserved else { return false }
        let input = stroke.characters.shortcut
        switch stroke.matchFlags {
        case .command: return input == .ascii("h") || input == .ascii("\t") || input == .ascii(" ")
        case [.command, .shift]:
            // Digits need Shift on some layouts.
            let shifted = stroke.characters.shiftedShortcut
            return input == .ascii("\t") || input == .ascii("3") || input == .ascii("4") || shifted == .ascii("3")
                || shifted == .ascii("4")
        default: return false
        }
    }
}

extension CommandInput {
    static let period = CommandInput(".")
}

extension [Responder] {
    /// The same array, not only the same responders.
    @inline(__always)
    package func isSameArray(as other: [Responder]) -> Bool {
        withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress } }
            && count == other.count
    }

    /// The same objects in the same order.
    func isSame(as other: [Responder]) -> Bool {
        withUnsafeBufferPointer { own in
            other.withUnsafeBufferPointer { other in
                guard own.count == other.count, own.baseAddress != other.baseAddress else {
                    return own.count == other.count
                }
                for index in own.indices where own[index] !== other[index] { return false }
                return true
            }
        }
    }

    /// Calls `body` with each until it answers false. The array keeps its members alive, so none of them is retained
    /// on its own: that is most of what a step along the chain would cost.
    @inline(__always)
    func forEachBorrowed(_ body: (Responder) -> Bool) {
        withExtendedLifetime(self) {
            for index in indices {
                let goesOn = Unmanaged.passUnretained(self[index])._withUnsafeGuaranteedRef { body($0) }
                if !goesOn { return }
            }
        }
    }
}

extension Responder {
    /// True when the chain from here comes by the other one.
    final func isInside(_ other: Responder) -> Bool {
        var walk = ChainWalk(from: self)
        while let responder = walk.step() {
            if responder === other { return true }
            if responder is Window { return false }
        }
        return false
    }
}
