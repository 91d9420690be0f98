import ArgumentParser
import KeyModel
import RegressionGate

struct Accept: Verb {
    static let configuration = CommandConfiguration(verb: "accept")

    @Argument(help: "Names of goldens; * and ? stand for others.") var names: [String]
    @OptionGroup var place: GoldenPlace
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func perform(on console: Console) throws -> ExitStatus {
        try GoldenPlace.refuseInCI("accept", console)
        let all = try place.store(console).pending()
        // Each of them: one that was misspelt must not hide behind another.
        for name in names where GoldenStore.matching([name], all).isEmpty {
            throw Failure(
                .nothingPending, "\(place.folder(console)): pending: expected one that matches \(name), found none")
        }
        let pending = GoldenStore.matching(names, all)
        for golden in pending {
            try golden.accept()
            try console.output.line("accepted \(VisibleText.escaped(golden.title))")
        }
        return .fine
    }
}

/// The folder of the goldens.
struct GoldenPlace: ParsableArguments {
    @Option(help: "The folder of goldens; Traces/golden unless KEYFLIGHT_GOLDENS names another.") var goldens: String?

    func folder(_ console: Console) -> String { GoldenPlace.folder(goldens, console) }

    /// The folder that an option or the environment names.
    static func folder(_ named: String?, _ console: Console) -> String {
        named ?? console.settings.goldens ?? "Traces/golden"
    }

    func store(_ console: Console) -> GoldenStore { GoldenStore(folder(console)) }

    static func refuseInCI(_ what: String, _ console: Console) throws {
        guard let variable = RecordMode.serviceVariable(console.environment.variable) else { return }
        throw Failure(.onlyByHand, "\(what) is disabled when \(variable) is set: goldens are accepted by a person")
    }
}
