import ArgumentParser
import KeyModel
import RegressionGate
import TraceReports

struct BisectRun: Verb {
    static let configuration = CommandConfiguration(verb: "bisect-run")

    @Argument(help: "A golden, or a folder of them.") var goldens: String
    @Option(help: "A folder of tests, as of gate. May be repeated.") var tests: [String] = []
    @Option(help: "A command that builds; when it fails, the commit is skipped.") var build: String?
    @Flag(help: "Start the programs that launch.txt of goldens name.") var runApps = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func validate() throws {
        if build?.contains(where: { !$0.isWhitespace }) == false { throw ValidationError("--build: a command.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        if let build {
            let child = try ChildProcess(shell: build)
            guard child.status == 0 else {
                console.fail(
                    .harnessFailed, "\(build): status: expected 0, found \(child.status) (\(child.lastLine)); skipped")
                return .skip
            }
        }
        var status = ExitStatus.fine
        var (same, changed, changedPresses, byTests) = (0, 0, 0, 0)
        do {
            let store = GoldenStore(goldens)
            let references = try tests.map { try GoldenReferences(tests: $0) }
            var names = GateReport(comparisons: [])
            if !tests.isEmpty { try names.compareNames(references, [store]) }
            if let finding = names.findings.first {
                console.fail(.noBaseline, "\(finding.golden): \(finding.line); skipped")
                return .skip
            }
            let comparisons = GoldenComparison.all(
                try store.cases(), tests: references, runsApps: runApps, console)
            for comparison in comparisons {
                switch comparison.verdict {
                case .same: same += 1
                case .checkedByTest: byTests += 1
                case .missing, .notComparable:
                    console.fail(.noBaseline, "\(comparison.message); skipped")
                    return .skip
                case .changed, .streamChanged, .linesChanged, .tooSlow, .findingsChanged, .notDeterministic:
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
        if same + changed == 0 {
            console.fail(
                .noBaseline, "\(goldens): only Swift tests can compare them: name a golden with a scene; skipped")
            return .skip
        }
        let all = same + changed
        let counted = all == 1 ? "the golden" : "\(all) goldens"
        let presses = changedPresses == 0 ? "" : HumanNumbers.counted(changedPresses, "press", "presses") + " of "
        let bad = all == 1 ? "\(presses)the golden changed" : "\(changed) of \(counted) changed"
        let others = byTests == 0 ? "" : "; \(byTests) checked by tests alone"
        try console.output.line((changed == 0 ? "good: \(counted) as accepted" : "bad: \(bad)") + others)
        return status
    }
}
