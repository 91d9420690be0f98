public import KeyModel
public import TraceFormat
import TracePresses

/// Messages of one kind to one receiver, as an explanation shows them: one line, however many there were. A menu is the
/// receiver `mainMenu`, however many menus it has.
public struct AskedMessage: Hashable, Sendable {
    public enum Answer: Hashable, Sendable {
        /// The message has no result.
        case nothing
        case no, yes
        case responder(String)
        /// A list of so many things.
        case list(UInt32)
    }

    public var kind: InvocationKind
    public var occasion: CallOccasion
    public var receiver: String
    /// Kind or class name; empty where unknown.
    public var receiverKind: String
    public var selector: String?
    public var sender: String?
    /// The latest that is no `no`, or `no`.
    public var answer: Answer
    /// The path of the menu item that answered.
    public var path: String?
    /// How many recorded messages it was sent inside of, at least.
    public var depth: UInt8
    public var count: UInt64
    /// Of those that were not inside another one of these.
    public var duration: TraceDuration
    /// When the first one began.
    public var time: TraceTime
}

extension TracePress {
    /// The messages of the press in the order in which they began.
    func askedMessages(_ names: TraceDefinitions) -> [AskedMessage] {
        var places: [Question: Int] = [:]
        var messages: [AskedMessage] = []
        for (record, end) in zip(invocations, invocationTimes) {
            let question = Question(record)
            let begin = TraceTime(nanoseconds: max(0, end.nanoseconds &- max(0, record.duration.nanoseconds)))
            guard let place = places[question] else {
                places[question] = messages.count
                messages.append(AskedMessage(record, begin: begin, names))
                continue
            }
            messages[place].fold(AskedMessage(record, begin: begin, names))
        }
        return messages.enumerated().sorted { a, b in
            let (one, other) = (a.element, b.element)
            if one.time != other.time { return one.time < other.time }
            return one.depth != other.depth ? one.depth < other.depth : a.offset < b.offset
        }.map(\.element)
    }

    /// What messages of one line have in common.
    private struct Question: Hashable {
        var kind: InvocationKind
        var occasion: CallOccasion
        var responder: ResponderRef
        var selector: StringRef?

        init(_ record: InvocationRecord) {
            (kind, occasion, responder) = (record.kind, record.occasion, record.responder)
            selector = record.kind.isAboutSelector ? record.selector : nil
        }
    }
}

extension AskedMessage {
    fileprivate init(_ record: InvocationRecord, begin: TraceTime, _ names: TraceDefinitions) {
        let answer: Answer =
            switch record.answer {
            case .nothing: .nothing
            case .no: .no
            case .yes: .yes
            case .responder(let responder): .responder(names.id(of: responder) ?? "")
            case .list(let count): .list(count)
            }
        self.init(
            kind: record.kind, occasion: record.occasion, receiver: names.id(of: record.responder) ?? "",
            receiverKind: names[record.responder]?.kind ?? "", selector: record.selector.flatMap { names[$0] },
            sender: names.id(of: record.sender), answer: answer, path: record.path.flatMap { names[$0] },
            depth: record.depth, count: UInt64(record.count), duration: record.duration, time: begin)
    }

    /// Adds messages of the same line, which returned later.
    fileprivate mutating func fold(_ later: AskedMessage) {
        count = count.addingReportingOverflow(later.count).partialValue
        if later.answer != .no { answer = later.answer }
        path = later.path ?? path
        sender = later.sender ?? sender
        time = min(time, later.time)
        if later.depth < depth {
            (depth, duration) = (later.depth, later.duration)
        } else if later.depth == depth {
            duration = duration + later.duration
        }
    }
}
