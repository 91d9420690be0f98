import ArgumentParser
import KeyModel
import RegressionGate

struct Accept: Verb {
    static let configuration = CommandConfiguration(verb: "accept")

    @Argument(help: "Names of goldens; * and ? stand for others.") var names: [String]
    @Option(help: "The folder of goldens; Traces/golden unless KEYFLIGHT_GOLDENS names another.") var goldens: String?
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func perform(on console: Console) throws -> ExitStatus {
        try console.refuseInCI("accept")
        let folder = console.goldens(goldens)
        let store = GoldenStore(folder)
        let (all, pending) = (try store.cases(), try store.pending())
        // Each of them: one that was misspelt must not hide behind another.
        for name in names where GoldenStore.matching([name], all).allSatisfy({ !pending.contains($0) }) {
            throw Failure(.nothingPending, "\(folder): pending: expected one that matches \(name), found none")
        }
        for golden in GoldenStore.matching(names, all) where pending.contains(golden) {
            try golden.accept()
            try console.output.line("accepted \(VisibleText.escaped(golden.title))")
        }
        return .fine
    }
}

extension Console {
    /// The folder of goldens that an option or the environment names.
    func goldens(_ named: String?) -> String { named ?? settings.goldens ?? "Traces/golden" }

    /// - Throws: a `Failure` in a job of CI, where no person looks at a golden.
    func refuseInCI(_ what: String) throws {
        guard let variable = RecordMode.serviceVariable(environment.variable) else { return }
        throw Failure(.onlyByHand, "\(what) is disabled when \(variable) is set: goldens are accepted by a person")
    }
}
