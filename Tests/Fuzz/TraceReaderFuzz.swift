// seeds: Traces/hostile
import TraceFormat

/// Reads any bytes as a trace, or, when the first byte is odd, as the payload of a block with a right checksum: the
/// decoder would not be reached otherwise. What was delivered must be writable and readable again, record for record.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTraceReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let mode = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    let bytes = mode & 1 == 0 ? rest : sealed(rest, count: UInt32(mode >> 1))
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

/// CRC-32C, bit by bit.
private func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
    }
    return ~crc
}
