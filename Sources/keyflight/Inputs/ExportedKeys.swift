import CaptureImport
import KeyModel
import TraceExport
import TraceFormat

/// The keys of an input on their way to other programs.
enum ExportedKeys {
    /// The records, and which keyboard of a trace to take; `nil` for all. Of a capture the import takes it.
    static func source(_ input: InputOptions, _ console: Console) throws -> (RecordSource, device: UInt16?) {
        let file = try InputFile(input.input, console)
        guard case .trace = file.content, !input.device.isEmpty else {
            return (try input.records(of: file, console), nil)
        }
        guard input.device.count == 1, case .id(let device) = input.device[0] else {
            throw Failure(
                .otherInput, "\(file.name): --device: expected the id of one keyboard of the trace; info lists them")
        }
        var plain = input
        plain.device = []
        return (try plain.records(of: file, console), device)
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
    }

    /// Writes the keys to standard output, each when its time has come, with how late it was behind it.
    static func play(
        _ form: KeyPlayback.Form, _ input: InputOptions, waits: Bool, _ console: Console
    ) throws -> ExitStatus {
        var (source, device) = try ExportedKeys.source(input, console)
        do {
            let survey = try survey(source, device)
            var playback = try KeyPlayback(form, survey, device: device)
            try console.output.write(playback.head)
            var lateness: [Int64] = []
            var start: TraceTime?
            let pacer = WallClockPacer()
            try source.forEach { record, _ in
                guard let lines = try playback.lines(record) else { return }
                let begin = start ?? record.time
                start = begin
                let late = waits ? pacer.wait(until: record.time.since(begin)).nanoseconds : 0
                lateness.append(late)
                try console.output.write(lines + "# error_ns \(late)\n")
                if waits { try console.output.flush() }
            }
            note(playback.omissions, source.name, console)
            let sorted = lateness.sorted()
            if waits, let last = sorted.last {
                let median = sorted[(sorted.count - 1) / 2]
                console.note("\(sorted.count) events; late by \(median) ns in the median, at most \(last) ns")
            }
        } catch let refusal as ExportRefusal {
            throw Failure(.notExportable, "\(source.name): \(refusal)")
        }
        return source.status(console)
    }
}
