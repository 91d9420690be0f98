// seeds: Traces/hostile Traces/compatibility/v1
// longest: 4096
import TraceFormat

/// Reads bytes that begin like a trace as one. Of others the first byte says how: odd, the rest is the payload of a
/// block with a right checksum, for the decoder would not be reached otherwise; even, the rest is the trace. What was
/// delivered must be writable and readable again, record for record.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTraceReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let mode = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    let bytes = mode == 0x89 ? input : mode & 1 == 0 ? rest : sealed(rest, count: UInt32(mode >> 1))
    guard let (recording, report) = try? Recording.read(bytes) else { return 0 }
    precondition(!report.complete || report.damages.isEmpty)
    precondition(UInt64(recording.records.count) == report.records)
    guard !recording.records.isEmpty else { return 0 }
    let header = report.header ?? TraceHeader(level: .keys, isMasked: false)
    let canonical: [UInt8]
    do {
        canonical = try recording.bytes(header: header)
    } catch {
        fatalError("a read trace is not written: \(error)")
    }
    guard let (again, second) = try? Recording.read(canonical) else { fatalError("a written trace is not read") }
    precondition(second.damages.isEmpty, "\(second.damages)")
    precondition(again.records.count == recording.records.count)
    precondition((try? again.bytes(header: header)) == canonical)
    return 0
}

/// A file of one block with this payload, as `Traces/FORMAT.md` §3 lays it out.
private func sealed(_ payload: [UInt8], count: UInt32) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x4B, 0x46, 0x4C, 0x0D, 0x0A, 0x1A, 0x0A, 1] + [UInt8](repeating: 0, count: 15)
    file += littleEndian(checksum(file))
    let block: [UInt8] =
        [0xF5, 0x4B, 0x46, 0x42, 1, 2, 0, 0] + littleEndian(UInt32(payload.count)) + littleEndian(count)
        + [UInt8](repeating: 0, count: 16)
    return file + block + littleEndian(checksum(block + payload)) + payload
}

private func littleEndian(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
}

/// CRC-32C.
private func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in crc >> 8 ^ checksums[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
}

/// Of each byte, bit by bit.
private let checksums: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
}
