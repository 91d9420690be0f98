/// btsnoop files: a header of 16 bytes, records of 24 bytes and a packet, all big-endian, stamps in microseconds
/// since the year 0 (spec §1).
enum Btsnoop {
    static let magic = Array("btsnoop\0".utf8)
    private static let fileHeader = 16
    private static let recordHeader = 24
    /// Microseconds from the year 0 to 1970.
    private static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

    enum DataLink {
        static let withoutType: UInt16 = 1001
        static let h4: UInt16 = 1002
        static let monitor: UInt16 = 2001
        static let all = [withoutType, h4, monitor]
    }

    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        guard let header = try input.peek(fileHeader), let fields = header.baseAddress else {
            throw .malformed(
                offset: 0, what: "btsnoop header", expected: "\(fileHeader) bytes", found: "\(input.remaining)")
        }
        let version = fields.integer(8, as: UInt32.self, isBigEndian: true)
        let link = UInt16(clamping: fields.integer(12, as: UInt32.self, isBigEndian: true))
        guard version == 1 else {
            throw .malformed(offset: 8, what: "btsnoop version", expected: "1", found: "\(version)")
        }
        traffic.facts.linkTypes = [link]
        guard DataLink.all.contains(link) else {
            traffic.facts.note("btsnoop packets of type \(link) are not read (1001, 1002 and 2001 are)")
            return
        }
        input.consume(fileHeader)
        var drops: UInt32 = 0
        while let record = try input.peek(recordHeader), let fields = record.baseAddress {
            let included = fields.integer(4, as: UInt32.self, isBigEndian: true)
            guard included <= CaptureLimits.blockBytes else {
                return traffic.noteDamage(
                    at: input.offset, "packet length", "at most \(CaptureLimits.blockBytes)", "\(included)")
            }
            guard let whole = try input.peek(recordHeader + Int(included)), let start = whole.baseAddress else {
                return traffic.noteDamage(
                    at: input.offset, "packet of \(included) bytes", "all of them",
                    "\(input.remaining - recordHeader)")
            }
            let dropped = start.integer(12, as: UInt32.self, isBigEndian: true)
            if dropped > drops { traffic.facts.sourceDrops.add(UInt64(dropped - drops)) }
            drops = max(drops, dropped)
            packet(link, start, included, traffic)
            input.consume(whole.count)
        }
        if input.remaining > 0 {
            traffic.noteDamage(at: input.offset, "packet header", "\(recordHeader) bytes", "\(input.remaining)")
        }
    }

    private static func packet(
        _ link: UInt16, _ record: UnsafeRawPointer, _ length: UInt32, _ traffic: CaptureTraffic
    ) {
        let (micros, isBelow) = record.integer(16, as: Int64.self, isBigEndian: true)
            .subtractingReportingOverflow(epoch)
        let (stamp, isBeyond) = micros.multipliedReportingOverflow(by: 1000)
        let time = traffic.time(of: isBelow ? .min : isBeyond ? (micros < 0 ? .min : .max) : stamp)
        traffic.facts.packets += 1
        let flags = record.integer(8, as: UInt32.self, isBigEndian: true)
        let bytes = UnsafeRawBufferPointer(start: record + recordHeader, count: Int(length))
        switch link {
        case DataLink.monitor:
            HCIRecord.monitor(
                adapter: UInt16(truncatingIfNeeded: flags >> 16), opcode: UInt16(truncatingIfNeeded: flags), bytes,
                time: time, into: traffic)
        case DataLink.h4: HCIRecord.h4(bytes, isReceived: flags & 1 == 1, time: time, into: traffic)
        case _ where flags & 2 == 0: traffic.bluetooth.data(0, isReceived: flags & 1 == 1, bytes, time)
        default: if flags & 1 == 1 { traffic.bluetooth.event(0, bytes, time) }
        }
    }
}
