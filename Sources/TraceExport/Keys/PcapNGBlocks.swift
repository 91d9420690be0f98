/// Blocks of a pcapng file (IETF draft-ietf-opsawg-pcapng), little-endian, with timestamps in nanoseconds.
struct PcapNGBlocks {
    private(set) var bytes: [UInt8] = []

    /// A section and one interface.
    init(linkType: UInt16, name: String) {
        block(0x0A0D_0D0A) { block in
            block.put(UInt32(0x1A2B_3C4D))
            block.put(UInt16(1))
            block.put(UInt16(0))
            block.put(Int64(-1))
            block.option(4, Array("keyflight".utf8))
            block.option(0, [])
        }
        block(1) { block in
            block.put(linkType)
            block.put(UInt16(0))
            block.put(UInt32(0))
            block.option(2, Array(name.utf8))
            block.option(9, [9])
            block.option(0, [])
        }
    }

    mutating func packet(_ data: [UInt8], stamp: Int64, comment: String? = nil) {
        let stamp = UInt64(bitPattern: stamp)
        block(6) { block in
            block.put(UInt32(0))
            block.put(UInt32(truncatingIfNeeded: stamp >> 32))
            block.put(UInt32(truncatingIfNeeded: stamp))
            block.put(UInt32(data.count))
            block.put(UInt32(data.count))
            block.padded(data)
            guard let comment else { return }
            block.option(1, Array(comment.utf8.prefix(PcapNGBlocks.longestComment)))
            block.option(0, [])
        }
    }

    /// Options have 16 bits for their length.
    private static let longestComment = 8192

    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func block(_ type: UInt32, _ body: (inout PcapNGBlocks) -> Void) {
        let start = bytes.count
        put(type)
        put(UInt32(0))
        body(&self)
        let length = UInt32(bytes.count - start + 4)
        put(length)
        withUnsafeBytes(of: length.littleEndian) { bytes.replaceSubrange(start + 4..<start + 8, with: $0) }
    }

    mutating func put(_ number: some FixedWidthInteger) { bytes.append(littleEndian: number) }

    private mutating func option(_ code: UInt16, _ value: [UInt8]) {
        put(code)
        put(UInt16(value.count))
        padded(value)
    }

    private mutating func padded(_ data: [UInt8]) {
        bytes.append(contentsOf: data)
        bytes.append(contentsOf: Array(repeating: 0, count: (4 - data.count % 4) % 4))
    }
}
