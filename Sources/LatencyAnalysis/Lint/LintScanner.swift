import KeyModel
public import TraceFormat
import TracePresses

/// Looks for what goes wrong in a recording, or in several of the same responders one after the other.
///
/// Nothing is guessed: a finding stands on records. A command is only called unreachable where it was pressed, and a
/// modifier only stuck where a press suffered from it.
public struct LintScanner: TraceConsumer, Sendable {
    private var facts = TraceInfoBuilder()
    private var assembler = PressAssembler(.decision, .decided)
    private var ledger = FindingLedger()
    private var modifiers = ModifierWatch()
    private var releases = ReleaseTracker()
    private var reach = ReachLedger()
    private var situations = SituationLedger()
    private var offers = OfferLedger()
    private var holds = HoldLedger()
    private var menus = MenuWatch()
    private var focus = FocusWatch()

    public init() {}

    /// Begins with what was true before the records that are to come, where that is recorded.
    public mutating func begin(_ entries: [ContextEntry]) {
        facts.begin(entries)
        assembler = PressAssembler(.decision, .decided, context: entries)
        focus = FocusWatch(entries)
    }

    /// Adds a finding that stands on no record.
    public mutating func add(_ rule: LintRule, _ subject: String, _ message: () -> String) {
        ledger.add(rule, subject, chord: nil, evidence: nil, message)
    }

    /// Reads a whole recording, of several. `place` tells it from others in the evidence, such as `"focus search"`.
    public mutating func scan(_ recording: Recording, place: String) {
        ledger.place = place
        begin(recording.initialContext)
        consume(recording)
        finishRecording(recording.definitions)
    }

    public mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        follow(record, assembler.context, definitions)
        assembler.consume(record)
        inspectClosed(definitions)
    }

    /// A record, before the presses that it ends are inspected. `context`: what was true before it.
    mutating func follow(_ record: TraceRecord, _ context: PressContext, _ definitions: TraceDefinitions) {
        if case .call(let call) = record.body {
            if call.kind == .buildMenu, call.occasion == .shadow { menus.consume(record, definitions, &ledger) }
            return offers.consume(call, context, definitions, &ledger)
        }
        modifiers.consume(record, definitions, &ledger)
        releases.consume(record)
        menus.consume(record, definitions, &ledger)
        focus.consume(record, definitions, &ledger)
    }

    /// The facts of the trace, for the header of a report.
    public func info(of file: TraceFileFacts = TraceFileFacts()) -> TraceInfo { facts.info(of: file) }

    /// All findings: the gravest first, then those that affect the most presses.
    public mutating func findings(definitions: TraceDefinitions = TraceDefinitions()) -> [Finding] {
        finishRecording(definitions)
        var all = ledger
        reach.report(to: &all)
        offers.report(to: &all)
        return all.sorted()
    }

    private mutating func finishRecording(_ definitions: TraceDefinitions) {
        assembler.finish()
        inspectClosed(definitions)
        holds.finish(&ledger)
        modifiers.finish(&ledger)
        releases.finish(&ledger)
        situations.removeAll()
        offers.endRecording()
        reach.endRecording()
        menus = MenuWatch()
        focus = FocusWatch()
    }

    private mutating func inspectClosed(_ definitions: TraceDefinitions) {
        while let tick = assembler.next() { inspect(tick, definitions) }
    }

    mutating func inspect(_ tick: TracePress, _ definitions: TraceDefinitions) {
        guard !tick.resolutions.isEmpty else { return }
        ledger.inspect(tick, definitions)
        reach.note(tick, definitions, place: ledger.place)
        situations.note(tick, definitions, &ledger)
        holds.note(tick, definitions, &ledger)
        menus.note(tick, definitions, &ledger)
    }
}
