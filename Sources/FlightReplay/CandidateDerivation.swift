public import KeyModel
public import ResponderEngine
public import TraceFormat
public import TracePresses

/// Derives the candidates of a trace of an app that recorded lists, answers and resolutions, and no candidates: a
/// replay of what was recorded meets the same commands, and its verdicts are those that the app did not record.
///
/// A press whose replay comes to something else than was recorded gets no candidates: they would contradict it.
public struct CandidateDerivation {
    public let rules: DerivationRules
    private let replay: RecordedReplay
    /// Of one key that is held. A trace of a thousand bytes may hold one for centuries.
    private static let maximumRepeats: UInt32 = 10_000

    /// `nil` for a trace that has candidates, or no answers to derive them from.
    ///
    /// `otherwise`: what holds where the trace names no profile, or stores no layout.
    public init?(_ trace: RecordedTrace, otherwise: (profile: Profile, layout: Layout)) {
        guard trace.outline.hasResolutions, !trace.outline.hasCandidates, !trace.outline.facts.isOfReplay,
            let replay = RecordedReplay(trace, otherwise: otherwise)
        else { return nil }
        var limited = replay
        limited.options.maximumRepeats = CandidateDerivation.maximumRepeats
        self.replay = limited
        let (profile, layout) = (replay.environment.profile, replay.environment.layout)
        let isNamed = replay.environment.layoutName == otherwise.layout.name
        rules = DerivationRules(
            profile: .init(profile?.name ?? otherwise.profile.name, profile == nil ? .preset : .recorded),
            layout: .init(
                layout?.name ?? otherwise.layout.name,
                layout != nil ? .recorded : isNamed ? .recordedName : .preset))
    }

    /// The candidates for one reading of the trace.
    /// - Throws: Why the trace cannot be replayed.
    public func reading() throws -> DerivedCandidates { try DerivedCandidates(replay, rules) }
}

/// The derived candidates of a trace, for one reading of it from its first record on.
public final class DerivedCandidates {
    /// What the handles of the trace's records mean, and those of the candidates.
    public private(set) var definitions: TraceDefinitions
    /// Presses and repeats read so far that have no candidates, and the reason.
    public private(set) var underived: [PressTick: Reason] = [:]
    /// The rules, with the counts of the presses read so far.
    public private(set) var rules: DerivationRules
    private let replayed: SteppedReplay
    private var handles = (commands: [CommandRef: CommandRef](), responders: [ResponderRef: ResponderRef]())
    private var isOver = false
    /// Decisions of the replay that were not asked for yet.
    private var waiting: [PressTick: Decision] = [:]
    /// The last press that was read of the replay, and the last one that was asked for.
    private var read: UInt32 = 0
    private var asked: UInt32 = 0
    /// So many presses may be under way at once: one that has not come by then is not in the replay, and one that was
    /// not asked for by then is not in the recording.
    private static let overlap: UInt32 = 64
    private static let limit = 1_024

    public enum Reason: Hashable, Sendable {
        /// The replay comes to something else than was recorded.
        case contradicted
        /// The replay cannot decide: the key is masked, or an answer is not recorded.
        case undetermined
    }

    private struct Decision {
        var candidates: [CandidateRecord] = []
        var resolution: ResolutionRecord?
    }

    init(_ replay: RecordedReplay, _ rules: DerivationRules) throws {
        self.rules = rules
        definitions = replay.trace.definitions
        replayed = try SteppedReplay(replay, try replay.timeline())
    }

    /// The candidates of the press that comes to this, once; none where the replay comes to something else.
    public func candidates(of recorded: ResolutionRecord) -> [CandidateRecord] {
        let press = recorded.at.press
        while waiting[recorded.at]?.resolution == nil, read < press || read - press < DerivedCandidates.overlap,
            !isOver, hasRoom() { readOne() }
        guard let decision = waiting.removeValue(forKey: recorded.at), let resolution = decision.resolution else {
            return leaveOut(recorded, .contradicted)
        }
        asked = max(asked, press)
        if agrees(recorded, resolution) { return decision.candidates.map(translated) }
        return leaveOut(recorded, resolution.outcome.isDecided ? .contradicted : .undetermined)
    }

    private func leaveOut(_ recorded: ResolutionRecord, _ reason: Reason) -> [CandidateRecord] {
        guard underived[recorded.at] == nil, underived.count < TracePress.recordLimit else { return [] }
        underived[recorded.at] = reason
        switch reason {
        case .contradicted: rules.contradicted += 1
        case .undetermined: rules.undetermined += 1
        }
        return []
    }

    private func readOne() {
        guard let record = replayed.next() else {
            isOver = true
            return
        }
        switch record.body {
        case .candidate(let candidate): waiting[candidate.at, default: Decision()].candidates.append(candidate)
        case .resolution(let resolution):
            read = max(read, resolution.at.press)
            // An action that runs twice is decided once.
            if waiting[resolution.at]?.resolution == nil {
                waiting[resolution.at, default: Decision()].resolution = resolution
            }
        default: break
        }
    }

    private func hasRoom() -> Bool {
        guard waiting.count >= DerivedCandidates.limit else { return true }
        waiting = waiting.filter { $0.key.press >= asked || asked - $0.key.press < DerivedCandidates.overlap }
        return waiting.count < DerivedCandidates.limit
    }

    /// What an app does not record cannot differ.
    private func agrees(_ recorded: ResolutionRecord, _ replayed: ResolutionRecord) -> Bool {
        func isSame<Value: Equatable>(_ value: Value?, _ other: Value?) -> Bool { value == nil || value == other }
        let names = self.replayed.definitions
        return recorded.outcome == replayed.outcome && isSame(recorded.takenBy, replayed.takenBy)
            && isSame(recorded.target, replayed.target.flatMap { names[$0] }.map { definitions.intern($0) })
            && isSame(recorded.supplier, replayed.supplier.flatMap { names[$0] }.map { definitions.intern($0) })
            && isSame(
                recorded.action.flatMap { definitions[$0] }, replayed.action.flatMap { names[$0] })
    }

    /// With the handles of the trace.
    private func translated(_ candidate: CandidateRecord) -> CandidateRecord {
        let names = replayed.definitions
        let supplier = candidate.supplier.flatMap { known -> ResponderRef? in
            if let own = handles.responders[known] { return own }
            guard let definition = names[known] else { return nil }
            let own = definitions.intern(definition)
            handles.responders[known] = own
            return own
        }
        let command =
            handles.commands[candidate.command] ?? names[candidate.command].map { definitions.intern($0) }
            ?? candidate.command
        handles.commands[candidate.command] = command
        return CandidateRecord(
            at: candidate.at, supplier: supplier, command: command, verdict: candidate.verdict,
            reason: definitions.intern(names[candidate.reason] ?? ""), isDerived: true)
    }
}
