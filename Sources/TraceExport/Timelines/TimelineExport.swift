import LatencyAnalysis
package import TraceFormat

/// The way of every press of a trace through its stages, in a format of other programs.
package struct TimelineExport {
    package enum Format: String, CaseIterable, Sendable {
        /// Protobuf of Perfetto.
        case perfetto
        /// Trace events as JSON.
        case chrome
        /// Presses one after the other, as a profile of nested intervals.
        case speedscope
        /// Stacks with their own nanoseconds, a line each.
        case folded

        package var isText: Bool { self != .perfetto }
    }

    /// Bytes of the result, in pieces.
    package typealias Sink = ([UInt8]) throws -> Void

    private var reader: TimelineReader
    private var writer: any TimelineFormat

    /// Intervals that are not in the result, because more than 256 of their kind overlap there.
    package var omitted: UInt64 { writer.omitted }

    /// `name`: the name of the trace. `context`: its initial context.
    package init(
        _ format: Format, name: String, context: [ContextEntry] = [], to sink: @escaping Sink
    ) throws {
        reader = TimelineReader(context)
        let name = ExportText.visible(name)
        writer =
            switch format {
            case .perfetto: TrackTimeline(PerfettoTrace(name: name, to: sink))
            case .chrome: TrackTimeline(try ChromeTrace(name: name, to: sink))
            case .speedscope: try SpeedscopeProfile(name: name, to: sink)
            case .folded: FoldedStacks(to: sink)
            }
        for case .record(.clock(let clock)) in context {
            if let unixTime = clock.unixTime { try writer.write(.clock(unixTime: unixTime), TraceDefinitions()) }
        }
    }

    /// Records in order, whose handles mean the same in all calls.
    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) throws {
        try reader.consume(record, definitions: definitions) { try writer.write($0, definitions) }
    }

    package mutating func finish(definitions: TraceDefinitions) throws {
        try reader.finish(definitions: definitions) { try writer.write($0, definitions) }
        try writer.finish(definitions)
    }
}

/// Writes timelines in one format.
protocol TimelineFormat {
    /// Intervals left out because too many overlap.
    var omitted: UInt64 { get }
    mutating func write(_ event: TimelineEvent, _ names: TraceDefinitions) throws
    mutating func finish(_ names: TraceDefinitions) throws
}

extension TimelineFormat {
    var omitted: UInt64 { 0 }
}

/// Passes bytes on in pieces of some size.
struct PieceWriter {
    private let sink: TimelineExport.Sink
    private(set) var bytes: [UInt8] = []
    private static let size = 65_536

    init(_ sink: @escaping TimelineExport.Sink) {
        self.sink = sink
        bytes.reserveCapacity(PieceWriter.size + 4096)
    }

    mutating func write(_ piece: some Collection<UInt8>) throws {
        bytes.append(contentsOf: piece)
        if bytes.count >= PieceWriter.size { try flush() }
    }

    mutating func write(_ text: String) throws { try write(text.utf8) }

    mutating func flush() throws {
        guard !bytes.isEmpty else { return }
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
