import ArgumentParser
import CaptureImport
import KeyModel
import Libc
import TraceFormat
import TraceReports

struct Record: Verb {
    static let configuration = CommandConfiguration(verb: "record")

    @Option(name: [.short, .long], help: "The trace to write; - is standard output.") var output: String
    @Option(help: ArgumentHelp("An interface of libpcap. May be repeated.", valueName: "interface"))
    var pcapInterface: [String] = []
    @Option(help: ArgumentHelp("An input device. May be repeated.", valueName: "path")) var evdev: [String] = []
    @Flag(help: "This terminal. Nothing typed in it reaches anybody else meanwhile.") var tty = false
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "The longest recording: 90s, 10min, 2h. (default: \(RecordingLength.tenMinutes))", valueName: "time"),
        transform: RecordingLength.init(argument:))
    var length = RecordingLength.tenMinutes
    @Option(
        help: ArgumentHelp(
            "Keep only the last part: so much time or so many bytes (10min, 16MiB), in OUTPUT and OUTPUT.previous.",
            valueName: "bound"),
        transform: RecordingBounds.init(argument:))
    var ring: RecordingBounds?
    @Option(
        help: ArgumentHelp(
            "Begin a new file after so much time or so many bytes: OUTPUT, then OUTPUT with -2, -3, … in its name.",
            valueName: "bound"),
        transform: RecordingBounds.init(argument:))
    var rotate: RecordingBounds?
    @Option(help: "A keyboard to take: its id, or BUS:ADDRESS[:ENDPOINT]. May be repeated; all unless given.")
    var device: [DeviceSelector] = []
    @Option(help: "The layout that the keyboard is used with: us, fr, us:dvorak (Apple's), us:pc, …")
    var layout: String?
    @Flag(help: "Keep the keys that type text in clear.") var showKeys = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        try OutputDestination.check(output)
        if pcapInterface.isEmpty, evdev.isEmpty, !tty {
            throw ValidationError(
                "Name an input: --tty is this terminal and needs no permission, --evdev and --pcap-interface take what "
                    + "keyflight devices lists.")
        }
        if ring != nil, rotate != nil { throw ValidationError("--ring and --rotate exclude each other.") }
        if output == "-", ring != nil || rotate != nil {
            throw ValidationError("--ring and --rotate need a file: name it with -o.")
        }
    }

    func perform(on console: Console) throws -> ExitStatus {
        if output == "-" { try console.refuseTerminal("a trace") }
        var options = LiveRecorder.Options()
        options.showsKeys = showKeys
        options.limit = length.duration
        options.selection = device
        options.layout = try (layout ?? console.settings.checkedLayout()).map { try LayoutChoice.named($0) }
        NotedSignals.note()
        let inputs = try opened(layout: options.layout ?? LayoutChoice.named("us"))
        defer { inputs.close() }
        let trace = try Failure.writing { try destination(console) }
        announce(inputs, console)
        let line = RecordingLine()
        line.begin(isMasked: !showKeys)
        let summary = LiveRecorder(inputs, to: trace, options).run(
            stop: { NotedSignals.first.map { $0 == SIGINT ? .interrupt : .terminate } },
            report: { line.show($0) })
        line.end()
        return report(summary, console)
    }

    private func opened(layout: Layout) throws -> LiveInputs {
        var wanted = pcapInterface.map { LiveInput.interface($0) } + evdev.map { LiveInput.inputDevice($0) }
        if tty { wanted.append(.terminal) }
        do {
            return try LiveInputs(opening: wanted, layout: layout)
        } catch {
            let offer = tty ? "" : "; or record this terminal, which needs no permission: --tty"
            throw Failure(.notRecordable, error.description + offer)
        }
    }

    private func destination(_ console: Console) throws -> LiveOutput {
        if output == "-" {
            return try LiveOutput(isMasked: !showKeys) { bytes in
                try console.output.write(bytes)
                try console.output.flush()
            }
        }
        if let ring { return try LiveOutput(path: output, storage: .ring(ring), isMasked: !showKeys) }
        if let rotate { return try LiveOutput(path: output, storage: .rotating(rotate), isMasked: !showKeys) }
        return try LiveOutput(path: output, isMasked: !showKeys)
    }

    private func announce(_ inputs: LiveInputs, _ console: Console) {
        let place = output == "-" ? "standard output" : output
        let what =
            showKeys
            ? "all keys IN CLEAR, passwords included" : "keys, text masked (--show-keys would keep it)"
        console.note(
            "Recording \(what): \(inputs.names.joined(separator: ", ")) into \(place). Stop: Ctrl-C, or after "
                + "\(RecordingLine.clock(length.duration)).")
        if inputs.hasDroppedPrivileges { console.note("Opened as root or with capabilities, which were given up.") }
    }

    private func report(_ summary: LiveSummary, _ console: Console) -> ExitStatus {
        for note in summary.notes { console.note(note) }
        let progress = summary.progress
        var facts = [
            HumanNumbers.counted(progress.presses, "press", "presses"),
            HumanNumbers.counted(summary.devices, "keyboard", "keyboards"), "\(summary.bytes) bytes",
        ]
        if progress.dropped > 0 { facts.append("\(progress.dropped) packets or keys lost") }
        if progress.uncountedLosses > 0 { facts.append("uncounted losses: \(progress.uncountedLosses)") }
        let files = summary.paths.isEmpty ? "standard output" : summary.paths.joined(separator: ", ")
        console.note("\(RecordingLine.clock(progress.elapsed)): \(files): \(facts.joined(separator: ", "))")
        if progress.downs == 0 {
            console.note("no key was pressed there: keyflight devices lists which input is the keyboard's")
        }
        switch summary.end {
        case .timeIsUp: return .fine
        case .stopped: return .interrupted
        case .inputsGone: return .notPermitted
        case .outputFailed(let reason):
            return console.fail(
                .recordingBroken,
                "\(reason); what was recorded before is whole, and keyflight repair makes it complete")
        }
    }
}
