import RegressionGate
import Scenes

extension GoldenComparison {
    /// Each golden compared, on all processors; a person at the terminal sees how far it is.
    static func all(
        _ cases: [GoldenCase], tests: [GoldenReferences] = [],
        seconds: Int = ChildProcess.seconds, progress: ProgressLine
    ) -> [GoldenComparison] {
        // Live apps are launched by this program itself.
        var rules = GoldenRules(launcher: AdapterLibrary.program ?? "keyflight")
        (rules.seconds, rules.tests) = (seconds, tests)
        return all(cases, resources: .ofThisMachine, rules: rules) { done in
            progress.step("comparing goldens: \(done) of \(cases.count)")
        }
    }
}
