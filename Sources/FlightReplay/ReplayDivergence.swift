public import KeyModel
public import TraceFormat

/// The first press that a replay resolved differently from what was recorded.
public struct ReplayDivergence: Hashable, Sendable {
    /// The press (0 for text without a key) and which repeat of it.
    public var at: PressTick
    public var time: TraceTime
    public var chord: String?
    /// The field of `replay --format jsonl` that differs; `line` when the press has no line in one of the two.
    public var field: String
    public var expected: String
    public var found: String
    /// The difference in the chain that explains it; `nil` when none is known.
    public var explanation: String?
}

/// Compares a replay with a recording, press by press.
///
/// A press whose key is masked is compared by outcome, `takenBy` and target alone, since its character is not known.
/// States are compared up to the first masked key, text or loss: a state knows how long a text is. Times are not:
/// how long a handler took is no part of what a press came to.
public struct ReplayVerifier: Sendable {
    /// The counts of calls and of the cache are compared as well: both ran under the same cache policy.
    private let comparesCounts: Bool
    /// A replay made the recording. One of an app tells no candidates, effects and states, and may tell no receivers.
    private let isOfReplay: Bool

    /// `facts` are those of the recording.
    public init(_ facts: ReplayFacts, comparesCounts: Bool) {
        isOfReplay = facts.isOfReplay
        self.comparesCounts = comparesCounts
    }

    /// What was compared, and where it differs first.
    public struct Verdict: Hashable, Sendable {
        /// Presses and repeats of the recording that were compared.
        public var lines = 0
        public var divergence: ReplayDivergence?
    }

    func compare(_ recorded: any RecordStream, _ replayed: any RecordStream) -> Verdict {
        var verdict = Verdict()
        var expected = PressStories(recorded)
        var found = PressStories(replayed)
        var last: (wanted: PressStory, got: PressStory)?
        while true {
            let wanted = expected.next()
            var got = found.next()
            // Presses of which the recording kept the keys only were resolved by nobody.
            while let story = got, expected.isUnresolved(story.at.press), wanted?.at != story.at {
                got = found.next()
            }
            guard let wanted, let got, wanted.at == got.at else {
                guard var divergence = missing(wanted, got) else { return verdict }
                // A press that stops repeating, or repeats now, met what explains it when its key went down.
                if let last, last.wanted.at.press == divergence.at.press {
                    divergence.explanation = cause(last.wanted, last.got, expected, found)
                }
                verdict.divergence = divergence
                return verdict
            }
            verdict.lines += 1
            last = (wanted, got)
            guard let difference = difference(wanted, got, withState: !expected.hidesText) else { continue }
            verdict.divergence = ReplayDivergence(
                at: wanted.at, time: wanted.time, chord: wanted.chord, field: difference.field,
                expected: difference.expected, found: difference.found,
                explanation: cause(wanted, got, expected, found))
            return verdict
        }
    }

    /// One of the two has a line that the other has not.
    private func missing(_ wanted: PressStory?, _ got: PressStory?) -> ReplayDivergence? {
        let isGotFirst = got.map { got in wanted.map { got.time < $0.time } ?? true } ?? false
        guard let story = isGotFirst ? got : wanted else { return nil }
        return ReplayDivergence(
            at: story.at, time: story.time, chord: story.chord, field: "line",
            expected: isGotFirst ? "none" : story.outcome.name, found: isGotFirst ? story.outcome.name : "none",
            explanation: nil)
    }

    private typealias Difference = (field: String, expected: String, found: String)

    private func difference(_ a: PressStory, _ b: PressStory, withState: Bool) -> Difference? {
        func text(_ value: String?) -> String { value ?? "null" }
        func list(_ values: [String]) -> String { "[\(values.joined(separator: ", "))]" }
        var pairs: [Difference] = [
            ("outcome", a.outcome.name, b.outcome.name),
            ("takenBy", text(a.takenBy?.name), text(b.takenBy?.name)),
            ("target", text(a.target), text(b.target)),
        ]
        if !a.isMasked, !b.isMasked {
            pairs += [
                ("chord", text(a.chord), text(b.chord)), ("action", text(a.action), text(b.action)),
                ("supplier", text(a.supplier), text(b.supplier)),
            ]
            if isOfReplay || a.character != nil { pairs.append(("character", text(a.character), text(b.character))) }
            if isOfReplay || !a.receivers.isEmpty {
                pairs.append(("receivers", list(a.receivers), list(b.receivers)))
            }
            guard isOfReplay else { return pairs.first { $0.expected != $0.found } }
            pairs.append(("shadowed", list(a.shadowed), list(b.shadowed)))
            if a.text != nil { pairs.append(("text", text(a.text), text(b.text))) }
            if comparesCounts { pairs += counts(a, b) }
            if withState {
                pairs.append(("effects", list(a.effects), list(b.effects)))
                // An app has no hash of its state to record.
                if let a = a.state, let b = b.state {
                    pairs.append(("state", ReplayLine.hexadecimal(a), ReplayLine.hexadecimal(b)))
                }
            }
        }
        return pairs.first { $0.expected != $0.found }
    }

    private func counts(_ a: PressStory, _ b: PressStory) -> [Difference] {
        var pairs: [Difference] = []
        for (place, kind) in CallKind.allCases.enumerated() {
            pairs.append(
                (
                    "calls.\(kind.name)", String(a.calls.isEmpty ? 0 : a.calls[place]),
                    String(b.calls.isEmpty ? 0 : b.calls[place])
                ))
        }
        let releases = "callsOnRelease.keyCommands before this press"
        pairs.append((releases, String(a.callsOnRelease), String(b.callsOnRelease)))
        guard let ours = a.cache, let theirs = b.cache else { return pairs }
        return pairs + [
            ("cache.hits", String(ours.hits), String(theirs.hits)),
            ("cache.misses", String(ours.misses), String(theirs.misses)),
            ("cache.stale", String(ours.stale), String(theirs.stale)),
            ("cache.invalidations", String(ours.invalidations), String(theirs.invalidations)),
        ]
    }

    private func cause(
        _ wanted: PressStory, _ got: PressStory, _ expected: PressStories, _ found: PressStories
    ) -> String? {
        DivergenceCause(
            expected: wanted, found: got, expectedCommands: expected.commands, foundCommands: found.commands,
            isOfReplay: isOfReplay
        ).text
    }
}

extension ReplayDivergence {
    /// Lines for people: the press, the field, and why. Ends with a line break.
    public var text: String {
        let name = at.press == 0 ? "text without a key" : "press \(at.press)"
        let tick = at.tick == 0 || at.press == 0 ? "" : ", repeat \(at.tick)"
        let key = chord.map { " (\($0))" } ?? ""
        let lines = [
            "\(name)\(key)\(tick) at \(TraceDuration(nanoseconds: time.nanoseconds).text):"
                + " \(field): expected \(expected), found \(found)",
            "  " + (explanation ?? (field == "line" ? "nothing recorded says why" : "both chains say the same")),
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    func write(to json: inout JSONText) {
        json.object { json in
            json.key("press")
            if at.press > 0 { json.value(at.press) } else { json.null() }
            json.key("repeat")
            json.value(at.press == 0 ? 0 : at.tick)
            json.key("t_ns")
            json.value(time.nanoseconds)
            json.key("chord")
            json.value(chord)
            json.key("field")
            json.value(field)
            json.key("expected")
            json.value(expected)
            json.key("found")
            json.value(found)
            json.key("explanation")
            json.value(explanation)
        }
    }
}
