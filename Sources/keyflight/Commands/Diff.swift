import ArgumentParser
import FlightVerdicts
import TraceFormat

struct Diff: Verb {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Two traces: resolutions, then counts, then time.",
        discussion: """
            Presses are paired by what was pressed, so that one press more is one line. A responder that has another \
            name now is told once. Time of two single runs decides nothing; see gate.

            Exit codes: 0 the same resolutions and counts, 1 others, 2 an input is unreadable or incomplete, \
            4 not comparable (masked, or made under another profile, layout or parameter).
            """)

    @Argument(help: "What was: a trace, a key script or a capture.")
    var base: String
    @Argument(help: "What is.")
    var head: String
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "The layout: a name such as us, fr or us:dvorak.")
    var layout: String?
    @Option(help: "The form of the report.") var format = DiffFormat.text
    @Flag(help: "Every change, not the first 20 alone.") var all = false

    func validate() throws {
        if base == "-", head == "-" { throw ValidationError("Standard input can be only one of them.") }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let sides = try (side(base, console), side(head, console))
        let comparability = Comparability(
            base: (sides.0.header, sides.0.results), head: (sides.1.header, sides.1.results))
        if let mismatch = comparability.mismatch {
            throw Failure(
                .notComparable,
                "\(sides.1.name): \(mismatch.what): expected \(mismatch.base), as in \(sides.0.name),"
                    + " found \(mismatch.head)")
        }
        let diff = TraceDiff(
            base: sides.0.results, named: sides.0.name, head: sides.1.results, named: sides.1.name,
            comparesCounts: comparability.comparesCounts)
        let extent: TraceDiff.Extent = all ? .everything : .some
        switch format {
        case .text: try console.output.write(diff.text(console.style, extent: extent))
        case .json: try console.output.line(diff.json)
        case .markdown: try console.output.write(diff.markdown(extent: extent))
        case .html: try console.output.write(diff.html())
        }
        return sides.0.status.joined(with: sides.1.status).joined(with: diff.isIdentical ? .fine : .findings)
    }

    private struct Side {
        var name: String
        var header: TraceHeader
        var results: PressResults
        var status: ExitStatus
    }

    private func side(_ path: String, _ console: Console) throws -> Side {
        var input = try InputOptions.parse(["--", path])
        input.layout = layout
        var source = try replay.resolutions(of: input, console)
        var results = PressResults()
        let header = source.header
        try source.feed(&results)
        return Side(name: source.name, header: header, results: results, status: source.status(console))
    }
}

enum DiffFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown, html
}
