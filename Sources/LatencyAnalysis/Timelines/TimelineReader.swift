package import TraceFormat
import TracePresses
import KeyModel

/// Reads a recording as timelines: what each press went through, who had the keyboard, and what is missing.
///
/// Memory does not grow with the length of the recording.
package struct TimelineReader: Sendable {
    private var assembler: PressAssembler
    private var queue = ArrivalQueue()
    private var responder = Holder()
    private var window = Holder()
    private var now = TraceTime.zero
    /// Endings of open ticks that will not be resolved any more.
    private var endings: [PressTick: PressTimeline.Ending] = [:]

    /// A responder that holds a role, and the time since when.
    private struct Holder: Sendable {
        var responder: ResponderRef?
        var since: TraceTime?
    }

    /// Starts from the initial context, where one is recorded.
    package init(_ entries: [ContextEntry] = []) {
        assembler = PressAssembler([.decision, .times], .decided, context: entries)
        for case .record(let body) in entries { _ = hold(TraceRecord(time: .zero, sequence: 0, body: body)) }
    }

    package mutating func consume(
        _ record: TraceRecord, definitions: TraceDefinitions, _ body: (TimelineEvent) throws -> Void
    ) rethrows {
        now = max(now, record.time)
        switch record.body {
        case .mark(let mark): try body(.mark(mark.name, record.time))
        case .loss(let loss): try body(.loss(loss, record.time))
        case .clock(let clock): if let unix = clock.unixTime { try body(.clock(unixTime: unix)) }
        case .key, .resolution: queue.note(record)
        default: if let held = hold(record) { try body(held) }
        }
        assembler.consume(record)
        try report(definitions, body)
    }

    /// Ends the reading: reports what is open.
    package mutating func finish(definitions: TraceDefinitions, _ body: (TimelineEvent) throws -> Void) rethrows {
        assembler.finish()
        try report(definitions, body)
        queue.finish()
        try report(definitions, body)
        for (time, count) in queue.takeCounts(isLast: true) { try body(.waiting(count, time)) }
        if let since = responder.since {
            try body(.firstResponder(responder.responder, begin: since, end: max(since, now)))
        }
        if let since = window.since { try body(.keyWindow(window.responder, begin: since, end: max(since, now))) }
    }

    private mutating func report(_ names: TraceDefinitions, _ body: (TimelineEvent) throws -> Void) rethrows {
        var isAny = false
        while let tick = assembler.next() {
            isAny = true
            let undecided = endings.removeValue(forKey: tick.at) ?? .unresolved
            let ending: PressTimeline.Ending = tick.resolution.map { .resolved($0.outcome) } ?? undecided
            let timeline = TimelineLayout(tick).timeline(names, ending, chain: tick.chain)
            queue.end(timeline.at, timeline.end)
            try body(.press(timeline))
        }
        for lost in queue.takeLost() {
            if assembler.isOpen(lost.arrival.at) {
                endings[lost.arrival.at] = lost.ending
                continue
            }
            let chord = PressChord(modifiers: lost.arrival.key.modifiers, key: lost.arrival.key.key, character: nil)
            try body(
                .undecided(
                    at: lost.arrival.at, chord: chord, begin: lost.arrival.time, end: lost.end, ending: lost.ending))
        }
        guard isAny || queue.isLong else { return }
        for (time, count) in queue.takeCounts() { try body(.waiting(count, time)) }
    }

    private mutating func hold(_ record: TraceRecord) -> TimelineEvent? {
        switch record.body {
        case .firstResponder(let change):
            defer { responder = Holder(responder: change.responder, since: record.time) }
            guard let since = responder.since, since < record.time else { return nil }
            return .firstResponder(responder.responder, begin: since, end: record.time)
        case .keyWindow(let change):
            defer { window = Holder(responder: change.window, since: record.time) }
            guard let since = window.since, since < record.time else { return nil }
            return .keyWindow(window.responder, begin: since, end: record.time)
        default: return nil
        }
    }
}
