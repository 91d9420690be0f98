import CCRC32C
import KeyModel

/// Everything around the records: file header, block headers, index, end marker, and their checksums.
enum TraceFrame {
    /// `89 "KFL" 0D 0A 1A 0A`: not text, and broken by transfers that change line ends.
    static let fileMagic: [UInt8] = [0x89, 0x4B, 0x46, 0x4C, 0x0D, 0x0A, 0x1A, 0x0A]
    static let fileHeaderLength = 28
    /// `F5 "KFB"`: F5 occurs in no UTF-8, so no text inside a payload looks like a block.
    static let blockMagic: UInt32 = 0x4246_4BF5
    static let blockHeaderLength = 36
    static let longestBlock = blockHeaderLength + TraceLimits.blockBytes
    /// `F5 "KFE"`.
    static let endMagic: UInt32 = 0x4546_4BF5
    static let endMagicBytes: [UInt8] = [0xF5, 0x4B, 0x46, 0x45]
    static let endLength = 16
    static let maskedFlag: UInt64 = 1

    static func checksum(_ bytes: UnsafeRawBufferPointer, from crc: UInt32 = 0) -> UInt32 {
        bytes.isEmpty ? crc : keyflight_crc32c(crc, bytes.baseAddress, bytes.count)
    }

    private static func check(_ found: UInt32, _ expected: UInt64) throws(TraceError) {
        guard UInt64(found) == expected else {
            throw TraceError(
                .checksum, field: "crc32c", expected: expected.hexadecimal(8), found: found.hexadecimal(8))
        }
    }

    private static func sealed(_ buffer: ByteBuffer) -> ByteBuffer {
        var sealed = buffer
        sealed.append(littleEndian: UInt64(buffer.withBytes { checksum($0) }), length: 4)
        return sealed
    }

    static func header(_ header: TraceHeader) -> ByteBuffer {
        var out = ByteBuffer()
        for byte in fileMagic { out.append(byte: byte) }
        out.append(littleEndian: UInt64(header.version), length: 2)
        out.append(byte: header.form.rawValue)
        out.append(byte: header.level.rawValue)
        out.append(littleEndian: header.isMasked ? maskedFlag : 0, length: 4)
        out.append(littleEndian: header.firstSequence, length: 8)
        return sealed(out)
    }

    /// The end marker: where the index block begins.
    static func end(indexOffset: UInt64) -> ByteBuffer {
        var out = ByteBuffer()
        out.append(littleEndian: UInt64(endMagic), length: 4)
        out.append(littleEndian: indexOffset, length: 8)
        return sealed(out)
    }

    /// A block: header, payload and the checksum of both, which is at the end of the header.
    static func block(_ header: BlockHeader, _ payload: borrowing ByteBuffer) -> ByteBuffer {
        var out = ByteBuffer()
        out.reserve(blockHeaderLength + payload.count)
        out.append(littleEndian: UInt64(blockMagic), length: 4)
        out.append(byte: header.kind)
        out.append(byte: header.flags)
        out.append(littleEndian: UInt64(header.kinds.rawValue), length: 2)
        out.append(littleEndian: UInt64(payload.count), length: 4)
        out.append(littleEndian: UInt64(header.count), length: 4)
        out.append(littleEndian: UInt64(bitPattern: header.firstTime), length: 8)
        out.append(littleEndian: header.firstSequence, length: 8)
        let head = out.withBytes { checksum($0) }
        let crc = payload.withBytes { checksum($0, from: head) }
        out.append(littleEndian: UInt64(crc), length: 4)
        out.append(payload)
        return out
    }

    /// The block at `offset`, when its header makes sense and its checksum fits.
    static func block(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(TraceError) -> BlockHeader {
        var cursor = ByteCursor(UnsafeRawBufferPointer(rebasing: bytes[min(offset, bytes.count)...]))
        let magic = try cursor.littleEndian(4, "magic")
        guard magic == UInt64(blockMagic) else {
            throw TraceError(.notATrace, field: "magic", expected: "a block (f5 4b 46 42)", found: "other bytes")
        }
        let kind = try cursor.byte("block_kind")
        let flags = try cursor.byte("flags")
        let kinds = try cursor.littleEndian(2, "record_kinds")
        let length = try cursor.littleEndian(4, "payload_bytes")
        let count = try cursor.littleEndian(4, "record_count")
        let time = Int64(bitPattern: try cursor.littleEndian(8, "first_time_ns"))
        let sequence = try cursor.littleEndian(8, "first_sequence")
        let crc = try cursor.littleEndian(4, "crc32c")
        guard length <= UInt64(TraceLimits.blockBytes) else {
            throw TraceError(
                .limitExceeded, field: "payload_bytes", expected: "at most \(TraceLimits.blockBytes)",
                found: "\(length)")
        }
        _ = try cursor.bytes(length, limit: TraceLimits.blockBytes, "payload")
        let start = bytes[offset..<offset + blockHeaderLength - 4]
        let payload = bytes[offset + blockHeaderLength..<offset + blockHeaderLength + Int(length)]
        let found = checksum(
            UnsafeRawBufferPointer(rebasing: payload), from: checksum(UnsafeRawBufferPointer(rebasing: start)))
        try check(found, crc)
        guard time >= 0 else {
            throw TraceError(.outOfRange, field: "first_time_ns", expected: "0…\(Int64.max)", found: "\(time)")
        }
        return BlockHeader(
            kind: kind, flags: flags, kinds: RecordKinds(rawValue: UInt16(truncatingIfNeeded: kinds)),
            length: Int(length), count: UInt32(truncatingIfNeeded: count), firstTime: time, firstSequence: sequence)
    }

    /// The payload length that the header at the beginning of these bytes claims; `nil` when there is no header, or the
    /// claim is beyond the limit.
    static func claimedLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 12, UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) == blockMagic else {
            return nil
        }
        let length = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        return length <= UInt32(TraceLimits.blockBytes) ? Int(length) : nil
    }

    /// The index offset that the end marker at `offset` names.
    static func end(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(TraceError) -> UInt64 {
        var cursor = ByteCursor(UnsafeRawBufferPointer(rebasing: bytes[min(offset, bytes.count)...]))
        guard try cursor.littleEndian(4, "magic") == UInt64(endMagic) else {
            throw TraceError(.notATrace, field: "magic", expected: "an end marker", found: "other bytes")
        }
        let index = try cursor.littleEndian(8, "index_offset")
        let crc = try cursor.littleEndian(4, "crc32c")
        try check(checksum(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + endLength - 4])), crc)
        return index
    }

    /// The file header. A wrong checksum is an error before its content is looked at.
    static func header(_ bytes: UnsafeRawBufferPointer) throws(TraceError) -> TraceHeader {
        var cursor = ByteCursor(bytes)
        for byte in fileMagic {
            guard try cursor.byte("magic") == byte else {
                throw TraceError(.notATrace, field: "magic", expected: "89 4b 46 4c 0d 0a 1a 0a", found: "other bytes")
            }
        }
        let version = UInt16(truncatingIfNeeded: try cursor.littleEndian(2, "version"))
        let form = try cursor.byte("form")
        let level = try cursor.byte("level")
        let flags = try cursor.littleEndian(4, "flags")
        let sequence = try cursor.littleEndian(8, "first_sequence")
        let crc = try cursor.littleEndian(4, "crc32c")
        try check(checksum(UnsafeRawBufferPointer(rebasing: bytes[0..<fileHeaderLength - 4])), crc)
        guard TraceLimits.versions.contains(version) else {
            // Version 0 had no compatibility guarantee.
            let found = version == 0 ? "0, of a build that promised nothing: record anew" : "\(version)"
            throw TraceError(
                .unsupportedVersion, field: "version", expected: TraceLimits.versionNames, found: found)
        }
        guard let form = TraceForm(rawValue: form), let level = TraceLevel(rawValue: level), flags <= maskedFlag else {
            throw TraceError(
                .outOfRange, field: "flags", expected: "form 0…1, level 0…3, flags 0…1",
                found: "form \(form), level \(level), flags \(flags)")
        }
        var header = TraceHeader(form: form, level: level, isMasked: flags == maskedFlag, firstSequence: sequence)
        header.version = version
        return header
    }
}

/// The header of a block, which precedes its payload.
struct BlockHeader: Hashable, Sendable {
    static let records: UInt8 = 1
    static let index: UInt8 = 2
    /// The sequence numbers between the block before and this one were left out on purpose.
    static let gapFlag: UInt8 = 1
    /// The context holds everything, not only what decoding needs.
    static let wholeContextFlag: UInt8 = 2
    static let knownFlags: UInt8 = 3

    var kind: UInt8
    var flags: UInt8 = 0
    /// Of its records; in the index, of all records of the trace.
    var kinds: RecordKinds = []
    var length = 0
    /// Records, or entries of the index.
    var count: UInt32
    /// Of its first record; in the index, of the last record of the trace.
    var firstTime: Int64
    /// Of its first record; in the index, the one after the last record.
    var firstSequence: UInt64
}
