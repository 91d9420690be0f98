/// PacketLogger files.
enum PacketLogger {
    /// True for big-endian files, false for little-endian ones, `nil` for other files.
    static func byteOrder(_ head: [UInt8]) -> Bool? {
        isPacketLogger(head, isBigEndian: true) ? true : isPacketLogger(head, isBigEndian: false) ? false : nil
    }

    static func read(_ input: CaptureInput, isBigEndian: Bool, into traffic: CaptureTraffic) throws(CaptureError) {
        traffic.facts.bluetoothContainer = "PacketLogger"
    }

    /// PacketLogger has no magic: two records in a row must look like its own. A record is the length of what
    /// follows, seconds, microseconds, a type and the payload.
    private static func isPacketLogger(_ bytes: [UInt8], isBigEndian: Bool) -> Bool {
        var at = 0
        var records = 0
        while at < bytes.count {
            guard bytes.count - at >= 13 else { return records >= 2 }
            let length = number(bytes[at..<at + 4], isBigEndian)
            let microseconds = number(bytes[at + 8..<at + 12], isBigEndian)
            guard (9...65_545).contains(length), microseconds < 1_000_000, types.contains(bytes[at + 12]) else {
                return false
            }
            records += 1
            at += 4 + Int(length)
        }
        return records >= 2
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> UInt32 {
        bytes.enumerated().reduce(0) { sum, byte in
            sum | UInt32(byte.element) << UInt32(8 * (isBigEndian ? 3 - byte.offset : byte.offset))
        }
    }

    private static let types: Set<UInt8> = [
        0, 1, 2, 3, 8, 9, 0x0A, 0x0B, 0xF7, 0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF,
    ]
}
