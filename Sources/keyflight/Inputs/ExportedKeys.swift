import CaptureImport
import KeyModel
import TraceExport
import TraceFormat
import TracePresses

/// The keys of an input on their way to other programs.
enum ExportedKeys {
    /// The records, and which keyboard of a trace to take; `nil` for all. Of a capture the import takes it.
    static func source(_ input: Input) throws -> (RecordSource, device: UInt16?) {
        guard input.isTrace, !input.device.isEmpty else { return (try input.records(), nil) }
        guard input.device.count == 1, case .id(let device) = input.device[0] else {
            throw Failure(
                .otherInput, "\(input.name): --device: expected the id of one keyboard of the trace; info lists them")
        }
        var plain = input
        plain.device = []
        return (try plain.records(), device)
    }

    static func survey(
        _ source: RecordSource, _ device: UInt16?, wantsComments: Bool = false
    ) throws -> ExportSurvey {
        var survey = ExportSurvey(device: device, wantsComments: wantsComments)
        var records = source
        try records.forEach { try survey.consume($0, definitions: $1) }
        return survey
    }

    static func note(_ omissions: KeyExport.Omissions, _ name: String, _ console: Console) {
        if omissions.unnamed > 0 {
            console.note("\(name): \(omissions.unnamed) events are of keys that this form has no name for")
        }
        if omissions.repeats > 0 {
            console.note("\(name): \(omissions.repeats) repeats are left out: keyboards do not send them")
        }
        if omissions.texts > 0 { console.note("\(name): \(omissions.texts) texts without a key are left out") }
        if omissions.steps > 0 { console.note("\(name): \(omissions.steps) context steps are left out") }
        if let entries = omissions.secureEntries.text {
            console.note("\(name): what was typed in \(entries) is missing: nothing of it is recorded")
        }
    }

    /// Writes the keys to standard output, each when its time has come, with how late it was behind it.
    static func play(
        _ form: KeyPlayback.Form, _ input: Input, waits: Bool, _ console: Console
    ) throws -> ExitStatus {
        var (source, device) = try ExportedKeys.source(input)
        do {
            let survey = try survey(source, device)
            var playback = try KeyPlayback(form, survey, device: device)
            try console.output.write(playback.head)
            var pace = EventPace(waits: waits)
            try source.forEach { record, _ in
                guard let lines = try playback.lines(record) else { return }
                let late = pace.wait(until: record.time)
                pace.note(late)
                try console.output.write(lines + "# error_ns \(late)\n")
                if waits { try console.output.flush() }
            }
            note(playback.omissions, source.name, console)
            if let lateness = pace.lateness { console.note("\(pace.events) events; \(lateness)") }
        } catch let refusal as ExportRefusal {
            throw Failure(.notExportable, "\(source.name): \(refusal)")
        }
        return source.status(console)
    }
}

/// Events that are given out at their times, counted from the first one, on this machine's clock.
struct EventPace {
    private let waits: Bool
    private let pacer = WallClockPacer()
    private var start: TraceTime?
    /// Of each event, in nanoseconds.
    private var delays: [Int64] = []

    /// `waits`: false gives out each event at once.
    init(waits: Bool) { self.waits = waits }

    var events: Int { delays.count }

    /// Waits for the time of an event. The result is how late it is then, in nanoseconds.
    mutating func wait(until time: TraceTime) -> Int64 {
        let begin = start ?? time
        start = begin
        return waits ? pacer.wait(until: time.since(begin)).nanoseconds : 0
    }

    /// An event was given out.
    mutating func note(_ delay: Int64) { delays.append(delay) }

    /// The delays in words; `nil` where nothing waited.
    var lateness: String? {
        let sorted = delays.sorted()
        guard waits, let last = sorted.last else { return nil }
        return "late by \(sorted[(sorted.count - 1) / 2]) ns in the median, at most \(last) ns"
    }
}
