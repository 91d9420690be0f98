import FlightReplay
import RegressionGate

extension GoldenTest {
    /// The failure of a budget of real time, which only responders of the test's own have.
    func excess(of golden: GoldenCase, _ plan: (any ReplayPlan)?) -> Failure? {
        guard let keyCommands else { return nil }
        let name = "golden “\(golden.title)”"
        guard let plan else {
            return Failure(
                message: "\(name): keyCommands: expected responders written in Swift, found those of a scene, whose"
                    + " getters are lists; budgets of virtual time are in expected.txt")
        }
        do {
            let timeline = try golden.inputs(for: plan, GoldenTest.resources)
            return try keyCommands.message(plan, timeline).map { Failure(message: "\(name) is too slow:\n\($0)") }
        } catch {
            return Failure(message: "\(name): keyCommands: \(error)")
        }
    }
}
