import KeyModel
import Libc
import SystemPackage

/// Names of functions from the symbol tables of ELF files in a folder, found by the build-id that a trace has of them.
struct SymbolFolder {
    private struct Symbol {
        var value: UInt64
        var size: UInt64
        /// Place of its name in `names`.
        var name: Int
    }

    private struct Table {
        /// By value.
        var symbols: [Symbol]
        var names: [UInt8]
    }

    private var tables: [String: Table] = [:]
    /// Bytes of a symbol table, of its names, and of the notes.
    private static let longest = 1 << 28
    /// Files and folders that are looked at.
    private static let most = 100_000

    /// Reads the tables of the files with these build-ids, in the folder and those in it.
    /// - Throws: `Failure` where it is no folder that can be read.
    init(_ path: String, of builds: Set<String>) throws {
        guard Files.isFolder(path), Files.mayRead(path) else {
            throw Failure(.unreadable, "\(GivenName.of(path)): --symbols: expected a folder, found none")
        }
        var count = 0
        for path in Files.paths(below: path) {
            guard tables.count < builds.count, count < SymbolFolder.most else { break }
            count += 1
            var status = stat()
            guard lstat(path, &status) == 0, status.isRegularFile,
                let descriptor = try? FileDescriptor.open(
                    FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
            else { continue }
            defer { try? descriptor.close() }
            guard let file = ELFFile(descriptor), let build = file.buildID, builds.contains(build),
                tables[build] == nil, let table = SymbolFolder.table(of: file)
            else { continue }
            tables[build] = table
        }
    }

    /// The builds whose names are there.
    var builds: Set<String> { Set(tables.keys) }

    /// The function at this address of a module's file; `nil` where no symbol has it.
    func name(_ build: String, _ address: UInt64) -> String? {
        guard let table = tables[build] else { return nil }
        var (low, high) = (0, table.symbols.count)
        while low < high {
            let middle = (low + high) / 2
            if table.symbols[middle].value <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, case let found = table.symbols[low - 1], address - found.value < max(1, found.size) else {
            return nil
        }
        let name = table.names[found.name...].prefix { $0 != 0 }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    private static func table(of file: ELFFile) -> Table? {
        guard let section = file.sections.first(where: { $0.type == ELFFile.symbolTable }),
            section.entrySize == ELFFile.symbolSize, let names = file.bytes(of: section.link, atMost: longest),
            let bytes = file.bytes(of: section, atMost: longest)
        else { return nil }
        var symbols: [Symbol] = []
        for start in stride(from: 0, to: bytes.count - ELFFile.symbolSize + 1, by: ELFFile.symbolSize) {
            let (name, value) = (Int(bytes.little(start, 4)), bytes.little(start + 8, 8))
            guard bytes[start + 4] & 0xF == ELFFile.function, value > 0, name < names.count else { continue }
            symbols.append(Symbol(value: value, size: bytes.little(start + 16, 8), name: name))
        }
        // Of several names of one function the first of the table.
        symbols.sort { ($0.value, $1.name) < ($1.value, $0.name) }
        return Table(symbols: symbols, names: names)
    }
}

/// Sections of an ELF file of 64 bits, little-endian (System V ABI, object files).
private struct ELFFile {
    struct Section {
        var type: UInt64
        var offset: UInt64
        var size: UInt64
        var link: UInt64
        var entrySize: UInt64
    }

    static let symbolTable: UInt64 = 2
    static let note: UInt64 = 7
    static let function: UInt8 = 2
    static let symbolSize = 24
    private static let sectionSize = 64

    private let descriptor: FileDescriptor
    private(set) var sections: [Section] = []

    /// `nil` for another file.
    init?(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
        guard let head = bytes(0, 64), head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            head.little(0x3A, 2) == ELFFile.sectionSize,
            let table = bytes(head.little(0x28, 8), head.little(0x3C, 2) * UInt64(ELFFile.sectionSize))
        else { return nil }
        sections = stride(from: 0, to: table.count, by: ELFFile.sectionSize).map { start in
            Section(
                type: table.little(start + 4, 4), offset: table.little(start + 24, 8),
                size: table.little(start + 32, 8), link: table.little(start + 40, 4),
                entrySize: table.little(start + 56, 8))
        }
    }

    /// In hexadecimal; `nil` for a file without one.
    var buildID: String? {
        for section in sections where section.type == ELFFile.note {
            // A note of GNU's, of kind 3: lengths of its name and its content, kind, `GNU\0`, content.
            guard let note = bytes(of: section, atMost: 1 << 16), note.count > 16, note.little(0, 4) == 4,
                note.little(8, 4) == 3, note[12..<16].elementsEqual([0x47, 0x4E, 0x55, 0]),
                case let count = note.little(4, 4), count <= 64, note.count >= 16 + Int(count)
            else { continue }
            return Array(note[16..<16 + Int(count)]).hexadecimal
        }
        return nil
    }

    func bytes(of section: UInt64, atMost limit: Int) -> [UInt8]? {
        section < sections.count ? bytes(of: sections[Int(section)], atMost: limit) : nil
    }

    func bytes(of section: Section, atMost limit: Int) -> [UInt8]? {
        section.size <= limit ? bytes(section.offset, section.size) : nil
    }

    /// `nil` where the file is shorter.
    private func bytes(_ offset: UInt64, _ count: UInt64) -> [UInt8]? {
        guard let start = Int64(exactly: offset), let end = try? descriptor.seek(offset: 0, from: .end),
            start <= end, count <= UInt64(end - start)
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let read = try? bytes.withUnsafeMutableBytes { buffer in
            var read = 0
            while read < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[read...])
                let got = try descriptor.read(fromAbsoluteOffset: start + Int64(read), into: rest)
                guard got > 0 else { break }
                read += got
            }
            return read
        }
        return read == bytes.count ? bytes : nil
    }
}

extension [UInt8] {
    /// A number of so many bytes, the lowest first.
    fileprivate func little(_ start: Int, _ count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(self[start + $1]) << UInt64(8 * $1) }
    }
}
