package import KeyModel
package import TraceFormat
import TracePresses

/// Messages of one kind to one receiver, as an explanation shows them: one line, however many there were. A menu is the
/// receiver `mainMenu`, however many menus it has.
package struct MessageSummary: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        /// The message has no result.
        case nothing
        case no, yes
        case responder(String)
        /// A list of this length.
        case list(UInt32)
    }

    package var kind: InvocationKind
    package var occasion: CallOccasion
    package var receiver: String
    /// Kind or class name; empty where unknown.
    package var receiverKind: String
    package var selector: String?
    package var sender: String?
    /// The latest that is no `no`, or `no`.
    package var answer: Answer
    /// The path of the menu item that answered.
    package var path: String?
    /// Number of lines that enclose this one.
    package var depth: UInt8
    package var count: UInt64
    /// Time of the messages that are not inside another one of these.
    package var duration: TraceDuration
    /// Begin of the first one.
    package var time: TraceTime
}

extension TracePress {
    /// The messages of the press as a tree, each line followed by what was sent inside of it, in the order in which
    /// they began.
    func askedMessages(_ names: TraceDefinitions) -> [MessageSummary] {
        var lines = MessageLines()
        for (record, end) in zip(invocations, invocationTimes).reversed() { lines.add(record, end: end) }
        for (index, place) in lines.places.reversed().enumerated() {
            let record = invocations[index]
            lines.fold(MessageSummary(record, begin: record.begin(invocationTimes[index]), names), at: place)
        }
        return lines.inOrder()
    }
}

/// Assigns the messages of a press to lines. Messages are recorded when they return, those inside others first, so
/// they are taken from the last to the first.
private struct MessageLines {
    /// Common properties of the messages of one line.
    private struct Question: Hashable {
        var kind: InvocationKind
        var occasion: CallOccasion
        var responder: ResponderRef
        var selector: StringRef?
        /// The line of the message that they were sent inside of.
        var parent: Int?

        init(_ record: InvocationRecord, parent: Int?) {
            (kind, occasion, responder) = (record.kind, record.occasion, record.responder)
            selector = record.kind.isAboutSelector ? record.selector : nil
            self.parent = parent
        }

        func isSame(_ other: Question) -> Bool {
            var other = other
            other.parent = parent
            return self == other
        }
    }

    /// The line of each message, the last one's first, and whether it was sent inside of one that is in it.
    private(set) var places: [(line: Int, isInside: Bool)] = []
    private var lines: [(question: Question, message: MessageSummary?)] = []
    private var known: [Question: Int] = [:]
    /// Messages that may be around the next one, the outermost first.
    private var around: [(line: Int, depth: UInt8, begin: TraceTime)] = []

    mutating func add(_ record: InvocationRecord, end: TraceTime) {
        while let last = around.last, last.depth >= record.depth || end < last.begin { around.removeLast() }
        var question = Question(record, parent: around.last?.line)
        // A method that answers by another one of its kind, such as a longer form of it.
        let isInside = around.last.map { lines[$0.line].question.isSame(question) } ?? false
        if isInside, let outer = around.last { question = lines[outer.line].question }
        let line = known[question] ?? lines.count
        if line == lines.count {
            known[question] = line
            lines.append((question, nil))
        }
        places.append((line, isInside))
        around.append((line, record.depth, record.begin(end)))
    }

    mutating func fold(_ message: MessageSummary, at place: (line: Int, isInside: Bool)) {
        var message = message
        if place.isInside { message.duration = .zero }
        if lines[place.line].message == nil {
            lines[place.line].message = message
        } else {
            lines[place.line].message?.fold(message)
        }
    }

    func inOrder() -> [MessageSummary] {
        var inside: [Int?: [Int]] = [:]
        for (line, entry) in lines.enumerated() { inside[entry.question.parent, default: []].append(line) }
        var ordered: [MessageSummary] = []
        var next: [(line: Int, depth: UInt8)] = []
        func push(_ parent: Int?, _ depth: UInt8) {
            // Lines of one moment are stored in the order in which they returned, which is that of the lines from the
            // back.
            let latestFirst = (inside[parent] ?? []).sorted { a, b in
                let (one, other) = (lines[a].message?.time ?? .zero, lines[b].message?.time ?? .zero)
                return one != other ? one > other : a < b
            }
            next += latestFirst.map { ($0, depth) }
        }
        push(nil, 0)
        while let (line, depth) = next.popLast() {
            guard var message = lines[line].message else { continue }
            message.depth = depth
            ordered.append(message)
            push(line, depth &+ 1)
        }
        return ordered
    }
}

extension InvocationRecord {
    fileprivate func begin(_ end: TraceTime) -> TraceTime {
        TraceTime(nanoseconds: max(0, end.nanoseconds &- max(0, duration.nanoseconds)))
    }
}

extension MessageSummary {
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
    fileprivate mutating func fold(_ later: MessageSummary) {
        count = count.addingReportingOverflow(later.count).partialValue
        if later.answer != .no { answer = later.answer }
        path = later.path ?? path
        sender = later.sender ?? sender
        time = min(time, later.time)
        duration = duration + later.duration
    }
}
