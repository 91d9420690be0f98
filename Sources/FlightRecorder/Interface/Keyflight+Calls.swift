import Atomics
import CRecorderSupport

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
    /// Number of enclosing calls, and the thread, by the last 16 bits of its number.
    package let depth: UInt16
    package let thread: UInt16

    package init(
        start: UInt64, generation: UInt32, kind: CallKind, pass: UInt16, responder: UInt32, action: UInt32,
        depth: UInt16, thread: UInt16
    ) {
        self.start = start
        self.generation = generation
        self.kind = kind
        self.pass = pass
        self.responder = responder
        self.action = action
        self.depth = depth
        self.thread = thread
    }

    /// Begun while nothing is recorded.
    static let none = CallSpan(
        start: 0, generation: 0, kind: .keyCommands, pass: 0, responder: 0, action: 0, depth: 0, thread: 0)
}

/// The wrappers: short enough for an override.
extension Keyflight {
    /// `keyCommands` of a responder, with the list that it returns. `pass`: 1-based pass over the chain, where the host
    /// has it.
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

    /// Records the answer of the call that `span` begins, which the second argument makes.
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
        guard let buffer = buffer(3) else { return .none }
        return beginCall(buffer, kind, buffer.responder(responder), buffer.text(action), pass)
    }

    public static func beginCall(
        _ kind: CallKind, of responder: RecordedResponder, action: String? = nil, pass: Int = 0
    ) -> CallSpan {
        guard let buffer = buffer(3) else { return .none }
        return beginCall(buffer, kind, responder.number, buffer.text(action), pass)
    }

    package static func beginCall(
        _ kind: CallKind, of responder: RecordedResponder, cAction: UnsafePointer<CChar>?, pass: Int
    ) -> CallSpan {
        guard let buffer = buffer(3) else { return .none }
        return beginCall(buffer, kind, responder.number, buffer.text(cAction), pass)
    }

    private static func beginCall(
        _ buffer: UnsafeMutablePointer<ThreadBuffer>, _ kind: CallKind, _ responder: UInt32, _ action: UInt32,
        _ pass: Int
    ) -> CallSpan {
        let depth = buffer.pointee.depth
        buffer.pointee.depth = depth &+ 1
        let generation = RecorderSwitch.generation(buffer.pointee.word)
        return CallSpan(
            start: keyflight_ticks(), generation: generation, kind: kind, pass: UInt16(clamping: pass),
            responder: responder, action: action, depth: UInt16(clamping: depth),
            thread: UInt16(truncatingIfNeeded: buffer.pointee.ring.number))
    }

    /// The answer was a list of key commands. The cost of reading it is not part of the call; the trace has it
    /// with the costs of the recorder.
    public static func end<C: RecordedCommand>(_ span: CallSpan, _ commands: [C]) { end(span) { $0.list(commands) } }

    /// The answer was a list of `count` key commands, which are read by index.
    package static func end(_ span: CallSpan, count: Int, _ command: (Int) -> CommandStrings) {
        end(span) { $0.list(count, command) }
    }

    /// The answer was a list of key commands, which are read from the answer by `commands`, after the call.
    package static func end(_ span: CallSpan, reading commands: () -> [CommandStrings]) {
        end(span) { buffer in
            let commands = commands()
            return buffer.list(commands.count) { commands[$0] }
        }
    }

    /// `list`: looks up the number of the answer.
    @inline(__always) private static func end(
        _ span: CallSpan, _ list: (UnsafeMutablePointer<ThreadBuffer>) -> UInt32
    ) {
        guard span.start != 0, let buffer = leave(span) else { return }
        let ended = keyflight_ticks()
        let head = buffer.pointee.head
        let list = list(buffer)
        guard let now = buffer.begin() else { return }
        let cost = now > ended ? now &- ended : 0
        // The entry's time is when the call ended, unless that is so long ago, or has been followed by entries of the
        // commands' own, that it would not be found where it belongs.
        let isRecent = cost < CallSpan.longestLook && buffer.pointee.head == head
        buffer.append(span, ended: ended, at: isRecent ? ended : now, answer: 3, list)
        let spent = buffer.pointee.ring.spent
        spent.store(spent.load(ordering: .relaxed) &+ cost, ordering: .relaxed)
    }

    /// The answer was yes or no.
    public static func end(_ span: CallSpan, _ answer: Bool) { end(span, answer: answer ? 2 : 1) }

    /// Ends a call without an answer.
    public static func end(_ span: CallSpan) { end(span, answer: 0) }

    @inline(__always) private static func end(_ span: CallSpan, answer: UInt16) {
        guard span.start != 0, let buffer = leave(span), let now = buffer.begin() else { return }
        buffer.append(span, ended: now, at: now, answer: answer, 0)
    }

    /// The calls that follow are no deeper than this one was, whether or not its end is recorded. Where it is: the
    /// buffer to record it in.
    @inline(__always) private static func leave(_ span: CallSpan) -> UnsafeMutablePointer<ThreadBuffer>? {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.generation(word) == span.generation else { return nil }
        let buffer = threadBuffer(word)
        if UInt16(truncatingIfNeeded: buffer.pointee.ring.number) == span.thread {
            buffer.pointee.depth = UInt32(span.depth)
        }
        return RecorderSwitch.includes(word, 3) ? buffer : nil
    }
}

extension CallSpan {
    /// In ticks. Less than half of `EpochMerge.grace` on all processors that count cycles.
    fileprivate static let longestLook: UInt64 = 400_000
}

extension UnsafeMutablePointer where Pointee == ThreadBuffer {
    /// `answer`: 0 none, 1 no, 2 yes, 3 the list with this number.
    @inline(__always) fileprivate func append(
        _ span: CallSpan, ended: UInt64, at time: UInt64, answer: UInt16, _ list: UInt32
    ) {
        append(
            .call, at: time, small: UInt16(span.kind.rawValue) | answer << 8,
            wide: UInt32(span.pass) | UInt32(span.depth) << 16, more: 3, halves(span.responder, list),
            UInt64(span.action), ended > span.start ? ended &- span.start : 0)
    }
}
