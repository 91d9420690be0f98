import ArgumentParser
import CaptureImport
import LatencyAnalysis
import TraceFormat
import TraceReports
import TraceTools

struct Show: Verb {
    static let configuration = CommandConfiguration(verb: "show")

    @OptionGroup var input: InputOptions
    @Option(help: "The form: the text format, or an object a line.") var format = LineFormat.text
    @Flag(help: "For reading: columns with the time since the line before (+Δ), which assemble does not read.")
    var delta = false
    @Flag(help: "For reading: three lines for each press, of a trace that has resolutions.") var story = false
    @Flag(help: "For reading: what was typed, in one line.") var typed = false
    @Flag(help: "Go on with what is recorded meanwhile, until the recording ends or Ctrl-C.") var follow = false
    @OptionGroup(title: "Filters") var filter: RecordFilter
    @OptionGroup(title: "Presses") var presses: FilterOptions
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    var isPaged: Bool { !follow }

    func validate() throws {
        if delta, format == .jsonl { throw ValidationError("--delta goes with the text form only.") }
        if story, format == .jsonl || delta || filter.isSet {
            throw ValidationError("--story goes with --where or --follow alone.")
        }
        if typed, story || format == .jsonl || delta || follow || filter.isSet || presses.expression != nil {
            throw ValidationError("--typed goes with no other form and no filter.")
        }
        if follow, presses.expression != nil {
            throw ValidationError("--where needs the whole trace, so no --follow.")
        }
        try presses.check()
    }

    func perform(on console: Console) throws -> ExitStatus {
        let input = try Input(input, console, waits: follow)
        var source: RecordSource
        var devices: Set<UInt16> = []
        if let reader = input.trace {
            if !story, !typed { try input.refuseLayout() }
            devices = try self.devices(of: input)
            source = RecordSource(trace: reader, name: input.name)
            source.isFollowed = follow
            source.derivesCandidates = story && !follow
            source.select(filter.selection(of: reader))
            if story, input.given.layout != nil { source = try input.resolutions() }
        } else {
            guard !follow else {
                throw Failure(.otherInput, "\(input.name): --follow: expected a trace, found something else")
            }
            source = try input.records()
        }
        let wanted = try presses.filter().map { try self.wanted($0, source) }
        if story { return try printSummaries(source, wanted, console) }
        if typed {
            return try write(TypedText(on: LayoutChoice.named(input.given.layout ?? "us")), of: source, console)
        }
        var printer = RecordPrinter(format: format, hasDelta: delta, console: console)
        try printer.begin(source)
        var matched = 0
        try source.forEach(onPause: console.output.flush) { record, definitions in
            guard filter.admits(record), wanted?.admits(record) ?? true,
                devices.isEmpty || record.body.device.map(devices.contains) == true
            else { return }
            matched += 1
            try printer.print(record, definitions)
        }
        try printer.end(isComplete: source.facts.isComplete)
        let isFiltered = filter.isSet || wanted != nil || !devices.isEmpty
        return source.status(
            console, found: matched > 0 || !isFiltered, "filter: expected a record that matches, found none")
    }

    /// The decision about a press follows its first records, so the input is read twice.
    private func wanted(_ filter: PressFilter, _ source: RecordSource) throws -> WantedPresses {
        var reading = source
        if case .trace(let reader) = source.origin {
            reading = RecordSource(trace: try TraceReader(reader.bytes), name: source.name)
            reading.derivesCandidates = true
        }
        var presses = FilteredPresses(filter)
        try reading.feed(&presses)
        presses.finish(reading.definitions)
        return WantedPresses(ticks: presses.found)
    }

    /// Prints summaries of the presses.
    private func printSummaries(
        _ unread: RecordSource, _ wanted: WantedPresses?, _ console: Console
    ) throws -> ExitStatus {
        var source = unread
        var printer = PressSummaryPrinter(console: console, wanted: wanted)
        if source.isFollowed {
            printer.begin(source.initialContext)
            // Candidates of a press are derived from the whole trace.
            try source.forEach(keepsHandles: true, onPause: console.output.flush) { record, definitions in
                printer.consume(record, definitions: definitions)
                try printer.rethrow()
            }
        } else {
            let derived = try source.beginDeriving()
            printer.missingCandidates = { RecordSource.missingCandidates(of: $0, derived) }
            try source.feed(&printer)
        }
        try printer.finish(source.definitions)
        let status = source.status(console)
        guard printer.count > 0 else {
            console.note("\(source.name): presses: expected one that matches, found none")
            return status.joined(with: .nothingMatched)
        }
        return status
    }

    /// Prints the typed text.
    private func write(_ typed: TypedText, of source: RecordSource, _ console: Console) throws -> ExitStatus {
        var (source, typed) = (source, typed)
        for case .record(let body) in source.initialContext { typed.follow(body, source.initialDefinitions) }
        try source.forEach { record, definitions in typed.follow(record.body, definitions) }
        try console.output.line(SafeText.escaped(typed.text, limit: 1 << 20))
        if typed.masked > 0 {
            let keys = HumanNumbers.counted(typed.masked, "key is", "keys are")
            console.note("\(source.name): \(keys) masked (◻); record or import with --show-keys to have them in clear")
        }
        if !typed.hasLayout { console.note("\(source.name): no layout is recorded; read on \(typed.layoutName)") }
        return source.status(console)
    }

    /// In a trace a keyboard has its id; places belong to captures.
    private func devices(of input: Input) throws -> Set<UInt16> {
        var ids: Set<UInt16> = []
        for selector in input.device {
            guard case .id(let id) = selector else {
                throw Failure(.otherInput, "\(input.name): --device: expected the id of a keyboard, found \(selector)")
            }
            ids.insert(id)
        }
        return ids
    }
}

/// Records of the presses that a filter named: those of a key by its ordinal, those of a decision by its repeat too.
private struct WantedPresses {
    let ticks: Set<PressTick>
    private let ordinals: Set<UInt32>

    init(ticks: Set<PressTick>) {
        self.ticks = ticks
        ordinals = Set(ticks.map(\.press))
    }

    func admits(_ press: UInt32) -> Bool { ordinals.contains(press) }

    func admits(_ record: TraceRecord) -> Bool {
        if let decided = record.body.decided { return ticks.contains(decided) }
        return record.body.press.map(ordinals.contains) ?? false
    }
}

/// Writes summaries of presses while they are read.
private struct PressSummaryPrinter: TraceConsumer {
    let console: Console
    let wanted: WantedPresses?
    var summarizer = PressSummarizer()
    /// The error after which nothing more was written.
    var failure: (any Error)?
    var count = 0
    /// The reason why no candidates are derived of a press.
    var missingCandidates: (PressExplanation) -> PressExplanation.MissingCandidates? = { _ in nil }

    mutating func begin(_ entries: [ContextEntry]) { summarizer.begin(entries) }

    mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        guard failure == nil else { return }
        summarizer.consume(record, definitions: definitions)
        print(definitions)
    }

    mutating func finish(_ definitions: TraceDefinitions) throws {
        summarizer.finish()
        print(definitions)
        try rethrow()
    }

    /// Throws why nothing more could be written.
    func rethrow() throws { if let failure { throw failure } }

    private mutating func print(_ definitions: TraceDefinitions) {
        while let explanation = summarizer.next(definitions) {
            guard wanted?.admits(explanation.press) ?? true else { continue }
            count += 1
            var explanation = explanation
            explanation.missingCandidates = missingCandidates(explanation)
            do { try console.output.write(PressSummaryReport(explanation).text(console.style)) } catch {
                failure = failure ?? error
            }
        }
    }
}

/// Writes records in one of the forms of `show`.
private struct RecordPrinter {
    let format: LineFormat
    let hasDelta: Bool
    let console: Console
    var text = TraceTextWriter()
    var json = JSONText()
    var listing = RecordListing()

    mutating func begin(_ source: RecordSource) throws {
        if hasDelta {
            try console.output.write(listing.heading)
        } else if format == .text {
            text.begin(source.header, context: source.initialContext, definitions: source.initialDefinitions)
        }
    }

    mutating func print(_ record: TraceRecord, _ definitions: TraceDefinitions) throws {
        if hasDelta {
            try console.output.write(listing.line(record, definitions: definitions))
        } else if format == .text {
            text.append(record, definitions: definitions)
            try console.output.write(text.bytes)
            text.removeAll()
        } else {
            json.appendLine(record, definitions: definitions)
            try console.output.write(json.bytes)
            json.removeAll()
        }
    }

    mutating func end(isComplete: Bool) throws {
        guard format == .text, !hasDelta else { return }
        if isComplete { text.end() }
        try console.output.write(text.bytes)
    }
}
