import CaptureImport
import KeyModel
import Libc
import SystemPackage
import TraceFormat
import TraceReports

/// The streams of a run: results on `output`, notes on `notes`. Tests hand in memory, `main` the process's own streams.
final class Console {
    let output: ByteSink
    private let notes: ByteSink
    private let input: Stream
    /// The position up to which an input in memory was read, piece by piece.
    private var inputPlace = 0
    /// A terminal shows what is written: binary data is refused.
    let isTerminal: Bool
    /// Settings from the environment and the flags.
    var settings = Settings()
    /// The environment and the folder that this run sees.
    let environment: ProcessEnvironment
    private var pager: Pager?
    /// Notes wait while a pager has, or will have, the terminal.
    private var isPaged = false
    private var waitingNotes: [String] = []

    private enum Stream {
        case descriptor(FileDescriptor)
        case bytes([UInt8])
    }

    /// The process's own streams.
    init() {
        output = ByteSink(.standardOutput)
        notes = ByteSink(.standardError)
        input = .descriptor(.standardInput)
        isTerminal = isatty(1) == 1
        environment = .process
    }

    /// Streams in memory.
    init(stdin: [UInt8], environment: ProcessEnvironment = .none) {
        output = ByteSink(nil)
        notes = ByteSink(nil)
        input = .bytes(stdin)
        isTerminal = false
        self.environment = environment
    }

    var collectedNotes: [UInt8] { notes.collected }

    /// The streams are a test's, which has no terminal.
    var isInMemory: Bool { if case .bytes = input { true } else { false } }

    /// Columns for help texts: 80 unless a terminal has another width.
    var columns: Int? { style.width ?? (isTerminal ? nil : 80) }

    // MARK: Reading

    func readStandardInput() throws -> [UInt8] {
        switch input {
        case .bytes(let bytes): return bytes
        case .descriptor(let descriptor): return try ByteFile.readAll(descriptor, named: "standard input")
        }
    }

    /// Standard input as a capture, which is read piece by piece wherever it comes from.
    var capture: CaptureImporter.Input {
        let name = "standard input"
        return switch input {
        case .bytes(let bytes): CaptureImporter.Input(name: name, .bytes(bytes))
        case .descriptor(let descriptor): CaptureImporter.Input(name: name, .descriptor(descriptor))
        }
    }

    /// Reads some more of standard input. The result is how many bytes; 0 at the end.
    func readInput(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        switch input {
        case .bytes(let bytes):
            let piece = bytes[inputPlace...].prefix(buffer.count)
            buffer.copyBytes(from: piece)
            inputPlace += piece.count
            return piece.count
        case .descriptor(let descriptor):
            do { return try descriptor.read(into: buffer) } catch let error as Errno {
                throw ByteFile.failure(error, "standard input")
            }
        }
    }

    /// Standard input as a trace: a file that was redirected to it is read piece by piece.
    func standardInput() throws -> TraceBytes {
        let name = "standard input"
        if case .descriptor(let descriptor) = input,
            let bytes = TraceFile.bytes(ofDescriptor: descriptor.rawValue, named: name)
        {
            return bytes
        }
        return TraceBytes(try readStandardInput(), file: name)
    }

    /// Shows the progress of long work. The settings for it must be known before it is asked for.
    private(set) lazy var progress: ProgressLine = {
        let isWatched =
            !isInMemory && settings.progress && isatty(2) == 1 && !environment.hasDumbTerminal
            && !environment.isSet("CI")
        let progress = ProgressLine(isWatched: isWatched, width: columns(of: 2) ?? 80) { [notes] text in
            try? notes.write(text)
            try? notes.flush()
        }
        // Output into a file leaves the terminal to the line; all other output may end there as well.
        let printsIntoFile = Console.isRegularFile(1)
        output.beforeWrite = { [unowned progress] in if printsIntoFile { progress.wipe() } else { progress.end() } }
        return progress
    }()

    private static func isRegularFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.isRegularFile
    }

    // MARK: Writing

    /// Throws where standard output is a terminal, to which no binary data is written.
    func refuseTerminal(_ what: String) throws {
        guard isTerminal else { return }
        throw Failure(
            .terminalOutput,
            "standard output: \(what): expected a file or a pipe, found a terminal; name a file with -o")
    }

    /// A text for people, in ASCII where that is asked for.
    func show(_ text: String) throws { try output.write(settings.ascii ? ASCIIText.of(text) : text) }

    /// A report in the form that was asked for.
    func print(_ format: ReportFormat, text: (ReportStyle) -> String, json: @autoclosure () -> String) throws {
        switch format {
        case .text: try show(text(style))
        case .json: try output.write(json())
        }
    }

    /// One line for a person. Whatever a file put into it, it stays one line without escapes.
    func note(_ line: String) {
        guard !isPaged else { return waitingNotes.append(line) }
        progress.wipe()
        let text = VisibleText.escaped(line)
        try? notes.line(settings.ascii ? ASCIIText.of(text) : text)
        try? notes.flush()
    }

    /// Prints a failure with its id. The result is the status that belongs to it.
    @discardableResult
    func note(_ failure: Failure) -> ExitStatus {
        note(failure.noted)
        return failure.status
    }

    @discardableResult
    func fail(_ id: FailureID, _ line: String) -> ExitStatus { note(Failure(id, line)) }

    // MARK: The pager

    /// Sends output through a pager from now on, which is started when there is some.
    func page() {
        guard isTerminal, settings.pager, let command = Pager.command(environment) else { return }
        isPaged = true
        output.beforeFirstWrite = { [unowned self] in
            pager = Pager(command)
            return pager?.input
        }
    }

    /// Waits until the pager has shown everything, then prints the notes held back meanwhile.
    func finish() {
        progress.end()
        pager?.finish()
        pager = nil
        isPaged = false
        for line in waitingNotes { note(line) }
        waitingNotes = []
    }
}
