import SystemPackage
import TraceFormat
import TraceReports

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a run reads and writes: results on `output`, notes on `notes`. Tests hand in memory, `main` the
/// process's own streams.
final class Console {
    let output: ByteSink
    private let notes: ByteSink
    private let input: Input
    /// A terminal shows what is written: binary data is refused.
    let isTerminal: Bool

    private enum Input {
        case descriptor(FileDescriptor)
        case bytes([UInt8])
    }

    /// The process's own streams.
    init() {
        output = ByteSink(.standardOutput)
        notes = ByteSink(.standardError)
        input = .descriptor(.standardInput)
        isTerminal = isatty(1) == 1
    }

    /// Streams in memory.
    init(stdin: [UInt8]) {
        output = ByteSink(nil)
        notes = ByteSink(nil)
        input = .bytes(stdin)
        isTerminal = false
    }

    var collectedNotes: [UInt8] { notes.collected }

    /// The streams are a test's, which has no terminal.
    var isInMemory: Bool { if case .bytes = input { true } else { false } }

    /// Columns for help texts: 80 unless a terminal says otherwise.
    var columns: Int? { isTerminal ? nil : 80 }

    /// Colour and width of reports: neither unless a terminal shows them, or `CLICOLOR_FORCE` asks for colour.
    var style: ReportStyle {
        guard case .descriptor = input else { return .plain }
        let isForced = Console.isSet("CLICOLOR_FORCE")
        let isRefused = Console.isSet("NO_COLOR") || getenv("TERM").map { strcmp($0, "dumb") == 0 } == true
        return ReportStyle(
            width: isTerminal ? Console.terminalWidth() : nil, usesColour: isForced || isTerminal && !isRefused)
    }

    /// Set to something other than nothing and 0.
    static func isSet(_ name: String) -> Bool {
        guard let value = getenv(name) else { return false }
        return strlen(value) > 0 && strcmp(value, "0") != 0
    }

    private static func terminalWidth() -> Int? {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    func readStandardInput() throws -> [UInt8] {
        switch input {
        case .bytes(let bytes): return bytes
        case .descriptor(let descriptor): return try ByteFile.readAll(descriptor, named: "standard input", sizeHint: 0)
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

    /// A person watches standard error.
    var isWatched: Bool { isInMemory ? false : isatty(2) == 1 }

    /// Writes over the line that was shown before; an empty text wipes it out.
    func show(progress text: String) {
        guard isWatched else { return }
        try? notes.write("\r\u{1B}[K" + Console.printable(text))
        try? notes.flush()
    }

    /// One line for a person. Whatever a file put into it, it stays one line without escapes.
    func note(_ line: String) {
        try? notes.line(Console.printable(line))
        try? notes.flush()
    }

    /// Control characters and direction marks, which could change what a terminal shows, in `\u{…}` form.
    static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isHarmful(scalar) {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x061C: true
        default: false
        }
    }
}
