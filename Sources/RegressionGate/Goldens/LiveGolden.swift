import FlightReplay
import KeyModel
import LatencyAnalysis
import Libc
import ResponderEngine
import TraceFormat
import TracePresses

/// Result of one run of an app, its `lint` findings and its allocations.
struct GoldenRun {
    var text: String
    var findings: GoldenFindings
    var allocations: GoldenAllocations
}

/// A golden of a live app: `launch.txt` beside `input.keys` holds the app and its arguments, one a line. Its
/// resolutions are those of the app itself, into which `keyflight launch` types the script. Times are compared by no
/// golden: that is for a gate of two builds.
struct LiveGolden {
    private let golden: GoldenCase
    private let command: [String]

    /// One app at a time: they share a keyboard.
    private static let turn = Lock()

    /// The remedy where the program of `launch.txt` may not be started.
    static let leave = "--run-apps gives it"

    /// Bytes of `launch.txt` at most: what one command line may be on every system.
    private static let longestCommand = 64 << 10

    /// `nil` for a golden without `launch.txt`.
    ///
    /// - Throws: where that is no command line, or the golden has something that only a replay can be compared with.
    init?(_ golden: GoldenCase, _ rules: GoldenRules) throws(VerdictError) {
        guard golden.isOfLiveApp else { return nil }
        (self.golden, command) = (golden, try LiveGolden.command(golden.launchPath))
        func refuse(_ what: String, _ expected: String, _ found: String, _ remedy: String? = nil) -> VerdictError {
            VerdictError(.notComparable, golden.folder, what, expected: expected, found: found, remedy: remedy)
        }
        guard rules.runsApps else {
            throw refuse(
                "launch.txt", "leave to start the program that it names", "none", LiveGolden.leave)
        }
        guard TextFile.exists(script) else { throw refuse("input", "input.keys beside launch.txt", "none") }
        guard !TextFile.exists("\(golden.folder)/scene.yaml") else {
            throw refuse("responders", "launch.txt or scene.yaml", "both")
        }
        guard golden.profile == nil else {
            throw refuse("profile", "expected.txt, since an app has one profile", golden.file)
        }
        guard try golden.accepted()?.budgets.isEmpty ?? true, rules.latency.isEmpty else {
            throw refuse(
                "latency budget", "none of a live app", "one", "gate --base and --head compares the time of two builds")
        }
        guard try !golden.budgets().adding(rules.classes).ignores(.bytes) else {
            throw refuse("budget of bytes", "none of a live app, whose trace has its times", "one")
        }
    }

    /// The app and its arguments.
    private static func command(_ path: String) throws(VerdictError) -> [String] {
        let text = try TextFile.read(path) ?? ""
        func refuse(_ what: String, _ expected: String, _ found: String) -> VerdictError {
            VerdictError(.notComparable, path, what, expected: expected, found: found)
        }
        guard text.utf8.count <= longestCommand else {
            throw refuse("size", "at most \(longestCommand) bytes", "\(text.utf8.count)")
        }
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        if lines.last == "" { lines.removeLast() }
        for (place, line) in lines.enumerated() where line.utf8.contains(0) {
            throw refuse("line \(place + 1)", "text", "a NUL character")
        }
        guard let app = lines.first, !app.isEmpty else { throw refuse("app", "a program in the first line", "none") }
        return lines
    }

    private var script: String { "\(golden.folder)/input.keys" }

    /// Runs the app once and returns the result.
    func run(_ rules: GoldenRules) throws -> GoldenRun {
        let recording = try LiveGolden.turn.with { try record(rules) }
        var results = PressResults()
        results.consume(recording)
        results.finish(recording.definitions)
        guard results.lost == 0 else {
            throw VerdictError(
                .notComparable, golden.launchPath, "trace", expected: "one without losses",
                found: "\(results.lost) records lost")
        }
        let heading = GoldenText.Heading(
            profile: LiveGolden.toolkit(of: recording) ?? "none", layout: "us", level: .calls, cache: "none")
        var text = GoldenText(heading, hasStream: false)
        for result in results.results where result.isDecided { text.append(result.line) }
        // A repeat that comes too soon is a matter of time.
        let findings = GoldenFindings(of: recording, leavingOut: .repeatOverrun)
        return GoldenRun(
            text: rules.redacted(text.text), findings: rules.redacted(findings),
            allocations: GoldenAllocations(of: recording))
    }

    private static func toolkit(of recording: Recording) -> String? {
        for record in recording.records {
            if case .environment(let fact) = record.body, fact.name == AdapterFact.toolkit { return fact.value }
        }
        return nil
    }

    private func record(_ rules: GoldenRules) throws -> Recording {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let trace = folder.path + "/run.keyflight"
        let run: ChildProcess
        do {
            run = try ChildProcess(
                rules.launcher, ["launch", "-o", trace, "--keys", script, "--layout", "us", "--"] + command,
                seconds: rules.seconds)
        } catch var error as VerdictError where error.kind == .notRunnable {
            error.remedy = "install keyflight, or name it in KEYFLIGHT"
            throw error
        }
        func refuse(_ what: String, _ expected: String, _ found: String, _ remedy: String? = nil) -> VerdictError {
            VerdictError(.notComparable, golden.launchPath, what, expected: expected, found: found, remedy: remedy)
        }
        guard !run.isTimedOut else {
            throw refuse("end", "within \(rules.seconds) s", "it running", "gate --timeout gives it longer")
        }
        guard run.status == 0 else {
            throw refuse("keyflight launch", "status 0", "\(run.status) (\(run.lastLine))")
        }
        return try GoldenCase.recording(try TextFile.bytes(trace) ?? [], trace)
    }
}

extension PressResult {
    /// The line that a replay would give.
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
        line.keyCommandsOnRelease = Int(clamping: counts.callsOnRelease)
        return line
    }

    private func calls(_ kind: CallKind) -> Int { Int(clamping: counts.calls[Int(kind.rawValue)]) }
}
