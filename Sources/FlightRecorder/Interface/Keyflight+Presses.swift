/// A press that is being handled, to hand over to another thread.
public struct RecordedPress: Hashable, Sendable {
    let thread: UInt32
    let ordinal: UInt32

    init(thread: UInt32, ordinal: UInt32) {
        self.thread = thread
        self.ordinal = ordinal
    }

    /// The press as one number, for C; 0 for none.
    package var number: UInt64 { ordinal == 0 ? 0 : UInt64(thread) << 32 | UInt64(ordinal) }
    package init(number: UInt64) {
        thread = UInt32(truncatingIfNeeded: number >> 32)
        ordinal = UInt32(truncatingIfNeeded: number)
    }
}

/// Resolution of a press, in the words of a trace.
public struct RecordedResolution {
    public var outcome: Outcome
    public var takenBy: TakenBy?
    /// Supplier of the deciding command; `nil` for the main menu and where none did.
    public var supplier: AnyObject?
    /// The command that decided.
    public var command: (any RecordedCommand)?
    /// The object that performed the action, or took the text.
    public var target: AnyObject?
    /// Selector by name.
    public var action: String?
    /// Start of the chain.
    public var start: AnyObject?
    public var keyWindow: AnyObject?
    /// `charactersIgnoringModifiers`, and what was inserted: stored only where keys are shown.
    public var character: String?
    public var text: String?
    /// A hash of the app's state afterwards; 0 where it has none.
    public var state: UInt64 = 0

    public init(
        _ outcome: Outcome, by takenBy: TakenBy? = nil, action: String? = nil, supplier: AnyObject? = nil,
        target: AnyObject? = nil
    ) {
        self.outcome = outcome
        self.takenBy = takenBy
        self.action = action
        self.supplier = supplier
        self.target = target
    }
}

extension Keyflight {
    /// A key event, handled by the closure, which returns its resolution (`nil`: nothing to record, as for most
    /// releases). A key event inside, as in an event loop that the closure runs, is a press of its own: after it the
    /// thread handles this one again.
    @inlinable @inline(__always) public static func handle<E: Error>(
        _ usage: KeyUsage, _ phase: KeyPhase, device: UInt16 = 1, systemTime: UInt64? = nil,
        _ body: () throws(E) -> RecordedResolution?
    ) throws(E) {
        var handling = isRecording ? beginHandling() : nil
        key(usage, phase, device: device, systemTime: systemTime)
        handling?.own = currentPress
        defer { if let handling { endHandling(handling) } }
        if let resolution = try body() {
            if let handling { resume(handling) }
            endKey(resolution)
        }
    }

    /// A key event that `endKey` ends. The press can be passed to another thread.
    @inlinable @inline(__always) @discardableResult public static func beginKey(
        _ usage: KeyUsage, _ phase: KeyPhase, device: UInt16 = 1, systemTime: UInt64? = nil
    ) -> RecordedPress {
        key(usage, phase, device: device, systemTime: systemTime)
        return currentPress
    }

    /// Resolution of the press that this thread handles.
    public static func endKey(_ resolution: RecordedResolution) {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 1) else { return }
        let buffer = threadBuffer(word)
        let responders = (
            supplier: buffer.responder(resolution.supplier), target: buffer.responder(resolution.target),
            start: buffer.responder(resolution.start), window: buffer.responder(resolution.keyWindow)
        )
        let isShown = buffer.pointee.keys.showsKeys
        let names = (
            action: buffer.text(resolution.action), command: number(buffer, resolution.command),
            character: isShown ? buffer.text(resolution.character) : 0, text: isShown ? buffer.text(resolution.text) : 0
        )
        endKey(buffer, resolution.outcome, resolution.takenBy, responders, names, resolution.state)
    }

    private static func number(
        _ buffer: UnsafeMutablePointer<ThreadBuffer>, _ command: (any RecordedCommand)?
    ) -> UInt32 {
        guard let command else { return 0 }
        return buffer.command(command)
    }

    package static func endKey(
        _ outcome: Outcome, _ takenBy: TakenBy?, cAction: UnsafePointer<CChar>?, command: NumberedCommand? = nil,
        cCharacter: UnsafePointer<CChar>? = nil, cText: UnsafePointer<CChar>? = nil,
        supplier: RecordedResponder, target: RecordedResponder, start: RecordedResponder, keyWindow: RecordedResponder,
        state: UInt64
    ) {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 1) else { return }
        let buffer = threadBuffer(word)
        let isShown = buffer.pointee.keys.showsKeys
        let names = (
            action: buffer.text(cAction), command: command?.number ?? 0,
            character: isShown ? buffer.text(cCharacter) : 0, text: isShown ? buffer.text(cText) : 0
        )
        endKey(
            buffer, outcome, takenBy, (supplier.number, target.number, start.number, keyWindow.number), names, state)
    }

    private static func endKey(
        _ buffer: UnsafeMutablePointer<ThreadBuffer>, _ outcome: Outcome, _ takenBy: TakenBy?,
        _ responders: (supplier: UInt32, target: UInt32, start: UInt32, window: UInt32),
        _ names: (action: UInt32, command: UInt32, character: UInt32, text: UInt32), _ state: UInt64
    ) {
        buffer.record(
            .resolution, small: UInt16(outcome.rawValue), wide: takenBy.map { UInt32($0.rawValue) + 1 } ?? 0,
            more: 5, UInt64(responders.supplier) | UInt64(responders.target) << 32,
            UInt64(responders.start) | UInt64(responders.window) << 32,
            UInt64(names.action) | UInt64(names.command) << 32, state,
            UInt64(names.character) | UInt64(names.text) << 32)
    }

    /// The press that this thread handles.
    public static var currentPress: RecordedPress {
        let word = switchWord
        guard word & RecorderSwitch.on != 0 else { return RecordedPress(thread: 0, ordinal: 0) }
        let buffer = threadBuffer(word)
        return buffer.currentPress
    }

    /// Assigns later records of this thread to this press, of another thread or an earlier one of its own,
    /// until its next key event.
    public static func adopt(_ press: RecordedPress) {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, press.ordinal != 0 else { return }
        threadBuffer(word).adopt(press)
    }

    /// Assigns later records of this thread to no press, until its next key event.
    package static func leavePress() {
        let word = switchWord
        guard word & RecorderSwitch.on != 0 else { return }
        let buffer = threadBuffer(word)
        guard buffer.pointee.keys.current != 0 else { return }
        buffer.adopt(RecordedPress(thread: buffer.pointee.ring.number, ordinal: 0))
    }

    @usableFromInline static func beginHandling() -> KeyHandling? {
        let word = switchWord
        guard word & RecorderSwitch.on != 0 else { return nil }
        let buffer = threadBuffer(word)
        let isInside = buffer.pointee.handling > 0
        buffer.pointee.handling &+= 1
        return KeyHandling(
            generation: RecorderSwitch.generation(word), depth: buffer.pointee.depth,
            outer: isInside ? buffer.currentPress : nil)
    }

    /// The event's closure has ended: around it, the thread handles what it handled before.
    @usableFromInline static func endHandling(_ handling: KeyHandling) {
        guard let buffer = buffer(of: handling) else { return }
        if buffer.pointee.handling > 0 { buffer.pointee.handling -= 1 }
        buffer.pointee.depth = handling.depth
        if let outer = handling.outer, outer != buffer.currentPress { buffer.adopt(outer) }
    }

    /// The thread handles the event's press again, where it handles another one.
    @usableFromInline static func resume(_ handling: KeyHandling) {
        guard let buffer = buffer(of: handling), let own = handling.own, own != buffer.currentPress else { return }
        buffer.adopt(own)
    }

    /// `nil` when something ended since: a recording, a pause, a secure entry.
    private static func buffer(of handling: KeyHandling) -> UnsafeMutablePointer<ThreadBuffer>? {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.generation(word) == handling.generation else { return nil }
        return threadBuffer(word)
    }

    /// A gesture recogniser of this kind, attached to `responder`, was asked about the raw press, and took it or not.
    public static func gesture(
        _ recognizer: @autoclosure () -> String, on responder: AnyObject, _ phase: KeyPhase, isTaken: Bool
    ) {
        entry(1) { buffer in
            let numbers = (responder: buffer.responder(responder), recognizer: buffer.text(recognizer()))
            buffer.record(
                .gesture, small: UInt16(phase.rawValue) | (isTaken ? 1 << 8 : 0), more: 1,
                UInt64(numbers.responder) | UInt64(numbers.recognizer) << 32)
        }
    }

    package static func gesture(
        cRecognizer: UnsafePointer<CChar>, on responder: RecordedResponder, _ phase: KeyPhase, isTaken: Bool
    ) {
        entry(1) { buffer in
            let recognizer = buffer.text(cRecognizer)
            buffer.record(
                .gesture, small: UInt16(phase.rawValue) | (isTaken ? 1 << 8 : 0), more: 1,
                UInt64(responder.number) | UInt64(recognizer) << 32)
        }
    }

    /// A responder got the raw press, and passed it on or not.
    public static func received(_ responder: AnyObject, _ phase: KeyPhase, isSwallowed: Bool = false) {
        entry(1) { buffer in
            let number = buffer.responder(responder)
            buffer.record(
                .receiver, small: UInt16(phase.rawValue) | (isSwallowed ? 1 << 8 : 0), more: 1, UInt64(number))
        }
    }

    public static func received(_ responder: RecordedResponder, _ phase: KeyPhase, isSwallowed: Bool = false) {
        entry(1) { buffer in
            buffer.record(
                .receiver, small: UInt16(phase.rawValue) | (isSwallowed ? 1 << 8 : 0), more: 1,
                UInt64(responder.number))
        }
    }
}

/// A key event whose closure runs.
@usableFromInline struct KeyHandling {
    /// Generation of the switch when it began.
    let generation: UInt32
    /// Calls that had begun then and not ended.
    let depth: UInt32
    /// The press that the thread handled then, inside the closure of another event; `nil` outside of such closures.
    let outer: RecordedPress?
    @usableFromInline var own: RecordedPress?
}

extension UnsafeMutablePointer where Pointee == ThreadBuffer {
    var currentPress: RecordedPress {
        let current = pointee.keys.current
        return current == HeldKeyCells.adopted
            ? pointee.adopted : RecordedPress(thread: pointee.ring.number, ordinal: current)
    }

    func adopt(_ press: RecordedPress) {
        let isOwn = press.thread == pointee.ring.number
        pointee.keys.current = isOwn ? press.ordinal : HeldKeyCells.adopted
        if !isOwn { pointee.adopted = press }
        record(.adopt, more: 1, UInt64(press.thread) | UInt64(press.ordinal) << 32)
    }
}
