import KeyModel

/// Raw presses and the keys that are down.
extension KeyboardEngine {
    /// Offers the press to each responder until one does not pass it on (spec EV-4). True when it was swallowed.
    func climb(_ held: PressesEvent, _ start: Responder) -> Bool {
        held.press.state.responder = start
        if followed.chain.hasGestureRecognizers { offerToGestureRecognizers(held) }
        let members = followed.members
        let probe = probe
        var count = 0
        progress.beginClimb()
        let isSwallowed = members.first { member in
            count += 1
            held.isPassedOn = false
            member.pressesBegan(held.allPresses, with: held)
            let isPassedOn = held.isPassedOn
            probe?.engine(self, reports: .pressDelivered(.began, to: member, passedOn: isPassedOn))
            return isPassedOn ? nil : true
        }
        held.receivers =
            count == members.array.count ? consume members : ResponderList(Array(members.array.prefix(count)))
        for leaving in progress.endClimb() { cancelPresses(inside: leaving, of: held) }
        return isSwallowed == true
    }

    /// Ends or cancels a press at every responder that got its began, in that order (spec EV-6).
    @discardableResult
    func finish(_ held: PressesEvent, phase: Press.Phase, at time: TraceTime) -> Release {
        held.press.state.phase = phase
        held.press.state.timestamp = time
        held.state = PressesEvent.State(timestamp: time, modifierFlags: heldKeys.flags)
        if !held.recognizers.isEmpty { endAtGestureRecognizers(held, isCancelled: phase == .cancelled) }
        let release = Release(receivers: held.receivers.take(), isCancelled: phase == .cancelled)
        let probe = probe
        release.receiverList?.first { receiver -> Never? in
            held.isPassedOn = false
            if phase == .cancelled {
                receiver.pressesCancelled(held.allPresses, with: held)
            } else {
                receiver.pressesEnded(held.allPresses, with: held)
            }
            probe?.engine(self, reports: .pressDelivered(phase, to: receiver, passedOn: held.isPassedOn))
            return nil
        }
        held.press.state.responder = nil
        return release
    }

    /// Cancels every held key and forgets the modifiers (spec EV-17).
    func cancelHeldKeys(at time: TraceTime) -> [Release] {
        heldKeys.takeAll().map { held in
            let release = finish(held, phase: .cancelled, at: time)
            // Replaced: a change in place would be checked for overlaps at every read.
            if keepsCancelled { cancelled = cancelled + [(held.key, release)] }
            return release
        }
    }

    /// Presses that went to someone inside a view that leaves its window are cancelled there (spec EV-6).
    func cancelPresses(inside leaving: Responder) {
        for held in heldKeys.presses { cancelPresses(inside: leaving, of: held) }
    }

    private func cancelPresses(inside leaving: Responder, of held: PressesEvent) {
        var (inside, others): ([Responder], [Responder]) = ([], [])
        for receiver in held.receivers?.array ?? [] {
            if receiver.isInside(leaving) { inside.append(receiver) } else { others.append(receiver) }
        }
        let recognizers = held.recognizers.filter { $0.view?.isInside(leaving) == true }
        guard !inside.isEmpty || !recognizers.isEmpty else { return }
        held.receivers = ResponderList(others)
        held.recognizers = held.recognizers.filter { recognizer in !recognizers.contains { $0 === recognizer } }
        held.press.state.phase = .cancelled
        for recognizer in recognizers { recognizer.end(held.allPresses, held, isCancelled: true) }
        for receiver in inside {
            receiver.pressesCancelled(held.allPresses, with: held)
            probe?.engine(self, reports: .pressDelivered(.cancelled, to: receiver, passedOn: true))
        }
        held.press.state.phase = .began
    }
}

extension CommandInput {
    static let period = CommandInput(".")
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
