import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import SystemPackage
import TraceFormat
import TraceReports
import WhatIf

extension RecordSource {
    /// The name of the file without its folder, which is about a person rather than about a trace.
    var shortName: String { FilePath(name).lastComponent?.string ?? name }

    /// The facts on a page about the whole trace, in one reading, and the source as it is after that.
    func facts(
        above limit: TailAnalysis.Threshold?, _ progress: ProgressLine
    ) throws -> (facts: TimelineFacts, read: RecordSource) {
        progress.task = "reading"
        var source = self
        var survey = TimelineSurvey()
        try source.feed(&survey)
        guard !survey.isTooLong else { throw source.tooManyPresses }
        var facts = survey.facts(above: limit, of: source.facts, definitions: source.definitions)
        try answer(&facts.bindings, source.definitions)
        facts.tail.advice = try tried(facts.tail.advice, above: facts.tail.threshold)
        return (facts, source)
    }

    /// More presses than can be held at a time.
    var tooManyPresses: Failure {
        Failure(
            .tooLarge,
            "\(name): presses: expected at most \(TailAnalyzer.limit) with a time, found more; "
                + "keyflight cut takes a part")
    }

    /// An advice with the result of the what-if that it advises; `nil` where that gains nothing. The source must not
    /// have been read.
    func tried(_ advice: TailAnalysis.Advice?, above threshold: TailAnalysis.Threshold) throws -> TailAnalysis.Advice? {
        guard var tried = advice else { return nil }
        var source = self
        var changes = CostChanges()
        changes.kept = [tried.responder]
        var times = WhatIfTimes(changes)
        try source.feed(&times)
        var result = WhatIfResult(question: "cache=\(tried.responder)")
        times.finish(&result, definitions: source.definitions)
        guard let measure = times.measure(threshold), measure.after < measure.before else { return nil }
        (tried.before, tried.after) = measure
        tried.staleAnswers = UInt64(result.stalePresses?.count ?? 0)
        return tried
    }

    /// The part of a page about chosen presses, in another reading.
    func side(
        _ facts: TimelineFacts, showing choice: PressChoice, in room: ReportPage.Room, _ progress: ProgressLine
    ) throws -> ReportSideBuilder {
        progress.task = "explaining"
        var source = self
        // A page is handed on: where its reader may have other folders, a name is what is left of a path.
        let words = replayArguments.map { $0.hasPrefix("/") ? FilePath($0).lastComponent?.string ?? $0 : $0 }
        var side = try AnnotatedConsumer(
            ReportSideBuilder(facts, showing: choice, name: shortName, arguments: words, room: room),
            replaying: jobOfScene)
        try source.feed(&side)
        return side.finished(source.definitions)
    }
}

/// The part of a page about presses, with their outcomes under other profiles.
private struct AnnotatedConsumer: TraceConsumer {
    private var side: ReportSideBuilder
    private var excerpts: PressExcerpts
    private let profile: Profile
    /// Layouts by name, for a trace that stores none: read once for all presses.
    private var layouts: [String: Layout] = [:]
    /// Each of them is replayed under every profile.
    private static let limit = 1_000
    /// The number of commands left for the lists of replayed presses: eight of the longest there may be.
    private var commandsLeft = 8 * TraceLimits.listCommands
    /// The replay of a scene, whose responders answer what was not asked; `nil` for a trace.
    private let job: ReplayJob?
    /// The number of presses left that are replayed for that, each under every profile: a press takes all before it.
    private var replaysLeft: UInt32 = 5_000

    init(_ side: ReportSideBuilder, replaying job: ReplayJob?) throws {
        self.side = side
        self.job = job
        profile = try ProfileChoice.named("ios15")
        excerpts = PressExcerpts(of: side.choice.presses(atMost: AnnotatedConsumer.limit))
    }

    mutating func begin(_ entries: [ContextEntry]) {
        side.begin(entries)
        excerpts.begin(entries)
    }

    mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        excerpts.consume(record, definitions: definitions)
        compareProfiles(definitions)
        side.consume(record, definitions: definitions)
    }

    private mutating func compareProfiles(_ definitions: TraceDefinitions) {
        for (press, excerpt) in excerpts.takeFinished(definitions) {
            commandsLeft -= AnnotatedConsumer.commands(of: excerpt)
            // Where it is unknown, the page would repeat that for every press.
            guard commandsLeft >= 0, let layout = layout(of: excerpt) else { continue }
            var others = OtherProfiles(unknown: .notAsked)
            if excerpt.records.contains(where: \.isCall),
                let found = try? OtherProfiles(of: press, in: excerpt, otherwise: (profile, layout))
            {
                others = found
            }
            if others.isOpen, let answered = replayed(press) { others = answered }
            if others.unknown == nil { side.note(others, of: press) }
        }
    }

    private mutating func replayed(_ press: UInt32) -> OtherProfiles? {
        guard let job, press <= replaysLeft else { return nil }
        replaysLeft -= press
        return try? OtherProfiles(of: press, by: job.replay, job.timeline)
    }

    private static func commands(of excerpt: Recording) -> Int {
        excerpt.records.reduce(into: 0) { count, record in
            if case .call(let call) = record.body, case .commands(let list) = call.answer {
                count += excerpt.definitions.commandCount(of: list)
            }
        }
    }

    private mutating func layout(of excerpt: Recording) -> Layout? {
        let environment = RecordedEnvironment(excerpt)
        let name = environment.layoutName ?? "us"
        if layouts[name] == nil { layouts[name] = try? environment.layoutByName(LayoutChoice.named) }
        return layouts[name]
    }

    mutating func finished(_ definitions: TraceDefinitions) -> ReportSideBuilder {
        excerpts.finish()
        compareProfiles(definitions)
        side.finish(definitions)
        return side
    }
}

extension TraceRecord {
    fileprivate var isCall: Bool { if case .call = body { true } else { false } }
}
