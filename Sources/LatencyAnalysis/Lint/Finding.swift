package import KeyModel
import TraceFormat
import TracePresses

/// A problem that a trace proves, with the presses that prove it.
package struct Finding: Hashable, Sendable {
    package var rule: LintRule
    /// `nil` for what is about no single key.
    package var chord: PressChord?
    /// The problem, in a sentence. It contains names from the trace as they are: escape it before it is shown.
    package var message: String
    /// Presses that were affected; 0 for a problem that does not depend on presses.
    package var presses: UInt64
    /// The first of them.
    package var evidence: [Evidence]
    /// What to do in place of the hint of the rule; `nil` where that fits.
    var ownHint: String?
    package var hint: String { ownHint ?? rule.hint }
    /// The last one counted.
    fileprivate var latest: Evidence?

    /// Most evidence that is kept.
    package static let evidenceLimit = 5

    /// Place of a finding in the trace.
    package struct Evidence: Hashable, Sendable {
        package var press: UInt32
        /// 0 for the down, n for the n-th repeat.
        package var tick: UInt32
        package var time: TraceTime
        /// Name of one of several recordings, such as the focus context of a scene; `nil` where there is one.
        package var place: String?
    }
}

/// Findings while they come: one for each conflict, however often it is met.
struct FindingAccumulator: Sendable {
    /// Name of the recording that is read, if there are several.
    var place: String?
    private var findings: [Key: Finding] = [:]
    /// Answer of each responder for the press that is inspected.
    var answers = LastLists()
    /// Why keys reach no responder.
    var keysStop = KeysStop()
    /// The last press whose action dismissed a controller.
    var lastDismissal: UInt32?
    /// The first responder that swallowed the last press of those that are swallowed.
    var lastSwallower: ResponderRef?
    /// Who offered the commands that have run last, by chord.
    var lastSuppliers: [ByteName: ResponderRef] = [:]
    /// Different findings that are kept; a trace with more than this has one cause for most of them.
    static let limit = 4096

    private struct Key: Hashable, Sendable {
        var rule: LintRule
        var subject: String
    }

    /// Notes a finding. `subject` identifies the conflict; the first message stays.
    mutating func add(
        _ rule: LintRule, _ subject: String, chord: PressChord?, at tick: TracePress?,
        _ message: () -> String
    ) {
        let evidence = tick.map {
            Finding.Evidence(press: $0.at.press, tick: $0.at.tick, time: $0.time, place: place)
        }
        add(rule, subject, chord: chord, evidence: evidence, message)
    }

    mutating func add(
        _ rule: LintRule, _ subject: String, chord: PressChord?, evidence: Finding.Evidence?, hint: String? = nil,
        _ message: () -> String
    ) {
        let key = Key(rule: rule, subject: subject)
        if findings[key] == nil {
            guard findings.count < FindingAccumulator.limit else { return }
            findings[key] = Finding(
                rule: rule, chord: chord, message: message(), presses: 0, evidence: [], ownHint: hint)
        }
        guard let evidence else { return }
        findings[key]?.note(evidence)
    }

    /// Adds presses that were counted elsewhere to a finding that is there.
    mutating func add(_ rule: LintRule, _ subject: String, presses: UInt64, evidence: [Finding.Evidence]) {
        let key = Key(rule: rule, subject: subject)
        findings[key]?.presses += presses
        findings[key]?.evidence += evidence.prefix(Finding.evidenceLimit)
    }

    /// The gravest first, then those that affect the most presses.
    func sorted() -> [Finding] {
        findings.values.sorted { a, b in
            if a.rule.severity != b.rule.severity { return a.rule.severity > b.rule.severity }
            if a.presses != b.presses { return a.presses > b.presses }
            if a.rule != b.rule { return a.rule.rawValue < b.rule.rawValue }
            let (chordA, chordB) = (a.chord?.order ?? "", b.chord?.order ?? "")
            return chordA != chordB ? chordA < chordB : a.message < b.message
        }
    }
}

extension Finding {
    /// Repeats of a press count with it.
    fileprivate mutating func note(_ new: Evidence) {
        if let latest, latest.press == new.press, latest.place == new.place { return }
        latest = new
        presses = presses.addingSaturated(1)
        if evidence.count < Finding.evidenceLimit { evidence.append(new) }
    }
}
