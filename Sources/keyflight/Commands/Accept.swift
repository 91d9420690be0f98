import ArgumentParser
import KeyModel
import RegressionGate

struct Accept: Verb {
    static let configuration = CommandConfiguration(verb: "accept")

    @Argument(help: "Names of goldens; * and ? stand for others.") var names: [String] = []
    @Option(help: "A patch that gate --patch wrote: its texts are accepted, of all its goldens or of those named.")
    var from: String?
    @Option(help: "The folder of goldens; Traces/golden unless KEYFLIGHT_GOLDENS names another.") var goldens: String?
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func validate() throws {
        if names.isEmpty, from == nil { throw ValidationError("Name a golden, or a patch with --from.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        try console.refuseInCI("accept")
        let folder = console.goldens(goldens)
        let store = GoldenStore(folder)
        let all = try store.cases()
        let pending = try from.map { try proposed(by: $0, among: all) } ?? store.pending()
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

    /// What the patch has of these goldens is pending then.
    private func proposed(by file: String, among cases: [GoldenCase]) throws -> [GoldenCase] {
        guard let text = String(validating: try ByteFile.readScene(file), as: UTF8.self) else {
            throw Failure(.noBaseline, "\(file): text: expected UTF-8, found other bytes")
        }
        return try GoldenPatch(text, file: file).propose(among: cases, chosen: GoldenStore.matching(names, cases))
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
