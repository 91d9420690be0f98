import ArgumentParser
import RegressionGate

enum GateFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, github
}

enum TimePolicy: String, ExpressibleByArgument, CaseIterable {
    case report, fail
}

extension GateReport.Finding {
    /// The reason for which a gate stopped.
    init(_ error: any Error) {
        let failure = error as? Failure ?? (error as? VerdictError).map(Failure.init)
        let line = failure?.line ?? (error as? ValidationError)?.message
            ?? (error is Interrupted ? "the gate was interrupted" : "\(error)")
        self.init(refused: "", line, remedy: "keyflight help \(failure?.id.rawValue ?? "gate")")
    }
}
