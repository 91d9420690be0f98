import ArgumentParser
import TraceExport
import TraceFormat

struct Export: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "The keys of an input for other programs.",
        discussion: """
              evemu      text that evemu-play reads: one keyboard, with --device where there are several
              libinput   YAML as libinput record --show-keycodes writes it
              pcapng     USB reports with nanoseconds and a comment for each press; Scripts/keyflight.lua shows \
              them in \
            Wireshark

            Keys must be in clear: a masked trace has none to export (status 64). Nothing is given to the operating \
            system: what is written is a file.
            """)

    @OptionGroup var input: InputOptions
    @Option(help: "What to write.") var format: KeyExport.Format
    @Option(name: [.short, .long], help: "The file to write; - is standard output.") var output: String
    @Flag(help: "Replace OUTPUT if it is a regular file.") var force = false

    func validate() throws {
        if output.isEmpty { throw ValidationError("Name a file with -o.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let (source, device) = try ExportedKeys.source(input, console)
        var omissions = KeyExport.Omissions()
        try write(console) { sink in
            do {
                let survey = try ExportedKeys.survey(source, device, wantsComments: format == .pcapng)
                var export = try KeyExport(format, survey, device: device) { try $0.withUnsafeBytes(sink) }
                var records = source
                try records.forEach { record, _ in try export.consume(record) }
                try export.finish()
                omissions = export.omissions
            } catch let refusal as ExportRefusal {
                throw Failure(.usage, "\(source.name): \(refusal)")
            }
        }
        ExportedKeys.note(omissions, source.name, console)
        // What is missing in the input is missing in the result.
        var reading = source
        try reading.forEach { _, _ in }
        return reading.status(console)
    }

    private func write(_ console: Console, _ body: (@escaping TraceWriter.Sink) throws -> Void) throws {
        try TraceOutput(path: output, replaces: force, isText: format != .pcapng).write(console) { sink in
            try body(sink)
            return true
        }
    }
}
