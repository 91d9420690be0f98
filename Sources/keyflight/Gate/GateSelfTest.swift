import KeyModel
import Libc
import RegressionGate
import Scenes
import TraceReports

/// Proves that the gate can fail: breaks an input on disk in four ways, and runs the real gate on each in a process
/// of its own. A gate that passes any of them is a defect. Then simulates gates of two builds that differ by no more
/// than the margin: one that fails more of them than promised is a defect too.
struct GateSelfTest {
    private static let script = "keys 1\npress cmd+w\npress cmd+t\npress cmd+w\n"
    /// Every third of 40 presses is ⌘W: their median does not show what it takes.
    private static let longScript = "keys 1\n"
        + (0..<40).map { $0 % 3 == 1 ? "press cmd+w\n" : "press cmd+t\n" }.joined()

    /// `action`: what ⌘W does. `isLonger`: a responder more in between. `cost`: what ⌘W takes; `other`: what ⌘T takes.
    private static func scene(
        action: String = "closeTab:", isLonger: Bool = false, cost: String = "2ms", other: String = "1ms"
    ) -> String {
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
            cost: {keyCommands: 100us, "closeTab:": \(cost), "newTab:": \(other)}
        \(isLonger ? "  - {id: extra, kind: responder, next: win}" : "")
          - {id: win, kind: window, keyWindow: true}
        firstResponder: view

        """
    }

    private struct Trial {
        var name: String
        var scene: String
        /// The scene of the other build; `nil`: the accepted golden is compared.
        var base: String?
        var script = GateSelfTest.script
        /// The status of the gate.
        var expected: Int32
        /// The row that its report must call worse.
        var worse: String?
    }

    func run(_ console: Console) throws -> ExitStatus {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let trials = [
            Trial(name: "nothing changed", scene: GateSelfTest.scene(), expected: 0),
            Trial(name: "a wrong resolution", scene: GateSelfTest.scene(action: "closeWindow:"), expected: 1),
            Trial(name: "an extra keyCommands call", scene: GateSelfTest.scene(isLonger: true), expected: 1),
            Trial(
                name: "a slow stage", scene: GateSelfTest.scene(cost: "2400us"), base: GateSelfTest.scene(),
                expected: 1, worse: "✘ action  p50"),
            Trial(
                name: "13 of 40 presses that take 14 ms instead of 7",
                scene: GateSelfTest.scene(cost: "14ms", other: "7ms"),
                base: GateSelfTest.scene(cost: "7ms", other: "7ms"), script: GateSelfTest.longScript, expected: 1,
                worse: "✘ total  p90"),
        ]
        let golden = folder.path + "/goldens/self-test"
        let resources = SceneResources(layoutNamed: LayoutChoice.named)
        do { try Files.makeFolder(golden) } catch {
            throw Failure(.unwritable, "\(golden): make a folder: expected room for one, found \(error)")
        }
        try Array(GateSelfTest.scene().utf8).write(to: golden + "/scene.yaml")
        try Array(GateSelfTest.script.utf8).write(to: golden + "/input.keys")
        let accepted = GoldenCase(folder: golden)
        let first = GoldenComparison(accepted, resources: resources)
        try first.propose()
        try accepted.accept()
        var status = ExitStatus.fine
        for trial in trials {
            try Array(trial.scene.utf8).write(to: golden + "/scene.yaml")
            try Array((trial.base ?? "").utf8).write(to: folder.path + "/base.scene.yaml")
            try Array(trial.script.utf8).write(to: folder.path + "/builds.keys")
            let child = try ChildProcess(GateSelfTest.program, arguments(trial, folder.path))
            let isNamed = trial.worse.map(child.output.contains) ?? true
            let isRight = child.status == trial.expected && isNamed
            let verdict = child.status == 0 ? "passes" : "fails with status \(child.status)"
            try console.output.line("\(isRight ? "✔" : "✘") \(trial.name): the gate \(verdict)")
            if !isRight {
                status = console.fail(
                    .gateDoesNotFail,
                    "self-test: \(trial.name): status: expected \(trial.expected), found \(child.status)"
                        + " (\(child.lastLine))" + (isNamed ? "" : "; expected “\(trial.worse ?? "")” in the report"))
            }
        }
        return status.joined(with: try countFalseAlarms(console))
    }

    private static let gates = 100

    /// Gates of two builds of which head is slower by exactly the margin, in every measure: the worst case in which
    /// nothing may be called worse.
    private func countFalseAlarms(_ console: Console) throws -> ExitStatus {
        let options = TimeGate.Options()
        let stages: [LatencyStage?] = [nil, .action]
        let measures = stages.flatMap { stage in
            TimeGate.Measure.Statistic.allCases.map { TimeGate.Measure(stage, $0) }
        } + ["closeTab:", "newTab:"].map { TimeGate.Measure(nil, .sum, action: $0) }
        var random = SplitMix(seed: 47)
        func draw() -> Double { Double.random(in: -0.04...0.04, using: &random) }
        func noise() -> Double { draw() + draw() }
        let alarms = (0..<GateSelfTest.gates).count { _ in
            let gate = TimeGate(options) { _ in
                func run(_ factor: Double) -> TimeGate.Run {
                    let machine = 1e6 * factor * (1 + noise())
                    return TimeGate.Run(uniqueKeysWithValues: measures.map { ($0, machine * (1 + noise())) })
                }
                return (run(1), run(1 + options.margin))
            }
            return gate.verdict == .worse
        }
        let allowed = Int(options.falseAlarm * Double(GateSelfTest.gates))
        let line = "\(GateSelfTest.gates) gates of a build that is slower by the margin alone: \(alarms) called worse,"
            + " at most \(allowed) allowed"
        try console.output.line("\(alarms <= allowed ? "✔" : "✘") \(line)")
        return alarms <= allowed ? .fine : console.fail(.gateDoesNotFail, "self-test: \(line)")
    }

    private func arguments(_ trial: Trial, _ folder: String) -> [String] {
        guard trial.base != nil else { return ["gate", folder + "/goldens"] }
        func command(_ scene: String) -> String {
            let parts = [
                GateSelfTest.program, "replay", folder + "/builds.keys", "--scene", scene,
                "--show-keys",
            ]
            return parts.map(ShellWord.quoted).joined(separator: " ") + " -o \"$KEYFLIGHT_OUTPUT\" > /dev/null"
        }
        return [
            "gate", "--base", command(folder + "/base.scene.yaml"), "--head",
            command(folder + "/goldens/self-test/scene.yaml"), "--time", "fail",
        ]
    }

    private static let program = AdapterLibrary.program ?? CommandLine.arguments[0]
}
