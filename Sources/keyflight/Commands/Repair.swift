import ArgumentParser
import TraceTools

struct Repair: Verb {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "A whole trace out of one that is torn or damaged.",
        discussion: """
            Everything whole is kept, and each loss stands as a record in its place: the result is complete and says \
            what is missing. A canonical trace in which nothing is wrong comes out byte for byte.
            """)

    @OptionGroup var files: TraceToTrace
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func perform(on console: Console) throws -> ExitStatus {
        let input = try files.open(console)
        let repair = TraceRepair(showsKeys: files.result.showKeys)
        let summary = try files.result.write(console) { try repair.run(input, to: $0) }
        // Damage of the input is reported; the result is whole.
        _ = TraceToTrace.status(summary.report, input, console)
        TraceToTrace.note(summary.counts, input, console)
        return .fine
    }
}
