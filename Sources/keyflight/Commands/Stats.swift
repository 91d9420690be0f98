import ArgumentParser
import LatencyAnalysis
import TraceReports

struct Stats: Verb {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Calls, cache effectiveness and stages.",
        discussion: "An input without resolutions is replayed first: name a scene with --scene.")

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "The form of the report.") var format = ReportFormat.text

    func perform(on console: Console) throws -> ExitStatus {
        var source = try replay.resolutions(of: input, console)
        var builder = TraceStatisticsBuilder()
        try source.feed(&builder)
        let report = StatsReport(builder.statistics(of: source.facts), name: source.name)
        switch format {
        case .text: try console.output.write(report.text(console.style))
        case .json: try console.output.write(report.json)
        }
        return source.status(console)
    }
}
