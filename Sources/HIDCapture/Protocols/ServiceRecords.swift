/// Finds the report descriptor of a classic Bluetooth device in the answers to service discovery: attribute 0x0206,
/// HIDDescriptorList (HID profile 1.1, section 5.3.4.7).
///
/// An answer may come in parts. Nothing is nested deeper than the attribute needs, and lengths never point beyond
/// what is there.
struct ServiceRecords {
    /// The parts of an answer so far.
    private var parts: [UInt8] = []

    /// Takes a packet; returns the descriptor when an answer is complete and has one.
    mutating func receive(_ packet: UnsafeRawBufferPointer) -> [UInt8]? {
        // Answers to attribute requests: identifier, transaction, length, count of bytes, the bytes, continuation.
        guard packet.count >= 8, let fields = packet.baseAddress, packet[0] == 0x05 || packet[0] == 0x07 else {
            return nil
        }
        let count = Int(fields.integer(5, as: UInt16.self, isBigEndian: true))
        guard count <= packet.count - 8 else {
            parts.removeAll()
            return nil
        }
        parts += packet[7..<(7 + count)]
        guard parts.count <= 1 << 16 else {
            parts.removeAll()
            return nil
        }
        let continues = packet[7 + count] != 0
        if continues { return nil }
        defer { parts.removeAll(keepingCapacity: true) }
        return ServiceRecords.descriptor(in: parts)
    }

    /// `09 02 06`, then a sequence of sequences of an 8-bit 22 and a string.
    private static func descriptor(in bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 3 else { return nil }
        for at in 0..<(bytes.count - 3) where bytes[at] == 0x09 && bytes[at + 1] == 0x02 && bytes[at + 2] == 0x06 {
            guard let outer = element(bytes[(at + 3)...], types: [6]), let inner = element(outer, types: [6]),
                inner.count > 2, inner[inner.startIndex] == 0x08, inner[inner.startIndex + 1] == 0x22,
                let text = element(inner.dropFirst(2), types: [4])
            else { continue }
            return Array(text.prefix(CaptureLimits.descriptorBytes))
        }
        return nil
    }

    /// The content of a data element of one of these types with a length of 1, 2 or 4 bytes.
    private static func element(_ bytes: ArraySlice<UInt8>, types: [UInt8]) -> ArraySlice<UInt8>? {
        guard let head = bytes.first, types.contains(head >> 3), (5...7).contains(head & 7) else { return nil }
        let width = 1 << Int(head & 7 - 5)
        let rest = bytes.dropFirst()
        guard rest.count >= width else { return nil }
        let length = rest.prefix(width).reduce(0) { $0 << 8 | Int($1) }
        let content = rest.dropFirst(width)
        return length <= content.count ? content.prefix(length) : nil
    }
}
