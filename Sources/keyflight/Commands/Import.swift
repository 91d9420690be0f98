import ArgumentParser
import CaptureImport
import SystemPackage
import TraceFormat

struct Import: Verb {
    static let configuration = CommandConfiguration(verb: "import")

    @Argument(help: "Captures; - is standard input. Several are joined by their clocks.") var captures: [String] = []
    @Option(name: .customLong("csv"), help: "The log of a switch, as comma-separated values; with --as stimulus.")
    var log: String?
    @Option(name: .customLong("as"), help: "What the log is: stimulus.") var logKind: LogKind?
    @Option(help: "The column of the log with the time, from 1 on; 1 unless given.") var timeCol: Int?
    @Option(help: "The column of the log with the edge or the state, from 1 on; 2 unless given.") var edgeCol: Int?
    @Option(help: "The unit of the log's times: s, ms, us or ns; as its heading says unless given.")
    var timeUnit: StimulusLog.Unit?
    @Flag(help: "The switch of the log is closed when its line is low.") var activeLow = false
    @Option(name: [.short, .long], help: "The trace to write; - is standard output.") var output: String
    @Option(help: "A keyboard to take: its id, or BUS:ADDRESS[:ENDPOINT]. May be repeated; all unless given.")
    var device: [DeviceSelector] = []
    @Option(help: "A report descriptor, as bytes, for keyboards whose own one is not in the capture.")
    var descriptor: String?
    @Option(help: "The layout that the keyboard was used with: us, fr, us:dvorak (Apple's), us:pc, …")
    var layout: String?
    @Flag(help: "Keep the keys that type text in clear.") var showKeys = false
    @OptionGroup var provenance: FactOptions
    @Flag(help: "Replace OUTPUT if it is a regular file.") var force = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        try OutputDestination.check(output)
        if captures.isEmpty, log == nil { throw ValidationError("Name a capture, or a log with --csv.") }
        try (captures + [log ?? "", descriptor ?? ""]).expectOneStream()
        if (log == nil) != (logKind == nil) { throw ValidationError("--csv and --as stimulus belong together.") }
        if captures.isEmpty, !provenance.facts.isEmpty { throw ValidationError("--fact goes with CAPTURE… only.") }
        if log == nil, timeCol != nil || edgeCol != nil || timeUnit != nil || activeLow {
            throw ValidationError("--time-col, --edge-col, --time-unit and --active-low go with --csv only.")
        }
        if min(timeCol ?? 1, edgeCol ?? 1) < 1 { throw ValidationError("Columns count from 1.") }
    }

    var destination: OutputDestination {
        OutputDestination(path: output, replaces: force, inputs: captures + [log, descriptor].compactMap(\.self))
    }

    func perform(on console: Console) throws -> ExitStatus {
        var job = CaptureImporter()
        job.showsKeys = showKeys
        job.selection = device
        job.facts = provenance.records
        job.layout = try (layout ?? console.settings.checkedLayout()).map { try LayoutChoice.named($0) }
        if let descriptor { try Import.use(descriptor, in: &job) }
        if let log { return try importSwitch(log, job, console) }
        let inputs = Import.inputs(captures, console)
        var written = 0
        console.progress.begin("reading \(inputs.first?.name ?? "")")
        let result = try destination.write(console, if: { if case .imported = $0 { true } else { false } }) { sink in
            try Import.run(job, inputs) { bytes in
                written += bytes.count
                console.progress.step("importing \(inputs.first?.name ?? ""): \(ProgressLine.size(written)) written")
                try sink(bytes)
            }
        }
        return Import.report(result, inputs.first?.name ?? "", console)
    }

    /// Reads the file of `--descriptor`.
    static func use(_ descriptor: String, in job: inout CaptureImporter) throws {
        do {
            try job.useDescriptor(ByteFile.read(descriptor), name: descriptor)
        } catch let error as ImportError {
            throw Failure(.damagedCapture, error.description)
        }
    }

    /// Captures may be larger than memory: they are read through a window.
    static func inputs(_ captures: [String], _ console: Console) -> [CaptureImporter.Input] {
        captures.map { $0 == "-" ? console.capture : CaptureImporter.Input(name: $0, .file(FilePath($0))) }
    }

    static func run(
        _ job: CaptureImporter, _ inputs: [CaptureImporter.Input], to sink: @escaping TraceWriter.Sink
    ) throws -> ImportResult {
        do {
            return try job.run(inputs, to: sink)
        } catch let error as ImportError {
            if let code = error.systemCode { throw ByteFile.failure(Errno(rawValue: code), error.input) }
            throw Failure(.damagedCapture, error.description)
        }
    }

    /// Notes on standard error, and the status.
    static func report(_ result: ImportResult, _ name: String, _ console: Console) -> ExitStatus {
        var isEmpty = false
        if case .noKeyboard = result { isEmpty = true }
        for damage in result.damage {
            console.fail(.damagedCapture, "\(damage); what is whole \(isEmpty ? "holds no keyboard" : "was read")")
        }
        let status: ExitStatus = result.damage.isEmpty ? .fine : .damaged
        switch result {
        case .imported(let summary):
            for note in summary.notes { console.note(note) }
            return status
        case .noKeyboard(let nothing):
            guard nothing.damage.isEmpty else { return status.joined(with: .nothingMatched) }
            return status.joined(
                with: console.fail(.noKeyboard, "\(name): keyboard: expected one, found none: \(nothing.reason)"))
        }
    }
}
