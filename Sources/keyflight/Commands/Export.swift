import ArgumentParser
import TraceExport
import TraceFormat

struct Export: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "The keys of an input, or what became of them, for other programs.",
        discussion: """
            What became of each press, from a trace with resolutions or a replay (name a scene with --scene):
              perfetto    protobuf for ui.perfetto.dev: a track for presses and for each stage, arrows from a press
                          to its action, calls inside the stages, counters, marks and losses
              chrome      the same as trace events in JSON; microseconds with three decimals
              speedscope  a profile of nested intervals in nanoseconds: presses one after the other
              folded      stacks of the responder chain, with the nanoseconds that each question took by itself; for
                          flamegraph.pl

            The keys:
              evemu       text that evemu-play reads: one keyboard, with --device where there are several
              libinput    YAML as libinput record --show-keycodes writes it
              pcapng      USB reports with nanoseconds and a comment for each press; Scripts/keyflight.lua shows them
                          in Wireshark

            These need keys in clear: a masked trace has none to export (status 64). Nothing is given to the \
            operating system: what is written is a file.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "What to write.") var format: ExportFormat
    @Option(name: [.short, .long], help: "The file to write; - is standard output.") var output: String
    @Flag(help: "Replace OUTPUT if it is a regular file.") var force = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        if output.isEmpty { throw ValidationError("Name a file with -o.") }
        guard format.flights == nil, let option = replay.given else { return }
        throw ValidationError("\(option): --format \(format.rawValue) exports keys, which no replay changes.")
    }

    func perform(on console: Console) throws -> ExitStatus {
        if let form = format.flights { return try exportFlights(form, console) }
        if let form = format.keys { return try exportKeys(form, console) }
        throw ValidationError("--format \(format.rawValue): nothing writes it.")
    }

    /// What became of each press.
    private func exportFlights(_ form: FlightExport.Format, _ console: Console) throws -> ExitStatus {
        var source = try replay.resolutions(of: input, console)
        var omitted: UInt64 = 0
        try write(console) { sink in
            var export = try FlightExport(form, name: source.name, context: source.initialContext) {
                try $0.withUnsafeBytes(sink)
            }
            try source.forEach(keepsHandles: true) { try export.consume($0, definitions: $1) }
            try export.finish(definitions: source.definitions)
            omitted = export.omitted
        }
        if omitted > 0 {
            console.note("\(source.name): \(omitted) intervals are left out: more than 256 of a kind overlap there")
        }
        return source.status(console)
    }

    private func exportKeys(_ form: KeyExport.Format, _ console: Console) throws -> ExitStatus {
        let (source, device) = try ExportedKeys.source(input, console)
        var omissions = KeyExport.Omissions()
        try write(console) { sink in
            do {
                let survey = try ExportedKeys.survey(source, device, wantsComments: form == .pcapng)
                var export = try KeyExport(form, survey, device: device) { try $0.withUnsafeBytes(sink) }
                var records = source
                try records.forEach { record, _ in try export.consume(record) }
                try export.finish()
                omissions = export.omissions
            } catch let refusal as ExportRefusal {
                throw Failure(.notExportable, "\(source.name): \(refusal)")
            }
        }
        ExportedKeys.note(omissions, source.name, console)
        // What is missing in the input is missing in the result.
        var reading = source
        try reading.forEach { _, _ in }
        return reading.status(console)
    }

    private func write(_ console: Console, _ body: (@escaping TraceWriter.Sink) throws -> Void) throws {
        try TraceOutput(path: output, replaces: force, isText: format.isText).write(console) { sink in
            try body(sink)
            return true
        }
    }
}
