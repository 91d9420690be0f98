public import KeyModel
import Scenes
public import TraceFormat

/// The inputs of a timeline as records at level `keys`, made on demand: the contents of a trace before anything
/// was replayed.
public struct TimelineRecords: RecordStream {
    private let timeline: ReplayTimeline
    private let layout: Layout
    private let showsKeys: Bool
    private var arrivals: ReplayTimeline.Arrivals?
    private var keyboard = KeyboardState()
    private var sequence: UInt64 = 0
    public private(set) var definitions = TraceDefinitions()
    public var initialContext: [ContextEntry] { [] }
    public var level: TraceLevel { .keys }

    /// Masked unless `showsKeys`. `layout` is the one that the keys were typed on.
    public init(_ timeline: ReplayTimeline, layout: Layout, showsKeys: Bool) {
        (self.timeline, self.layout, self.showsKeys) = (timeline, layout, showsKeys)
    }

    public mutating func next() -> TraceRecord? {
        guard arrivals != nil else {
            arrivals = timeline.makeIterator()
            let table = definitions.intern(layout.text)
            return record(.layout(LayoutRecord(name: layout.name, hash: layout.hash, table: table)), at: .zero)
        }
        guard let arrival = arrivals?.next() else { return nil }
        return record(body(arrival.input), at: arrival.time)
    }

    private mutating func record(_ body: TraceRecord.Body, at time: TraceTime) -> TraceRecord {
        defer { sequence += 1 }
        return TraceRecord(time: time, sequence: sequence, body: body)
    }

    private mutating func body(_ input: ReplayTimeline.Input) -> TraceRecord.Body {
        switch input {
        case .key(let event, let recorded):
            let held = keyboard.apply(event, press: recorded)
            return .key(keyboard.record(of: event, held, press: held?.press, showsKeys: showsKeys))
        case .text(let text):
            return .text(TextRecord(text: showsKeys ? text.map { definitions.intern($0) } : nil))
        case .step(let step):
            let kept = TraceRecorder.shown(step, showsKeys: showsKeys)
            return .step(StepRecord(step: definitions.intern(kept.text)))
        case .record(let record):
            if case .environment(let fact) = record { keyboard.modifiers.roles.apply(fact: fact.name, fact.value) }
            return record
        }
    }

    /// All records, from the first on.
    public var recording: Recording {
        var records = TimelineRecords(timeline, layout: layout, showsKeys: showsKeys)
        var recording = Recording()
        while let record = records.next() { recording.append(record.body, at: record.time) }
        recording.definitions = records.definitions
        return recording
    }
}

extension ReplayTimeline {
    /// The inputs as a recording at level `keys`. Masked unless `showsKeys`.
    public func recording(layout: Layout, showsKeys: Bool) -> Recording {
        TimelineRecords(self, layout: layout, showsKeys: showsKeys).recording
    }
}
