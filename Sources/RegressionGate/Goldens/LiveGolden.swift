import FlightReplay
import KeyModel
import LatencyAnalysis
import Libc
import TraceFormat
import TracePresses

/// A golden of a live app: `launch.txt` beside `input.keys` holds the app and its arguments, one a line. Its
/// resolutions are those of the app itself, into which `keyflight launch` types the script. Times are compared by no
/// golden: that is for a gate of two builds.
struct LiveGolden {
    private let golden: GoldenCase
    private let command: [String]

    /// One app at a time: they share a keyboard.
    private static let turn = Turn()

    /// `nil` for a golden without `launch.txt`.
    ///
    /// - Throws: where that names no app, or the golden has something that only a replay can be compared with.
    init?(_ golden: GoldenCase) throws(VerdictError) {
        let path = "\(golden.folder)/launch.txt"
        guard let text = try TextFile.read(path) else { return nil }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        guard let app = lines.first, !app.isEmpty else {
            throw VerdictError(.notComparable, path, "app", expected: "a program in the first line", found: "none")
        }
        (self.golden, command) = (golden, lines)
        guard TextFile.exists(script), !TextFile.exists("\(golden.folder)/scene.yaml"), golden.profile == nil else {
            throw VerdictError(
                .notComparable, golden.folder, "input", expected: "input.keys, and neither a scene nor a profile",
                found: "something else beside launch.txt")
        }
        guard try golden.accepted()?.budgets.isEmpty ?? true else {
            throw VerdictError(
                .notComparable, golden.path, "latency budget", expected: "none of a live app", found: "one",
                remedy: "compare the time of two builds: gate --base and --head")
        }
    }

    private var script: String { "\(golden.folder)/input.keys" }

    /// What one run of the app came to.
    ///
    /// - Parameter launcher: A path of `keyflight`, or its name in PATH.
    func run(_ launcher: String) throws -> (text: String, findings: GoldenFindings) {
        let recording = try LiveGolden.turn.take { try record(launcher) }
        var results = PressResults()
        results.consume(recording)
        results.finish(recording.definitions)
        let heading = GoldenText.Heading(
            profile: LiveGolden.toolkit(of: recording) ?? "none", layout: "us", level: .calls, cache: "none")
        var text = GoldenText(heading, hasStream: false)
        for result in results.results { text.append(result.line) }
        var scanner = LintScanner()
        scanner.begin(recording.initialContext)
        scanner.consume(recording)
        // A repeat that comes too soon is a matter of time.
        let findings = scanner.findings(definitions: recording.definitions).filter { $0.rule != .repeatOverrun }
        return (text.text, GoldenFindings(findings))
    }

    private static func toolkit(of recording: Recording) -> String? {
        for record in recording.records {
            if case .environment(let fact) = record.body, fact.name == AdapterFact.toolkit { return fact.value }
        }
        return nil
    }

    private func record(_ launcher: String) throws -> Recording {
        let folder = try LiveGolden.temporaryFolder()
        defer { rmdir(folder) }
        let (trace, notes) = (folder + "/run.keyflight", folder + "/notes")
        defer { for path in [trace, notes] { unlink(path) } }
        let words = [launcher, "launch", "-o", trace, "--keys", script, "--layout", "us", "--"] + command
        let status = try LiveGolden.run(words, notes)
        guard status == 0 else {
            let said = (try? TextFile.read(notes))?.split(separator: "\n").last.map(String.init) ?? ""
            throw VerdictError(
                .notComparable, "\(golden.folder)/launch.txt", "keyflight launch", expected: "status 0",
                found: "\(status) (\(said))")
        }
        return try GoldenCase.recording(try TextFile.bytes(trace) ?? [], trace)
    }

    // MARK: Processes

    private static func temporaryFolder() throws(VerdictError) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/keyflight-live-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw VerdictError(
                .notPermitted, parent, "make a folder", expected: "room for one",
                found: String(cString: strerror(errno)))
        }
        return template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Both streams go to a file. 127 where there is no such program.
    private static func run(_ words: [String], _ notes: String) throws(VerdictError) -> Int32 {
        #if canImport(Darwin)
            var files = nil as posix_spawn_file_actions_t?
        #else
            var files = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, notes, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&files, 1, 2)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, words[0], &files, nil, &arguments, environ)
        guard error == 0 else {
            throw VerdictError(
                .notComparable, words[0], "run", expected: "keyflight", found: String(cString: strerror(error)),
                remedy: "install it, or name it in KEYFLIGHT")
        }
        var state: Int32 = 0
        while waitpid(process, &state, 0) < 0 && errno == EINTR {}
        return state & 0x7F == 0 ? state >> 8 & 0xFF : 128 + state & 0x7F
    }
}

/// Who holds it runs alone.
private final class Turn: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(mutex, nil) }

    func take<R>(_ body: () throws -> R) rethrows -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}

extension PressResult {
    /// As a replay gives it.
    fileprivate var line: ReplayLine {
        var line = ReplayLine(press: at.press == 0 ? nil : at.press, isRepeat: at.tick > 0, outcome: decision.outcome)
        switch input.key {
        case .chord(let chord): line.chord = chord
        case .masked(_, let name): line.maskedClass = TextKeyClass(name: name)
        case .text, .unknown: break
        }
        line.takenBy = decision.takenBy
        line.action = decision.action
        line.supplier = decision.supplier
        line.target = decision.target
        line.text = decision.text
        line.receivers = decision.receivers
        line.calls.keyCommands = calls(.keyCommands)
        line.calls.canPerformAction = calls(.canPerformAction)
        line.calls.validate = calls(.validate)
        line.calls.buildMenu = calls(.buildMenu)
        line.keyCommandsOnRelease = UInt32(clamping: counts.callsOnRelease)
        return line
    }

    private func calls(_ kind: CallKind) -> UInt32 { UInt32(clamping: counts.calls[Int(kind.rawValue)]) }
}
