import KeyModel
import LatencyAnalysis
import TraceFormat

/// A profile for speedscope: presses and repeats one after the other, each when it began, or at the end of the one
/// before where that is later, since frames of a profile must not overlap. Times count from the first one; intervals
/// without presses are empty. Under each press its stages, under these the calls, and then the messages that hooks
/// recorded; frames of the same name add up in its view "left heavy".
struct SpeedscopeProfile: TimelineFormat {
    private var output: PieceWriter
    private var frames: [String: Int] = [:]
    private var frameNames: [String] = []
    /// The end of what was written.
    private var now = TraceTime.zero
    /// Of the last mark, before which none may come.
    private var last = TraceTime.zero
    private var isFirst = true
    /// Begin of the first press.
    private var start: TraceTime?

    init(name: String, to sink: @escaping TimelineExport.Sink) throws {
        output = PieceWriter(sink)
        let title = JSONText.quoted("keyflight: " + name)
        try output.write(
            "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"keyflight\","
                + "\"name\":\(title),\"activeProfileIndex\":0,\"profiles\":[{\"type\":\"evented\","
                + "\"name\":\"presses, as they came\",\"unit\":\"nanoseconds\",\"startValue\":0,\"events\":[\n")
    }

    mutating func write(_ event: TimelineEvent, _ names: TraceDefinitions) throws {
        guard case .press(let timeline) = event else { return }
        let loose = timeline.looseCalls + timeline.messages
        guard timeline.total != nil || !loose.isEmpty else { return }
        let press = frame(SpeedscopeProfile.name(of: timeline, names))
        let first = start ?? timeline.begin
        start = first
        now = max(now, TraceTime.zero.advanced(by: timeline.begin.since(first)))
        try mark("O", press, now)
        for stage in timeline.stages {
            let (begin, own) = (now, frame(stage.stage.name))
            try mark("O", own, begin)
            let end = begin.advanced(by: stage.duration)
            for call in stage.calls { try write(call, begin.since(stage.begin), notAfter: end, names) }
            now = end
            try mark("C", own, now)
        }
        for call in loose {
            let end = now.advanced(by: call.end.since(call.begin))
            try write(call, now.since(call.begin), notAfter: end, names)
            now = end
        }
        try mark("C", press, now)
    }

    /// `shift`: from the trace's time to the profile's, which at the ends of time is not exact. Calls without a
    /// duration have no place in a profile; those made inside them have.
    private mutating func write(
        _ span: NestedCall, _ shift: TraceDuration, notAfter limit: TraceTime, _ names: TraceDefinitions
    ) throws {
        let own = span.call.duration == nil ? nil : frame(ExportText.name(of: span.call, names))
        if let own { try mark("O", own, min(limit, span.begin.advanced(by: shift))) }
        let end = min(limit, span.end.advanced(by: shift))
        for inner in span.inner { try write(inner, shift, notAfter: end, names) }
        if let own { try mark("C", own, end) }
    }

    /// `cmd+w closeTab:`, `shift+i consumedByText`.
    private static func name(of timeline: PressTimeline, _ names: TraceDefinitions) -> String {
        let chord = ExportText.name(of: timeline.chord) + (timeline.at.tick > 0 ? " repeat" : "")
        let performs = timeline.ending == .resolved(.performed)
        let action = performs ? ExportText.text(timeline.resolution?.action, names) : nil
        return "\(chord) \(action ?? timeline.ending.name)"
    }

    private mutating func frame(_ name: String) -> Int {
        if let known = frames[name] { return known }
        let number = frameNames.count
        frames[name] = number
        frameNames.append(name)
        return number
    }

    private mutating func mark(_ type: String, _ frame: Int, _ time: TraceTime) throws {
        last = max(last, time)
        try output.write("\(isFirst ? "" : ",\n"){\"type\":\"\(type)\",\"frame\":\(frame),\"at\":\(last.nanoseconds)}")
        isFirst = false
    }

    mutating func finish(_ names: TraceDefinitions) throws {
        try output.write("\n],\"endValue\":\(now.nanoseconds)}],\"shared\":{\"frames\":[\n")
        for (place, name) in frameNames.enumerated() {
            try output.write((place == 0 ? "" : ",\n") + "{\"name\":\(JSONText.quoted(name))}")
        }
        try output.write("\n]}}\n")
        try output.flush()
    }
}
