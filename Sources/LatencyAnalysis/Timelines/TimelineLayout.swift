import KeyModel
import TraceFormat
import TracePresses

/// Lays the stages and calls of a tick on the time axis.
///
/// A recorder writes a stage and a call when it ends, so that its begin follows from its duration. A replay writes all
/// of a press at the moment of its key: then the stages follow each other from there, those before the operating
/// system's stamp lie before it, and calls follow each other in the stage of their kind.
struct TimelineLayout {
    private let tick: TracePress
    private let isInstant: Bool
    private var stages: [StageInterval] = []
    private var loose: [NestedCall] = []
    private var messages: [NestedCall] = []

    init(_ tick: TracePress) {
        self.tick = tick
        let last = [tick.stageRecords.last?.end, tick.callTimes.last, tick.resolutionTime].compactMap { $0 }.max()
        isInstant = tick.resolutionTime == tick.time && last == tick.time
        if isInstant { placeInOrder() } else { placeByEnds() }
        placeCalls()
        placeMessages()
    }

    func timeline(_ names: TraceDefinitions, _ ending: PressTimeline.Ending, chain: [ResponderRef]) -> PressTimeline {
        let begins = stages.map(\.begin) + [loose.first?.begin, messages.first?.begin].compactMap { $0 }
        let ends = stages.map(\.end) + [loose.last?.end, messages.last?.end].compactMap { $0 }
        let resolved = isInstant ? nil : tick.resolutionTime
        return PressTimeline(
            at: tick.at, chord: tick.chord(names), ending: ending, resolution: tick.resolution,
            resolutions: tick.resolutions.count, begin: min(tick.time, begins.min() ?? tick.time),
            end: max(tick.time, ends.max() ?? tick.time, resolved ?? tick.time), stages: stages,
            looseCalls: loose, messages: messages, total: tick.stages.total, chain: chain,
            keyCommands: tick.calls.count { $0.kind == .keyCommands })
    }

    // MARK: Stages

    private mutating func placeByEnds() {
        for (record, time) in tick.stageRecords {
            let duration = max(record.duration, .zero)
            stages.append(span(record, duration, from: time.advanced(by: .init(nanoseconds: -duration.nanoseconds))))
        }
        stages.sort { ($0.begin, $0.end) < ($1.begin, $1.end) }
    }

    private mutating func placeInOrder() {
        // A stable order: pieces of one stage stay as they came.
        let records = tick.stageRecords.map(\.record).enumerated().sorted {
            ($0.element.stage.rawValue, $0.offset) < ($1.element.stage.rawValue, $1.offset)
        }.map(\.element)
        let before = records.filter { $0.stage.rawValue < LatencyStage.inputDelay.rawValue }
            .reduce(TraceDuration.zero) { $0 + max($1.duration, .zero) }
        var time = tick.time.advanced(by: TraceDuration(nanoseconds: -before.nanoseconds))
        for record in records {
            let span = span(record, max(record.duration, .zero), from: time)
            stages.append(span)
            time = span.end
        }
    }

    private func span(_ record: StageRecord, _ duration: TraceDuration, from begin: TraceTime) -> StageInterval {
        StageInterval(
            stage: record.stage, begin: begin, end: begin.advanced(by: duration), duration: duration,
            isRounded: record.isRounded)
    }

    // MARK: Calls

    private mutating func placeCalls() {
        guard !tick.calls.isEmpty else { return }
        var next = stages.first { $0.stage.rawValue > LatencyStage.inputDelay.rawValue }?.begin ?? tick.time
        // The target of a command is looked up when the command is found.
        let found = stages.last { $0.stage == .collect || $0.stage == .match }?.end
        let calls = zip(tick.calls, tick.callTimes).map { (call: TimelineCall.call($0), recordedAt: $1) }
        for root in CallTree.roots(of: calls) {
            guard case .call(let call) = root.call else { continue }
            let length = max(call.duration ?? .zero, .zero)
            let callEnd: TraceTime? = isInstant ? nil : root.recordedAt
            let place = if let callEnd { stage(around: callEnd, length) } else { stage(for: call.kind, length) }
            guard let place else {
                let isAboutFound = call.kind == .canPerformAction || call.kind == .validate
                let ready = isAboutFound ? max(next, found ?? next) : next
                let begin = callEnd?.advanced(by: TraceDuration(nanoseconds: -length.nanoseconds)) ?? ready
                loose.append(root.span(from: begin, notBefore: loose.last?.end, notAfter: nil, byEnds: !isInstant))
                next = loose.last?.end ?? next
                continue
            }
            // No copy of the stage: with one, each append would copy the calls before it.
            let (stageBegin, stageEnd) = (stages[place].begin, stages[place].end)
            let free = stages[place].calls.last?.end ?? stageBegin
            let begin = callEnd?.advanced(by: TraceDuration(nanoseconds: -length.nanoseconds)) ?? free
            stages[place].calls.append(
                root.span(from: begin, notBefore: free, notAfter: stageEnd, byEnds: !isInstant))
        }
    }

    /// Messages are recorded where they were sent, so each lies before its end.
    private mutating func placeMessages() {
        let invocations = zip(tick.invocations, tick.invocationTimes).filter { $0.0.occasion != .release }
        for root in CallTree.roots(of: invocations.map { (call: TimelineCall.message($0), recordedAt: $1) }) {
            let length = max(root.call.duration ?? .zero, .zero)
            let begin = root.recordedAt.advanced(by: TraceDuration(nanoseconds: -length.nanoseconds))
            messages.append(root.span(from: begin, notBefore: messages.last?.end, notAfter: nil, byEnds: true))
        }
    }

    /// The stage in whose interval a call with this end lies.
    private func stage(around callEnd: TraceTime, _ length: TraceDuration) -> Int? {
        let begin = callEnd.advanced(by: TraceDuration(nanoseconds: -length.nanoseconds))
        return stages.lastIndex { $0.begin <= begin && callEnd <= $0.end }
    }

    /// The stage that such calls belong to, if there is room for another one.
    private func stage(for kind: CallKind, _ length: TraceDuration) -> Int? {
        let stage: LatencyStage = kind == .keyCommands || kind == .buildMenu ? .collect : .validate
        guard let place = stages.lastIndex(where: { $0.stage == stage }) else { return nil }
        let begin = stages[place].calls.last?.end ?? stages[place].begin
        return begin.advanced(by: length) <= stages[place].end ? place : nil
    }
}

/// Calls in the order in which they returned, as a call tree.
private struct CallTree {
    var call: TimelineCall
    var recordedAt: TraceTime
    var selfTime: TraceDuration?
    var inner: [CallTree] = []

    /// Deeper calls than any real program makes are not distinguished.
    private static let deepest = 255

    /// A call made inside another one comes before it, one deeper.
    static func roots(of calls: [(call: TimelineCall, recordedAt: TraceTime)]) -> [CallTree] {
        var open: [(depth: Int, tree: CallTree)] = []
        var times = NestedTimes()
        for (call, recordedAt) in calls {
            let record = call.record
            var tree = CallTree(call: call, recordedAt: recordedAt, selfTime: times.selfTime(of: record))
            let depth = min(Int(record.depth), deepest)
            while let last = open.last, last.depth > depth {
                tree.inner.append(last.tree)
                open.removeLast()
            }
            tree.inner.reverse()
            open.append((depth, tree))
        }
        return open.map(\.tree)
    }

    /// Interval of the call, and the calls inside it. `byEnds`: those inside lie at their recorded ends, not one after
    /// the other.
    func span(from begin: TraceTime, notBefore: TraceTime?, notAfter: TraceTime?, byEnds: Bool) -> NestedCall {
        let length = max(call.duration ?? .zero, .zero)
        let natural = begin.advanced(by: length)
        let start = max(begin, notBefore ?? begin)
        let end = max(start, min(natural, notAfter ?? natural))
        var span = NestedCall(call: call, begin: start, end: end, selfTime: selfTime, inner: [])
        var next = start
        for tree in inner {
            let before = max(tree.call.duration ?? .zero, .zero).nanoseconds
            let recordedBegin = byEnds ? tree.recordedAt.advanced(by: TraceDuration(nanoseconds: -before)) : nil
            // Rounded, it may seem to begin before the call that made it, or to end after it.
            let from = min(max(recordedBegin ?? next, start), end)
            span.inner.append(tree.span(from: from, notBefore: next, notAfter: end, byEnds: byEnds))
            next = span.inner.last?.end ?? next
        }
        return span
    }
}
