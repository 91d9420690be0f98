import ArgumentParser
import KeyModel
import LatencyAnalysis
import TraceReports

struct Tail: Verb {
    static let configuration = CommandConfiguration(verb: "tail")

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(
        help: "From where on a press is slow: p50, p90, p99, p99.9, or a duration such as 8ms.",
        completion: Completion.thresholds)
    var above = "p99"
    @OptionGroup var filter: FilterOptions
    @Option(help: "The form of the report.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    var isPaged: Bool { true }

    func validate() throws {
        _ = try Tail.threshold(above)
        try filter.check()
    }

    /// The threshold of `--above`.
    static func threshold(_ text: String) throws -> TailAnalysis.Threshold {
        if let duration = TraceDuration(text: text) { return .duration(duration) }
        guard let perMille = Tail.perMille(text) else {
            throw ValidationError("--above \(text): expected a percentile such as p99 or a duration such as 8ms.")
        }
        return .percentile(perMille: perMille)
    }

    /// `p99` is 990, `p99.9` 999.
    private static func perMille(_ text: String) -> Int? {
        guard text.first == "p" else { return nil }
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int($0) }), (0...99).contains(whole), parts.count <= 2 else {
            return nil
        }
        guard parts.count == 2 else { return whole * 10 }
        guard parts[1].utf8.count == 1, let tenth = Int(parts[1]), tenth >= 0 else { return nil }
        return whole * 10 + tenth
    }

    func perform(on console: Console) throws -> ExitStatus {
        var source = try Input(input, console, replay: replay).resolutions()
        let unread = source
        var analyzer = TailAnalyzer(where: try filter.filter())
        try source.feed(&analyzer)
        guard !analyzer.isTooLong else { throw source.tooManyPresses }
        let threshold = try Tail.threshold(above)
        var analysis = analyzer.analysis(above: threshold, of: source.facts, definitions: source.definitions)
        analysis.advice = try unread.tried(analysis.advice, above: threshold)
        var report = TailReport(analysis, name: source.name)
        report.replayArguments = source.replayArguments
        try console.print(format, text: report.text, json: report.json)
        return source.status(
            console, found: analysis.slowCount > 0, "presses: expected one above \(above), found none")
    }
}
