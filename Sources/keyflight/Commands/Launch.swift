import ArgumentParser
import FlightRecorder
import KeyModel
import Libc
import TraceFormat

struct Launch: Verb {
    static let configuration = CommandConfiguration(verb: "launch")

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The trace to write; APP.keyflight unless given.", valueName: "trace"))
    var output: String?
    @Option(help: ArgumentHelp("Record an app that runs, by its process number.", valueName: "pid"))
    var attach: Int32?
    @Option(help: "What is recorded: keys, resolutions, stages or calls.") var level = Level.calls
    @Flag(help: "Print each press as it happens, on standard error.") var explain = false
    @Flag(help: "Keep the keys that type text in clear.") var showKeys = false
    @Option(
        help: ArgumentHelp("Type this key script, or these keys of a trace, into the app.", valueName: "script"),
        completion: .file(extensions: ["keys", "keyflight"]))
    var keys: String?
    @Option(help: "When keys are typed: once the app has settled, or at the script's times (settled, recorded).")
    var pace: Pace?
    @Option(help: "The layout of the script's characters; us unless KEYFLIGHT_LAYOUT says otherwise.")
    var layout: String?
    @OptionGroup var facts: FactOptions
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Ask the app to quit, or detach from it, after this time: 90s, 2h.", valueName: "time"),
        transform: RecordingLength.init(argument:))
    var length: RecordingLength?
    @Option(
        help: ArgumentHelp(
            "End an app that has not quit so long after it was asked; leave one that cannot be detached from. "
                + "(default: \(RecordingLength.oneMinute))",
            valueName: "time"),
        transform: RecordingLength.init(argument:))
    var timeout = RecordingLength.oneMinute
    @Flag(help: "Print the environment for another launcher, and start nothing.") var printEnvironment = false
    @Flag(help: "For the simulator: with its prefix for variables.") var forSimulator = false
    @Option(
        help: ArgumentHelp(
            "With --for-simulator: the adapter as built for simulators, an absolute path.", valueName: "library"),
        completion: .file())
    var adapter: String?
    @Flag(help: "For a device, where the app has the library linked in: with its prefix.") var forDevice = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The app and its arguments, behind --.", valueName: "app"))
    var command: [String] = []

    enum Level: String, CaseIterable, ExpressibleByArgument {
        case keys, resolutions, stages, calls
    }

    enum Pace: String, CaseIterable, ExpressibleByArgument {
        case settled, recorded
    }

    func validate() throws {
        guard (attach == nil) != (command.first?.isEmpty ?? true) else {
            throw ValidationError("Name one app: behind --, or one that runs with --attach.")
        }
        if attach != nil, keys != nil || printEnvironment {
            throw ValidationError("--keys and --print-environment go with an app behind --.")
        }
        if output == "" || output == "-" { throw ValidationError("The trace is a file: name one with -o.") }
        if forSimulator, forDevice { throw ValidationError("--for-simulator and --for-device exclude each other.") }
        if forSimulator || forDevice, !printEnvironment {
            throw ValidationError("--for-simulator and --for-device go with --print-environment.")
        }
        if adapter != nil, !forSimulator { throw ValidationError("--adapter goes with --for-simulator.") }
        if printEnvironment, explain || length != nil || keys != nil {
            throw ValidationError("--print-environment starts nothing: --explain, --for and --keys do not go with it.")
        }
        if keys == nil, pace != nil || layout != nil {
            throw ValidationError("--pace and --layout are about a script: name one with --keys.")
        }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let running = try attach.map { try AttachedApp.program(of: $0) }
        var name = Files.name(of: running?.path ?? command[0])
        if name.hasSuffix(".app") { name.removeLast(4) }
        let trace = Files.resolvedFolder(of: output ?? name + ".keyflight")
        if printEnvironment {
            // A path of this machine is none of the app's container.
            let isElsewhere = forDevice || forSimulator
            return try write(environment(isElsewhere ? containerPath(name) : trace), console)
        }
        let script = try keys.map { try TypedScript($0, layout: layout ?? console.settings.checkedLayout(), console) }
        try checkOutput(trace, shown: VisibleText.escaped(output ?? name + ".keyflight"))
        let paths = console.environment.variable("PATH")
        let program = try running ?? AppProgram(named: command[0], paths: paths)
        let library = try AdapterLibrary.beside(AdapterLibrary.program)
        let injector = try attach.map { try Injector($0, library, paths: paths) }
        NotedSignals.note()
        var variables = environment(trace)
        if let script {
            variables[AdapterVariable.keys] = script.path
            if pace == .recorded { variables[AdapterVariable.pace] = Pace.recorded.rawValue }
        }
        guard let memory = SharedMemory() else {
            throw Failure(.notLaunchable, "memory: expected some to share with the app, found none")
        }
        variables[AdapterVariable.memory] = injector == nil ? memory.name : memory.openableName
        let process: LaunchedApp
        if let injector {
            let app = AttachedApp(injector.process, injector, console)
            let hooks = console.environment.variable(AdapterVariable.hooks)
            // They take signals over, which are the app's here.
            if hooks?.split(separator: ",").contains("+samples") ?? false {
                throw Failure(.wrongSetting, "\(AdapterVariable.hooks): +samples goes with an app behind --")
            }
            variables[AdapterVariable.hooks] = hooks
            try app.begin(variables)
            process = app
        } else {
            process = try LaunchedApp(
                program.path, Array(command.dropFirst()), library: library, environment: variables)
        }
        var watch = LaunchWatch(
            process, program, SharedRecording(memory, options(trace)), trace: trace,
            announcement: "Recording \(showKeys ? "all keys IN CLEAR" : "keys, text masked"), of "
                + "\(VisibleText.escaped(name)) into \(VisibleText.escaped(trace)).",
            asksAfter: length?.duration, endsAfter: timeout.duration)
        watch.script = script
        if explain { watch.follower = TraceFollower(trace) }
        let line = RecordingLine()
        line.begin(isMasked: !showKeys)
        let status = watch.run(console)
        line.end()
        guard let keys, status == .fine else { return status }
        return try arrived(keys, in: trace, console)
    }

    /// Whether each key of the script arrived in the app, once the app has ended by itself.
    private func arrived(_ script: String, in trace: String, _ console: Console) throws -> ExitStatus {
        let check = try DeliveryCheck(
            of: Input(trace, console), named: trace, with: script,
            layout: layout ?? console.settings.checkedLayout(), console)
        if check.status != .fine {
            for line in check.text.split(separator: "\n") {
                console.note(String(line))
            }
        }
        return check.status
    }

    /// The trace that this program writes of what the app records.
    private func options(_ trace: String) -> RecorderOptions {
        var options = RecorderOptions(.file(trace), level: TraceLevel(name: level.rawValue) ?? .calls)
        options.showsKeys = showKeys
        options.recordsInvocations = true
        options.autoStop = nil
        options.flushInterval = TraceDuration(nanoseconds: 50_000_000)
        return options
    }

    /// - Throws: a `Failure` where the trace could not be created.
    private func checkOutput(_ trace: String, shown file: String) throws {
        // A link that leads nowhere is there as well.
        var status = stat()
        if lstat(trace, &status) == 0 {
            throw Failure(.outputExists, "\(file): expected a new file, found one that is there")
        }
        guard Files.mayWrite(Files.parent(of: trace)) else {
            throw Failure(.unwritable, "\(file): open: expected a folder that can be written to, found none")
        }
    }

    /// The environment variables that the adapter reads.
    private func environment(_ trace: String) -> [String: String] {
        var variables = [AdapterVariable.trace: trace, AdapterVariable.level: level.rawValue]
        if showKeys { variables[AdapterVariable.showsKeys] = "1" }
        let facts = facts.records.map { "\($0.name)=\($0.value)" }
        if !facts.isEmpty { variables[AdapterVariable.facts] = facts.joined(separator: "\n") }
        return variables
    }

    /// A library that was built for Linux, which no simulator loads.
    private static func isOfLinux(_ path: String) -> Bool {
        (try? ByteFile.beginning(of: path, atMost: 4)) == Array("\u{7F}ELF".utf8)
    }

    /// A path in the app's container, where it may write below Documents.
    private func containerPath(_ name: String) throws -> String {
        let path = output ?? name + ".keyflight"
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            throw Failure(
                .usage, "-o: expected a path in the app's container, as Documents/x.keyflight, found \(path)")
        }
        return path.contains("/") ? path : "Documents/" + path
    }

    private func write(_ environment: [String: String], _ console: Console) throws -> ExitStatus {
        guard facts.records.count < 2 else {
            throw Failure(.usage, "--print-environment: expected at most one --fact, which is one line, found more")
        }
        var variables = environment
        var prefix = ""
        if forSimulator {
            prefix = "SIMCTL_CHILD_"
            // The one beside this program is built for this system, and no simulator loads it.
            guard let adapter, adapter.hasPrefix("/"), !adapter.contains(":"), !Launch.isOfLinux(adapter) else {
                throw Failure(
                    .notLaunchable,
                    "--for-simulator: adapter: expected the absolute path of one that was built for simulators, found "
                        + "\(VisibleText.escaped(adapter ?? "none")); build the scheme KeyflightAdapter and name it "
                        + "with --adapter")
            }
            variables["DYLD_INSERT_LIBRARIES"] = adapter
        } else if forDevice {
            prefix = "DEVICECTL_CHILD_"
        } else {
            variables[AdapterLibrary.loaderVariable] = try AdapterLibrary.beside(AdapterLibrary.program).path
        }
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            try console.output.line("\(prefix)\(name)=\(value)")
        }
        return .fine
    }
}
