import RegressionGate
import Scenes

extension GoldenComparison {
    /// Each golden compared, on all processors; a person at the terminal sees how far it is.
    static func all(
        _ cases: [GoldenCase], tests: [GoldenReferences] = [], runsApps: Bool, seconds: Int = ChildProcess.seconds,
        _ console: Console
    ) -> [GoldenComparison] {
        // Live apps are launched by this program itself, unless another one is named.
        let named = console.environment.variable("KEYFLIGHT").flatMap { $0.isEmpty ? nil : $0 }
        var rules = GoldenRules(launcher: named ?? AdapterLibrary.program ?? "keyflight")
        (rules.seconds, rules.tests, rules.runsApps) = (seconds, tests, runsApps)
        return all(cases, resources: .ofThisMachine, rules: rules) { done in
            console.progress.step("comparing goldens: \(done) of \(cases.count)")
        }
    }
}
