import ArgumentParser
import FlightReplay
import KeyModel
import LatencyAnalysis
import Libc
import TraceFormat
import TraceReports

struct Watch: Verb {
    static let configuration = CommandConfiguration(verb: "watch")

    @Argument(
        help: "A trace, written already or just now, a key script or a capture; - is standard input.",
        completion: .file())
    var input: String?
    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "Presses") var presses: FilterOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The trace to write; APP.keyflight unless given, keys.keyflight of keyboards.", valueName: "trace"))
    var output: String?
    @Option(help: ArgumentHelp("Record an interface of libpcap. May be repeated.", valueName: "interface"))
    var pcapInterface: [String] = []
    @Option(help: ArgumentHelp("Record an input device. May be repeated.", valueName: "path")) var evdev: [String] = []
    @Flag(help: "Record this terminal: its keys are the view's again after Ctrl-C.") var tty = false
    @Option(help: ArgumentHelp("Record an app that runs, by its process number.", valueName: "pid")) var attach: Int32?
    @Option(
        help: ArgumentHelp("Type this key script, or these keys of a trace, into the app.", valueName: "script"),
        completion: .file(extensions: ["keys", "keyflight"]))
    var keys: String?
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("An app to launch and its arguments, behind --.", valueName: "app"))
    var command: [String] = []

    private var isOfKeyboards: Bool { tty || !pcapInterface.isEmpty || !evdev.isEmpty }

    func validate() throws {
        guard [input != nil, !command.isEmpty, attach != nil, isOfKeyboards].count(where: { $0 }) == 1 else {
            throw ValidationError(
                "Name one input: a file, an app behind -- or with --attach, or keyboards with --tty, --evdev or "
                    + "--pcap-interface.")
        }
        if input != nil, output != nil { throw ValidationError("-o goes with an app or keyboards.") }
        if command.isEmpty, keys != nil { throw ValidationError("--keys goes with an app behind --.") }
        if output == "" || output == "-" { throw ValidationError("The trace is a file: name one with -o.") }
        if input == nil, !replay.rules.options.isEmpty { throw ValidationError("Replay options go with an input.") }
        try presses.check()
    }

    func perform(on console: Console) throws -> ExitStatus {
        guard console.isTerminal, !console.environment.hasDumbTerminal else {
            throw Failure(
                .noTerminal, "watch: standard output: expected a terminal with a cursor, found "
                    + (console.isTerminal ? "TERM=dumb" : "a file or a pipe"))
        }
        // Its line would be in the view.
        console.settings.progress = false
        var (session, status) = try session(console)
        let trace = input == nil ? session.name : nil
        let recorder = try trace.map { try WatchedProcess(words(into: $0), hasTerminal: tty) }
        var run = WatchRun(try TerminalScreen(), recorder, path: trace ?? input ?? "", hasKeys: !tty)
        let isInterrupted = run.show(&session, filter: presses.expression)
        if let recorder {
            if recorder.status == nil { console.note("The recording is asked to end.") }
            status = status.joined(with: recorder.end())
            for note in recorder.notes { console.note(note) }
        } else if let trace = session.trace, !trace.isSound {
            status = status.joined(with: .damaged)
            if let damage = trace.info.loss.damage { console.fail(damage: damage, of: session.name) }
        }
        for press in session.marks.sorted() { try console.output.line(session.command(for: press)) }
        return isInterrupted ? status.joined(with: .interrupted) : status
    }

    // MARK: Recorders

    /// The command line of the recorder.
    private func words(into trace: String) -> [String] {
        var words = [isOfKeyboards ? "record" : "launch", "-o", trace]
        if let attach { words += ["--attach", "\(attach)"] }
        if reading.showKeys { words.append("--show-keys") }
        if let layout = reading.layout, keys != nil || isOfKeyboards { words += ["--layout", layout] }
        if let keys { words += ["--keys", keys] }
        words += pcapInterface.flatMap { ["--pcap-interface", $0] } + evdev.flatMap { ["--evdev", $0] }
        if tty { words.append("--tty") }
        if isOfKeyboards { words += reading.device.flatMap { ["--device", "\($0)"] } + ["--for", "24h"] }
        return words + (command.isEmpty ? [] : ["--"] + command)
    }

    // MARK: Inputs

    private func session(_ console: Console) throws -> (WatchSession, ExitStatus) {
        var style = console.style
        if !console.environment.hasUTF8 { style.isASCII = true }
        func session(_ trace: WatchedTrace?, _ name: String, _ arguments: [String], follows: Bool) -> WatchSession {
            WatchSession(trace, name: name, arguments: arguments, style: style, isFollowing: follows)
        }
        guard let path = input else {
            let program = try attach.map { try AttachedApp.program(of: $0).path } ?? command.first
            var name = program.map { Files.name(of: $0) } ?? "keys"
            if name.hasSuffix(".app") { name.removeLast(4) }
            let trace = output ?? name + ".keyflight"
            return (session(nil, trace, [trace], follows: true), .fine)
        }
        if path != "-", try ByteFile.open(path).mayBecomeTrace {
            return (session(nil, GivenName.of(path), [path], follows: true), .fine)
        }
        let given = try Input(path, reading, console, replay: replay)
        let rules = try given.rules()
        if let reader = given.trace, rules.options.isEmpty, rules.layout == nil {
            let trace = WatchedTrace(reader, name: given.name, path: path == "-" ? nil : path)
            return (session(trace, given.name, [path], follows: !reader.isFinished), .fine)
        }
        let source = try given.resolutions(takesKeys: true)
        let bytes: TraceBytes
        switch source.origin {
        case .replay(let job):
            var written: [UInt8] = []
            try job.write(showsKeys: true) { written += $0 }
            bytes = TraceBytes(written, file: given.name)
        case .trace(let reader): bytes = reader.bytes
        case .recording, .script: throw given.missingKeys
        }
        let trace = WatchedTrace(try TraceReader(bytes), name: given.name, finished: source)
        return (session(trace, given.name, source.replayArguments, follows: false), source.status)
    }
}

extension TraceReader {
    /// The index at the end of a finished trace is there.
    fileprivate var isFinished: Bool { TraceIndex(stored: bytes) != nil }
}

extension ProcessEnvironment {
    /// The locale's characters are Unicode's.
    var hasUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variable($0) }.first { !$0.isEmpty } ?? "C"
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}
