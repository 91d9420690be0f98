import Libc
import TraceFormat

/// One of many inputs, before it is read.
enum FleetInput: Sendable {
    case file(String)
    /// Standard input, or a file of an archive on it.
    case bytes(String, [UInt8])
    case bad(String, Failure)

    /// The bytes it keeps in memory.
    var weight: Int { if case .bytes(_, let bytes) = self { bytes.count } else { 0 } }
}

/// The inputs of a table of many traces, in order: those of the command line, then those that a list names. `-` is a
/// trace, or an archive of traces, on standard input. No trace is read before it is needed.
struct FleetInputs {
    private var paths: ArraySlice<String>
    /// The entries of the list.
    private var names: ArraySlice<ArraySlice<UInt8>> = []
    private var archive: TarReader?
    private let console: Console

    /// `list`: a file of names, `-` for standard input; `endsWithNull`: they end with NUL, not with a line.
    init(_ paths: [String], list: String?, endsWithNull: Bool, _ console: Console) throws {
        self.paths = paths[...]
        self.console = console
        guard let list else { return }
        let bytes = try list == "-" ? console.readStandardInput() : ByteFile.read(list)
        names = bytes.split(separator: endsWithNull ? 0 : 0x0A)[...]
    }

    /// - Throws: a `Failure` where the output would take the place of a trace that the list names.
    func check(_ output: OutputDestination) throws {
        guard Files.exists(output.path) else { return }
        for name in names {
            var output = output
            output.inputs = [String(decoding: name, as: UTF8.self)]
            try output.checkInputs()
        }
    }

    mutating func next() throws -> FleetInput? {
        while true {
            if let input = try archive?.next() { return input }
            archive = nil
            if let path = paths.popFirst() {
                guard path == "-" else { return .file(path) }
                if let input = try standardInput() { return input }
            } else {
                return names.popFirst().map { .file(String(decoding: $0, as: UTF8.self)) }
            }
        }
    }

    /// `nil` where it is an archive, whose files come next.
    private mutating func standardInput() throws -> FleetInput? {
        let console = console
        let name = "standard input"
        var input = TarReader { try console.readInput(into: $0) }
        let block = try input.firstBlock()
        if TarReader.isBeginning(block) {
            archive = input
            return nil
        }
        guard block.isEmpty || TraceBytes(block).isTrace else {
            return .bad(name, Failure(.notATrace, "expected a trace or a tar of traces, found other bytes"))
        }
        let bytes = try input.read(TarReader.fileLimit + 1)
        return bytes.count <= TarReader.fileLimit
            ? .bytes(name, bytes) : .bad(name, TarReader.tooLarge("more than \(TarReader.fileLimit)"))
    }
}
