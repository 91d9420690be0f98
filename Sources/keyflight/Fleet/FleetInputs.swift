import Foundation
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
        guard FileManager.default.fileExists(atPath: output.path) else { return }
        for name in names {
            var output = output
            output.inputs = [String(decoding: name, as: UTF8.self)]
            try output.checkInputs()
        }
    }

    mutating func next() throws -> FleetInput? {
        while true {
            if let entry = try archive?.next() { return FleetInputs.input(entry) }
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
        var begin: [UInt8] = []
        // A pipe gives what it has: as many bytes as a header of an archive takes.
        while begin.count < 512, case let piece = try FleetInputs.piece(512 - begin.count, console), !piece.isEmpty {
            begin += piece
        }
        // An archive of nothing is empty blocks.
        if TarReader.isHeader(begin) || begin.count == 512 && begin.allSatisfy({ $0 == 0 }) {
            archive = TarReader(ahead: begin) { try console.readInput(into: $0) }
            return nil
        }
        guard begin.isEmpty || TraceBytes(begin).isTrace else {
            return .bad(name, Failure(.notATrace, "expected a trace or a tar of traces, found other bytes"))
        }
        while case let piece = try FleetInputs.piece(1 << 16, console), !piece.isEmpty {
            begin += piece
            guard begin.count <= TarReader.fileLimit else {
                return .bad(name, FleetInputs.tooLarge("more than \(TarReader.fileLimit)"))
            }
        }
        return .bytes(name, begin)
    }

    private static func piece(_ count: Int, _ console: Console) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try console.readInput(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    private static func input(_ entry: TarReader.Entry) -> FleetInput {
        switch entry.content {
        case .bytes(let bytes): .bytes(entry.name, bytes)
        case .tooLarge(let size): .bad(entry.name, tooLarge("\(size)"))
        case .noFile:
            .bad(entry.name, Failure(.unreadable, "expected a file in the archive, found a link or a device"))
        case .broken(let offset, let reason):
            .bad(entry.name, Failure(.damaged, "byte \(offset) of the archive: \(reason)"))
        }
    }

    private static func tooLarge(_ size: String) -> Failure {
        let reason = "expected at most \(TarReader.fileLimit) bytes on standard input, found \(size)"
        return Failure(.tooLarge, reason + "; name it as a file")
    }
}
