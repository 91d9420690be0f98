import ArgumentParser
import RegressionGate
import TraceFormat
import TraceTools

struct Minimise: Verb {
    static let configuration = CommandConfiguration(verb: "minimise")

    @Argument(help: "A key script or a trace.") var input: String
    @Option(help: "The responders, as a scene file.") var scene: String?
    @Option(help: "The command that sees what is wrong.") var test: String
    @Option(name: .shortAndLong, help: "A folder for input.keys or input.keyflight, and scene.yaml.") var output: String
    @Option(help: "Most runs of the test.") var tries = 2000
    @Option(help: "Seconds that one run of the test may take; a longer one has failed.")
    var timeout = ChildProcess.seconds
    @Flag(help: "Replace files of the folder.") var force = false
    @Flag(help: "Leave in clear what is in clear in a trace.") var showKeys = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func validate() throws {
        try OutputDestination.check(output, "-o", "folder", takesStream: false)
        guard tries > 0 else { throw ValidationError("--tries: 1 or more.") }
        guard timeout > 0 else { throw ValidationError("--timeout: 1 or more.") }
        if test.isEmpty { throw ValidationError("--test: a command.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        for name in ["input.keys", "input.keyflight", "scene.yaml"] {
            try OutputDestination(path: "\(output)/\(name)", replaces: force, inputs: inputs).checkInputs()
        }
        let file = try Input(input, console)
        let sceneText = try scene.map { String(decoding: try ByteFile.readScene($0), as: UTF8.self) }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let trial = Trial(test: test, seconds: timeout, folder: folder, left: tries, progress: console.progress)
        let small: Smaller
        switch file.content {
        case .script(let bytes):
            _ = try file.script()
            small = try script(String(decoding: bytes, as: UTF8.self), sceneText, trial)
        case .trace(let reader):
            small = try trace(reader.bytes, sceneText, trial, console)
        case .capture: throw Failure(capture: file.name)
        case .scene:
            throw Failure(
                .usage, "\(file.name): input: expected a key script or a trace, found a scene")
        }
        var smallScene = sceneText
        if let sceneText {
            smallScene = try IndentedText(sceneText).minimised(while: trial.isAllowed) {
                try trial.holds(small.input, $0)
            }.text
        }
        try publish(small.input, console)
        if let smallScene { try publish(TrialFile("scene.yaml", smallScene), console) }
        let scenes = smallScene.map { text in
            " · scene \(Minimise.count(sceneText ?? "")) → \(Minimise.count(text)) lines"
        }
        console.note(
            "\(small.summary)\(scenes ?? "") · \(trial.runs) runs of the test"
                + (trial.left == 0 ? ", all that were allowed: it may get smaller with more --tries" : ""))
        return .fine
    }

    /// A file to try, or what is left of one. A trace is written piece by piece, and never held.
    private struct TrialFile {
        var name: String
        var write: (@escaping TraceWriter.Sink) throws -> Void

        init(_ name: String, _ write: @escaping (@escaping TraceWriter.Sink) throws -> Void) {
            (self.name, self.write) = (name, write)
        }

        init(_ name: String, _ text: String) {
            self.init(name) { sink in try Array(text.utf8).withUnsafeBytes(sink) }
        }
    }

    /// The minimised input.
    private struct Smaller {
        var input: TrialFile
        var summary: String
    }

    private func script(_ text: String, _ scene: String?, _ trial: Trial) throws -> Smaller {
        func input(_ lines: [String]) -> TrialFile { TrialFile("input.keys", lines.map { $0 + "\n" }.joined()) }
        try trial.expectWhole(TrialFile("input.keys", text), scene)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        let kept = try DeltaDebugging.minimised(lines, while: trial.isAllowed) { try trial.holds(input($0), scene) }
        return Smaller(input: input(kept), summary: "script \(lines.count) → \(kept.count) lines")
    }

    private func trace(
        _ bytes: TraceBytes, _ scene: String?, _ trial: Trial, _ console: Console
    ) throws -> Smaller {
        let whole = "whole.keyflight"
        var masked = IdentifyingDataCounts()
        try trial.write(whole) { sink in
            masked = try Failure.reading { try TraceRepair(showsKeys: showKeys).run(bytes, to: sink).counts }
        }
        TraceToTrace.note(masked, bytes, console)
        let copy = try ByteFile.open(trial.folder.path + "/" + whole)
        let parts = try Failure.reading { try TraceParts(copy) }
        func input(_ kept: [UInt32]) -> TrialFile {
            TrialFile("input.keyflight") { sink in try Failure.reading { try parts.write(kept, to: sink) } }
        }
        try trial.expectWhole(input(parts.presses + parts.others), scene)
        let kept = try parts.minimised(while: trial.isAllowed) { try trial.holds(input($0), scene) }
        let summary =
            "trace \(parts.presses.count) → \(kept.presses.count) presses,"
            + " \(parts.others.count) → \(kept.others.count) other records"
        return Smaller(input: input(kept.presses + kept.others), summary: summary)
    }

    private var inputs: [String] { [input, scene].compactMap(\.self) }

    private func publish(_ file: TrialFile, _ console: Console) throws {
        try OutputDestination(path: output, replaces: force).writeFile(named: file.name, console, file.write)
    }

    private static func count(_ text: String) -> Int { text.split(separator: "\n").count }

    /// Runs the test on what is left.
    private final class Trial {
        let test: String
        let seconds: Int
        let folder: TemporaryFolder
        var left: Int
        var runs = 0
        /// How the last run of the test ended.
        var last = ""
        let progress: ProgressLine

        init(test: String, seconds: Int, folder: TemporaryFolder, left: Int, progress: ProgressLine) {
            self.test = test
            self.seconds = seconds
            self.folder = folder
            self.left = left
            self.progress = progress
        }

        /// More runs of the test may be made.
        func isAllowed() -> Bool { left > 0 }

        func expectWhole(_ input: TrialFile, _ scene: String?) throws {
            guard try holds(input, scene) else {
                throw Failure(
                    .testFails,
                    "--test: expected status 0 on the whole input, which shows what is wrong, found \(last)")
            }
        }

        func holds(_ input: TrialFile, _ scene: String?) throws -> Bool {
            guard left > 0 else { return false }
            left -= 1
            runs += 1
            var environment = ["KEYFLIGHT_INPUT": "\(folder.path)/\(input.name)"]
            let count = try write(input.name, input.write)
            progress.step("run \(runs) of the test: \(ProgressLine.size(count))")
            if let scene {
                try write("scene.yaml", TrialFile("scene.yaml", scene).write)
                environment["KEYFLIGHT_SCENE"] = folder.path + "/scene.yaml"
            }
            let child = try ChildProcess(shell: test, environment: environment, seconds: seconds)
            last =
                child.isTimedOut ? "it running after \(seconds) s (--timeout)" : "\(child.status) (\(child.lastLine))"
            return !child.isTimedOut && child.status == 0
        }

        /// Puts what `body` writes into a file of the folder, in the place of one that is there.
        /// - Returns: The number of bytes.
        @discardableResult
        func write(_ name: String, _ body: (@escaping TraceWriter.Sink) throws -> Void) throws -> Int {
            var count = 0
            try Failure.writing {
                let file = try TraceFileOutput(publishingTo: "\(folder.path)/\(name)", replacing: .regularFile)
                try body { bytes in
                    try file.write(bytes)
                    count += bytes.count
                }
                try file.publish()
            }
            return count
        }
    }
}
