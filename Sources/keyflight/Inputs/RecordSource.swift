import FlightReplay
import KeyModel
import LatencyAnalysis
import SystemPackage
import TraceFormat
import TracePresses
import TraceReports

/// The records of an input in order: read from a trace or made by a replay as they are needed, or all in memory.
struct RecordSource {
    enum Origin {
        case trace(TraceReader)
        case recording(Recording)
        case script(TimelineRecords)
        case replay(ReplayJob)
    }

    /// The name of the input in messages and reports.
    var name: String
    var origin: Origin
    /// The bytes of a trace, which the origin lets go once it was read.
    private var bytes: TraceBytes?
    /// Facts about the file when the records are in memory.
    private(set) var facts = TraceFileFacts()
    private(set) var definitions = TraceDefinitions()

    /// The header under which the records were, or would be, written.
    private(set) var header: TraceHeader
    /// The initial context of a trace that was cut out of another.
    private(set) var initialContext: [ContextEntry] = []
    /// The definitions of the handles of `initialContext`.
    private(set) var initialDefinitions = TraceDefinitions()
    /// The status of a source before it became records.
    var status = ExitStatus.fine
    /// The input and the options of its replay as they were given, for a command that is advised.
    var replayArguments: [String] = []
    /// Blocks that cannot hold what was asked for were not decoded: what is wrong in them is not known.
    private(set) var isPartlyDecoded = false
    /// A trace that is being recorded is read until the recording ends.
    var isFollowed = false
    /// Candidates are derived for presses of which an app recorded the inputs to them, and not the candidates.
    var derivesCandidates = false
    /// The derivation of candidates, once it was looked for.
    private var derivation: CandidateDerivation??
    /// The reason why there is none, where the trace has all that one takes.
    private var underivable: RecordedReplay.TooLarge?
    /// The candidates derived in this reading.
    private(set) var derived: DerivedCandidates?

    init(trace reader: TraceReader, name: String) {
        self.name = name
        origin = .trace(reader)
        bytes = reader.bytes
        header = reader.report.header ?? TraceHeader(level: .keys, isMasked: false)
        initialContext = reader.initialContext
        initialDefinitions = reader.definitions
    }

    private init(_ origin: Origin, _ header: TraceHeader, _ name: String) {
        (self.origin, self.header, self.name) = (origin, header, name)
        facts.isMasked = header.isMasked
    }

    init(_ recording: Recording, header: TraceHeader, name: String) {
        self.init(.recording(recording), header, name)
        definitions = recording.definitions
    }

    /// The keys of a script.
    init(script records: TimelineRecords, name: String) {
        self.init(.script(records), TraceHeader(level: .keys, isMasked: false), name)
    }

    /// The records of a replay, in clear as far as its input is.
    init(replay job: ReplayJob) {
        self.init(.replay(job), job.header(showsKeys: true), job.name)
        status = job.status
    }

    /// Passes over parts of a trace that cannot hold what is wanted.
    mutating func select(_ selection: BlockSelection) {
        // Candidates of a press are derived from all that came before it.
        guard case .trace(var reader) = origin, !derivesCandidates, selection != BlockSelection(),
            reader.bytes.count > RecordSource.decodedInAMoment
        else { return }
        reader.select(selection)
        origin = .trace(reader)
        isPartlyDecoded = true
    }

    /// Shows every record to `body`, with what its handles mean in this call, or, with `keepsHandles`, in all of them.
    /// Afterwards `facts` contain what is missing.
    mutating func forEach(
        keepsHandles: Bool = false, onPause: () throws -> Void = {},
        _ body: (TraceRecord, TraceDefinitions) throws -> Void
    ) throws {
        switch origin {
        case .recording(let recording):
            for record in recording.records { try body(record, recording.definitions) }
        case .script(var records):
            while let record = records.next() { try body(record, records.definitions) }
            definitions = records.definitions
        case .trace(var reader):
            origin = .recording(Recording())
            if !keepsHandles { reader.definitionLifetime = .block }
            repeat {
                while let record = reader.next() { try body(record, reader.definitions) }
                guard isFollowed else { break }
                try onPause()
            } while RecordSource.waitForMore(&reader)
            facts = TraceFileFacts(reader.report)
            if keepsHandles { definitions = reader.definitions }
        case .replay(let job):
            definitions = try withoutActuallyEscaping(body) { body in
                try job.forEachRecord(showsKeys: true, body)
            }
        }
    }

    /// Waits until something was appended. False when nothing will be.
    private static func waitForMore(_ reader: inout TraceReader) -> Bool {
        while true {
            switch reader.resume() {
            case .more: return true
            case .nothingYet: Input.pause()
            case .never: return false
            }
        }
    }

    /// Shows every record to a consumer, whose handles mean the same for the whole reading.
    mutating func feed(_ consumer: inout some TraceConsumer) throws {
        let derived = try beginDeriving()
        consumer.begin(initialContext)
        guard case .trace(var reader) = origin else {
            return try forEach { consumer.consume($0, definitions: $1) }
        }
        // The reader alone refers to its definitions, which then grow in place.
        origin = .recording(Recording())
        if let derived { return feed(&consumer, from: &reader, derived) }
        if !consumer.keepsHandles { reader.definitionLifetime = .block }
        reader.feed(&consumer)
        facts = TraceFileFacts(reader.report)
        definitions = reader.definitions
    }

    /// The candidates to be derived in the next reading; `nil` where none are.
    mutating func beginDeriving() throws -> DerivedCandidates? {
        guard derived == nil, let found = try findDerivation() else { return derived }
        // An error of the replay, such as an impossible step, keeps nothing else of the trace from being read.
        do { derived = try found.reading() } catch { derivation = .some(nil) }
        return derived
    }

    private mutating func findDerivation() throws -> CandidateDerivation? {
        if let derivation { return derivation }
        guard derivesCandidates, !isFollowed, case .trace(let reader) = origin, header.level == .calls,
            !RecordSource.isOfReplay(reader)
        else { return nil }
        var unread = reader
        let trace = RecordedTrace(reading: &unread)
        // Both readings give the same handles to the same things, which then are in memory once.
        var shared = reader
        shared.adopt(trace.definitions)
        origin = .trace(shared)
        let otherwise = try RecordedEnvironment(trace).defaults()
        do { derivation = .some(try CandidateDerivation(trace, otherwise: otherwise)) } catch {
            (derivation, underivable) = (.some(nil), error)
        }
        return derivation ?? nil
    }

    /// True for the trace of a replay, by its first records: it has all candidates.
    private static func isOfReplay(_ trace: TraceReader) -> Bool {
        var facts = ReplayFacts()
        for case .record(let body) in trace.initialContext { facts.follow(body) }
        var reader = trace
        while let record = reader.next(), record.time == .zero { facts.follow(record.body) }
        return facts.isOfReplay
    }

    /// Shows the derived candidates of each press before its resolution.
    private mutating func feed(
        _ consumer: inout some TraceConsumer, from reader: inout TraceReader, _ derived: DerivedCandidates
    ) {
        while let record = reader.next() {
            if case .candidate(let candidate) = record.body { derived.note(candidate) }
            if case .resolution(let resolution) = record.body {
                for candidate in derived.candidates(of: resolution) {
                    let record = TraceRecord(time: record.time, sequence: record.sequence, body: .candidate(candidate))
                    consumer.consume(record, definitions: derived.definitions)
                }
            }
            consumer.consume(record, definitions: derived.definitions)
        }
        facts = TraceFileFacts(reader.report)
        facts.derivation = derived.rules.isApplied ? derived.rules : nil
        definitions = derived.definitions
    }

    /// The reason why a press that was read has no candidates; `nil` where it has those that there were.
    static func missingCandidates(
        of explanation: PressExplanation, _ derived: DerivedCandidates?
    ) -> PressExplanation.MissingCandidates? {
        let reason = explanation.missingCandidates
        // Toolkits with key equivalents have no key commands.
        guard explanation.messages.isEmpty else { return nil }
        guard reason == nil || reason == .masked else { return reason }
        switch derived?.underived[PressTick(press: explanation.press, tick: 0)] {
        case .contradicted?: return .contradicted
        case .undetermined?: return .undetermined
        case nil: return reason
        }
    }

    /// The same, where all of the trace is known.
    func missingCandidates(
        of explanation: PressExplanation, _ info: TraceInfo
    ) -> PressExplanation.MissingCandidates? {
        if let reason = RecordSource.missingCandidates(of: explanation, derived) { return reason }
        guard explanation.messages.isEmpty else { return nil }
        let isWithout = explanation.ladder.allSatisfy(\.candidates.isEmpty)
        return info.candidateSource == .unknown && isWithout ? .notRecorded : nil
    }

    /// A trace of so many bytes is decoded in a moment, so that every verb finds damage anywhere in it. A longer one is
    /// vouched for by checksums where it need not be decoded, and that is reported.
    private static let decodedInAMoment = 4 << 20

    /// The facts of a trace, from its index where decoding would take long, and nothing is missing: an index has no
    /// counts by press.
    mutating func info() throws -> TraceInfo {
        if case .trace(let reader) = origin, reader.bytes.count > RecordSource.decodedInAMoment,
            let found = TraceInfoBuilder.byIndex(of: reader)
        {
            facts = TraceFileFacts(found.report)
            let info = found.facts.info(of: facts)
            isPartlyDecoded = info.loss.gapCount == 0 && info.loss.dropped == 0
            if isPartlyDecoded { return info }
        }
        var builder = TraceInfoBuilder()
        try feed(&builder)
        return builder.info(of: facts)
    }

    /// The records for a replay by them. A trace is read to its end now, and again while the replay runs.
    mutating func recorded() -> RecordedTrace {
        switch origin {
        case .trace(var reader):
            origin = .recording(Recording())
            let trace = RecordedTrace(reading: &reader)
            facts = TraceFileFacts(reader.report)
            definitions = trace.definitions
            return trace
        case .recording(let recording): return RecordedTrace(recording)
        case .script(let records): return RecordedTrace(records.recording)
        case .replay: return RecordedTrace(Recording())
        }
    }

    /// The press of a trace with this ordinal, found by the index. `nil` when it must be looked for, as in a live
    /// trace, whose blocks do not have the whole context.
    mutating func explainer(ofPress press: UInt32) throws -> PressExplainer? {
        guard case .trace(let reader) = origin, reader.bytes.count > RecordSource.decodedInAMoment,
            header.form == .canonical, try findDerivation() == nil,
            let index = TraceIndex(stored: reader.bytes),
            let found = PressExplainer.reading(press, by: index, of: reader)
        else { return nil }
        facts = TraceFileFacts(reader.report)
        // Its end marker and its index are there and whole; the rest was not looked at.
        facts.isComplete = facts.damage == nil
        isPartlyDecoded = true
        definitions = found.definitions
        return facts.isComplete ? found.explainer : nil
    }

    /// The missing part of a trace that was read to its end, as a record for another trace.
    var damageAsLoss: LossRecord? {
        guard let damage = facts.damage else { return nil }
        let file = FilePath(name).lastComponent?.string ?? name
        return LossRecord(
            cause: .damaged, count: damage.recordsLost, duration: nil,
            detail: "byte \(damage.offset) of \(file): \(damage.reason)")
    }

    /// The status of what was read. Incomplete input is reported on standard error.
    func status(_ console: Console) -> ExitStatus {
        if isPartlyDecoded {
            console.note("\(name): not decoded: blocks without what was asked for; verify-format decodes all of them")
        }
        if let underivable { console.note("\(name): candidates are not derived: \(underivable)") }
        guard !facts.isComplete else { return status }
        if let damage = facts.damage { console.fail(damage: damage, of: name) }
        return status.joined(with: .damaged)
    }

    /// The status of a report about it. `missing`: what was expected in it, for where it is not `found`.
    func status(_ console: Console, found: Bool, _ missing: String) -> ExitStatus {
        let status = status(console)
        return found ? status : status.joined(with: console.fail(.nothingMatched, "\(name): \(missing)"))
    }
}

extension RecordSource {
    /// The remedy where a scene is missing.
    var sceneRemedy: String { TraceReader.sceneRemedy(bytes.flatMap { try? TraceReader($0) }) }

    /// The failure of a command that found no answers: of a damaged input, whatever is whole was looked at.
    func nothingToReplayWith(_ status: ExitStatus) -> Failure {
        if status == .fine { return ReplayJob.nothingToReplayWith(name, sceneRemedy) }
        return Failure(.incompleteTrace, "\(name): responders: expected their answers, found none in what is whole")
    }
}
