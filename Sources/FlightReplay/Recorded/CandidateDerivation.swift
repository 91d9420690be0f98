public import KeyModel
public import ResponderEngine
public import TraceFormat
public import TracePresses

/// Derives the candidates of presses for which an app recorded lists, answers and a resolution, and no candidates: a
/// replay of the recording meets the same commands, and its verdicts are those that the app did not record.
///
/// A press with recorded candidates keeps them. One whose replayed outcome is not the recorded one gets none:
/// they would contradict it.
public struct CandidateDerivation {
    public let rules: DerivationRules
    private let replay: RecordedReplay

    /// `nil` for a trace of a replay, which has all candidates, and for one without answers to derive them from.
    ///
    /// `otherwise`: what holds where the trace names no profile, or stores no layout.
    /// - Throws: What a replay cannot have so much of.
    public init?(
        _ trace: RecordedTrace, otherwise: (profile: Profile, layout: Layout)
    ) throws(RecordedReplay.TooLarge) {
        guard trace.summary.hasResolutions, trace.summary.hasAnswers, !trace.summary.facts.isOfReplay,
            !trace.summary.isOfAppKit, let replay = RecordedReplay(trace, otherwise: otherwise)
        else { return nil }
        if let tooLarge = RecordedReplay.TooLarge(trace) { throw tooLarge }
        self.replay = replay
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
    /// Definitions of the handles of the trace's records, and of the candidates.
    public private(set) var definitions: TraceDefinitions
    /// Presses and repeats read so far that have no candidates, and the reason.
    public private(set) var underived: [PressTick: Reason] = [:]
    /// The rules, with the counts of the presses read so far.
    public private(set) var rules: DerivationRules
    private let replayed: SteppedReplay
    private var handles = (commands: [CommandRef: CommandRef](), responders: [ResponderRef: ResponderRef]())
    private var isOver = false
    /// Decisions of the replay that were not read yet.
    private var waiting: [PressTick: Decision] = [:]
    /// Presses and repeats read so far whose candidates are recorded.
    private var described: Set<PressTick> = []
    /// The last press read of the replay, and the last one requested.
    private var read: UInt32 = 0
    private var asked: UInt32 = 0
    /// Most presses under way at once: one that has not come by then is not in the replay, and one that was not
    /// requested by then is not in the recording.
    private static let overlap: UInt32 = 64
    private static let limit = 1_024

    public enum Reason: Hashable, Sendable {
        /// The replayed outcome is not the recorded one.
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

    /// A recorded candidate: nothing is derived for its press.
    public func note(_ recorded: CandidateRecord) {
        if described.count >= DerivedCandidates.limit {
            described = described.filter { $0.press >= asked || asked - $0.press < DerivedCandidates.overlap }
        }
        if described.count < DerivedCandidates.limit { described.insert(recorded.at) }
    }

    /// The candidates of the press with this resolution, returned once; none where they are recorded, or where the
    /// replayed outcome is not the recorded one.
    public func candidates(of recorded: ResolutionRecord) -> [CandidateRecord] {
        // The replay advances along with the trace, whether or not its decision is used.
        let decision = decision(at: recorded.at)
        if described.contains(recorded.at) {
            rules.recorded += 1
            return []
        }
        guard let decision, let resolution = decision.resolution else { return leaveOut(recorded, .contradicted) }
        guard agrees(recorded, resolution) else {
            return leaveOut(recorded, resolution.outcome.isDecided ? .contradicted : .undetermined)
        }
        rules.derived += 1
        return decision.candidates.map(translated)
    }

    /// Decision of the replay about the press, returned once; `nil` where it has no such press.
    private func decision(at tick: PressTick) -> Decision? {
        let press = tick.press
        while waiting[tick]?.resolution == nil, read < press || read - press < DerivedCandidates.overlap, !isOver,
            hasRoom()
        { readOne() }
        guard let decision = waiting.removeValue(forKey: tick), decision.resolution != nil else { return nil }
        asked = max(asked, press)
        return decision
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

    /// Parts that an app does not record cannot differ.
    private func agrees(_ recorded: ResolutionRecord, _ replayed: ResolutionRecord) -> Bool {
        func isSame<Value: Equatable>(_ value: Value?, _ other: Value?) -> Bool { value == nil || value == other }
        let names = self.replayed.definitions
        return recorded.outcome == replayed.outcome && isSame(recorded.takenBy, replayed.takenBy)
            && isSame(recorded.target, replayed.target.flatMap { names[$0] }.map { definitions.intern($0) })
            && isSame(recorded.supplier, replayed.supplier.flatMap { names[$0] }.map { definitions.intern($0) })
            && isSame(
                recorded.action.flatMap { definitions[$0] }, replayed.action.flatMap { names[$0] })
    }

    /// The candidate with the handles of the trace.
    private func translated(_ candidate: CandidateRecord) -> CandidateRecord {
        let names = replayed.definitions
        let supplier = candidate.supplier.flatMap { known in
            handles.responders[known] ?? names[known].map { definitions.intern($0) }
        }
        if let known = candidate.supplier { handles.responders[known] = supplier }
        let command =
            handles.commands[candidate.command] ?? names[candidate.command].map { definitions.intern($0) }
            ?? candidate.command
        handles.commands[candidate.command] = command
        return CandidateRecord(
            at: candidate.at, supplier: supplier, command: command, verdict: candidate.verdict,
            reason: definitions.intern(names[candidate.reason] ?? ""), isDerived: true)
    }
}
