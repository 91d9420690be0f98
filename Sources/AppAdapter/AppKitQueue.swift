import CObjCHooks
import FlightRecorder
import KeyModel

/// The event of a key between the app's queue and `sendEvent:`.
struct UnsentEvent {
    let event: keyflight_object
    /// Number of events that were handled when it was taken, with itself.
    let depth: Int
    /// Taken by a modal loop of the toolkit's own, which sends what is for its window and discards the others.
    let isOfModalLoop: Bool
}

extension UnsafeMutablePointer where Pointee == keyflight_activation {
    /// The event that is asked for is taken from the queue, and does not stay there. The last of four arguments.
    var isDequeued: Bool { UInt8(truncatingIfNeeded: pointee.arguments[3]) != 0 }
}

/// A press begins when the app takes its event from the queue: not all are sent to the application after that.
extension AppKitSession {
    /// `NSKeyDown`, `NSKeyUp`, `NSFlagsChanged`.
    static let keyTypes: ClosedRange<UInt> = 10...12

    func took(_ call: Activation) {
        guard call.isDequeued, !call.pointee.is_unwound, let event = call.resultObject,
            AppKitSession.keyTypes.contains(messages.word(event, messages.type))
        else { return }
        let outer = call.pointee.outer.flatMap { AppKitMessage(context: HookRow.context($0)) }
        var isOfModalLoop = true
        if case .nextEvent = outer { isOfModalLoop = false }
        arrive(event)
        unsent.append(UnsentEvent(event: event, depth: presses.count, isOfModalLoop: isOfModalLoop))
    }

    func send(_ event: keyflight_object?) {
        if let last = unsent.last, last.event == event, last.depth == presses.count {
            unsent.removeLast()
        } else {
            arrive(event)
        }
        sent.append(presses.count)
    }

    /// The event is handled.
    func leaveSent() { if sent.popLast() != nil { leave() } }

    /// The app takes another event: the one that it took before and has not sent is handled.
    func leaveUnsent() { leaveUnsent(above: presses.count - 1) }

    /// What was taken inside of these events and not sent is handled.
    func leaveUnsent(above depth: Int) {
        while let last = unsent.last, last.depth > depth {
            unsent.removeLast()
            guard last.depth == presses.count else { continue }
            presses[last.depth - 1]?.take(last.isOfModalLoop ? .discarded : .performed, .eventLoop)
            leave()
            finishSettling()
            typing?.modalLoopGoesOn(self, hasNewWindow: false)
        }
    }

    // MARK: Keys

    static func isModifier(_ usage: KeyUsage) -> Bool {
        usage.isModifier || usage == .capsLock || usage == .keypadNumLock
    }

    /// A character that was composed of several keys, as with a dead key: its event has the code 0, and theirs never
    /// come.
    static let composed = Keyflight.unnamedKey(.compose, 0)

    /// X's key codes are those of Linux and 8. A modifier key is known by its symbol, and a key that types text by a
    /// code without a usage by its class; `nil` for a modifier key without a usage.
    func usage(of event: keyflight_object, _ type: UInt) -> KeyUsage? {
        let code = UInt16(truncatingIfNeeded: messages.word(event, messages.keyCode))
        let ofCode = code < 8 ? nil : EvdevCodes.usage(of: code - 8)
        let isModifier = type == 12 || ofCode.map(AppKitSession.isModifier) ?? false
        if isModifier, let keymap {
            let bySymbol = keymap.usage(of: code)
            if bySymbol != nil || type == 12 { return bySymbol ?? ofCode }
        } else if let ofCode {
            return ofCode
        }
        if type == 11 { return unnamed.removeValue(forKey: code) }
        guard type == 10 else { return nil }
        if code == 0 { return AppKitSession.composed }
        let text = messages.text(messages.object(event, messages.charactersIgnoringModifiers))
        let usage = AppKitSession.kind(of: text).map { Keyflight.unnamedKey($0, UInt8(truncatingIfNeeded: code)) }
        unnamed[code] = usage ?? KeyUsage(page: KeyUsage.codePage, usage: code < 8 ? code : code - 8)
        return unnamed[code]
    }

    /// `nil` for keys without Command or Control, which may be text. AppKit does not ignore Shift: that of a letter can
    /// be taken back, and of another key only the layout knows what it has without.
    func character(of event: keyflight_object, _ flags: UInt) -> RecordedName? {
        guard flags & (1 << 18 | 1 << 20) != 0 else { return nil }
        let text = messages.text(messages.object(event, messages.charactersIgnoringModifiers))
        guard let kind = AppKitSession.kind(of: text) else { return nil }
        guard flags & 1 << 17 != 0 else { return RecordedName(text) }
        return kind == .letter ? RecordedName(text.lowercased()) : nil
    }

    /// Class of a key by its text; `nil` for none, and for AppKit's function keys.
    private static func kind(of text: String) -> TextKeyClass? {
        guard let character = text.first, let scalar = text.unicodeScalars.first, scalar.value >= 0x20,
            !(0xF700...0xF8FF).contains(scalar.value)
        else { return nil }
        if character.isLetter { return .letter }
        if character.isNumber { return .digit }
        return character.isWhitespace ? .space : .punctuation
    }
}
