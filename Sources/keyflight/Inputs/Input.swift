import CaptureImport
import FlightReplay
import KeyModel
import Libc
import Scenes
import SystemPackage
import TraceFormat

/// The input of a verb: a file or standard input, its kind by its content, with the options that it is read by.
struct Input {
    enum Content {
        case trace(TraceReader)
        /// Read piece by piece where it is a file.
        case capture(CaptureImporter.Input)
        case script([UInt8])
        case scene([UInt8])
    }

    /// The name as it was given, for messages and reports.
    let name: String
    let content: Content
    /// Keyboards of a capture to take; all where none is named.
    var device: [DeviceSelector] = []
    /// The rules of a replay that the command line names.
    let given: ReplayRules
    let console: Console
    private let path: String
    private var showsKeys = false

    /// - Parameter waits: until a recording that was only just created has a header.
    init(_ path: String, _ console: Console, rules: ReplayRules = ReplayRules(), waits: Bool = false) throws {
        var bytes = try path == "-" ? console.standardInput() : ByteFile.open(path)
        while waits, path != "-", bytes.mayBecomeTrace {
            Input.pause()
            bytes = try ByteFile.open(path)
        }
        // A file that is being written has no end to compare with.
        if !waits { console.progress.follow([bytes]) }
        content = try Content(bytes, path: path == "-" ? nil : path, console.capture)
        (name, given, self.path, self.console) = (bytes.file ?? "", rules, path, console)
    }

    init(
        _ path: String, _ reading: ReadingOptions, _ console: Console, replay: ReplayOptions? = nil,
        waits: Bool = false
    ) throws {
        var rules = replay?.rules ?? ReplayRules()
        rules.layout = reading.layout
        try self.init(path, console, rules: rules, waits: waits)
        (device, showsKeys) = (reading.device, reading.showKeys)
    }

    init(_ options: InputOptions, _ console: Console, replay: ReplayOptions? = nil, waits: Bool = false) throws {
        try self.init(options.input, options.reading, console, replay: replay, waits: waits)
    }

    /// Pauses between two looks at a file that is being written.
    static func pause() { usleep(20_000) }

    // MARK: Rules

    /// True when the input contains its presses' outcomes, or its responders' answers.
    private var hasRulesOfItsOwn: Bool {
        guard let trace else { return false }
        if let level = trace.report.header?.level, level >= .resolutions { return true }
        // Aligned traces have stages before anything is resolved.
        return TraceIndex(stored: trace.bytes)?.totals.count(of: .stage) ?? 0 > 0
    }

    /// The layout of the command line, else that of the environment where the input has none of its own.
    private func layout() throws -> String? {
        try given.layout ?? (hasRulesOfItsOwn ? nil : console.settings.checkedLayout())
    }

    /// The rules of the command line, else those of the environment where the input has none of its own.
    func rules() throws -> ReplayRules {
        var rules = given
        if !hasRulesOfItsOwn {
            let settings = console.settings
            if rules.scene == nil, !isScene { rules.scene = settings.scene }
            if rules.scene != nil || isScene {
                if rules.profile == nil { rules.profile = try settings.checkedProfile() }
                if rules.cache == nil { rules.cache = settings.cache }
            }
        }
        rules.layout = try layout()
        return rules
    }

    // MARK: Records

    /// The records as they are, without replaying anything. `descriptor`: the file with a report descriptor for
    /// keyboards of a capture.
    func records(descriptor: String? = nil) throws -> RecordSource { try records(on: layout(), descriptor: descriptor) }

    /// The same on a layout by its name, which a trace has by itself. A script is in clear anyway, unless what it is
    /// compared with is masked.
    func records(
        on layout: String?, descriptor: String? = nil, masksScript: Bool = false
    ) throws -> RecordSource {
        if case .capture(let capture) = content { return try imported(capture, layout, descriptor) }
        guard descriptor == nil else {
            throw Failure(.otherInput, "\(name): --descriptor: expected a capture, found something else")
        }
        if let trace, !masksScript || trace.report.header?.isMasked != false {
            try expectNoDevice(in: "a trace")
            return RecordSource(trace: trace, name: name)
        }
        guard let script = try typedScript() else { throw missingKeys }
        let table = try LayoutChoice.named(layout ?? "us")
        let timeline: ReplayTimeline
        do {
            timeline = try ReplayTimeline(script, layout: table, layoutNamed: LayoutChoice.named)
        } catch {
            throw Failure(error)
        }
        return RecordSource(script: TimelineRecords(timeline, layout: table, showsKeys: !masksScript), name: name)
    }

    /// The key script, where it is one.
    func script() throws -> KeyScript? {
        guard case .script(let bytes) = content else { return nil }
        try expectNoDevice(in: "a key script")
        do { return try KeyScript(bytes, file: name) } catch { throw Failure(error) }
    }

    /// What can be typed again: a key script, or the keys of a trace, each of which goes down and up as long after the
    /// one before it as it did there. `nil` for other inputs.
    ///
    /// - Throws: a `Failure` for a trace whose keys are masked.
    func typedScript() throws -> KeyScript? {
        guard let trace else { return try script() }
        guard trace.report.header?.isMasked == false else {
            throw Failure(.otherInput, "\(name): keys: expected them in clear, found them masked")
        }
        var keys = RecordedKeySteps()
        var source = RecordSource(trace: trace, name: name)
        try source.feed(&keys)
        return KeyScript(file: name, steps: keys.steps)
    }

    private func expectNoDevice(in what: String) throws {
        guard !device.isEmpty else { return }
        throw Failure(.otherInput, "\(name): --device: expected a capture to choose a keyboard from, found \(what)")
    }

    /// A capture as the trace that `import` would write.
    private func imported(
        _ capture: CaptureImporter.Input, _ layout: String?, _ descriptor: String?
    ) throws -> RecordSource {
        var job = CaptureImporter()
        if let descriptor { try Import.use(descriptor, in: &job) }
        (job.showsKeys, job.selection) = (showsKeys, device)
        job.layout = try layout.map(LayoutChoice.named)
        // It is in memory, for which packed captures leave little room.
        job.traceLimit = (4 << 20) + 2 * capture.size
        var trace: [UInt8] = []
        // Some verbs read their input more than once; a pipe's was read into memory.
        if case .descriptor(let descriptor) = capture.content { _ = try? descriptor.seek(offset: 0, from: .start) }
        let result = try Import.run(job, [capture]) { trace.append(contentsOf: $0) }
        let status = Import.report(result, name, console)
        guard case .imported = result else { throw Stopped(status: status) }
        let bytes = TraceBytes(trace, file: name)
        console.progress.follow([bytes])
        var source = RecordSource(trace: try TraceReader(bytes), name: name)
        source.status = status
        return source
    }

    /// - Throws: `Failure` for a layout given to a trace, by verbs that report its records without a replay.
    func refuseLayout() throws {
        guard given.layout != nil, isTrace else { return }
        throw Failure(
            .otherInput, "\(name): --layout: expected a capture or a key script, found a trace; replay has the option")
    }

    // MARK: Resolutions

    /// The input as it is, or the replay of it where a scene is given.
    func recordsOrReplay() throws -> RecordSource {
        guard try !rules().options.isEmpty || given.layout != nil && isTrace else { return try records() }
        return try resolutions()
    }

    /// The input with its resolutions: the recorded ones, or those of a replay where a scene is given. With
    /// `takesKeys`, a trace or a capture that has keys alone is taken as it is.
    func resolutions(takesKeys: Bool = false) throws -> RecordSource {
        var source = try resolved(by: rules(), takesKeys: takesKeys)
        source.replayArguments = [path] + given.words
        return source
    }

    private func resolved(by rules: ReplayRules, takesKeys: Bool) throws -> RecordSource {
        if isScene { throw missingKeys }
        // The layout of captures and scripts is that of their keys.
        let option = rules.options.first ?? (rules.layout != nil && isTrace ? "--layout" : nil)
        if rules.scene != nil || option != nil && recordsCalls {
            return RecordSource(replay: try ReplayJob(self, rules))
        }
        if let option {
            throw Failure(
                .nothingToReplayWith,
                "\(name): \(option): expected a scene to replay with, found none; \(TraceReader.sceneRemedy(trace))")
        }
        if hasRulesOfItsOwn {
            var source = try records(on: rules.layout)
            source.derivesCandidates = true
            return source
        }
        if takesKeys, !isScript { return try records(on: rules.layout) }
        try expectKeyboard()
        throw Failure(
            .nothingToReplayWith, "\(name): only keys were recorded; \(TraceReader.sceneRemedy(trace))")
    }

    /// The replay of the scene in this file.
    func sceneReplay() throws -> SceneReplay {
        guard given.scene == nil else {
            throw Failure(.otherInput, "\(name): --scene: expected a trace or script to replay, found a scene")
        }
        guard case .scene(let bytes) = content else {
            throw Failure(.otherInput, "\(name): content: expected a scene, found something else")
        }
        return try SceneReplay(bytes, file: name, rules())
    }

    // MARK: Kinds

    var isScene: Bool { if case .scene = content { true } else { false } }
    private var isScript: Bool { if case .script = content { true } else { false } }

    /// The reader of a trace.
    var trace: TraceReader? { if case .trace(let reader) = content { reader } else { nil } }
    var isTrace: Bool { trace != nil }

    /// A trace that contains what responders answered.
    var recordsCalls: Bool { trace?.report.header?.level == .calls }
    /// A trace that was recorded to hold what presses came to.
    var recordsResolutions: Bool { (trace?.report.header?.level ?? .keys) > .keys }

    /// The failure of a command that needs keys and was given a scene.
    var missingKeys: Failure {
        Failure(.otherInput, "\(name): keys: expected a trace, a capture or a key script, found a scene")
    }

    /// The failure of a command that needs responders.
    var missingResponders: Failure {
        get throws {
            try expectKeyboard()
            return isScene ? missingKeys : ReplayJob.nothingToReplayWith(name, TraceReader.sceneRemedy(trace))
        }
    }

    /// A capture without a keyboard lacks that before anything else.
    private func expectKeyboard() throws {
        if case .capture = content { _ = try records() }
    }
}

/// A verb stopped, and the reason is on standard error.
struct Stopped: Error {
    var status: ExitStatus
}

extension TraceReader {
    /// The remedy where a scene is missing: the app of a live recording has none, and its facts come before its keys.
    static func sceneRemedy(_ trace: TraceReader?) -> String {
        var reader = trace.flatMap { try? TraceReader($0.bytes) }
        while let record = reader?.next() {
            switch record.body {
            case .environment(let fact) where fact.name == AdapterFact.toolkit:
                return "record the app again with keyflight launch --level calls"
            case .key: return "add --scene, or record at level calls"
            default: break
            }
        }
        return "add --scene, or record at level calls"
    }
}

/// The keys of a trace as steps of a script; a held key repeats by itself.
private struct RecordedKeySteps: TraceConsumer {
    private(set) var steps: [KeyScript.Line] = []
    private var last: TraceTime?
    private var held: Set<KeyUsage> = []

    mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        switch record.body {
        case .key(let key):
            guard let usage = key.key.usage, key.phase != .repeat else { return }
            // The release of one that was down before is nothing that was typed.
            guard key.phase == .down ? held.insert(usage).inserted : held.remove(usage) != nil else { return }
            append(key.phase == .down ? .down(.usage(usage)) : .up(.usage(usage)), at: record.time)
        case .text(let text):
            if let text = text.text.flatMap({ definitions[$0] }) { append(.insert(text), at: record.time) }
        default: break
        }
    }

    private mutating func append(_ step: KeyScript.Step, at time: TraceTime) {
        let wait = last.map { KeyScript.Step.wait(time.since($0)) }
        last = time
        for step in [wait, step].compactMap(\.self) { steps.append(.init(number: steps.count + 1, step: step)) }
    }
}
