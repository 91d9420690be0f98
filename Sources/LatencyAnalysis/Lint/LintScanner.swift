package import TraceFormat
import TracePresses

/// Looks for problems in a recording, or in several of the same responders one after the other.
///
/// Every finding rests on records. A command is only called unreachable where it was pressed, and a modifier only stuck
/// where a press suffered from it.
package struct LintScanner: TraceConsumer, Sendable {
    /// For the header of a report.
    package private(set) var facts = TraceInfoBuilder()
    private var assembler = PressAssembler(.decision, .decided)
    private var accumulator = FindingAccumulator()
    private var modifiers = ModifierTracker()
    private var releases = ReleaseTracker()
    private var reach = UnreachableCommandRule()
    private var situations = DeterminismRule()
    private var offers = OfferedCommandRules()
    private var holds = HeldKeyRule()
    private var menus = MenuTracker()
    private var focus = FocusTracker()

    package init() {}

    /// Ids of the responders that were asked for their commands so far.
    package var asked: Set<String> { offers.asked }

    package mutating func begin(_ entries: [ContextEntry]) {
        facts.begin(entries)
        assembler = PressAssembler(.decision, .decided, context: entries)
        focus = FocusTracker(entries)
    }

    /// Adds a finding that rests on no record.
    package mutating func add(_ rule: LintRule, _ subject: String, _ message: () -> String) {
        accumulator.add(rule, subject, chord: nil, evidence: nil, message)
    }

    /// Reads a whole recording, of several. `place` identifies it in the evidence, such as `"focus search"`.
    package mutating func scan(_ recording: Recording, place: String) {
        accumulator.place = place
        accumulator.keysStop = KeysStop()
        accumulator.lastSwallower = nil
        accumulator.lastSuppliers = [:]
        begin(recording.initialContext)
        consume(recording)
        finishRecording(recording.definitions)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        facts.consume(record, definitions: definitions)
        follow(record, assembler.context, definitions)
        assembler.consume(record)
        while let tick = assembler.next() { inspect(tick, definitions) }
    }

    /// A record, before the presses that it ends are inspected. `context`: the state before it.
    mutating func follow(_ record: TraceRecord, _ context: PressContext, _ definitions: TraceDefinitions) {
        if case .call(let call) = record.body {
            if call.kind == .buildMenu, call.occasion == .shadow { menus.consume(record, definitions, &accumulator) }
            return offers.consume(call, context, definitions, &accumulator)
        }
        accumulator.keysStop.consume(record, definitions)
        modifiers.consume(record, definitions, &accumulator)
        releases.consume(record)
        menus.consume(record, definitions, &accumulator)
        focus.consume(record, definitions, &accumulator)
    }

    /// All findings: the gravest first, then those that affect the most presses.
    package mutating func findings(definitions: TraceDefinitions = TraceDefinitions()) -> [Finding] {
        finishRecording(definitions)
        var all = accumulator
        reach.report(to: &all)
        offers.report(to: &all)
        return all.sorted()
    }

    private mutating func finishRecording(_ definitions: TraceDefinitions) {
        assembler.finish()
        while let tick = assembler.next() { inspect(tick, definitions) }
        holds.finish(&accumulator)
        modifiers.finish(&accumulator)
        releases.finish(&accumulator)
        situations.removeAll()
        offers.endRecording()
        reach.endRecording()
        menus = MenuTracker()
        focus = FocusTracker()
    }

    mutating func inspect(_ tick: TracePress, _ definitions: TraceDefinitions) {
        guard !tick.resolutions.isEmpty else { return }
        accumulator.inspect(tick, definitions)
        reach.note(tick, definitions, place: accumulator.place)
        situations.note(tick, definitions, &accumulator)
        holds.note(tick, definitions, &accumulator)
        menus.note(tick, definitions, &accumulator)
    }
}
