import ArgumentParser
import FlightVerdicts

struct Accept: Verb {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Puts the pending text of a golden in place of the accepted one.",
        discussion: """
            A golden with texts for several profiles is accepted in all of them, or in one as "NAME (PROFILE)".

            Exit codes: 0 accepted, 3 no pending golden matches, 4 no such folder, 64 wrong usage (and where CI is \
            set: goldens are accepted by a person).
            """)

    @Argument(help: "Names of goldens; * and ? stand for others.") var names: [String]
    @OptionGroup var place: GoldenPlace

    func perform(on console: Console) throws -> ExitStatus {
        try GoldenPlace.refuseInCI()
        do {
            let pending = GoldenStore.matching(names, try place.store.pending())
            guard !pending.isEmpty else {
                let wanted = names.joined(separator: " or ")
                throw Failure(
                    .nothingMatched, "\(place.goldens): pending: expected one that matches \(wanted), found none")
            }
            for golden in pending {
                try golden.accept()
                try console.output.line("accepted \(golden.title)")
            }
            return .fine
        } catch let error as VerdictError {
            throw Failure(error)
        }
    }
}

/// Where the goldens are.
struct GoldenPlace: ParsableArguments {
    @Option(help: "The folder of goldens.") var goldens = "Traces/golden"

    var store: GoldenStore { GoldenStore(goldens) }

    static func refuseInCI() throws {
        guard Console.isSet("CI") else { return }
        throw Failure(.usage, "CI: expected a person who accepts, found CI set")
    }
}
