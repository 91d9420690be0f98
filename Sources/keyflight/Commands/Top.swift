import ArgumentParser
import LatencyAnalysis
import TraceReports

struct Top: Verb {
    static let configuration = CommandConfiguration(verb: "top")

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "self: time without the calls made inside; total: with them; calls: how often it was asked.")
    var by = TopAnalysis.Order.`self`
    @Option(help: "The form of the report.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    var isPaged: Bool { true }

    func perform(on console: Console) throws -> ExitStatus {
        var source = try Input(input, console, replay: replay).resolutions()
        var analyzer = TopAnalyzer()
        try source.feed(&analyzer)
        let analysis = analyzer.analysis(of: source.facts, definitions: source.definitions)
        let report = TopReport(analysis, by: by, name: source.name)
        try console.print(format, text: report.text, json: report.json)
        return source.status(
            console, found: analysis.hasCalls, "calls: expected a trace at level calls, found none in it")
    }
}
