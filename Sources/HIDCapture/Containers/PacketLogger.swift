/// PacketLogger files (`.pklg`) of macOS, iOS and btstack: no file header; each record is the length of what follows,
/// seconds, microseconds, a type and the packet. Both byte orders exist (spec §1).
enum PacketLogger {
    private static let recordHeader = 13
    /// The bytes of the header that the length includes.
    private static let counted = 9
    /// The largest packet that the length may announce.
    private static let largest = counted + 65_536

    private static let types: Set<UInt8> = [
        0, 1, 2, 3, 8, 9, 0x0A, 0x0B, 0xF7, 0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF,
    ]

    /// True for big-endian files, false for little-endian ones, `nil` for other files. There is no magic: two records
    /// in a row must look like records.
    static func byteOrder(_ head: [UInt8]) -> Bool? {
        isChain(head, isBigEndian: true) ? true : isChain(head, isBigEndian: false) ? false : nil
    }

    private static func isChain(_ head: [UInt8], isBigEndian: Bool) -> Bool {
        head.withUnsafeBytes { bytes in
            var (at, records) = (0, 0)
            while at < bytes.count, records < 2, let base = bytes.baseAddress {
                guard bytes.count - at >= recordHeader else { return false }
                guard let length = length(base + at, isBigEndian) else { return false }
                records += 1
                at += 4 + length
            }
            return records >= 2
        }
    }

    /// Bytes behind the length field; `nil` where no record can begin.
    private static func length(_ record: UnsafeRawPointer, _ isBigEndian: Bool) -> Int? {
        let length = Int(record.integer(0, as: UInt32.self, isBigEndian: isBigEndian))
        let micros = record.integer(8, as: UInt32.self, isBigEndian: isBigEndian)
        return (counted...largest).contains(length) && micros < 1_000_000 && types.contains(record.byte(12))
            ? length : nil
    }

    static func read(_ input: CaptureInput, isBigEndian: Bool, into traffic: CaptureTraffic) throws(CaptureError) {
        while let header = try input.peek(recordHeader), let fields = header.baseAddress {
            guard let length = length(fields, isBigEndian) else {
                return traffic.noteDamage(
                    at: input.offset, "packet header", "a length, a time and a type", hexadecimal(header))
            }
            guard let whole = try input.peek(4 + length), let start = whole.baseAddress else {
                return traffic.noteDamage(
                    at: input.offset, "packet of \(length - counted) bytes", "all of them",
                    "\(input.remaining - recordHeader)")
            }
            let seconds = Int64(start.integer(4, as: UInt32.self, isBigEndian: isBigEndian))
            let micros = Int64(start.integer(8, as: UInt32.self, isBigEndian: isBigEndian))
            let time = traffic.time(of: seconds * 1_000_000_000 + micros * 1000)
            traffic.facts.packets += 1
            let bytes = UnsafeRawBufferPointer(start: start + recordHeader, count: length - counted)
            switch start.byte(12) {
            case 1: traffic.bluetooth.event(0, bytes, time)
            case let type where type == 2 || type == 3:
                traffic.bluetooth.data(0, isReceived: type == 3, bytes, time)
            default: break
            }
            input.consume(whole.count)
        }
        if input.remaining > 0 {
            traffic.noteDamage(at: input.offset, "packet header", "\(recordHeader) bytes", "\(input.remaining)")
        }
    }
}
