import Foundation
import RegressionGate
import Scenes
import TraceReports

/// Proves that the gate can fail: breaks an input on disk in three ways, and runs the real gate on each in a process
/// of its own. A gate that passes any of them is a defect.
struct GateSelfTest {
    private static let script = "keys 1\npress cmd+w\npress cmd+t\npress cmd+w\n"

    /// `action`: what ⌘W does. `chain`: a responder more in between. `cost`: what ⌘W takes.
    private static func scene(action: String = "closeTab:", isLonger: Bool = false, cost: String = "2ms") -> String {
        """
        scene: 1
        name: self-test
        profile: ios15
        responders:
          - {id: view, kind: view, next: tabs, canBecomeFirstResponder: true}
          - id: tabs
            kind: viewController
            next: \(isLonger ? "extra" : "win")
            actions: ["closeTab:", "newTab:", "closeWindow:"]
            keyCommands:
              - {input: w, modifiers: [command], action: "\(action)"}
              - {input: t, modifiers: [command], action: "newTab:"}
            cost: {keyCommands: 100us, "closeTab:": \(cost), "newTab:": 1ms}
        \(isLonger ? "  - {id: extra, kind: responder, next: win}" : "")
          - {id: win, kind: window, keyWindow: true}
        firstResponder: view

        """
    }

    private struct Trial {
        var name: String
        var scene: String
        var comparesBuilds = false
        /// The status of the gate.
        var expected: Int32
    }

    func run(_ console: Console) throws -> ExitStatus {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let trials = [
            Trial(name: "nothing changed", scene: GateSelfTest.scene(), expected: 0),
            Trial(name: "a wrong resolution", scene: GateSelfTest.scene(action: "closeWindow:"), expected: 1),
            Trial(name: "an extra keyCommands call", scene: GateSelfTest.scene(isLonger: true), expected: 1),
            Trial(name: "a slow stage", scene: GateSelfTest.scene(cost: "2400us"), comparesBuilds: true, expected: 1),
        ]
        let golden = folder.path + "/goldens/self-test"
        let resources = SceneResources(layoutNamed: LayoutChoice.named)
        try makeFolder(golden)
        try Array(GateSelfTest.scene().utf8).write(to: golden + "/scene.yaml")
        try Array(GateSelfTest.scene().utf8).write(to: folder.path + "/base.scene.yaml")
        try Array(GateSelfTest.script.utf8).write(to: golden + "/input.keys")
        let accepted = GoldenCase(folder: golden)
        let first = GoldenComparison(accepted, resources: resources)
        try first.propose()
        try accepted.accept()
        var status = ExitStatus.fine
        for trial in trials {
            try Array(trial.scene.utf8).write(to: golden + "/scene.yaml")
            let child = try ChildProcess(GateSelfTest.program, arguments(trial, folder.path))
            let isRight = child.status == trial.expected
            let verdict = child.status == 0 ? "passes" : "fails with status \(child.status)"
            try console.output.line("\(isRight ? "✔" : "✘") \(trial.name): the gate \(verdict)")
            if !isRight {
                status = console.fail(
                    .gateDoesNotFail,
                    "self-test: \(trial.name): status: expected \(trial.expected), found \(child.status)"
                        + " (\(child.lastLine))")
            }
        }
        return status
    }

    private func arguments(_ trial: Trial, _ folder: String) -> [String] {
        guard trial.comparesBuilds else { return ["gate", folder + "/goldens"] }
        func command(_ scene: String) -> String {
            let parts = [
                GateSelfTest.program, "replay", folder + "/goldens/self-test/input.keys", "--scene", scene,
                "--show-keys",
            ]
            return parts.map(ShellWord.quoted).joined(separator: " ") + " -o \"$KEYFLIGHT_OUTPUT\" > /dev/null"
        }
        return [
            "gate", "--base", command(folder + "/base.scene.yaml"), "--head",
            command(folder + "/goldens/self-test/scene.yaml"), "--time", "fail",
        ]
    }

    private func makeFolder(_ path: String) throws {
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            throw Failure(.unwritable, "\(path): make a folder: expected room for one, found \(error.fileReason)")
        }
    }

    private static let program = AdapterLibrary.program ?? CommandLine.arguments[0]
}
