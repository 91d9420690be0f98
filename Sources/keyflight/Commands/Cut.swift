import ArgumentParser
import KeyModel
import TraceFormat
import TraceTools

struct Cut: Verb {
    static let configuration = CommandConfiguration(verb: "cut")

    @OptionGroup var files: TraceToTrace
    @Option(help: "From this time on: an integer and ns, us, ms or s since time 0.") var from: TraceDuration?
    @Option(help: "Up to this time, itself not included.") var to: TraceDuration?
    @Option(help: "The press with this ordinal.", completion: Completion.presses) var press: UInt32?
    @Option(parsing: .unconditional, help: "Presses A to B by their ordinals: A-B, A- or -B.")
    var presses: OpenPressRange?
    @Flag(help: "Make the part's beginning its time 0.") var rebase = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        let ways = [from != nil || to != nil, press != nil, presses != nil]
        guard ways.count(where: { $0 }) == 1 else {
            throw ValidationError("Say which part: --from and --to, or --press, or --presses.")
        }
        if let from, let to, to < from { throw ValidationError("--to is before --from.") }
        if press == 0 { throw ValidationError("Presses are counted from 1.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let range: TraceCut.Range =
            if let press {
                .presses(press...press)
            } else if let presses {
                .presses(presses.range)
            } else {
                .times(from: from.map(TraceCut.time), to: to.map(TraceCut.time))
            }
        let input = try files.open(console)
        let cut = TraceCut(range, rebases: rebase, showsKeys: files.result.showKeys)
        let summary = try files.result.write(console, if: { $0.records > 0 }) { try cut.run(input, to: $0) }
        let status = TraceToTrace.status(summary.report, input, console)
        guard summary.records > 0 else {
            return status.joined(
                with: console.fail(
                    .emptyPart, "\(input.file ?? ""): part: expected a record in it, found none"))
        }
        TraceToTrace.note(summary.counts, input, console)
        return status
    }
}

extension TraceCut {
    static func time(_ duration: TraceDuration) -> TraceTime { TraceTime(nanoseconds: duration.nanoseconds) }
}

/// Presses by their ordinals, as `2-5`, `2-` or `-5`.
struct OpenPressRange: ExpressibleByArgument {
    var range: ClosedRange<UInt32>

    init?(argument: String) {
        let bounds = argument.split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, argument != "-" else { return nil }
        guard let first = bounds[0].isEmpty ? 1 : UInt32(bounds[0]),
            let last = bounds[1].isEmpty ? UInt32.max : UInt32(bounds[1]), first > 0, first <= last
        else { return nil }
        range = first...last
    }
}
