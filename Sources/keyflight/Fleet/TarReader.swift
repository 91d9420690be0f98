/// The regular files of a tar archive, one after the other, as they come in: ustar, with pax and GNU's long names.
/// Memory is that of one file, which has a limit.
struct TarReader {
    /// Fills a part of the buffer, and returns the number of bytes; 0 at the end.
    typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    /// Files with more bytes are passed over.
    static let fileLimit = 16 << 20
    /// Names, in the records before a file.
    private static let recordLimit = 1 << 20
    private static let blockSize = 512

    private let source: Source
    /// Bytes that were read ahead.
    private var ahead: [UInt8] = []
    private var offset: UInt64 = 0
    private var isOver = false

    init(_ source: @escaping Source) { self.source = source }

    /// The first block, or what there is of one. It is read again.
    mutating func firstBlock() throws -> [UInt8] {
        let block = try read(TarReader.blockSize)
        (ahead, offset) = (block, 0)
        return block
    }

    /// True for a block that an archive may begin with. One of nothing is empty blocks.
    static func isBeginning(_ block: [UInt8]) -> Bool { isHeader(block) || isEmpty(block) }

    private static func isEmpty(_ block: [UInt8]) -> Bool { block.count == blockSize && block.allSatisfy { $0 == 0 } }

    private static func isHeader(_ block: [UInt8]) -> Bool {
        guard block.count == blockSize, let sum = number(block[148..<156]) else { return false }
        let found = block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : UInt64($1.element)) }
        return sum == found
    }

    /// The next file; `nil` at the end.
    mutating func next() throws -> FleetInput? {
        var name: String?
        var size: UInt64?
        while !isOver {
            let start = offset
            let header = try read(TarReader.blockSize)
            // An archive may end without its two empty blocks.
            if header.isEmpty || TarReader.isEmpty(header) {
                isOver = true
                return nil
            }
            guard TarReader.isHeader(header), let ownSize = TarReader.number(header[124..<136]) else {
                return broken(name, at: start, "expected the header of a file, found other bytes")
            }
            let kind = header[156]
            switch kind {
            case UInt8(ascii: "x"), UInt8(ascii: "L"), UInt8(ascii: "K"), UInt8(ascii: "g"):
                guard ownSize <= UInt64(TarReader.recordLimit) else {
                    return broken(name, at: start, "expected a name, found \(ownSize) bytes of it")
                }
                let record = try read(Int(ownSize))
                guard try record.count == Int(ownSize) && pad(ownSize) else { return cut(name) }
                if kind == UInt8(ascii: "L") { name = TarReader.text(record[...]) }
                guard kind == UInt8(ascii: "x") else { continue }
                let fields = TarReader.fields(of: record)
                name = fields["path"].map { TarReader.text($0) } ?? name
                size = fields["size"].flatMap { UInt64(TarReader.text($0)) } ?? size
            case UInt8(ascii: "5"):
                guard try pass(ownSize) else { return cut(name) }
                (name, size) = (nil, nil)
            default: return try file(header, name ?? TarReader.ownName(header), kind, size ?? ownSize)
            }
        }
        return nil
    }

    private mutating func file(_ header: [UInt8], _ name: String, _ kind: UInt8, _ size: UInt64) throws -> FleetInput {
        // Regular files, by any of their names; all else has no bytes, or not those of a file.
        guard [0, UInt8(ascii: "0"), UInt8(ascii: "7")].contains(kind) else {
            let hasBytes = ![UInt8(ascii: "1"), UInt8(ascii: "2")].contains(kind)
            guard try !hasBytes || pass(size) else { return cut(name) }
            return .bad(name, Failure(.unreadable, "expected a file in the archive, found a link or a device"))
        }
        guard size <= UInt64(TarReader.fileLimit) else {
            guard try pass(size) else { return cut(name) }
            return .bad(name, TarReader.tooLarge("\(size)"))
        }
        let bytes = try read(Int(size))
        guard try bytes.count == Int(size) && pad(size) else { return cut(name) }
        return .bytes(name, bytes)
    }

    private mutating func cut(_ name: String?) -> FleetInput {
        broken(name, at: offset, "the archive ends inside a file")
    }

    /// The archive ends, or is damaged, at this byte. Nothing comes after it.
    private mutating func broken(_ name: String?, at offset: UInt64, _ reason: String) -> FleetInput {
        isOver = true
        return .bad(name ?? "archive", Failure(.damaged, "byte \(offset) of the archive: \(reason)"))
    }

    /// The failure of a file with more bytes than the limit.
    static func tooLarge(_ size: String) -> Failure {
        let reason = "expected at most \(fileLimit) bytes on standard input, found \(size)"
        return Failure(.tooLarge, reason + "; name it as a file")
    }

    // MARK: Bytes

    /// Reads so many bytes, or those that are left. Memory grows with what arrives.
    mutating func read(_ count: Int) throws -> [UInt8] {
        var bytes = Array(ahead.prefix(count))
        ahead.removeFirst(bytes.count)
        while bytes.count < count {
            let room = min(count - bytes.count, 1 << 16)
            let chunk = try [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                filled = try source(UnsafeMutableRawBufferPointer(buffer))
            }
            if chunk.isEmpty { break }
            bytes += chunk
        }
        offset += UInt64(bytes.count)
        return bytes
    }

    /// Passes over the bytes of a file and what fills its last block. False where the archive ends before.
    private mutating func pass(_ count: UInt64) throws -> Bool {
        var left = count
        while left > 0 {
            let wanted = Int(min(left, 1 << 16))
            guard try read(wanted).count == wanted else { return false }
            left -= UInt64(wanted)
        }
        return try pad(count)
    }

    private mutating func pad(_ count: UInt64) throws -> Bool {
        let rest = Int(count % UInt64(TarReader.blockSize))
        let padding = rest == 0 ? 0 : TarReader.blockSize - rest
        return try read(padding).count == padding
    }

    // MARK: Fields

    /// Octal digits, or a number to the base of 256 where the first bit is set.
    private static func number(_ field: ArraySlice<UInt8>) -> UInt64? {
        if let first = field.first, first & 0x80 != 0 {
            guard first == 0x80, field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
            return field.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
        guard !digits.isEmpty else { return 0 }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func ownName(_ header: [UInt8]) -> String {
        let (name, prefix) = (text(header[0..<100]), text(header[345..<500]))
        let isPOSIX = header[257..<263].elementsEqual(Array("ustar\0".utf8))
        return isPOSIX && !prefix.isEmpty ? prefix + "/" + name : name
    }

    /// Records of a pax header: `LENGTH NAME=VALUE`, and a line end.
    private static func fields(of record: [UInt8]) -> [String: ArraySlice<UInt8>] {
        var fields: [String: ArraySlice<UInt8>] = [:]
        var rest = record[...]
        while let blank = rest.firstIndex(of: 0x20), let length = Int(text(rest[..<blank])),
            length > blank - rest.startIndex + 1, length <= rest.count
        {
            let field = rest[(blank + 1)..<(rest.startIndex + length - 1)]
            if let sign = field.firstIndex(of: 0x3D) { fields[text(field[..<sign])] = field[(sign + 1)...] }
            rest = rest.dropFirst(length)
        }
        return fields
    }
}
