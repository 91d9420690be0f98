import FlightInsight
import KeyModel
import LatencyAnalysis
import ResponderEngine
import SystemPackage
import TraceFormat
import TraceReports

extension RecordSource {
    /// The name of the file without its folder, which says more about a person than about a trace.
    var shortName: String { FilePath(name).lastComponent?.string ?? name }

    /// What a page says of the whole trace, in one reading, and the source as it is after that.
    func facts(
        above limit: TailAnalysis.Threshold?, _ progress: ProgressLine
    ) throws -> (facts: FlightFacts, read: RecordSource) {
        progress.task = "reading"
        var source = self
        var survey = FlightSurvey()
        survey.begin(initialContext)
        try source.feed(&survey)
        return (survey.facts(above: limit, of: source.facts, definitions: source.definitions), source)
    }

    /// What a page says of chosen presses, in another reading.
    func side(
        _ facts: FlightFacts, showing choice: PressChoice, budget: Int, _ progress: ProgressLine
    ) throws -> ReportSideBuilder {
        progress.task = "explaining"
        var source = self
        var side = JudgedSide(ReportSideBuilder(facts, showing: choice, name: shortName, budget: budget))
        try side.begin(initialContext)
        try source.feed(&side)
        return side.finished(source.definitions)
    }
}

/// What a page says of presses, with what they would have come to under other profiles.
private struct JudgedSide: TraceConsumer {
    private var side: ReportSideBuilder
    private var excerpts: PressExcerpts
    private var otherwise: (profile: Profile, layout: Layout)?
    /// Each of them is replayed under every profile.
    private static let limit = 1_000

    init(_ side: ReportSideBuilder) {
        self.side = side
        excerpts = PressExcerpts(of: side.choice.presses(atMost: JudgedSide.limit))
    }

    mutating func begin(_ entries: [ContextEntry]) throws {
        otherwise = (try ProfileChoice.named("ios15"), try LayoutChoice.named("us"))
        side.begin(entries)
        excerpts.begin(entries)
    }

    mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        excerpts.consume(record, definitions: definitions)
        for (press, excerpt) in excerpts.takeFinished(definitions) {
            // Where it cannot be told, every press would say so.
            guard let otherwise, let others = try? OtherProfiles(of: press, in: excerpt, otherwise: otherwise),
                others.unknown == nil
            else { continue }
            side.note(others, of: press)
        }
        side.consume(record, definitions: definitions)
    }

    mutating func finished(_ definitions: TraceDefinitions) -> ReportSideBuilder {
        side.finish(definitions)
        return side
    }
}
