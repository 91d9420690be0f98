package import LatencyAnalysis
package import TraceFormat

/// Collects the contents of a page about one trace: the facts are given, the chosen presses are read from the trace
/// once more.
package struct ReportSideBuilder: TraceConsumer, Sendable {
    let facts: TimelineFacts
    package let choice: PressChoice
    let name: String
    /// The input and its options, as a verb takes them.
    let arguments: [String]
    private var reader: PressDetailReader
    private(set) var strings = StringTable()
    private(set) var columns = PressColumns()
    private(set) var explanations = ExplanationTable()
    /// Presses whose explanation has no room in the page.
    private(set) var unexplained = 0
    private var seen = 0
    let room: ReportPage.Room
    private var others: [UInt32: OtherProfiles] = [:]

    /// `name`: what the trace is called, usually its file name. `arguments`: the input and the options of its replay,
    /// for commands to copy; the name alone unless given.
    package init(
        _ facts: TimelineFacts, showing choice: PressChoice, name: String, arguments: [String] = [],
        room: ReportPage.Room
    ) {
        self.facts = facts
        self.choice = choice
        self.name = name
        self.arguments = arguments.isEmpty ? [name] : arguments
        self.room = room
        reader = PressDetailReader(choice)
    }

    package mutating func begin(_ entries: [ContextEntry]) { reader.begin(entries) }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        reader.consume(record, definitions: definitions)
        take(definitions)
    }

    /// Ends the reading.
    package mutating func finish(_ definitions: TraceDefinitions) {
        reader.finish()
        take(definitions)
    }

    /// Adds a press's results under other profiles; to be called before the record that ends it.
    package mutating func note(_ others: OtherProfiles, of press: UInt32) { self.others[press] = others }

    private mutating func take(_ definitions: TraceDefinitions) {
        while let row = reader.nextRow(definitions) { columns.append(row, &strings) }
        while let explanation = reader.nextExplanation(definitions) {
            seen += 1
            // A trace of many kinds of press gets fewer explanations everywhere, not none at its end.
            let budget = room.explanationBytes
            let share = budget * seen / max(1, choice.chosen.count)
            let isNotable = choice.notable.contains(PressTick(press: explanation.press, tick: 0))
            guard explanations.bytes < (isNotable ? budget : min(budget, max(share, budget / 8))) else {
                unexplained += 1
                continue
            }
            var report = ExplainReport(explanation, info: facts.info, name: name)
            let found = others.removeValue(forKey: explanation.press)
            if explanation.hasOtherProfiles { report.others = found }
            explanations.append(report, &strings)
        }
    }
}
