import FlightRecorder
import KeyModel
import LatencyAnalysis
import Libc
import TraceFormat
import TraceReports

/// Waits for a launched app: until its adapter has come up, while it runs, and until it has ended. Has its trace
/// written, to the end of what was recorded, whatever ended the app.
struct LaunchWatch {
    private let app: LaunchedApp
    private let program: AppProgram
    private let recording: SharedRecording
    private let trace: String
    /// Printed once the app is recorded.
    private let announcement: String
    private let asksAfter: TraceDuration?
    private let endsAfter: TraceDuration
    var follower: TraceFollower?
    /// The script that is typed into the app.
    var script: TypedScript?
    /// Keys typed, and when the last of them was.
    private var typed = (count: 0, at: Duration.zero)
    private var isUp = false
    private var isMissingReported = false
    /// The time at which the app was asked to quit: after a time, or by a signal to this program.
    private var asked: Duration?
    /// The reason why the app was ended by this program.
    private var endReason: String?
    /// The libraries seen so far in the memory of the app.
    private var hadAdapter = false
    private var hadRuntime = false
    /// The process that the program has started, as a shell does, and when it was seen first.
    private var child: (process: String, since: Duration)?
    /// The trace could not be made, or written to its end, in words.
    private var failure: String?

    /// The time after the start within which the adapter must be up.
    private static let timeout = Duration.seconds(10)
    /// The time for which a program waits for another one before that is taken for the app.
    private static let childTimeout = Duration.seconds(1)

    init(
        _ app: LaunchedApp, _ program: AppProgram, _ recording: SharedRecording, trace: String, announcement: String,
        asksAfter: TraceDuration?, endsAfter: TraceDuration
    ) {
        (self.app, self.program, self.recording) = (app, program, recording)
        (self.trace, self.announcement) = (trace, announcement)
        (self.asksAfter, self.endsAfter) = (asksAfter, endsAfter)
    }

    mutating func run(_ console: Console) -> ExitStatus {
        let start = ContinuousClock.now
        var forwarded: Int32?
        while !app.hasEnded() {
            let elapsed = ContinuousClock.now - start
            if !isUp { awaitAdapter(elapsed, console) }
            if let signal = NotedSignals.first, forwarded == nil {
                // The adapter asks the app to quit. A terminal has sent its own to the app as well.
                if app.isAttached || signal != SIGINT || !LaunchWatch.isForeground { app.askToQuit(isUp: isUp) }
                forwarded = signal
                asked = asked ?? elapsed
            }
            followScript(elapsed)
            endInTime(elapsed)
            follow(console)
            reportFailure(console)
            Input.pause()
        }
        if !isUp { begin(console) }
        if obstacle == .noTyping {
            let name = VisibleText.escaped(program.path)
            return console.fail(.usage, "\(name): --keys: expected an app that uses GNUstep, found one that uses UIKit")
        }
        finish(console)
        if isUp { follow(console, isLast: true) }
        if !isUp, !isMissingReported { reportMissing(console) }
        let status = conclusion(console)
        return forwarded == nil ? status : status.joined(with: .interrupted)
    }

    /// True if keys of the terminal go to this program, and to the app with it.
    private static var isForeground: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }

    // MARK: Beginning

    /// The adapter records once it is up.
    private mutating func begin(_ console: Console) {
        guard failure == nil else { return }
        do throws(RecorderError) {
            isUp = try recording.begin()
        } catch {
            failure = error.description
        }
        if isUp { console.note(announcement) }
    }

    private var obstacle: AdapterObstacle? { AdapterObstacle(rawValue: recording.memory.obstacle) }

    private mutating func awaitAdapter(_ elapsed: Duration, _ console: Console) {
        begin(console)
        guard !isUp, !isMissingReported else { return }
        if failure != nil || obstacle == .otherProcess { return reportMissing(console) }
        if let libraries = app.libraries {
            hadAdapter = hadAdapter || libraries.contains(AdapterLibrary.fileName)
            hadRuntime = hadRuntime || libraries.contains("libobjc")
        }
        // A shell may run programs before the app comes in its place, or wait for the app.
        let running = obstacle == .noRuntime ? app.child : nil
        if running != child?.process { child = running.map { ($0, elapsed) } }
        let waits = child.map { elapsed > $0.since + LaunchWatch.childTimeout } ?? false
        if waits || elapsed > LaunchWatch.timeout { reportMissing(console) }
    }

    private mutating func reportMissing(_ console: Console) {
        isMissingReported = true
        if app.isAttached { app.askToQuit(isUp: false) }
        let name = VisibleText.escaped(program.path)
        let end = app.end == nil ? "; the app runs on" : ""
        if let failure {
            _ = console.fail(.notLaunchable, "\(name): adapter: \(failure)\(end)")
            return
        }
        let reason = reasonFound ?? "none within 10 s"
        _ = console.fail(.notLaunchable, "\(name): adapter: expected it to come up, found \(reason)\(end)")
    }

    private var reasonFound: String? {
        let works = "apps of GNUstep and UIKit are recorded"
        switch obstacle {
        case .otherProcess: return "a program that starts the app as another process: name the app itself"
        case .noRuntime where child != nil && app.end == nil:
            return "one that waits for another process: name the app itself, or exec it there; \(works)"
        case .noRuntime where program.obstacle == nil: return "a program without an Objective-C runtime; \(works)"
        case .noToolkit: return "a program of Objective-C that has not loaded a toolkit; \(works)"
        default: break
        }
        if let obstacle = program.obstacle { return obstacle }
        if hadAdapter, !hadRuntime { return "a program without an Objective-C runtime" }
        guard app.end == nil else {
            return (hadRuntime ? "" : "a program without an Objective-C runtime, or ") + "one that ended before"
        }
        return hadAdapter ? nil : "a program that its loader did not give the library (hardened, or with other rights)"
    }

    // MARK: Script

    /// The adapter asks the app to quit when the script is over. An app that takes no key for long is ended, as is one
    /// whose adapter does not come up.
    private mutating func followScript(_ elapsed: Duration) {
        guard let script, asked == nil, endReason == nil else { return }
        // One whose adapter comes late has its time from then on.
        guard isUp else {
            typed.at = elapsed
            if elapsed > LaunchWatch.timeout + .nanoseconds(endsAfter.nanoseconds) {
                end("no key could be typed into it, and it was ended")
            }
            return
        }
        let count = script.progress
        if count != typed.count { typed = (count, elapsed) }
        if count > script.presses {
            asked = elapsed
        } else if elapsed > typed.at + .nanoseconds((endsAfter + script.longestWait).nanoseconds) {
            end("it took no key for long and was ended")
        }
    }

    /// The status for steps of the script that were not typed.
    private func scriptStatus(_ console: Console) -> ExitStatus {
        guard let script, isUp else { return .fine }
        let count = min(script.progress, script.presses)
        guard count < script.presses else { return .fine }
        console.note(
            "\(script.name): expected \(HumanNumbers.counted(script.presses, "key", "keys")) typed, found \(count):"
                + " the app ended before the others")
        return .findings
    }

    // MARK: End

    private mutating func endInTime(_ elapsed: Duration) {
        if let asksAfter, elapsed > .nanoseconds(asksAfter.nanoseconds), asked == nil {
            asked = elapsed
            app.askToQuit(isUp: isUp)
        }
        if let asked, elapsed > asked + .nanoseconds(endsAfter.nanoseconds), endReason == nil {
            end("it did not quit in time and was ended")
        }
    }

    private mutating func end(_ reason: String) {
        endReason = app.give(up: reason)
    }

    /// An app goes on when its trace cannot, as on a full disk.
    private mutating func reportFailure(_ console: Console) {
        guard isUp, failure == nil, let reason = recording.failureReason else { return }
        failure = reason
        console.note("recorder: \(reason)")
    }

    private mutating func finish(_ console: Console) {
        guard isUp else { return }
        do throws(RecorderError) {
            let words = endWords.map { obstacle == .noDisplay ? $0 + ": its display server ended" : $0 }
            try recording.finish(words.map { [(AdapterFact.end, $0)] } ?? [], isWhole: obstacle != .noDisplay)
        } catch {
            guard failure == nil else { return }
            failure = error.description
            console.note("\(error)")
        }
    }

    /// What ended the process, for its trace; `nil` where it ended by itself, with status 0.
    private var endWords: String? {
        switch app.end {
        case .status(0)?: recording.memory.hasEnded ? nil : "status 0, by _exit"
        case .status(let code)?: "status \(code)" + (recording.memory.hasEnded ? "" : ", by _exit")
        case .signal(let number)?:
            "signal \(number)" + (LaunchWatch.signalNames[number].map { " (\($0))" } ?? "")
                + (endReason.map { ": \($0)" } ?? "")
        case .detached?: AdapterFact.detached
        case .unknown?: recording.memory.hasEnded ? nil : "_exit or a signal"
        case nil: nil
        }
    }

    private static let signalNames = [
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP", SIGILL: "SIGILL", SIGINT: "SIGINT",
        SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM",
        SIGTRAP: "SIGTRAP",
    ]

    /// The cause comes last: it is what a caller of this program passes on.
    private func conclusion(_ console: Console) -> ExitStatus {
        let name = VisibleText.escaped(program.path)
        var status = ExitStatus.fine
        if !isUp {
            // Nothing of it has run.
            if obstacle != nil, app.end == .status(AdapterVariable.refused) { return .notPermitted }
            status = .notPermitted
        } else if !isComplete {
            console.note(
                "\(VisibleText.escaped(trace)): it holds what was recorded; keyflight repair makes it complete")
            status = .damaged
        }
        status = status.joined(with: scriptStatus(console))
        if let endReason {
            console.note("\(name): \(endReason)")
            return status.joined(with: .damaged)
        }
        switch app.end {
        case .status(0)?, .detached?, nil: return status
        case .unknown?:
            guard isUp, !recording.memory.hasEnded else { return status }
            console.note("\(name): it died, or called _exit")
            return status.joined(with: .damaged)
        case .status(let code)?:
            console.note("\(name): it ended with status \(code)")
            return status.joined(with: .findings)
        case .signal(let number)? where asked != nil && number == SIGTERM: return status
        case .signal(let number)?:
            console.note("\(name): it died of signal \(number)")
            return status.joined(with: .damaged)
        }
    }

    private var isComplete: Bool {
        guard let bytes = try? TraceFile.bytes(of: trace), var reader = try? TraceReader(bytes) else { return false }
        reader.definitionLifetime = .block
        while reader.next() != nil {}
        return reader.report.complete
    }

    private mutating func follow(_ console: Console, isLast: Bool = false) {
        guard isUp else { return }
        follower?.advance(isLast: isLast) { explanation in
            for line in PressSummaryReport(explanation).text().split(separator: "\n") { console.note(String(line)) }
        }
    }
}
