import ArgumentParser
import LatencyAnalysis
import TraceReports

struct Stats: Verb {
    static let configuration = CommandConfiguration(verb: "stats")

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @OptionGroup var filter: FilterOptions
    @Option(help: "A table by responder, chord, outcome, window, or the stage that took the longest.")
    var by: PressGroups.Key?
    @Flag(name: .customLong("repeat"), help: "Held keys: how fast repeats came, how fast they were served.")
    var repeats = false
    @Option(
        help: """
            Only these stages, against the rest of each press: hid..app for all before the app, with how well the \
            clocks agree; app..settle, collect..validate, or one stage.
            """, completion: Completion.stageSpans)
    var stages: StageRange?
    @Flag(help: "A picture of how long presses took over time.") var heatMap = false
    @Option(help: "The form of the report.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    var isPaged: Bool { true }

    func validate() throws { try filter.check() }

    func perform(on console: Console) throws -> ExitStatus {
        var source = try Input(input, console, replay: replay).resolutions(takesKeys: true)
        // Statistics ask for no candidates.
        source.derivesCandidates = false
        let wanted = try filter.filter()
        var report: StatsReport
        if wanted == nil, by == nil, stages == nil, !repeats, !heatMap {
            var builder = TraceStatisticsBuilder()
            try source.feed(&builder)
            report = StatsReport(builder.statistics(of: source.facts), name: source.name)
        } else {
            let unread = wanted == nil ? nil : source
            var survey = PressSurvey(where: wanted, by: by, span: stages)
            try source.feed(&survey)
            survey.finish(definitions: source.definitions)
            let statistics: TraceStatistics
            if var again = unread {
                var chosen = ChosenStatistics(of: survey.chosen)
                try again.feed(&chosen)
                statistics = chosen.statistics(of: source.facts)
            } else {
                statistics = survey.statistics(of: source.facts)
            }
            report = StatsReport(statistics, name: source.name)
            report.filter = wanted?.text
            report.groups = survey.grouped()
            report.span = survey.spanStatistics()
            if repeats { report.heldKeys = survey.heldKeys }
            if heatMap { report.cloud = survey.cloud }
        }
        try console.print(format, text: report.text, json: report.json)
        let found = wanted == nil || report.statistics.presses + report.statistics.repeats > 0
        return source.status(console, found: found, "--where: expected a press that matches, found none")
    }
}
