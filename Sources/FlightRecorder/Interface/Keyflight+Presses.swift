import CRecorderSupport

/// A press that is being handled, to hand over to another thread.
public struct RecordedPress: Hashable, Sendable {
    let thread: UInt32
    let ordinal: UInt32

    init(thread: UInt32, ordinal: UInt32) {
        self.thread = thread
        self.ordinal = ordinal
    }

    /// The press as one number, for C; 0 for none.
    package var number: UInt64 { ordinal == 0 ? 0 : halves(ordinal, thread) }
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
        guard let buffer = buffer(1) else { return }
        let responders = (
            supplier: buffer.responder(resolution.supplier), target: buffer.responder(resolution.target),
            start: buffer.responder(resolution.start), window: buffer.responder(resolution.keyWindow)
        )
        let isShown = buffer.pointee.keys.showsKeys
        let names = (
            action: buffer.text(resolution.action), command: resolution.command.map { buffer.command($0) } ?? 0,
            character: isShown ? buffer.text(resolution.character) : 0, text: isShown ? buffer.text(resolution.text) : 0
        )
        endKey(buffer, resolution.outcome, resolution.takenBy, responders, names, resolution.state)
    }

    /// - Parameter chordCharacter: of a key with ⌘ or ⌃, which types no text; stored where the key itself is.
    /// - Parameter isPending: the press is not over, and this is how it ends if its process does.
    package static func endKey(
        _ outcome: Outcome, _ takenBy: TakenBy?, cAction: UnsafePointer<CChar>?, command: NumberedCommand? = nil,
        cCharacter: UnsafePointer<CChar>? = nil, cText: UnsafePointer<CChar>? = nil,
        supplier: RecordedResponder, target: RecordedResponder, start: RecordedResponder, keyWindow: RecordedResponder,
        state: UInt64, chordCharacter: RecordedName? = nil, isPending: Bool = false
    ) {
        guard let buffer = buffer(1) else { return }
        let isShown = buffer.pointee.keys.showsKeys
        let names = (
            action: buffer.text(cAction), command: command?.number ?? 0,
            character: chordCharacter?.number ?? (isShown ? buffer.text(cCharacter) : 0),
            text: isShown ? buffer.text(cText) : 0
        )
        let responders = (supplier.number, target.number, start.number, keyWindow.number)
        guard isPending else { return endKey(buffer, outcome, takenBy, responders, names, state) }
        let press = halves(buffer.currentPress.thread, buffer.currentPress.ordinal)
        let words = [
            halves(responders.0, responders.1), halves(responders.2, responders.3), halves(names.action, names.command),
            state, halves(names.character, names.text), press,
        ]
        for (place, word) in words.enumerated() { buffer.pointee.ring.pending[2 + place] = word }
        keyflight_signal_fence()
        buffer.pointee.ring.pending[1] = head(outcome, takenBy)
    }

    /// What was pending is not stored.
    package static func forgetPendingResolution() { buffer(1)?.pointee.ring.pending[1] = 0 }

    private static func head(_ outcome: Outcome, _ takenBy: TakenBy?) -> UInt64 {
        EntryHead.word(
            .resolution, words: 7, small: UInt16(outcome.rawValue), wide: takenBy.map { UInt32($0.rawValue) + 1 } ?? 0)
    }

    private static func endKey(
        _ buffer: UnsafeMutablePointer<ThreadBuffer>, _ outcome: Outcome, _ takenBy: TakenBy?,
        _ responders: (supplier: UInt32, target: UInt32, start: UInt32, window: UInt32),
        _ names: (action: UInt32, command: UInt32, character: UInt32, text: UInt32), _ state: UInt64
    ) {
        buffer.pointee.ring.pending[1] = 0
        buffer.record(
            .resolution, small: UInt16(outcome.rawValue), wide: takenBy.map { UInt32($0.rawValue) + 1 } ?? 0,
            more: 5, halves(responders.supplier, responders.target), halves(responders.start, responders.window),
            halves(names.action, names.command), state, halves(names.character, names.text))
    }

    /// The press that this thread handles.
    public static var currentPress: RecordedPress {
        buffer(0)?.currentPress ?? RecordedPress(thread: 0, ordinal: 0)
    }

    /// Assigns later records of this thread to this press, of another thread or an earlier one of its own,
    /// until its next key event.
    public static func adopt(_ press: RecordedPress) {
        if press.ordinal != 0 { buffer(0)?.adopt(press) }
    }

    /// Assigns later records of this thread to no press, until its next key event.
    package static func leavePress() {
        guard let buffer = buffer(0), buffer.pointee.keys.current != 0 else { return }
        buffer.adopt(RecordedPress(thread: buffer.pointee.ring.number, ordinal: 0))
    }

    @usableFromInline static func beginHandling() -> KeyHandling? {
        guard let buffer = buffer(0) else { return nil }
        let isInside = buffer.pointee.handling > 0
        buffer.pointee.handling &+= 1
        return KeyHandling(
            generation: RecorderSwitch.generation(buffer.pointee.word), depth: buffer.pointee.depth,
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
        entry(1) { $0.record(.gesture, phase, isTaken, halves($0.responder(responder), $0.text(recognizer()))) }
    }

    package static func gesture(
        cRecognizer: UnsafePointer<CChar>, on responder: RecordedResponder, _ phase: KeyPhase, isTaken: Bool
    ) {
        entry(1) { $0.record(.gesture, phase, isTaken, halves(responder.number, $0.text(cRecognizer))) }
    }

    /// A responder got the raw press, and passed it on or not.
    public static func received(_ responder: AnyObject, _ phase: KeyPhase, isSwallowed: Bool = false) {
        entry(1) { $0.record(.receiver, phase, isSwallowed, UInt64($0.responder(responder))) }
    }

    public static func received(_ responder: RecordedResponder, _ phase: KeyPhase, isSwallowed: Bool = false) {
        entry(1) { $0.record(.receiver, phase, isSwallowed, UInt64(responder.number)) }
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
        record(.adopt, more: 1, halves(press.thread, press.ordinal))
    }

    /// An entry about a raw press: the phase, and whether the press went no further.
    @inline(__always) fileprivate func record(_ kind: EntryKind, _ phase: KeyPhase, _ isEnd: Bool, _ names: UInt64) {
        record(kind, small: UInt16(phase.rawValue) | (isEnd ? 1 << 8 : 0), more: 1, names)
    }
}
