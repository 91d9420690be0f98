public import KeyModel
public import ResponderEngine
public import TraceFormat

/// A way to replay timelines: the responders and the options. Every run has responders of its own, so that one run
/// leaves nothing behind for the next, and runs on several threads do not meet.
public protocol ReplayPlan {
    var options: ReplayRunOptions { get set }
    /// Live responders under these options.
    func makeSubject() throws -> any ReplaySubject
    /// Service times of a trace, for what the subject does not declare.
    var recordedCosts: ServiceCosts { get }
}

/// Options of one run of a replay.
public struct ReplayRunOptions: Sendable {
    /// Wins over the scene's profile and the recorded one; the scene's parameters apply to either.
    public var profile: Profile?
    /// Wins over the scene's layout, and over the one that a trace stores.
    public var layout: Layout?
    public var cachePolicy = CachePolicy.none
    /// Reads everything afresh at each cache hit and counts the answers that differ.
    public var shadowCheck = false
    /// Adds rows for the up and the cancel of presses.
    public var phases = false
    /// Profile and layout are part of every line.
    public var isCompared = false
    public var cadence = ReplayCadence.virtual
    /// Most repeats of held keys that are replayed, with a few more for each key that goes down; the last one of a key
    /// that is held for longer is marked. 10,000 by default, a quarter of an hour.
    public var maximumRepeats: UInt32?

    public init() {}
}

extension ReplayPlan {
    /// Live responders, and a replayer of them, under these options.
    func makeReplayer(recorder: TraceRecorder? = nil) throws -> Replayer {
        let subject = try makeSubject()
        var costs = subject.costs
        costs.fill(from: recordedCosts)
        return Replayer(
            subject, costs: costs, recorder: recorder, cadence: options.cadence,
            maximumRepeats: options.maximumRepeats)
    }

    /// Replays a timeline and passes on its rows in order; with a recorder it records as well.
    public func run(
        _ timeline: ReplayTimeline, recorder: TraceRecorder? = nil, _ sink: @escaping (ReplayRow) -> Void
    ) throws {
        let replayer = try makeReplayer(recorder: recorder)
        let engine = replayer.subject.engine
        let labels = options.isCompared ? (profile: engine.profile.name, layout: engine.layout.name) : nil
        var writer = LineWriter(engine, phases: options.phases, labels: labels, sink: sink)
        try replayer.run(timeline, &writer)
        try replayer.subject.checkAfterRun()
    }

    /// All lines of a timeline.
    public func lines(of timeline: ReplayTimeline) throws -> [ReplayLine] {
        var lines: [ReplayLine] = []
        try run(timeline) { row in if case .resolution(let line) = row { lines.append(line) } }
        return lines
    }

    /// A trace of the replay at level `calls`, masked unless `showsKeys`.
    public func record(_ timeline: ReplayTimeline, showsKeys: Bool = false) throws -> Recording {
        let recorder = TraceRecorder(showsKeys: showsKeys)
        try run(timeline, recorder: recorder) { _ in }
        return recorder.recording
    }

    /// Real time of the `keyCommands` of the whole chain at each press, in nanoseconds. The getters are read once more
    /// for it, before the press reads them.
    package func keyCommandsTimes(of timeline: ReplayTimeline) throws -> [Double] {
        let presses = try lines(of: timeline).compactMap(\.press).max() ?? 0
        let replayer = try makeReplayer()
        replayer.begin(timeline)
        var silence = SilentVisitor()
        var times: [Double] = []
        for press in 0..<presses {
            try replayer.advance(toPress: press + 1, &silence)
            let time = replayer.subject.engine.timeOfKeyCommands()
            times.append(Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9)
        }
        return times
    }

    /// Conditions of a replay under these options.
    public func heading() throws -> GoldenText.Heading {
        let engine = try makeSubject().engine
        return GoldenText.Heading(
            profile: engine.profile.name, layout: engine.layout.name, level: .calls,
            cache: options.cachePolicy.rawValue)
    }

    /// The text of the golden for this timeline.
    public func golden(of timeline: ReplayTimeline) throws -> GoldenText {
        GoldenText(try heading(), try lines(of: timeline))
    }
}
