import CObjCHooks
import FlightRecorder
import KeyModel
import Libc

/// A key event as UIKit delivers it.
private struct UIKitKey {
    var usage: KeyUsage
    var phase: KeyPhase
    /// Seconds of uptime.
    var time: Double
    /// Held modifiers as `UIKeyModifierFlags`; `nil` where the event has none.
    var flags: UInt?
    /// The `UIPress`, where there is one.
    var press: keyflight_object?
}

extension UIKitSession {
    func arrive(_ event: keyflight_object?, isEarly: Bool) {
        let keys = keys(of: event, isEarly: isEarly)
        guard let last = keys.last else { return enter(UIKitEvent()) }
        arrive(keys, last)
    }

    /// UIKit may cancel presses without an event. It is handled as one while the responders get the cancel.
    func arriveCancel(of presses: keyflight_object?) {
        guard climb.depth == 0 else { return }
        var keys: [UIKitKey] = []
        messages.forEach(in: messages.object(presses, messages.allObjects)) { press in
            guard var key = key(of: press, isRepeat: false), downTimes.value(of: key.usage) != nil else { return }
            key.phase = .cancel
            keys.append(key)
        }
        guard let last = keys.last else { return }
        arrive(keys, last)
        events[events.count - 1].isCancelAlone = true
    }

    private func arrive(_ keys: [UIKitKey], _ last: UIKitKey) {
        let isModifier = last.usage.isModifier || last.usage == .capsLock
        if let known = lastArrival, known == (last.usage, last.phase, last.time) {
            // It came by `handleKeyUIEvent:`; the press around this event, if any, goes on.
            let press = last.phase == .down || last.phase == .repeat ? open : nil
            return enter(UIKitEvent(press: press, isKey: true, isModifier: isModifier))
        }
        lastArrival = (last.usage, last.phase, last.time)
        concludeOpen()
        let outer = events.isEmpty ? nil : Keyflight.currentPress
        updateContext(press: last.phase == .down ? last.press : nil)
        for key in keys { record(key) }
        var arrived = UIKitEvent(outer: outer, isKey: true, isModifier: isModifier)
        if last.phase == .down || last.phase == .repeat, !isModifier {
            arrived.press = begin(last.usage)
            arrived.press?.action = earlyAction
        }
        earlyAction = nil
        enter(arrived)
    }

    private func enter(_ event: UIKitEvent) {
        events.append(event)
        events[events.count - 1].outerClimb = climb
        climb = UIKitClimb()
    }

    private func record(_ key: UIKitKey) {
        releaseLost(key)
        let isRelease = key.phase == .up || key.phase == .cancel
        if key.usage.isModifier {
            if isRelease { heldModifiers.remove(key.usage) } else { heldModifiers.insert(key.usage) }
        }
        if isRelease { held.set(nil, of: key.usage) }
        if key.phase != .repeat { downTimes.set(isRelease ? nil : key.time, of: key.usage) }
        Keyflight.key(key.usage, key.phase, systemTime: systemTime(key.time))
    }

    /// Releases get lost when the app is left by a shortcut: what the flags do not have is held no more.
    private func releaseLost(_ key: UIKitKey) {
        guard let flags = key.flags else { return }
        for usage in heldModifiers where usage != key.usage {
            guard flags & UInt(ModifierRoles.physical[usage].rawValue) == 0 else { continue }
            heldModifiers.remove(usage)
            Keyflight.key(usage, .up, isSynthetic: true)
        }
    }

    /// The event has been handled. A press inside another one ends with its event.
    func leave() {
        guard let event = events.popLast() else { return }
        climb = event.outerClimb
        guard event.isKey else { return }
        if let press = event.press, press === open {
            if press.action != nil { conclude(press) }
            if event.outer != nil { conclude(press) }
        }
        guard events.isEmpty else {
            if let outer = event.outer {
                open = events.last { $0.press != nil }?.press
                Keyflight.adopt(outer)
            }
            return
        }
        suppliers.isStale = true
    }

    /// Concludes the last press, unless its event is still being handled.
    func concludeOpen() {
        guard let press = open, !events.contains(where: { $0.press === press }) else { return }
        conclude(press)
        open = nil
    }

    // MARK: Fields of an event

    private func keys(of event: keyflight_object?, isEarly: Bool) -> [UIKitKey] {
        guard let event else { return [] }
        var keys: [UIKitKey] = []
        // UIEventTypePresses. Keyboard events of `handleKeyUIEvent:` have a type of their own.
        if isEarly || messages.word(event, messages.type) == 3 {
            let presses = messages.object(messages.object(event, messages.allPresses), messages.allObjects)
            let isRepeat = isEarly && !UIKitSession.isSimulator && messages.isTrue(event, messages.privateIsRepeat)
            messages.forEach(in: presses) { press in
                if let key = key(of: press, isRepeat: isRepeat) { keys.append(key) }
            }
            keys.sort { $0.time < $1.time }
            // Keys that are held may be in the set again.
            let new = keys.filter { $0.phase != .down || downTimes.value(of: $0.usage) != $0.time }
            keys = new.isEmpty ? keys.suffix(1) : new
        }
        if isEarly, keys.isEmpty, !UIKitSession.isSimulator, let key = physicalKey(of: event) { keys.append(key) }
        return keys
    }

    private func key(of press: keyflight_object, isRepeat: Bool) -> UIKitKey? {
        guard let key = messages.object(press, messages.key) else { return nil }
        let phase: KeyPhase
        switch messages.word(press, messages.phase) {
        case 0: phase = isRepeat ? .repeat : .down
        case 3: phase = .up
        case 4: phase = .cancel
        // Stationary is a key that is held beside the one that the event is about.
        case 2 where isRepeat: phase = .repeat
        default: return nil
        }
        let code = UInt16(truncatingIfNeeded: messages.word(key, messages.keyCode))
        return UIKitKey(
            usage: .keyboard(code), phase: phase, time: messages.double(press, messages.timestamp),
            flags: messages.word(key, messages.modifierFlags), press: press)
    }

    /// A keyboard event before iOS 13.4, whose presses have no key.
    private func physicalKey(of event: keyflight_object) -> UIKitKey? {
        guard keyflight_responds(event, messages.privateKeyCode) else { return nil }
        let code = UInt16(truncatingIfNeeded: messages.word(event, messages.privateKeyCode))
        let isDown = messages.isTrue(event, messages.privateIsKeyDown)
        let isRepeat = messages.isTrue(event, messages.privateIsRepeat)
        return UIKitKey(
            usage: .keyboard(code), phase: isDown ? (isRepeat ? .repeat : .down) : .up,
            time: messages.double(event, messages.timestamp),
            flags: keyflight_responds(event, messages.privateModifierFlags)
                ? messages.word(event, messages.privateModifierFlags) : nil)
    }

    /// Reading the private key code of events of the simulator's keyboard crashes.
    private static let isSimulator = getenv("SIMULATOR_UDID") != nil

    /// UIKit's clock stops while the device sleeps; CLOCK_MONOTONIC on Darwin does not.
    private func systemTime(_ seconds: Double) -> UInt64? {
        let uptime = seconds * 1e9
        guard uptime > 0, uptime < 9e18 else { return nil }
        #if canImport(Darwin)
        let slept = clock_gettime_nsec_np(CLOCK_MONOTONIC) &- clock_gettime_nsec_np(CLOCK_UPTIME_RAW)
        return UInt64(uptime) &+ slept
        #else
        return UInt64(uptime)
        #endif
    }
}
