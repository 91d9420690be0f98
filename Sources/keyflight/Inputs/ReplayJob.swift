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

    init(_ file: InputFile, _ input: InputOptions, _ options: ReplayOptions, _ console: Console) throws {
        name = file.name
        progress = console.progress
        let layout = try input.layout.map { try LayoutChoice.named($0) }
        var scene = try options.scene.map { try SceneReplay(options, sceneAt: $0) }
        scene?.options.layout = layout
        if let scene { try ReplayJob.noteSkippedKeyBindings(scene, console) }
        if case .script(let bytes) = file.content {
            isScript = true
            let script = try InputOptions.script(bytes, file.name)
            guard let scene else { throw ReplayJob.nothingToReplayWith(file) }
            replay = scene
            do { timeline = try scene.timeline(of: script) } catch { throw ReplayJob.failure(error, name) }
            return
        }
        isScript = false
        var source = try input.records(of: file, console)
        let recording = source.recorded()
        recorded = recording
        status = source.status(console)
        isMasked = source.header.isMasked
        if var scene {
            scene.adopt(RecordedEnvironment(recording))
            replay = scene
        } else {
            var runs = try ReplayRunOptions(options)
            runs.layout = layout
            guard let answers = try ReplayJob.recorded(recording, runs, name, console) else {
                throw source.nothingToReplayWith(status)
            }
            replay = answers
        }
        do { timeline = try ReplayTimeline(recording) } catch {
            throw ReplayJob.failure(error, name)
        }
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

    static func nothingToReplayWith(_ file: InputFile) -> Failure {
        file.isScene ? file.missingKeys : nothingToReplayWith(file.name, file.sceneRemedy)
    }

    static func nothingToReplayWith(_ name: String, _ remedy: String) -> Failure {
        Failure(
            .nothingToReplayWith,
            "\(name): what its responders answer is not recorded; \(remedy)")
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
    func heading() throws -> GoldenText.Heading {
        do { return try replay.heading() } catch { throw ReplayJob.failure(error, name) }
    }

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

    private func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw ReplayJob.failure(error, name, place: isScript ? "line" : "record") }
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

    /// The failure for an error of the input, other errors unchanged; `place`: what a step's position counts.
    static func failure(_ error: any Error, _ name: String, place: String = "record") -> any Error {
        switch error {
        case let error as Replayer.StepError:
            Failure(.impossibleStep, "\(name): \(place) \(error.position): \(error)")
        case let error as ReplayTimeline.TraceError: Failure(.damaged, "\(name): \(error)")
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

extension SceneReplay {
    init(_ options: ReplayOptions, sceneAt path: String) throws {
        try self.init(options, try ByteFile.readScene(path), file: path)
    }

    init(_ options: ReplayOptions, _ bytes: [UInt8], file: String) throws {
        let scene: Scene
        do {
            scene = try Scene(bytes, file: file)
        } catch {
            throw Failure(error)
        }
        self.init(
            scene, resources: SceneResources(layoutNamed: LayoutChoice.named, readFile: ByteFile.readNamed),
            options: try ReplayRunOptions(options))
    }
}

extension ReplayRunOptions {
    init(_ options: ReplayOptions) throws {
        self.init()
        profile = try options.profile.map { try ProfileChoice.named($0) }
        cachePolicy = options.cache ?? .none
        shadowCheck = options.shadowCheck
    }
}

/// Profiles as the command line names them.
enum ProfileChoice {
    /// A shipped profile, or the one in a file.
    static func named(_ name: String) throws -> Profile {
        if let shipped = Profile.named(name) { return shipped }
        guard name.contains("/") || name.contains(".") else {
            let names = Profile.shippedNames.joined(separator: ", ")
            throw Failure(.unknownProfile, "--profile: expected \(names), or the path of a profile file, found \(name)")
        }
        do {
            return try Profile(text: String(decoding: try ByteFile.readScene(name), as: UTF8.self))
        } catch let error as ProfileError {
            throw Failure(.wrongProfileFile, "\(name): \(error)")
        }
    }
}

extension ReplayOptions {
    /// The input with its resolutions: the recorded ones, or those of a replay where a scene is given. With
    /// `takesKeys`, a trace or a capture that has keys alone is taken as it is.
    func resolutions(
        of input: InputOptions, takesKeys: Bool = false, _ console: Console
    ) throws -> RecordSource {
        try resolutions(of: try InputFile(input.input, console), input, takesKeys: takesKeys, console)
    }

    /// The input as it is, or the replay of it where a scene is given.
    func records(of input: InputOptions, _ console: Console) throws -> RecordSource {
        let file = try InputFile(input.input, console)
        let settled = try settled(for: file, console)
        guard settled.given != nil || input.layout != nil && file.isTrace else {
            return try input.settled(for: file, console).records(of: file, console)
        }
        return try resolutions(of: file, input, console)
    }

    func resolutions(
        of file: InputFile, _ input: InputOptions, takesKeys: Bool = false, _ console: Console
    ) throws -> RecordSource {
        let settled = try settled(for: file, console)
        var source = try settled.resolve(file, try input.settled(for: file, console), takesKeys, console)
        source.replayArguments = [input.input] + words
        return source
    }

    private func resolve(
        _ file: InputFile, _ input: InputOptions, _ takesKeys: Bool, _ console: Console
    ) throws -> RecordSource {
        if file.isScene { throw file.missingKeys }
        // The layout of captures and scripts is that of their keys.
        let option = givenWithoutScene ?? (scene == nil && input.layout != nil && file.isTrace ? "--layout" : nil)
        if scene != nil || option != nil && file.recordsCalls {
            return RecordSource(replay: try ReplayJob(file, input, self, console))
        }
        if let option {
            throw Failure(
                .nothingToReplayWith,
                "\(file.name): \(option): expected a scene to replay with, found none; \(file.sceneRemedy)")
        }
        if file.hasRulesOfItsOwn {
            var source = try input.records(of: file, console)
            source.derivesCandidates = true
            return source
        }
        if takesKeys, file.isTraceOrCapture { return try input.records(of: file, console) }
        throw Failure(
            .nothingToReplayWith,
            "\(file.name): only keys were recorded; \(file.sceneRemedy)")
    }
}

extension InputFile {
    /// The replay of the scene in this file.
    func sceneReplay(_ replay: ReplayOptions, _ input: InputOptions, _ console: Console) throws -> SceneReplay {
        guard replay.scene == nil else {
            throw Failure(.otherInput, "\(name): --scene: expected a trace or script to replay, found a scene")
        }
        guard case .scene(let bytes) = content else {
            throw Failure(.otherInput, "\(name): content: expected a scene, found something else")
        }
        var plan = try SceneReplay(replay.settled(for: self, console), bytes, file: name)
        plan.options.layout = try input.settled(for: self, console).layout.map { try LayoutChoice.named($0) }
        return plan
    }

    var isTraceOrCapture: Bool {
        switch content {
        case .trace, .capture: true
        case .script, .scene: false
        }
    }

    /// The reader of a trace.
    var trace: TraceReader? { if case .trace(let reader) = content { reader } else { nil } }

    var isTrace: Bool { trace != nil }

    /// The remedy where a scene is missing: the app of a live recording has none.
    var sceneRemedy: String {
        trace?.isOfLiveApp == true ? TraceReader.liveRemedy : "add --scene, or record at level calls"
    }

    /// A trace that contains what responders answered.
    var recordsCalls: Bool { trace?.report.header?.level == .calls }
}

extension TraceReader {
    /// A trace of an adapter, whose facts come before its keys.
    var isOfLiveApp: Bool {
        guard var reader = try? TraceReader(bytes) else { return false }
        while let record = reader.next() {
            switch record.body {
            case .environment(let fact) where fact.name == AdapterFact.toolkit: return true
            case .key: return false
            default: break
            }
        }
        return false
    }

    static var liveRemedy: String { "record the app again with keyflight launch --level calls" }
}
