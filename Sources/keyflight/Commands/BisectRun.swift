import ArgumentParser
import KeyModel
import RegressionGate
import Scenes
import TraceReports

struct BisectRun: Verb {
    static let configuration = CommandConfiguration(
        commandName: "bisect-run", abstract: "Goldens as git bisect run asks: good, bad, or skip this commit.",
        discussion: """
            git bisect run keyflight bisect-run Traces/golden/close-tab

            Exit codes: 0 good (every golden is the same), 1 bad (one differs), 125 skip (it cannot be built, replayed \
            or compared).
            """)

    @Argument(help: "A golden, or a folder of them.") var goldens: String
    @Option(help: "A command that builds; when it fails, the commit is skipped.") var build: String?
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func perform(on console: Console) throws -> ExitStatus {
        if let build {
            let child = try ChildProcess(shell: build)
            guard child.status == 0 else {
                console.fail(
                    .harnessFailed, "\(build): status: expected 0, found \(child.status) (\(child.lastLine)); skipped")
                return .skip
            }
        }
        let resources = SceneResources(layoutNamed: LayoutChoice.named, readFile: ByteFile.readNamed)
        var status = ExitStatus.fine
        var (same, changed, changedPresses, byTests) = (0, 0, 0, 0)
        do {
            let cases = try GoldenStore(goldens).cases()
            for comparison in GoldenComparison.all(cases, resources: resources, progress: console.progress) {
                switch comparison.verdict {
                case .same: same += 1
                case .checkedByTest: byTests += 1
                case .missing, .notComparable:
                    console.fail(.noBaseline, "\(comparison.message); skipped")
                    return .skip
                case .changed, .streamChanged, .tooSlow, .findingsChanged, .notDeterministic:
                    try console.output.line(VisibleText.escapedLines(comparison.message))
                    changed += 1
                    if case .changed(let diff, _) = comparison.verdict { changedPresses += diff.changes.count }
                    status = .findings
                }
            }
        } catch let error as VerdictError {
            let failure = Failure(error)
            console.fail(failure.id, "\(failure.line); skipped")
            return .skip
        }
        let all = same + changed
        guard all > 0 else {
            console.fail(
                .noBaseline, "\(goldens): responders: expected scene.yaml, found those of tests alone; skipped")
            return .skip
        }
        let others = byTests == 0 ? "" : "; \(byTests) checked by tests alone"
        let counted = all == 1 ? "the golden" : "\(all) goldens"
        let presses = changedPresses == 0 ? "" : HumanNumbers.counted(changedPresses, "press", "presses") + " of "
        let bad = all == 1 ? "\(presses)the golden changed" : "\(changed) of \(counted) changed"
        try console.output.line((changed == 0 ? "good: \(counted) as accepted" : "bad: \(bad)") + others)
        return status
    }
}
