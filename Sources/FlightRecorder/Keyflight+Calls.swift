import CMonotonicClock

/// A question to a responder that has been asked and not answered.
public struct CallSpan: Sendable {
    package let start: UInt64
    package let kind: CallKind
    package let pass: UInt16
    package let responder: UInt32
    package let action: UInt32
    /// The generation of the switch when it began: an answer after a pause, after a secure entry or in another
    /// recording is not recorded.
    package let generation: UInt32

    package init(
        start: UInt64, generation: UInt32, kind: CallKind, pass: UInt16, responder: UInt32, action: UInt32
    ) {
        self.start = start
        self.generation = generation
        self.kind = kind
        self.pass = pass
        self.responder = responder
        self.action = action
    }

    /// Begun while nothing is recorded.
    static let none = CallSpan(start: 0, generation: 0, kind: .keyCommands, pass: 0, responder: 0, action: 0)
}

/// The wrappers: short enough to stand in an override.
extension Keyflight {
    /// `keyCommands` of a responder, with the list that it gives. `pass`: 1-based pass over the chain, where the host
    /// knows it.
    ///
    ///     override var keyCommands: [KeyCommand] { Keyflight.keyCommands(of: self) { super.keyCommands + tabs } }
    @inlinable @inline(__always) public static func keyCommands<C: RecordedCommand>(
        of responder: AnyObject, pass: Int = 0, _ body: () -> [C]
    ) -> [C] {
        guard isRecording else { return body() }
        let span = beginCall(.keyCommands, of: responder, pass: pass)
        let commands = body()
        end(span, commands)
        return commands
    }

    /// `canPerformAction`, with its answer.
    @inlinable @inline(__always) public static func canPerform(
        _ action: @autoclosure () -> String, on responder: AnyObject, _ body: () -> Bool
    ) -> Bool {
        guard isRecording else { return body() }
        return answered(beginCall(.canPerformAction, of: responder, action: action()), body())
    }

    /// `validate` of the command with this action; true when it stays as it is.
    @inlinable @inline(__always) public static func validate(
        _ action: @autoclosure () -> String, on responder: AnyObject, _ body: () -> Bool
    ) -> Bool {
        guard isRecording else { return body() }
        return answered(beginCall(.validate, of: responder, action: action()), body())
    }

    /// `buildMenu` of a responder.
    @inlinable @inline(__always) public static func buildMenu<R>(of responder: AnyObject, _ body: () -> R) -> R {
        guard isRecording else { return body() }
        let span = beginCall(.buildMenu, of: responder)
        let result = body()
        end(span)
        return result
    }

    /// The call that `span` begins is made by the second argument.
    @usableFromInline static func answered(_ span: CallSpan, _ answer: Bool) -> Bool {
        end(span, answer)
        return answer
    }
}

/// Begin and end apart, for calls that a closure cannot wrap.
extension Keyflight {
    public static func beginCall(
        _ kind: CallKind, of responder: AnyObject, action: String? = nil, pass: Int = 0
    ) -> CallSpan {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 3) else { return .none }
        let buffer = threadBuffer(word)
        return beginCall(buffer, kind, buffer.responder(responder), buffer.text(action), pass)
    }

    public static func beginCall(
        _ kind: CallKind, of responder: RecordedResponder, action: String? = nil, pass: Int = 0
    ) -> CallSpan {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 3) else { return .none }
        let buffer = threadBuffer(word)
        return beginCall(buffer, kind, responder.number, buffer.text(action), pass)
    }

    package static func beginCall(
        _ kind: CallKind, of responder: RecordedResponder, cAction: UnsafePointer<CChar>?, pass: Int
    ) -> CallSpan {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 3) else { return .none }
        let buffer = threadBuffer(word)
        return beginCall(buffer, kind, responder.number, buffer.text(cAction), pass)
    }

    private static func beginCall(
        _ buffer: UnsafeMutablePointer<ThreadBuffer>, _ kind: CallKind, _ responder: UInt32, _ action: UInt32,
        _ pass: Int
    ) -> CallSpan {
        buffer.pointee.depth &+= 1
        let generation = RecorderSwitch.generation(buffer.pointee.word)
        return CallSpan(
            start: keyflight_ticks(), generation: generation, kind: kind, pass: UInt16(clamping: pass),
            responder: responder, action: action)
    }

    /// The answer was a list of key commands.
    public static func end<C: RecordedCommand>(_ span: CallSpan, _ commands: [C]) {
        if span.start != 0 { end(span, answer: 3) { $0.list(commands) } }
    }

    /// The answer was a list of so many key commands, which are asked for by their places.
    package static func end(_ span: CallSpan, count: Int, _ command: (Int) -> CommandStrings) {
        if span.start != 0 { end(span, answer: 3) { $0.list(count, command) } }
    }

    /// The answer was yes or no.
    public static func end(_ span: CallSpan, _ answer: Bool) {
        if span.start != 0 { end(span, answer: answer ? 2 : 1) { _ in 0 } }
    }

    /// There was no answer to tell.
    public static func end(_ span: CallSpan) {
        if span.start != 0 { end(span, answer: 0) { _ in 0 } }
    }

    /// `answer`: 0 none, 1 no, 2 yes, 3 a list, whose number is looked up after the clock was read: what recording an
    /// answer costs is not part of the call.
    @inline(__always) private static func end(
        _ span: CallSpan, answer: UInt16, _ list: (UnsafeMutablePointer<ThreadBuffer>) -> UInt32
    ) {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 3),
            RecorderSwitch.generation(word) == span.generation
        else { return }
        let buffer = threadBuffer(word)
        let now = buffer.begin()
        if buffer.pointee.depth > 0 { buffer.pointee.depth -= 1 }
        let depth = UInt32(UInt16(truncatingIfNeeded: buffer.pointee.depth))
        let list = list(buffer)
        buffer.append(
            .call, at: now, small: UInt16(span.kind.rawValue) | answer << 8, wide: UInt32(span.pass) | depth << 16,
            more: 3, UInt64(span.responder) | UInt64(list) << 32, UInt64(span.action),
            now > span.start ? now &- span.start : 0)
    }
}
