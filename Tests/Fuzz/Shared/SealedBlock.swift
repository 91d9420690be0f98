/// A file of one block with this payload, as `Traces/FORMAT.md` §3 lays it out.
func sealed(_ payload: [UInt8], count: UInt32, version: UInt8 = 1) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x4B, 0x46, 0x4C, 0x0D, 0x0A, 0x1A, 0x0A, version] + [UInt8](repeating: 0, count: 15)
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
