import ArgumentParser
import CaptureImport
import TraceFormat
import TraceReports
import TraceTools

/// Options of every verb that makes one trace of another.
struct TraceToTrace: ParsableArguments {
    @Argument(help: "A trace; - is standard input.")
    var input: String
    @OptionGroup var result: WrittenTrace

    var showKeys: Bool { result.showKeys }

    func check() throws { try result.check() }

    func open(_ console: Console) throws -> TraceBytes { try TraceToTrace.open(input, console) }

    func write(_ console: Console, _ body: (@escaping TraceWriter.Sink) throws -> Bool) throws {
        try result.write(console, body)
    }

    static func open(_ path: String, _ console: Console) throws -> TraceBytes {
        let bytes = try path == "-" ? console.standardInput() : ByteFile.open(path)
        // An input that is no trace is refused before anything is written.
        do { _ = try TraceReader(bytes) } catch {
            if CaptureImporter.isCapture(bytes.prefix(1 << 12)) { throw Failure(capture: path) }
            throw bytes.isTextTwin ? Failure(textTwin: bytes.file ?? "") : Failure(reading: error)
        }
        console.progress.follow([bytes])
        return bytes
    }

    /// The status of what was read. Incomplete input is reported on standard error, and is a loss in the result.
    static func status(_ report: ReadingReport, _ input: TraceBytes, _ console: Console) -> ExitStatus {
        report.damaged.map { console.fail(damage: $0, of: input.file ?? "") } ?? .fine
    }

    /// Reports what masking took out of a trace in clear.
    static func note(_ masked: IdentifyingDataCounts, _ input: TraceBytes, _ console: Console) {
        guard !masked.isEmpty else { return }
        let parts = IdentifyingData.allCases.compactMap { masked[$0] > 0 ? "\(masked[$0]) \($0.name)" : nil }
        console.note("\(input.file ?? ""): masked: \(parts.joined(separator: ", ")); --show-keys keeps them")
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
    @Option(name: [.short, .long], help: "The trace to write; - is standard output.")
    var output: String
    @Flag(help: "Replace OUTPUT if it is a regular file.")
    var force = false
    @Flag(help: "Leave in clear what is in clear: keys that type text, text and titles.")
    var showKeys = false

    func check() throws {
        if output.isEmpty { throw ValidationError("Name a file with -o.") }
    }

    func write(_ console: Console, _ body: (@escaping TraceWriter.Sink) throws -> Bool) throws {
        try OutputDestination(path: output, replaces: force).write(console) { sink in
            do {
                return try body(sink)
            } catch let error as TraceError {
                throw Failure(reading: error)
            }
        }
    }
}
