import RegressionGate
import Scenes

extension GoldenComparison {
    /// Each golden compared, on all processors; a person at the terminal sees how far it is.
    static func all(
        _ cases: [GoldenCase], resources: SceneResources, progress: ProgressLine
    ) -> [GoldenComparison] {
        // Live apps are launched by this program itself.
        let rules = GoldenRules(launcher: AdapterLibrary.program ?? "keyflight")
        return all(cases, resources: resources, rules: rules) { done in
            progress.step("comparing goldens: \(done) of \(cases.count)")
        }
    }
}
