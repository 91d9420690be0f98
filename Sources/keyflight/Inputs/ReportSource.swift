import LatencyAnalysis
import SystemPackage
import TraceFormat
import TraceReports

extension RecordSource {
    /// The name of the file without its folder, which says more about a person than about a trace.
    var shortName: String { FilePath(name).lastComponent?.string ?? name }

    /// What a page says of the whole trace, in one reading, and the source as it is after that.
    func facts(
        above limit: TailAnalysis.Threshold?, _ progress: ReadingProgress
    ) throws -> (facts: FlightFacts, read: RecordSource) {
        var source = self
        var survey = FlightSurvey()
        survey.begin(initialContext)
        var reading = WatchedReading(survey, "reading \(name)", progress)
        try source.feed(&reading)
        survey = reading.consumer
        return (survey.facts(above: limit, of: source.facts, definitions: source.definitions), source)
    }

    /// What a page says of chosen presses, in another reading.
    func side(
        _ facts: FlightFacts, showing choice: PressChoice, budget: Int, _ progress: ReadingProgress
    ) throws -> ReportSideBuilder {
        var source = self
        var side = ReportSideBuilder(facts, showing: choice, name: shortName, budget: budget)
        side.begin(initialContext)
        var reading = WatchedReading(side, "explaining \(name)", progress)
        try source.feed(&reading)
        side = reading.consumer
        side.finish(source.definitions)
        return side
    }
}
