import KeyModel
import LatencyAnalysis
import TraceFormat

/// An argument of a slice.
struct SliceFact {
    enum Value {
        case text(String)
        case number(Int64)
        case flag(Bool)
    }
    var name: StaticString
    var value: Value

    init(_ name: StaticString, _ text: String) { (self.name, value) = (name, .text(text)) }
    init(_ name: StaticString, _ number: some BinaryInteger) {
        (self.name, value) = (name, .number(Int64(clamping: number)))
    }
    init(_ name: StaticString, _ flag: Bool) { (self.name, value) = (name, .flag(flag)) }
}

/// A line of a timeline. Slices on one line nest; what would overlap gets another lane.
struct TimelineTrack: Hashable {
    /// In the order in which they are shown.
    enum Kind: Int {
        case presses = 1
        case stages = 2
        case messages = 30
        case calls = 40
        case firstResponder, keyWindow, marks, losses
    }

    /// From 1 on, in the order in which tracks are first needed.
    var number: Int
    var name: String
    /// Tracks are shown in this order.
    var rank: Int
}

/// An arrow from a press to its action, by a number that both ends have.
enum SliceArrow {
    case none
    case leaves(UInt64)
    case arrives(UInt64)
}

/// Writes slices in one file format. Times are in nanoseconds, and never before 0.
protocol TimelineWriter {
    mutating func declare(_ track: TimelineTrack) throws
    /// Slices inside follow before it is closed.
    mutating func open(
        _ name: String, _ category: StaticString, on track: TimelineTrack, _ begin: Int64, _ end: Int64,
        _ facts: [SliceFact], _ arrow: SliceArrow) throws
    mutating func close(_ track: TimelineTrack, _ end: Int64) throws
    /// One press, on a track of presses.
    mutating func press(
        _ name: String, _ at: PressTick, on track: TimelineTrack, _ begin: Int64, _ end: Int64, _ facts: [SliceFact],
        _ arrow: SliceArrow) throws
    mutating func moment(
        _ name: String, _ category: StaticString, on track: TimelineTrack, _ time: Int64, _ facts: [SliceFact]) throws
    mutating func count(_ counter: TimelineCounter, _ time: Int64, _ value: Int64) throws
    mutating func clock(unixTime: Int64) throws
    mutating func finish() throws
}

enum TimelineCounter: Int, CaseIterable {
    case waiting, keyCommands

    var name: String {
        switch self {
        case .waiting: "presses waiting or served"
        case .keyCommands: "keyCommands per press"
        }
    }
}

/// Timelines as slices on tracks. Lanes are given out greedily: the first one of a kind that is free.
struct TrackTimeline<Writer: TimelineWriter>: TimelineFormat {
    private var writer: Writer
    /// By the rank of their first lane.
    private var lanes: [Int: [Lane]] = [:]
    private var tracks = 0
    private var callNames: [CallName: String] = [:]
    private(set) var omitted: UInt64 = 0
    private static var nameLimit: Int { 65_536 }
    private static var laneLimit: Int { 256 }

    private struct Lane {
        var track: TimelineTrack
        var busyUntil: Int64
    }

    private struct CallName: Hashable {
        var responder: ResponderRef
        var kind: String
    }

    init(_ writer: Writer) { self.writer = writer }

    mutating func write(_ event: TimelineEvent, _ names: TraceDefinitions) throws {
        switch event {
        case .press(let timeline): try write(timeline, names)
        case .undecided(let at, let chord, let begin, let end, let ending):
            let (begin, end) = Self.interval(begin, end)
            guard let track = try lane(.presses, "presses", begin, end) else { return }
            let facts = [SliceFact("press", at.press), SliceFact("tick", at.tick), SliceFact("end", ending.name)]
            try writer.press(ExportText.name(of: chord), at, on: track, begin, end, facts, .none)
        case .waiting(let count, let time): try writer.count(.waiting, max(0, time.nanoseconds), Int64(count))
        case .firstResponder(let responder, let begin, let end):
            try hold(.firstResponder, "first responder", responder, begin, end, names)
        case .keyWindow(let window, let begin, let end):
            try hold(.keyWindow, "key window", window, begin, end, names)
        case .mark(let name, let time):
            let time = max(0, time.nanoseconds)
            guard let track = try lane(.marks, "marks", time, time) else { return }
            try writer.moment(ExportText.visible(name), "mark", on: track, time, [])
        case .loss(let loss, let time): try write(loss, time)
        case .clock(let unixTime): try writer.clock(unixTime: unixTime)
        }
    }

    mutating func finish(_ names: TraceDefinitions) throws { try writer.finish() }

    /// Clamps an interval to begin at time 0: formats have no time before it.
    private static func interval(_ begin: TraceTime, _ end: TraceTime) -> (Int64, Int64) {
        let begin = max(0, begin.nanoseconds)
        return (begin, max(begin, end.nanoseconds))
    }

    // MARK: Lanes

    /// `nil` where more overlap than any real recording has: such intervals are counted, and left out.
    private mutating func lane(
        _ kind: TimelineTrack.Kind, _ name: String, _ begin: Int64, _ end: Int64, offset: Int = 0
    ) throws -> TimelineTrack? {
        let rank = (kind.rawValue + offset) * 1000
        if let free = lanes[rank]?.firstIndex(where: { $0.busyUntil <= begin }) {
            lanes[rank]?[free].busyUntil = end
            return lanes[rank]?[free].track
        }
        let count = lanes[rank]?.count ?? 0
        guard count < Self.laneLimit else {
            omitted += 1
            return nil
        }
        tracks += 1
        let track = TimelineTrack(
            number: tracks, name: count == 0 ? name : "\(name), lane \(count + 1)", rank: rank + count)
        lanes[rank, default: []].append(Lane(track: track, busyUntil: end))
        try writer.declare(track)
        return track
    }

    // MARK: Presses

    private mutating func write(_ timeline: PressTimeline, _ names: TraceDefinitions) throws {
        let (begin, end) = Self.interval(timeline.begin, timeline.end)
        let id = UInt64(timeline.at.press) << 32 | UInt64(timeline.at.tick)
        // From a visible slice, to the first time that an action ran.
        let source = timeline.stages.firstIndex { $0.stage != .action && $0.duration > .zero }
        let action = timeline.stages.firstIndex { $0.stage == .action }.flatMap { $0 > source ?? $0 ? $0 : nil }
        let arrow: SliceArrow = action == nil ? .none : .leaves(id)
        guard let track = try lane(.presses, "presses", begin, end) else { return }
        try writer.press(
            ExportText.name(of: timeline.chord), timeline.at, on: track, begin, end,
            TrackTimeline.facts(timeline, names),
            arrow)
        try writer.count(.keyCommands, begin, Int64(timeline.keyCommands))
        for (place, stage) in timeline.stages.enumerated() {
            try write(stage, of: timeline.at, place == action ? .arrives(id) : place == source ? arrow : .none, names)
        }
        try write(timeline.looseCalls, of: timeline.at, on: .calls, "calls", names)
        try write(timeline.messages, of: timeline.at, on: .messages, "messages", names)
    }

    private static func facts(_ timeline: PressTimeline, _ names: TraceDefinitions) -> [SliceFact] {
        var facts = [SliceFact("press", timeline.at.press)]
        if timeline.at.tick > 0 { facts.append(SliceFact("tick", timeline.at.tick)) }
        facts.append(SliceFact("end", timeline.ending.name))
        if let total = timeline.total { facts.append(SliceFact("total_ns", total.nanoseconds)) }
        guard let resolution = timeline.resolution else { return facts }
        func add(_ name: StaticString, _ text: String?) { if let text { facts.append(SliceFact(name, text)) } }
        add("taken_by", resolution.takenBy?.name)
        add("character", ExportText.text(resolution.character, names))
        add("action", ExportText.text(resolution.action, names))
        add("supplier", resolution.supplier.map { ExportText.id($0, names) })
        add("target", resolution.target.map { ExportText.id($0, names) })
        add("start", resolution.start.map { ExportText.id($0, names) })
        add("key_window", resolution.keyWindow.map { ExportText.id($0, names) })
        if timeline.resolutions > 1 { facts.append(SliceFact("resolutions", timeline.resolutions)) }
        return facts
    }

    private mutating func write(
        _ stage: StageInterval, of at: PressTick, _ arrow: SliceArrow, _ names: TraceDefinitions
    ) throws {
        let (begin, end) = Self.interval(stage.begin, stage.end)
        let offset = Int(stage.stage.rawValue)
        guard let track = try lane(.stages, stage.stage.name, begin, end, offset: offset) else { return }
        var facts = [SliceFact("press", at.press)]
        if at.tick > 0 { facts.append(SliceFact("tick", at.tick)) }
        facts.append(SliceFact("duration_ns", stage.duration.nanoseconds))
        if stage.isRounded { facts.append(SliceFact("rounded", true)) }
        try writer.open(stage.stage.name, "stage", on: track, begin, end, facts, arrow)
        for call in stage.calls { try write(call, of: at, on: track, names) }
        try writer.close(track, end)
    }

    // MARK: Calls

    private mutating func write(
        _ spans: [NestedCall], of at: PressTick, on kind: TimelineTrack.Kind, _ label: String,
        _ names: TraceDefinitions
    ) throws {
        guard let first = spans.first, let last = spans.last else { return }
        let (begin, end) = Self.interval(first.begin, last.end)
        guard let track = try lane(kind, label, begin, end) else { return }
        for span in spans { try write(span, of: at, on: track, names) }
    }

    private mutating func write(
        _ span: NestedCall, of at: PressTick, on track: TimelineTrack, _ names: TraceDefinitions
    ) throws {
        let name = name(of: span.call, names)
        let facts = TrackTimeline.facts(span, at, names)
        let (begin, end) = Self.interval(span.begin, span.end)
        guard span.call.duration != nil || !span.inner.isEmpty else {
            return try writer.moment(name, "call", on: track, begin, facts)
        }
        try writer.open(name, "call", on: track, begin, end, facts, .none)
        for inner in span.inner { try write(inner, of: at, on: track, names) }
        try writer.close(track, end)
    }

    private mutating func name(of call: TimelineCall, _ names: TraceDefinitions) -> String {
        let key = CallName(responder: call.responder, kind: call.kindName)
        if let known = callNames[key] { return known }
        if callNames.count >= Self.nameLimit { callNames.removeAll() }
        let name = ExportText.name(of: call, names)
        callNames[key] = name
        return name
    }

    private static func facts(_ span: NestedCall, _ at: PressTick, _ names: TraceDefinitions) -> [SliceFact] {
        var facts = [
            SliceFact("press", at.press), SliceFact("responder", ExportText.id(span.call.responder, names)),
        ]
        switch span.call {
        case .call(let call): add(call, &facts, names)
        case .message(let message): add(message, &facts, names)
        }
        guard let duration = span.call.duration else { return facts }
        // Mostly what the slice shows anyway.
        if span.begin.advanced(by: duration) != span.end {
            facts.append(SliceFact("duration_ns", duration.nanoseconds))
        }
        if let own = span.selfTime, own != duration { facts.append(SliceFact("self_ns", own.nanoseconds)) }
        if case .call(let call) = span.call, call.isRounded { facts.append(SliceFact("rounded", true)) }
        return facts
    }

    private static func add(_ call: CallRecord, _ facts: inout [SliceFact], _ names: TraceDefinitions) {
        if call.pass > 0 { facts.append(SliceFact("pass", call.pass)) }
        if let action = ExportText.text(call.action, names) { facts.append(SliceFact("action", action)) }
        switch call.answer {
        case .commands(let list): if let found = names[list] { facts.append(SliceFact("results", found.count)) }
        case .yes: facts.append(SliceFact("answer", true))
        case .no: facts.append(SliceFact("answer", false))
        case .none: break
        }
    }

    private static func add(_ message: InvocationRecord, _ facts: inout [SliceFact], _ names: TraceDefinitions) {
        if let selector = ExportText.text(message.selector, names) { facts.append(SliceFact("selector", selector)) }
        if let sender = message.sender { facts.append(SliceFact("sender", ExportText.id(sender, names))) }
        switch message.answer {
        case .nothing: break
        case .yes: facts.append(SliceFact("answer", true))
        case .no: facts.append(SliceFact("answer", false))
        case .responder(let responder): facts.append(SliceFact("target", ExportText.id(responder, names)))
        case .list(let count): facts.append(SliceFact("results", count))
        }
        if let path = ExportText.text(message.path, names) { facts.append(SliceFact("path", path)) }
        if message.count > 1 { facts.append(SliceFact("count", message.count)) }
    }

    // MARK: Context

    private mutating func hold(
        _ kind: TimelineTrack.Kind, _ label: String, _ responder: ResponderRef?, _ begin: TraceTime,
        _ end: TraceTime, _ names: TraceDefinitions
    ) throws {
        guard let responder else { return }
        let (begin, end) = Self.interval(begin, end)
        guard let track = try lane(kind, label, begin, end) else { return }
        try writer.open(ExportText.id(responder, names), "context", on: track, begin, end, [], .none)
        try writer.close(track, end)
    }

    private mutating func write(_ loss: LossRecord, _ time: TraceTime) throws {
        let (begin, end) = Self.interval(time, time.advanced(by: max(loss.duration ?? .zero, .zero)))
        guard let track = try lane(.losses, "loss", begin, end) else { return }
        var facts: [SliceFact] = []
        if let count = loss.count { facts.append(SliceFact("count", count)) }
        if !loss.detail.isEmpty { facts.append(SliceFact("detail", ExportText.visible(loss.detail))) }
        guard loss.duration != nil else {
            return try writer.moment(loss.cause.name, "loss", on: track, begin, facts)
        }
        try writer.open(loss.cause.name, "loss", on: track, begin, end, facts, .none)
        try writer.close(track, end)
    }
}
