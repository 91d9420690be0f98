import Foundation
import ArgumentParser
import FlightVerdicts
import Scenes

struct Minimise: Verb {
    static let configuration = CommandConfiguration(
        commandName: "minimise", abstract: "The shortest script and scene that still show what is wrong.",
        discussion: """
            --test is a command that ends with status 0 while what is wrong is still there. It finds the files to try \
            in KEYFLIGHT_INPUT and KEYFLIGHT_SCENE. Steps of the script are left out first, then blocks of the scene.

            Exit codes: 0 made smaller or smallest already, 2 an input is unreadable, 4 the test fails on the whole \
            input, 64 wrong usage.
            """)

    @Argument(help: "A key script.") var input: String
    @Option(help: "The responders, as a scene file.") var scene: String?
    @Option(help: "The command that sees what is wrong.") var test: String
    @Option(name: .shortAndLong, help: "A folder for input.keys and scene.yaml.") var output: String
    @Option(help: "Most runs of the test.") var tries = 2000
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        guard tries > 0 else { throw ValidationError("--tries: 1 or more.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let script = String(decoding: try ByteFile.read(input), as: UTF8.self)
        _ = try InputOptions.script(Array(script.utf8), input)
        let sceneText = try scene.map { String(decoding: try ByteFile.read($0), as: UTF8.self) }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var trial = Trial(test: test, folder: folder.path, left: tries)
        guard try trial.holds(script, sceneText) else {
            throw Failure(
                .testFails,
                "--test: expected status 0 on the whole input, which shows what is wrong, found another")
        }
        let lines = script.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        let kept = try DeltaDebugging.minimised(lines) { try trial.holds(Minimise.text($0), sceneText) }
        let smallScript = Minimise.text(kept)
        var smallScene = sceneText
        if let sceneText {
            smallScene = try IndentedText(sceneText).minimised { try trial.holds(smallScript, $0) }.text
        }
        if !FileManager.default.fileExists(atPath: output) {
            try? FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        }
        try Array(smallScript.utf8).write(to: output + "/input.keys")
        if let smallScene { try Array(smallScene.utf8).write(to: output + "/scene.yaml") }
        let scenes = smallScene.map { small in
            " · scene \(Minimise.count(sceneText ?? "")) → \(Minimise.count(small)) lines"
        }
        console.note(
            "script \(lines.count) → \(kept.count) lines\(scenes ?? "") · \(trial.runs) runs of the test"
                + (trial.left == 0 ? ", all that were allowed: it may get smaller with more --tries" : ""))
        return .fine
    }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private static func count(_ text: String) -> Int { text.split(separator: "\n").count }

    /// Runs the test on what is left.
    private struct Trial {
        let test: String
        let folder: String
        var left: Int
        var runs = 0

        init(test: String, folder: String, left: Int) {
            self.test = test
            self.folder = folder
            self.left = left
        }

        mutating func holds(_ script: String, _ scene: String?) throws -> Bool {
            guard left > 0 else { return false }
            left -= 1
            runs += 1
            var environment = ["KEYFLIGHT_INPUT": folder + "/input.keys"]
            try Array(script.utf8).write(to: folder + "/input.keys")
            if let scene {
                try Array(scene.utf8).write(to: folder + "/scene.yaml")
                environment["KEYFLIGHT_SCENE"] = folder + "/scene.yaml"
            }
            return try ChildProcess(shell: test, environment: environment).status == 0
        }
    }
}
