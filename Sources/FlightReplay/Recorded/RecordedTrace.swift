public import TraceFormat

/// Records one after the other, with what their handles mean.
protocol RecordStream {
    /// Definitions of the handles of the records so far.
    var definitions: TraceDefinitions { get }
    /// The initial context: the state before the first record.
    var initialContext: [ContextEntry] { get }
    /// The level before the initial context and the first record, by the header of a trace.
    var level: TraceLevel { get }
    /// The next record, `nil` after the last.
    mutating func next() -> TraceRecord?
}

/// A trace as input of a replay. It is read any number of times, from memory or piece by piece from its bytes, so
/// that memory does not grow with its length.
public struct RecordedTrace: Sendable {
    private enum Source: Sendable {
        case recording(Recording)
        case trace(TraceBytes)
    }

    private let source: Source
    /// Definitions of the handles of its records.
    public let definitions: TraceDefinitions
    /// The initial context: the state before the first record.
    public let initialContext: [ContextEntry]
    let summary: RecordingSummary
    /// Ids of responders whose lists are kept until they are invalidated.
    private var kept: Set<String> = []

    public init(_ recording: Recording) {
        source = .recording(recording)
        definitions = recording.definitions
        var summary = RecordingSummary(level: recording.level)
        for entry in recording.initialContext { summary.follow(entry, definitions) }
        for record in recording.records { summary.follow(record, definitions) }
        summary.finish(definitions)
        self.summary = summary
        initialContext = RecordedTrace.context(recording.initialContext, summary)
    }

    /// Adds the level that answers were recorded at, where the trace's header alone contains it.
    private static func context(_ recorded: [ContextEntry], _ summary: RecordingSummary) -> [ContextEntry] {
        summary.isOfAppKit ? [.record(.level(LevelRecord(level: .calls)))] + recorded : recorded
    }

    /// Reads a trace once, from its first record to its end; the reader's report then contains the losses.
    public init(reading reader: inout TraceReader) {
        source = .trace(reader.bytes)
        let recorded = reader.initialContext
        var summary = RecordingSummary(level: reader.level)
        for entry in recorded { summary.follow(entry, reader.definitions) }
        while let record = reader.next() { summary.follow(record, reader.definitions) }
        summary.finish(reader.definitions)
        definitions = reader.definitions
        self.summary = summary
        initialContext = RecordedTrace.context(recorded, summary)
    }

    /// The same with the lists of some responders, by their ids, kept until they are invalidated.
    public func keepingAnswers(of responders: Set<String>) -> RecordedTrace {
        var trace = self
        trace.kept.formUnion(responders)
        return trace
    }

    /// The records from the first one on. Their handles are defined by `definitions`, unless `inBlocks`: then by the
    /// stream's own, for the record that came last.
    func records(inBlocks: Bool = false) -> Records {
        var records: Records
        switch source {
        case .recording(let recording): records = Records(recording, initialContext)
        case .trace(let bytes):
            // It was read before, so its header is valid.
            guard var reader = try? TraceReader(bytes) else { return Records(Recording(), initialContext) }
            reader.adopt(definitions)
            // What is kept is known by handles of the whole trace.
            if inBlocks, kept.isEmpty { reader.definitionLifetime = .block }
            records = Records(reader, initialContext)
        }
        if !kept.isEmpty { records.kept = KeptAnswers(of: kept, definitions) }
        return records
    }

    /// Shows every record to a consumer.
    public func feed(_ consumer: inout some TraceConsumer) {
        var records = records()
        while let record = records.next() { consumer.consume(record, definitions: definitions) }
    }

    /// Some press has a resolution.
    public var hasResolutions: Bool { summary.hasResolutions }

    struct Records: RecordStream {
        private let recording: Recording
        private var place = 0
        private var reader: TraceReader?
        fileprivate var kept: KeptAnswers?
        let initialContext: [ContextEntry]

        fileprivate init(_ recording: Recording, _ context: [ContextEntry]) {
            self.recording = recording
            initialContext = context
        }

        fileprivate init(_ reader: TraceReader, _ context: [ContextEntry]) {
            recording = Recording()
            self.reader = reader
            initialContext = context
        }

        var definitions: TraceDefinitions { reader?.definitions ?? recording.definitions }
        var level: TraceLevel { reader?.level ?? recording.level }

        mutating func next() -> TraceRecord? {
            guard let record = recorded() else { return nil }
            return kept?.applied(to: record) ?? record
        }

        private mutating func recorded() -> TraceRecord? {
            if reader != nil { return reader?.next() }
            guard place < recording.records.count else { return nil }
            defer { place += 1 }
            return recording.records[place]
        }
    }
}
