/// A press that is being handled, to hand over to another thread.
public struct RecordedPress: Hashable, Sendable {
    let thread: UInt32
    let ordinal: UInt32
}

/// What a press was resolved to, in the words of a trace.
public struct RecordedResolution {
    public var outcome: Outcome
    public var takenBy: TakenBy?
    /// Whose command decided; `nil` for the main menu and where none did.
    public var supplier: AnyObject?
    /// Who performed the action, or took the text.
    public var target: AnyObject?
    /// Selector by name.
    public var action: String?
    /// Where the chain began.
    public var start: AnyObject?
    public var keyWindow: AnyObject?
    /// A hash of the app's state afterwards, where it has one.
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
    /// A key event, handled by the closure, which says what it was resolved to (`nil`: nothing to tell, as for most
    /// releases).
    @inlinable @inline(__always) public static func handle<E: Error>(
        _ usage: KeyUsage, _ phase: KeyPhase, device: UInt16 = 1, systemTime: UInt64? = nil,
        _ body: () throws(E) -> RecordedResolution?
    ) throws(E) {
        key(usage, phase, device: device, systemTime: systemTime)
        if let resolution = try body() { endKey(resolution) }
    }

    /// A key event whose end `endKey` tells. The press can be handed to another thread.
    @inlinable @inline(__always) @discardableResult public static func beginKey(
        _ usage: KeyUsage, _ phase: KeyPhase, device: UInt16 = 1, systemTime: UInt64? = nil
    ) -> RecordedPress {
        key(usage, phase, device: device, systemTime: systemTime)
        return currentPress
    }

    /// What the press that this thread handles was resolved to.
    public static func endKey(_ resolution: RecordedResolution) {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 1) else { return }
        let buffer = threadBuffer(word)
        let responders = (
            supplier: buffer.responder(resolution.supplier), target: buffer.responder(resolution.target),
            start: buffer.responder(resolution.start), window: buffer.responder(resolution.keyWindow)
        )
        let action = buffer.text(resolution.action)
        endKey(buffer, resolution.outcome, resolution.takenBy, responders, action, resolution.state)
    }

    package static func endKey(
        _ outcome: Outcome, _ takenBy: TakenBy?, cAction: UnsafePointer<CChar>?, supplier: RecordedResponder,
        target: RecordedResponder, state: UInt64
    ) {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 1) else { return }
        let buffer = threadBuffer(word)
        endKey(buffer, outcome, takenBy, (supplier.number, target.number, 0, 0), buffer.text(cAction), state)
    }

    private static func endKey(
        _ buffer: UnsafeMutablePointer<ThreadBuffer>, _ outcome: Outcome, _ takenBy: TakenBy?,
        _ responders: (supplier: UInt32, target: UInt32, start: UInt32, window: UInt32), _ action: UInt32,
        _ state: UInt64
    ) {
        let now = buffer.begin()
        buffer.append(
            .resolution, at: now, small: UInt16(outcome.rawValue), wide: takenBy.map { UInt32($0.rawValue) + 1 } ?? 0,
            more: 4, UInt64(responders.supplier) | UInt64(responders.target) << 32,
            UInt64(responders.start) | UInt64(responders.window) << 32, UInt64(action), state)
    }

    /// The press that this thread handles.
    public static var currentPress: RecordedPress {
        let word = switchWord
        guard word & RecorderSwitch.on != 0 else { return RecordedPress(thread: 0, ordinal: 0) }
        let buffer = threadBuffer(word)
        return RecordedPress(thread: buffer.pointee.ring.number, ordinal: buffer.pointee.keys.current)
    }

    /// What this thread records from now on belongs to a press of another thread, until its next key event.
    public static func adopt(_ press: RecordedPress) {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, press.ordinal != 0 else { return }
        let buffer = threadBuffer(word)
        let now = buffer.begin()
        buffer.append(.adopt, at: now, more: 1, UInt64(press.thread) | UInt64(press.ordinal) << 32)
    }

    /// A responder got the raw press, and passed it on or not.
    public static func received(_ responder: AnyObject, _ phase: KeyPhase, isSwallowed: Bool = false) {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 1) else { return }
        let buffer = threadBuffer(word)
        let number = buffer.responder(responder)
        let now = buffer.begin()
        buffer.append(
            .receiver, at: now, small: UInt16(phase.rawValue) | (isSwallowed ? 1 << 8 : 0), more: 1, UInt64(number))
    }
}
