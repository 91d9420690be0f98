import FlightReplay
import KeyModel
import ResponderEngine
import Scenes
import TraceFormat

/// A replay that is ready to run: what arrives, and the responders it arrives at: those of a scene, or a recording's.
struct ReplayJob {
    var timeline: ReplayTimeline
    var replay: any ReplayPlan
    /// The name of the input in messages and reports.
    var name: String
    /// True when positions of the timeline are lines of a script, false when they are records of a trace.
    private var isScript: Bool
    /// Text keys came as classes only, whatever is asked for now.
    private var isMasked = false
    /// The status of reading the input.
    private(set) var status = ExitStatus.fine
    /// The records of an input that is no script.
    private(set) var recorded: RecordedTrace?

    private let progress: ProgressLine

    init(_ input: Input, _ rules: ReplayRules) throws {
        (name, progress) = (input.name, input.console.progress)
        let scene = try rules.scene.map { try SceneReplay(ByteFile.readScene($0), file: $0, rules) }
        if let scene { try ReplayJob.noteSkippedKeyBindings(scene, input.console) }
        if let script = try input.script() {
            isScript = true
            guard let scene else { throw try input.missingResponders }
            replay = scene
            timeline = try ReplayJob.explaining(name) { try scene.timeline(of: script) }
            return
        }
        isScript = false
        var source = try input.records(on: rules.layout)
        let recording = source.recorded()
        recorded = recording
        status = source.status(input.console)
        isMasked = source.header.isMasked
        if var scene {
            scene.adopt(RecordedEnvironment(recording))
            replay = scene
        } else {
            guard let answers = try ReplayJob.recorded(recording, rules.runOptions(), name, input.console) else {
                throw source.nothingToReplayWith(status)
            }
            replay = answers
        }
        timeline = try ReplayJob.explaining(name) { try ReplayTimeline(recording) }
        // A recording of this replay is whole, and must not hide that its source was not.
        if let loss = source.damageAsLoss {
            timeline.append(ReplayTimeline.Arrival(time: timeline.end, input: .record(.loss(loss))))
        }
    }

    /// Reports what was left out of the scene's key binding files.
    private static func noteSkippedKeyBindings(_ replay: SceneReplay, _ console: Console) throws {
        do {
            for skipped in try replay.scene.skippedKeyBindings(replay.resources) { console.note("\(skipped)") }
        } catch {
            throw Failure(error)
        }
    }

    static func nothingToReplayWith(_ name: String, _ remedy: String) -> Failure {
        Failure(.nothingToReplayWith, "\(name): what its responders answer is not recorded; \(remedy)")
    }

    /// The recorded answers as responders, `nil` where there are none. Defaults for what is not recorded are reported.
    private static func recorded(
        _ recording: RecordedTrace, _ options: ReplayRunOptions, _ name: String, _ console: Console
    ) throws -> RecordedReplay? {
        let otherwise = try RecordedEnvironment(recording).defaults()
        guard let replay = RecordedReplay(recording, otherwise: otherwise, options: options) else { return nil }
        let choice = (profile: options.profile, layout: options.layout)
        noteDefaults(replay.environment, otherwise.layout, choice, name, console)
        return replay
    }

    /// Reports the default rules and layout of a replay whose recording has none.
    static func noteDefaults(
        _ environment: RecordedEnvironment, _ otherwise: Layout, _ choice: (profile: Profile?, layout: Layout?),
        _ name: String, _ console: Console
    ) {
        if choice.profile == nil, environment.profile == nil {
            console.note("\(name): no profile is recorded; replayed under ios15")
        }
        guard choice.layout == nil, environment.layout == nil else { return }
        let layout = otherwise.name
        console.note(
            environment.layoutName.map {
                "\(name): layout \(VisibleText.escaped($0)) is recorded by its name only; replayed on \(layout)"
                    + ($0 == layout ? ", as it is known here" : ", since none of that name is known here")
            } ?? "\(name): no layout is recorded; replayed on us")
    }

    /// The heading of the replay's text format: its rules and inputs.
    func heading() throws -> GoldenText.Heading { try ReplayJob.explaining(name) { try replay.heading() } }

    /// Runs the replay and hands over its rows, until `body` throws.
    func run(_ body: @escaping (ReplayRow) throws -> Void) throws {
        progress.task = "replaying"
        var rows = 0
        var failure: (any Error)?
        try explaining {
            try replay.run(timeline) { row in
                rows &+= 1
                if rows & 0x3FF == 0 { progress.step("replaying \(name): \(rows) presses and repeats") }
                guard failure == nil else { return }
                do { try body(row) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        try ReplayJob.explaining(name, place: isScript ? "line" : "record", body)
    }

    /// Runs `body`, in which errors of a replay are failures of the input of this name. `place`: what a step's position
    /// counts.
    static func explaining<Result>(
        _ name: String, place: String = "record", _ body: () throws -> Result
    ) throws -> Result {
        do { return try body() } catch { throw failure(error, name, place: place) }
    }

    /// The header under which the records of the replay are, or would be, written.
    func header(showsKeys: Bool) -> TraceHeader {
        var header = TraceHeader(level: .calls, isMasked: isMasked || !showsKeys)
        // AppKit's questions are stored as messages.
        if (try? replay.makeSubject())?.engine.profile.appKit != nil { header.version = TraceLimits.invocationVersion }
        return header
    }

    /// Shows the records of the replay as a trace at level `calls` to `body`, in order, with what their handles mean.
    /// The result is what all handles mean.
    func forEachRecord(
        showsKeys: Bool, _ body: @escaping (TraceRecord, TraceDefinitions) throws -> Void
    ) throws -> TraceDefinitions {
        progress.task = "replaying"
        return try explaining {
            try replay.record(timeline, showsKeys: showsKeys) { records, definitions in
                if let record = records.last {
                    progress.step("replaying \(name): \(record.sequence) records made")
                }
                for record in records { try body(record, definitions) }
            }
        }
    }

    /// Writes the replay as a canonical trace, masked unless `showsKeys`. `facts` take the place of those of the same
    /// names that the input has.
    func write(showsKeys: Bool, facts: [EnvironmentRecord] = [], to sink: @escaping TraceWriter.Sink) throws {
        var writer = try TraceWriter(header: header(showsKeys: showsKeys), sink: sink)
        for fact in facts { try writer.append(.environment(fact), at: .zero, definitions: TraceDefinitions()) }
        _ = try forEachRecord(showsKeys: showsKeys) { record, definitions in
            var body = record.body
            if case .environment(let fact) = body, let own = facts.first(where: { $0.name == fact.name }) {
                body = .environment(own)
            }
            try writer.skip(toSequence: record.sequence + UInt64(facts.count))
            try writer.append(body, at: record.time, definitions: definitions)
        }
        try writer.finish()
    }

    /// Replays twice, and compares the two and, if it holds resolutions, the recording.
    func verification() throws -> Verification {
        progress.task = "replaying"
        progress.begin("replaying \(name) twice")
        return try explaining { try Verification(recorded: recordedResolutions, of: timeline, by: replay) }
    }

    /// The facts of the replay, as a recording of it would contain them.
    func facts() throws -> ReplayFacts { try explaining { try ReplayFacts(replay, timeline) } }

    /// The input, if it contains resolutions.
    var recordedResolutions: RecordedTrace? { recorded.flatMap { $0.hasResolutions ? $0 : nil } }

    /// The failure for an error of the input, other errors unchanged.
    private static func failure(_ error: any Error, _ name: String, place: String) -> any Error {
        switch error {
        case let error as Replayer.StepError:
            Failure(.impossibleStep, "\(name): \(place) \(error.position): \(error)")
        case let error as ReplayTimeline.InputError: Failure(.damaged, "\(name): \(error)")
        case let error as RecordedReplay.TooLarge: Failure(.tooLarge, "\(name): \(error)")
        case let error as SourceTextError: Failure(error)
        case let error as Failure: error
        case let error as ContextStepError: Failure(.impossibleStep, "\(name): \(error)")
        default: error
        }
    }
}

extension RecordedEnvironment {
    /// The rules for a replay of a recording that does not contain them.
    func defaults() throws -> (profile: Profile, layout: Layout) {
        (try ProfileChoice.named("ios15"), try layoutByName(LayoutChoice.named))
    }
}
