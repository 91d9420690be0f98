import KeyModel
public import ResponderEngine
public import TraceFormat

/// A verification: two replays of one input compared with each other, and with the resolutions that the input holds.
public struct Verification: Hashable, Sendable {
    public enum Against: String, Hashable, Sendable {
        case recording, secondReplay
    }

    /// Presses and repeats that were compared with the recording, or of the two replays where none is recorded.
    public var lines: Int
    /// Presses that the replay could not decide, and that were left out.
    public var notCompared = ReplayVerifier.NotCompared()
    /// The first of those for lack of an answer, with what lacks one.
    public var unanswered: [UnansweredPress] = []
    /// The press that was handled when the recorded app ended.
    public var openPress: OpenPress?
    /// Why counts of calls and of the cache were not compared with the recording; `nil` where they were.
    public var uncounted: Uncounted?
    /// Records of the input that are lost, by what it says itself.
    public var lost: UInt64 = 0
    /// The input holds resolutions.
    public var isRecorded: Bool
    /// The recording or run that the first replay differs from; `nil` when nothing differs.
    public var against: Against?
    public var divergence: ReplayDivergence?

    /// A reason for which counts cannot be the same.
    public enum Uncounted: String, Hashable, Sendable {
        /// The replay has another cache policy.
        case otherCache
        /// The recording begins in the middle, when the cache held what is not in it.
        case warmCache
        /// It begins in the middle, and something takes masked keys: what they read and built is not in it.
        case hiddenBefore
    }

    public struct OpenPress: Hashable, Sendable {
        public var press: UInt32
        /// What ended the app: `signal 9 (SIGKILL)`.
        public var end: String
    }

    public var isIdentical: Bool { divergence == nil }

    /// The input was recorded to hold what presses came to, and holds it of none.
    public var lacksResolutions = false

    /// Nothing that should be compared was left out.
    public var isWhole: Bool {
        lost == 0 && notCompared.count == 0 && (uncounted == nil || uncounted == .otherCache) && !lacksResolutions
    }

    /// `recorded` is `nil` for an input without resolutions. The counts of a recording are compared only where both
    /// ran under one cache policy.
    public init(recorded: Recording?, first: Recording, second: Recording) {
        let replayed = RecordedTrace(first)
        self.init(
            recorded.map { RecordedTrace($0) }, ReplayFacts(replayed), first: { _ in replayed.records() },
            second: { _ in RecordedTrace(second).records() }, check: { _ in })
    }

    /// Replays a timeline, and compares the replays as they go on, so that memory does not grow with their length.
    /// - Throws: Why a replay stopped, as far as they are alike until then.
    public init(recorded: RecordedTrace?, of timeline: ReplayTimeline, by plan: any ReplayPlan) throws {
        let replay = { (keepsLists: Bool) throws -> any RecordStream in
            try SteppedReplay(plan, timeline, keepsLists: keepsLists)
        }
        try self.init(recorded, try ReplayFacts(plan, timeline), first: replay, second: replay) { stream in
            if let failure = (stream as? SteppedReplay)?.failure { throw failure }
        }
        if notCompared.unrecorded > 0 { unanswered = try UnansweredPress.all(of: timeline, by: plan) }
    }

    /// A stream of the records of one side, with the lists that were answered where that is wanted.
    private typealias Side<Failure: Error> = (_ keepsLists: Bool) throws(Failure) -> any RecordStream

    /// `first` gives the records of the first replay as often as it takes; `check` throws why a stream stopped. No
    /// stream is kept for longer than it is compared: each has an app of its own.
    private init<Failure: Error>(
        _ recorded: RecordedTrace?, _ facts: ReplayFacts, first: Side<Failure>, second: Side<Failure>,
        check: (any RecordStream) throws(Failure) -> Void
    ) throws(Failure) {
        func compare(
            _ verifier: ReplayVerifier, _ wanted: Side<Failure>, _ found: Side<Failure>
        ) throws(Failure) -> ReplayVerifier.Verdict {
            func verdict(keepsLists: Bool) throws(Failure) -> ReplayVerifier.Verdict {
                let (wanted, found) = (try wanted(keepsLists), try found(keepsLists))
                let verdict = verifier.compare(wanted, found)
                try check(wanted)
                try check(found)
                return verdict
            }
            var found = try verdict(keepsLists: false)
            guard let divergence = found.divergence else { return found }
            // Lists are long, and only the explanation of a difference needs them: both go on to it once more.
            let explained = try verdict(keepsLists: true).divergence
            found.divergence?.explanation = explained?.at == divergence.at ? explained?.explanation : nil
            return found
        }
        isRecorded = recorded != nil
        lost = recorded?.summary.lost ?? 0
        openPress = recorded?.summary.openPress
        let repeated = try compare(ReplayVerifier(facts, comparesCounts: true), first, second)
        lines = repeated.lines
        divergence = repeated.divergence
        against = divergence == nil ? nil : .secondReplay
        guard divergence == nil, let recorded else { return }
        let recordedFacts = ReplayFacts(recorded)
        let sharesCache = recordedFacts.sharesCache(with: facts)
        // An app has no cache of a policy.
        if let policy = recordedFacts.cachePolicy {
            if !sharesCache { uncounted = .otherCache }
            if sharesCache, !recorded.initialContext.isEmpty {
                if recordedFacts.hasBareKeys { uncounted = .hiddenBefore }
                if policy != .none { uncounted = .warmCache }
            }
        }
        let verifier = ReplayVerifier(
            recordedFacts, comparesCounts: sharesCache && uncounted == nil, hasHoles: recorded.summary.hasHoles,
            isWarm: uncounted == .warmCache)
        let verdict = try compare(verifier, { _ in recorded.records() }, first)
        lines = verdict.lines
        notCompared = verdict.notCompared
        divergence = verdict.divergence
        against = divergence == nil ? nil : .recording
    }

    /// One object.
    public var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.verify/1")
            json.member("identical", isIdentical && isWhole && lines > 0)
            json.member("lines", lines)
            json.member("not_compared", notCompared.count)
            json.member("unrecorded", objects: unanswered) { json, press in
                json.member("press", press.press)
                json.member("responder", press.question.responder)
                json.member("question", press.question.question)
                json.member("action", press.question.action)
            }
            json.member("open", about: openPress) { json, open in
                json.member("press", open.press)
                json.member("ended_by", open.end)
            }
            json.member("counts_left_out", uncounted?.rawValue)
            json.member("lost", lost)
            json.member("recorded", isRecorded)
            json.member("against", against?.rawValue)
            json.member("divergence", about: divergence) { $1.write(to: &$0) }
        }
    }

    /// The same for people; `name` is what the input is called. Ends with a line break.
    public func text(name: String) -> String {
        let name = VisibleText.escaped(name)
        guard let divergence else {
            let count = lines == 1 ? "1 press or repeat" : "\(lines) presses and repeats"
            let rest = isRecorded ? ", twice as recorded" : ", twice the same; no resolutions are recorded"
            var open = unanswered.filter { openPress == nil || $0.press != openPress?.press }.map(\.text)
            if let openPress { open.append("press \(openPress.press): open when the app ended by \(openPress.end)") }
            return "\(name): \(count)\(rest)\(leftOut)\n" + open.map { "  \(VisibleText.escaped($0))\n" }.joined()
        }
        let what = against == .secondReplay ? "a second replay differs from the first" : "differs from the recording"
        return "\(name): \(what), first at \(divergence.text)"
    }
}

extension Verification {
    /// `; 71 masked presses not compared`
    private var leftOut: String {
        func presses(_ count: Int, _ kind: String) -> String { "\(count) \(kind)\(count == 1 ? "press" : "presses")" }
        var parts: [String] = []
        if notCompared.masked > 0 { parts.append("\(presses(notCompared.masked, "masked ")) not compared") }
        if notCompared.unrecorded > 0 {
            parts.append("\(presses(notCompared.unrecorded, "")) not compared, whose answers are not recorded")
        }
        switch uncounted {
        case nil: break
        case .otherCache: parts.append("counts not compared: it was recorded under another cache")
        case .warmCache: parts.append("counts not compared: what the cache held before its beginning is not in it")
        case .hiddenBefore: parts.append("counts not compared: they may depend on hidden presses before its beginning")
        }
        if lost > 0 { parts.append("\(lost) record\(lost == 1 ? "" : "s") of it lost, which cannot be compared") }
        return parts.map { "; " + $0 }.joined()
    }
}

/// Conditions of a replay, as a recording contains them.
public struct ReplayFacts: Sendable {
    private var facts: [String: String] = [:]

    public init() {}

    public init(_ recording: Recording) { self.init(RecordedTrace(recording)) }
    public init(_ trace: RecordedTrace) { self = trace.summary.facts }

    /// Conditions that a recording of this replay would contain.
    public init(_ plan: any ReplayPlan, _ timeline: ReplayTimeline) throws {
        let replay = try SteppedReplay(plan, timeline)
        while let record = replay.next(), record.time == .zero { follow(record.body) }
        if let failure = replay.failure { throw failure }
    }

    /// Something that was so at the beginning.
    public mutating func follow(_ body: TraceRecord.Body) {
        switch body {
        case .environment(let fact) where facts[fact.name] == nil: facts[fact.name] = fact.value
        case .layout(let layout) where facts["layout"] == nil:
            let table = layout.hash == 0 ? "" : " (table \(layout.hash.hexadecimal(16)))"
            facts["layout"] = layout.name + table
        default: break
        }
    }

    /// A fact that two recordings do not share, so that they cannot be compared.
    public struct Mismatch: Hashable, Sendable {
        public var fact: String
        public var expected: String
        public var found: String
    }

    /// The first of scene, profile, parameters, layout, direction and focus system that differs, by name. A value that
    /// one of the two lacks cannot differ. With `anyScene` the rules alone count, not what they were applied to.
    public func mismatch(with other: ReplayFacts, anyScene: Bool = false) -> Mismatch? {
        let names = (anyScene ? [] : ["scene"]) + ["profile", "layout", "direction", "focusSystem"]
        let parameters = facts.keys.filter(EnvironmentRecord.isProfileParameter).sorted()
        for name in names + parameters {
            guard let ours = facts[name], let theirs = other.facts[name], ours != theirs else { continue }
            // Of a layout that is known by its name the table cannot differ.
            if name == "layout", ours.hasPrefix(theirs + " (table ") || theirs.hasPrefix(ours + " (table ") { continue }
            return Mismatch(fact: name, expected: ours, found: theirs)
        }
        return nil
    }

    func sharesCache(with other: ReplayFacts) -> Bool {
        facts["cache"] == other.facts["cache"] && facts["shadowCheck"] == other.facts["shadowCheck"]
    }

    /// A replay made the recording, and not an app: it holds every parameter of its profile.
    public var isOfReplay: Bool { facts.keys.contains(where: EnvironmentRecord.isProfileParameter) }

    /// `nil` where none is recorded, as of the next ones.
    public var profile: String? { facts["profile"] }
    /// With the hash of its table, where one is recorded.
    public var layout: String? { facts["layout"] }
    /// Something takes keys that type text and are held without ⌘ and ⌃.
    var hasBareKeys: Bool { facts[EnvironmentFact.bareKeys] != nil }
    public var cachePolicy: CachePolicy? { facts["cache"].flatMap(CachePolicy.init(rawValue:)) }
    public var shadowCheck: Bool { facts["shadowCheck"] == "true" }
}
