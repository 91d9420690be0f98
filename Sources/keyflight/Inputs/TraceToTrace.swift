import ArgumentParser
import CaptureImport
import TraceFormat
import TraceReports
import TraceTools

/// Options of every verb that makes one trace of another.
struct TraceToTrace: ParsableArguments {
    @Argument(help: "A trace; - is standard input.") var input: String
    @OptionGroup var result: WrittenTrace

    func open(_ console: Console) throws -> TraceBytes { try TraceToTrace.open(input, console) }

    static func open(_ path: String, _ console: Console) throws -> TraceBytes {
        let bytes = try path == "-" ? console.standardInput() : ByteFile.open(path)
        // An input that is no trace is refused before anything is written.
        do { _ = try TraceReader(bytes) } catch {
            if bytes.count == 0 { throw Failure(empty: bytes.file ?? path) }
            if CaptureImporter.isCapture(bytes.prefix(CaptureImporter.headBytes)) { throw Failure(capture: path) }
            throw bytes.isTextFormat ? Failure(textFormat: bytes.file ?? "") : Failure(reading: error)
        }
        console.progress.follow([bytes])
        return bytes
    }

    /// The status of what was read. Incomplete input is reported on standard error, and is a loss in the result.
    static func status(_ report: ReadingReport, _ input: TraceBytes, _ console: Console) -> ExitStatus {
        report.damaged.map { console.fail(damage: $0, of: input.file ?? "") } ?? .fine
    }

    /// The status of joined traces, and what was left out of each: `files` in the order of the reports.
    static func status(_ summary: TraceMerge.Summary, _ files: [TraceBytes], _ console: Console) -> ExitStatus {
        var status = ExitStatus.fine
        for (report, file) in zip(summary.reports, files) {
            status = status.joined(with: TraceToTrace.status(report, file, console))
        }
        for (masked, file) in zip(summary.masked, files) { TraceToTrace.note(masked, file, console) }
        return status
    }

    /// Reports what secure entries kept out of joined traces.
    static func noteDropped(_ summary: TraceMerge.Summary, _ console: Console) {
        guard summary.dropped > 0 else { return }
        console.note("secure entry: \(summary.dropped) records of what was typed during it were left out")
    }

    /// Reports what masking took out of a trace in clear.
    static func note(_ masked: IdentifyingDataCounts, _ input: TraceBytes, _ console: Console) {
        guard !masked.isEmpty else { return }
        console.note("\(input.file ?? ""): masked: \(masked.words); --show-keys keeps them")
    }
}

extension Console {
    /// Reports what of a trace could not be read.
    @discardableResult
    func fail(damage: ReadingReport.Damage, of name: String) -> ExitStatus {
        let lost = damage.recordsLost.map { "; \(HumanNumbers.counted($0, "record", "records")) lost" } ?? ""
        return fail(
            .incompleteTrace, "\(name): byte \(damage.offset): \(damage.reason)\(lost); everything whole was used")
    }
}

extension Failure {
    /// An empty file was given where a trace is wanted.
    init(empty name: String) {
        self.init(.unknownContent, "\(name): byte 0: content: expected a trace, found an empty file")
    }

    /// A capture was given where a trace is wanted.
    init(capture path: String) {
        self.init(
            .otherInput,
            "\(path): content: expected a trace, found a capture; import it first: keyflight import \(path) -o"
                + " TRACE.keyflight")
    }
}

/// The destination of a written trace, and whether its typing keys stay in clear.
struct WrittenTrace: ParsableArguments {
    @Option(name: [.short, .long], help: "The trace to write; - is standard output.") var output: String
    @Flag(help: "Replace OUTPUT if it is a regular file.") var force = false
    @Flag(help: "Leave in clear what is in clear: keys that type text, text and titles.") var showKeys = false

    func validate() throws {
        try OutputDestination.check(output)
    }

    func write<Result>(
        _ console: Console, if isKept: (Result) -> Bool = { _ in true },
        _ body: (@escaping TraceWriter.Sink) throws -> Result
    ) throws -> Result {
        try OutputDestination(path: output, replaces: force).write(console, if: isKept) { sink in
            try Failure.reading { try body(sink) }
        }
    }
}

extension IdentifyingDataCounts {
    /// `12 usages, 3 titles`; empty where nothing was met.
    var words: String {
        IdentifyingData.allCases.filter { self[$0] > 0 }.map { "\(self[$0]) \($0.name)" }.joined(separator: ", ")
    }
}
