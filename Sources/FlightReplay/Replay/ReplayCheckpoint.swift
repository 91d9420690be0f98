package import KeyModel
public import ResponderEngine
import Scenes

/// A place in a long replay, just before a press, to continue from any number of times.
///
/// It is the place and not a copy of the state. Live responders are objects of any class, with state that is private to
/// their own code, and cannot be copied; the result of a replay is a function of its input alone. Continuing from a
/// checkpoint therefore creates the responders again and runs the presses before it again, without lines and without a
/// recording, which costs the time of the engine itself. The rest is, byte for byte, the end of the whole
/// replay.
public struct ReplayCheckpoint {
    public let plan: any ReplayPlan
    public let timeline: ReplayTimeline
    /// The first press that is replayed with lines.
    public let press: UInt32

    public init(_ plan: any ReplayPlan, _ timeline: ReplayTimeline, before press: UInt32) {
        self.plan = plan
        self.timeline = timeline
        self.press = press
    }

    /// Passes on the rows from the press on: its own, those of later presses, and repeats of keys that were down
    /// before it. `until`: the last press that is of interest; later rows are left out.
    public func run(until last: UInt32 = .max, _ sink: @escaping (ReplayRow) -> Void) throws {
        let replayer = try plan.makeReplayer()
        replayer.begin(timeline)
        var silence = SilentVisitor()
        try replayer.advance(toPress: press, &silence)
        var writer = LineWriter(replayer.subject.engine, phases: plan.options.phases, sink: sink)
        if last < .max {
            try replayer.advance(toPress: last + 1, &writer)
            writer.finished(at: timeline.end)
        } else {
            try replayer.resume(&writer)
        }
        try replayer.subject.checkAfterRun()
    }

    /// Outcome of the press itself and of its repeats if the rules are others from here on; `nil` for those that the
    /// plan has. The presses before it stay as they were, and parameters that a scene sets apply to either.
    ///
    /// - Returns: the line of its down, then those of its repeats; empty for a press that there is not.
    public func linesOfPress(under profile: Profile?) throws -> [ReplayLine] {
        let replayer = try ReplayCheckpoint.replayer(of: plan, under: profile) { replayer, silence in
            replayer.begin(timeline)
            try replayer.advance(toPress: press, &silence)
        }
        var lines: [ReplayLine] = []
        var writer = LineWriter(replayer.subject.engine, phases: false) { row in
            if case .resolution(let made) = row, made.press == press { lines.append(made) }
        }
        // The line of a press is whole when its key is up, and those of its repeats come with it.
        while lines.isEmpty, try replayer.advance(&writer) {}
        return lines
    }

    /// Live responders as a timeline leaves them, from then on under another profile; `nil` for that of the plan.
    package static func subject(
        of plan: any ReplayPlan, after timeline: ReplayTimeline, under profile: Profile?
    ) throws -> any ReplaySubject {
        try replayer(of: plan, under: profile) { try $0.run(timeline, &$1) }.subject
    }

    /// Live responders after a part of their input, from then on under another profile.
    private static func replayer(
        of plan: any ReplayPlan, under profile: Profile?, after pass: (Replayer, inout SilentVisitor) throws -> Void
    ) throws -> Replayer {
        let subject = try plan.makeSubject()
        let replayer = Replayer(
            subject, costs: ServiceCosts(), cadence: .virtual, maximumRepeats: plan.options.maximumRepeats)
        var silence = SilentVisitor()
        try pass(replayer, &silence)
        if let profile {
            subject.engine.profile = try (subject as? SceneInstance)?.scene.applyingParameters(to: profile) ?? profile
        }
        return replayer
    }

    /// The outcome of another chord in the place of the press, with no other key down; `nil` where there is none.
    package func resolution(of chord: (KeyboardEngine) -> Chord?) throws -> Resolution? {
        let replayer = try plan.makeReplayer()
        replayer.begin(timeline)
        var silence = SilentVisitor()
        try replayer.advance(toPress: press, &silence)
        return chord(replayer.subject.engine).flatMap { replayer.subject.engine.pressInstead($0) }
    }

    /// The lines from the press on.
    public func lines(until last: UInt32 = .max) throws -> [ReplayLine] {
        var lines: [ReplayLine] = []
        try run(until: last) { row in if case .resolution(let line) = row { lines.append(line) } }
        return lines
    }
}

/// A visitor without effects.
struct SilentVisitor: ReplayVisitor {}
