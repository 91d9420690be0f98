/// Records of macOS's USB interfaces (XHC20 and the like), link type 266: a little-endian header that contains its own
/// length, then data. Endpoint types are in the order of bmAttributes, unlike everywhere else (spec §2, 266 Darwin).
enum DarwinUSBRecord {
    /// Bytes that every header has.
    static let smallestHeader = 32

    private static let submitted: UInt8 = 0
    private static let completed: UInt8 = 1
    private static let control: UInt8 = 0
    private static let bulk: UInt8 = 2
    private static let interrupt: UInt8 = 3
    /// kIOReturnAborted, kIOReturnNotResponding and kIOReturnNoDevice.
    private static let ends: Set<UInt32> = [0xE000_02EB, 0xE000_02ED, 0xE000_02C0]

    static func read(_ packet: UnsafeRawBufferPointer, isCut: Bool, time: Int64, into traffic: CaptureTraffic) {
        guard packet.count >= smallestHeader, let fields = packet.baseAddress else {
            return traffic.facts.cutReports += 1
        }
        let header = Int(fields.byte(2))
        // A header length below the fixed part, or beyond the packet, leaves nothing to read.
        guard header >= smallestHeader, header <= packet.count else {
            let mayBeReport = fields.byte(31) == interrupt && fields.byte(3) == completed && fields.byte(30) & 0x80 != 0
            if mayBeReport { traffic.facts.cutReports += 1 }
            return
        }
        let (kind, announced) = (fields.byte(3), Int(fields.integer(4, as: UInt32.self)))
        let present = UnsafeRawBufferPointer(rebasing: packet[header...])
        let (address, endpoint) = (fields.byte(29), fields.byte(30))
        let id = fields.integer(16, as: UInt64.self)
        switch fields.byte(31) {
        case interrupt where kind == completed && endpoint & 0x80 != 0:
            let status = fields.integer(8, as: UInt32.self)
            let data = UnsafeRawBufferPointer(rebasing: present.prefix(announced))
            if status == 0, announced > 0 || !present.isEmpty {
                // A report that announces more bytes than there are is read, as short reports are, and one that
                // announces fewer as far as that.
                if announced != present.count { traffic.facts.cutReports += 1 }
                guard !data.isEmpty, data.count == announced || !isCut else { return }
                traffic.report(.darwin, bus: 0, address: address, endpoint: endpoint, data, time: time)
            } else if ends.contains(status) {
                traffic.ended(.darwin, bus: 0, address: address, endpoint: endpoint, time: time)
            }
        case bulk where kind == (endpoint & 0x80 != 0 ? completed : submitted):
            traffic.bulk(
                .darwin, bus: 0, address: address, endpoint: endpoint,
                UnsafeRawBufferPointer(rebasing: present.prefix(announced)), time: time)
        case control:
            if kind == submitted, present.count >= 8, let setup = present.baseAddress {
                traffic.controlRequest(
                    .darwin, bus: 0, address: address, id: id, setup: setup,
                    UnsafeRawBufferPointer(rebasing: present[8...]), time: time)
            } else if kind == completed {
                traffic.controlAnswer(id: id, UnsafeRawBufferPointer(rebasing: present.prefix(announced)))
            }
        default: break
        }
    }
}
