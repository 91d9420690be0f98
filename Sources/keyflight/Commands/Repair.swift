import ArgumentParser
import TraceTools

struct Repair: Verb {
    static let configuration = CommandConfiguration(verb: "repair")

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
