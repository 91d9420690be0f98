public import CRecorderSupport
public import KeyModel

/// Messages that hooks of a toolkit see. They are recorded at level `calls` of recordings with
/// `RecorderOptions.recordsInvocations`, in the press that is open on the calling thread, if any.
extension Keyflight {
    /// The result of a message.
    public enum InvocationAnswer: Hashable, Sendable {
        /// The message has no result.
        case nothing
        case no, yes
        case responder(RecordedResponder)
        /// A list of this length.
        case list(Int)
    }

    /// The recorder's clock, in its own unit: when a message began.
    @inlinable @inline(__always) public static func now() -> UInt64 { keyflight_ticks() }

    /// Records a message when it has returned.
    /// - Parameters:
    ///   - kind: the question or event that the message is about.
    ///   - receiver: the object that got it.
    ///   - selector: the message; for messages about a selector (`InvocationKind.isAboutSelector`) that selector.
    ///     Those, the sender and the path are not stored of masked presses.
    ///   - sender: the object that sent an action.
    ///   - answer: its result.
    ///   - began: `now()` before the message.
    ///   - ended: `now()` when it returned, where it is recorded later.
    ///   - depth: the number of recorded messages that enclose it.
    ///   - count: the number of messages that the record represents, those inside it that were not recorded included.
    ///   - path: the path of the menu item that answered, as titles that may be stored.
    public static func invocation(
        _ kind: InvocationKind, of receiver: RecordedResponder, selector: RecordedName?,
        sender: RecordedResponder? = nil, answer: InvocationAnswer = .nothing, began: UInt64,
        ended: UInt64? = nil, depth: UInt8 = 0, count: Int = 1, path: RecordedName? = nil
    ) {
        guard let buffer = buffer(3), let now = buffer.begin() else { return }
        let (code, value) = answer.entry
        let ended = ended ?? now
        buffer.append(
            .invocation, at: now, small: UInt16(kind.rawValue) | code << 8,
            wide: UInt32(depth) | UInt32(clamping: min(count, 0xFF_FFFF)) << 8, more: 4,
            halves(receiver.number, selector?.number ?? 0), halves(sender?.number ?? 0, path?.number ?? 0),
            ended > began ? ended &- began : 0, UInt64(value))
    }
}

extension Keyflight.InvocationAnswer {
    /// Encoding that `RecordAssembly` reads.
    @inline(__always) fileprivate var entry: (code: UInt16, value: UInt32) {
        switch self {
        case .nothing: (0, 0)
        case .no: (1, 0)
        case .yes: (2, 0)
        case .responder(let responder): (3, responder.number)
        case .list(let count): (4, UInt32(clamping: count))
        }
    }
}
