public import KeyModel
import ResponderEngine
public import TraceFormat
import TracePresses

/// The first press that a replay resolved differently from what was recorded.
public struct ReplayDivergence: Hashable, Sendable {
    /// The press (0 for text without a key) and which repeat of it.
    public var at: PressTick
    public var time: TraceTime
    public var chord: String?
    /// The field of `replay --format jsonl` that differs; `line` when the press has no line in one of the two, `order`
    /// when its outcome is the same, but it follows a press that it preceded.
    public var field: String
    public var expected: String
    public var found: String
    /// The difference in the chain that explains it; `nil` when none is known.
    public var explanation: String?
}

/// Compares a replay with a recording, press by press. The order of presses that overlap is compared where a replay
/// made the recording.
///
/// A press whose key is masked is compared by outcome, `takenBy` and target alone, since its character is not known. A
/// press that the replay cannot decide, since the key is masked or the recording lacks the answer, is not compared, and
/// neither is what the recording of an app leaves out. States are compared up to the first masked key, text or loss: a
/// state includes the length of a text. Times are not: the duration of a handler is no part of the outcome of a press.
public struct ReplayVerifier: Sendable {
    /// The counts of calls and of the cache are compared as well: both ran under the same cache policy.
    private let comparesCounts: Bool
    /// A replay made the recording. One of an app has no candidates, effects and states, and may lack receivers.
    private let isOfReplay: Bool
    /// Lists end with the presses that read them, and with changes of the chain.
    private let keepsListsOfPresses: Bool
    /// A key whose records are missing may have ended the repeats of another one.
    private let hasHoles: Bool
    /// A cache had answers from before the recording's beginning.
    private let isWarm: Bool

    /// `facts` are those of the recording.
    init(_ facts: ReplayFacts, comparesCounts: Bool, hasHoles: Bool = false, isWarm: Bool = false) {
        (self.hasHoles, self.isWarm) = (hasHoles, isWarm)
        isOfReplay = facts.isOfReplay
        keepsListsOfPresses = facts.cachePolicy == .press
        self.comparesCounts = comparesCounts
    }

    /// Numbers of what was compared, and the first difference.
    public struct Verdict: Hashable, Sendable {
        /// Presses and repeats of the recording that were compared.
        public var lines = 0
        public var notCompared = NotCompared()
        public var divergence: ReplayDivergence?
    }

    /// Presses and repeats that the replay cannot decide.
    public struct NotCompared: Hashable, Sendable {
        /// Presses whose result depends on which key the mask hides.
        public var masked = 0
        /// The recording lacks the answer that decides.
        public var unrecorded = 0

        public var count: Int { masked + unrecorded }
    }

    func compare(_ recorded: any RecordStream, _ replayed: any RecordStream) -> Verdict {
        var verdict = Verdict()
        var pairing = PressPairing(recorded, replayed)
        var last: (wanted: ResolvedPress, got: ResolvedPress)?
        var undecided: Set<UInt32> = []
        // What a hidden press read and built, the next one finds.
        var hidesCounts = false
        while let pair = pairing.next() {
            func names(_ pair: (wanted: ResolvedPress, got: ResolvedPress)) -> DivergenceCause {
                DivergenceCause(
                    expected: NamedPress(press: pair.wanted, definitions: pairing.recorded.definitions),
                    found: NamedPress(press: pair.got, definitions: pairing.replayed.definitions),
                    isOfReplay: isOfReplay)
            }
            if isUnrecorded(pair) {
                verdict.notCompared.unrecorded += 1
                continue
            }
            guard case .both(let wanted, let got, let isInOrder) = pair else {
                // Whether a key repeats follows from what it does.
                if let open = pair.one, undecided.contains(open.at.press) {
                    verdict.notCompared.count(open)
                    continue
                }
                var divergence = missing(pair)
                // A press that stops repeating, or repeats now, met what explains it when its key went down.
                if let last, last.wanted.at.press == divergence?.at.press { divergence?.explanation = names(last).text }
                verdict.divergence = divergence
                return verdict
            }
            last = (wanted, got)
            hidesCounts = hidesCounts || wanted.isHidden
            guard verdict.notCompared.isDecided(got, like: wanted) else {
                undecided.insert(wanted.at.press)
                continue
            }
            verdict.lines += 1
            let pair = names((wanted, got))
            // Which of two presses that overlap ends first is the doing of an app's threads, and of a replay's rules.
            let order: Difference? = isInOrder || !isOfReplay ? nil : ("order", "earlier", "later")
            guard let difference =
                difference(
                    pair.expected, pair.found, withState: !pairing.recorded.hidesText, withCounts: !hidesCounts)
                    ?? order
            else { continue }
            if isWarm, wanted.cache.map({ $0.hits > 0 }) ?? false {
                verdict.lines -= 1
                verdict.notCompared.count(wanted)
                undecided.insert(wanted.at.press)
                continue
            }
            verdict.divergence = ReplayDivergence(
                at: wanted.at, time: wanted.time, chord: wanted.chord?.text, field: difference.field,
                expected: difference.expected, found: difference.found,
                explanation: difference.field == "order" ? nil : pair.text)
            return verdict
        }
        return verdict
    }

    private func isUnrecorded(_ pair: PressPairing.Pair) -> Bool {
        guard case .onlyReplayed(let got) = pair else { return false }
        // An app ended, or a secure field hid, before the outcome of the press was recorded.
        return !isOfReplay && got.resolution.outcome == .unrecorded || hasHoles && got.at.tick > 0
    }

    /// Divergence of a line that only one of the two has.
    private func missing(_ pair: PressPairing.Pair) -> ReplayDivergence? {
        guard let press = pair.one else { return nil }
        let isReplayed = if case .onlyReplayed = pair { true } else { false }
        let outcome = press.resolution.outcome.name
        return ReplayDivergence(
            at: press.at, time: press.time, chord: press.chord?.text, field: "line",
            expected: isReplayed ? "none" : outcome, found: isReplayed ? outcome : "none", explanation: nil)
    }

    private typealias Difference = (field: String, expected: String, found: String)

    private func differs<Value: Equatable>(
        _ field: String, _ a: Value, _ b: Value, _ text: (Value) -> String
    ) -> Difference? {
        a == b ? nil : (field, text(a), text(b))
    }

    private func differs(_ field: String, _ a: String?, _ b: String?) -> Difference? {
        differs(field, a, b) { $0 ?? "null" }
    }

    private func differs(_ field: String, _ a: [String], _ b: [String]) -> Difference? {
        differs(field, a, b) { "[\($0.joined(separator: ", "))]" }
    }

    private func difference(
        _ a: NamedPress, _ b: NamedPress, withState: Bool, withCounts: Bool
    ) -> Difference? {
        let (ours, theirs) = (a.press.resolution, b.press.resolution)
        if theirs.outcome == .unrecorded, ours.outcome != .unrecorded {
            return differs("chord", a.press.chord, b.press.chord) { $0?.text ?? "null" }
        }
        let difference =
            differs("outcome", ours.outcome, theirs.outcome, \.name)
            ?? (isOfReplay || ours.takenBy != nil
                ? differs("takenBy", ours.takenBy, theirs.takenBy) { $0?.name ?? "null" } : nil)
            ?? (isOfReplay || a.target != nil ? differs("target", a.target, b.target) : nil)
        if difference != nil || a.press.isMasked || b.press.isMasked { return difference }
        return differs("chord", a.press.chord, b.press.chord) { $0?.text ?? "null" }
            ?? (isOfReplay || a.action != nil ? differs("action", a.action, b.action) : nil)
            ?? (isOfReplay || a.supplier != nil ? differs("supplier", a.supplier, b.supplier) : nil)
            ?? (isOfReplay || a.character != nil ? differs("character", a.character, b.character) : nil)
            ?? (isOfReplay || !a.press.run.receivers.isEmpty ? differs("receivers", a.receivers, b.receivers) : nil)
            ?? (isOfReplay ? differenceOfReplays(a, b, withState: withState, withCounts: withCounts) : nil)
    }

    private func differenceOfReplays(
        _ a: NamedPress, _ b: NamedPress, withState: Bool, withCounts: Bool
    ) -> Difference? {
        let difference =
            (a.shadowed.elementsEqual(b.shadowed) ? nil : differs("shadowed", Array(a.shadowed), Array(b.shadowed)))
            ?? (a.text != nil ? differs("text", a.text, b.text) : nil)
            ?? (comparesCounts && withCounts ? countDifference(a.press, b.press, withReleases: withState) : nil)
        guard difference == nil, withState else { return difference }
        return differs("effects", a.effects, b.effects)
            // An app has no hash of its state to record.
            ?? a.press.resolution.state.flatMap { ours in
                b.press.resolution.state.flatMap { differs("state", ours, $0, { $0.hexadecimal(16) }) }
            }
    }

    /// `withReleases` is false behind a masked key: which of two that are held comes up is not known.
    private func countDifference(_ a: ResolvedPress, _ b: ResolvedPress, withReleases: Bool) -> Difference? {
        for kind in CallKind.allCases {
            let (ours, theirs) = (a.run.callCounts[Int(kind.rawValue)], b.run.callCounts[Int(kind.rawValue)])
            if let difference = differs("calls.\(kind.name)", ours, theirs, \.description) { return difference }
        }
        let field = "callsOnRelease.keyCommands before this press"
        let releases = withReleases ? differs(field, a.callsOnRelease, b.callsOnRelease, \.description) : nil
        let recorded = releases ?? differs("cache", a.cache != nil, b.cache != nil) { $0 ? "recorded" : "not recorded" }
        guard recorded == nil, let ours = a.cache, let theirs = b.cache else { return recorded }
        let difference =
            differs("cache.hits", ours.hits, theirs.hits, \.description)
            ?? differs("cache.misses", ours.misses, theirs.misses, \.description)
            ?? differs("cache.stale", ours.stale, theirs.stale, \.description)
        // Where a press would begin after it, and whether a masked key went down again, is in no recording.
        guard difference == nil, !keepsListsOfPresses else { return difference }
        return differs("cache.invalidations", ours.invalidations, theirs.invalidations, \.description)
    }
}

extension ReplayVerifier.NotCompared {
    fileprivate mutating func count(_ press: ResolvedPress) {
        if press.isMasked { masked += 1 } else { unrecorded += 1 }
    }

    /// Counts a press that the replay cannot decide though the recording has its outcome, or the other way round.
    fileprivate mutating func isDecided(_ got: ResolvedPress, like wanted: ResolvedPress) -> Bool {
        let outcome = got.resolution.outcome
        // Its recorder hid it: that the replay leaves it open as well compares nothing.
        if wanted.resolution.outcome == .undetermined {
            masked += 1
            return false
        }
        guard outcome != wanted.resolution.outcome else { return true }
        // The answers to the recorded key decide nothing of a key with other modifiers.
        if outcome == .unrecorded, let chord = got.chord, let recorded = wanted.chord,
            chord.modifiers != recorded.modifiers
        {
            return true
        }
        if outcome == .undetermined { masked += 1 }
        if outcome == .unrecorded { unrecorded += 1 }
        return outcome.isDecided
    }
}

extension ReplayDivergence {
    /// Lines for people: the press, the field, and why. Ends with a line break.
    public var text: String {
        let name = at.press == 0 ? "text without a key" : "press \(at.press)"
        let tick = at.tick == 0 || at.press == 0 ? "" : ", repeat \(at.tick)"
        let key = chord.map { " (\($0))" } ?? ""
        let unexplained =
            switch field {
            case "line": "nothing recorded says why"
            case "order": "another press, which was resolved after it, is resolved before it now"
            default: "both chains say the same"
            }
        let lines = [
            "\(name)\(key)\(tick) at \(TraceDuration(nanoseconds: time.nanoseconds).text):"
                + " \(field): expected \(DivergenceCause.shown(expected)),"
                + " found \(DivergenceCause.shown(found))",
            "  " + (explanation ?? unexplained),
        ]
        return lines.map { VisibleText.escaped($0) + "\n" }.joined()
    }

    func write(to json: inout JSONText) {
        json.member("press", at.press > 0 ? at.press : nil)
        json.member("repeat", at.press == 0 ? 0 : at.tick)
        json.member("t_ns", time.nanoseconds)
        json.member("chord", chord)
        json.member("field", field)
        json.member("expected", expected)
        json.member("found", found)
        json.member("explanation", explanation)
    }
}
