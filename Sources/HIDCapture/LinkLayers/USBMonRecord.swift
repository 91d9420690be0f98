/// Records of Linux usbmon: link type 189 with 48 header bytes, 220 with 64 (kernel, Documentation/usb/usbmon.rst).
///
/// Fields are in the byte order of the capturing machine, setup bytes as on the wire. libpcap swaps the fields of
/// a classic file; in a pcapng file their order is the section's.
enum USBMonRecord {
    static let headerOf189 = 48
    static let headerOf220 = 64

    private static let submitted: UInt8 = 0x53
    private static let completed: UInt8 = 0x43
    private static let interrupt: UInt8 = 1
    private static let control: UInt8 = 2
    private static let bulk: UInt8 = 3

    /// `isCut`: the capture kept fewer bytes of this packet than there were.
    @inline(__always)
    static func read(
        _ packet: UnsafeRawBufferPointer, header: Int, isBigEndian: Bool, isCut: Bool, time: Int64,
        into traffic: CaptureTraffic
    ) {
        guard packet.count >= header, let fields = packet.baseAddress else {
            if mayBeReport(packet) { traffic.facts.cutReports += 1 }
            return
        }
        let (type, transfer, endpoint) = (fields.byte(8), fields.byte(9), fields.byte(10))
        if transfer == interrupt {
            guard type == completed, endpoint & 0x80 != 0 else { return }
            let bus = fields.integer(12, as: UInt16.self, isBigEndian: isBigEndian)
            let announced = fields.integer(36, as: UInt32.self, isBigEndian: isBigEndian)
            let status = fields.integer(28, as: Int32.self, isBigEndian: isBigEndian)
            let actual = fields.integer(32, as: UInt32.self, isBigEndian: isBigEndian)
            // The bytes that are there count: announced lengths may include the header or what was cut, or be 0
            // although the record's flags announce data.
            let announcesNothing = announced == 0 && fields.byte(15) == 0
            let present = min(Int(announcesNothing ? actual : announced), packet.count - header)
            // A report that the capture cut, or whose data it does not have; one that only announces more than there is
            // is read, as short reports are.
            let isShort = (status == 0 || present > 0) && present < Int(actual)
            if isShort {
                traffic.facts.cutReports += 1
                guard !isCut, present > 0 else { return }
            }
            if present > 0, status == 0 || actual > 0 {
                traffic.report(
                    .usbmon, bus: bus, address: fields.byte(11), endpoint: endpoint,
                    UnsafeRawBufferPointer(start: fields + header, count: present), time: time)
            } else if isEnd(status) {
                traffic.ended(.usbmon, bus: bus, address: fields.byte(11), endpoint: endpoint, time: time)
            }
        } else if transfer == bulk, type == (endpoint & 0x80 != 0 ? completed : submitted) {
            let announced = fields.integer(36, as: UInt32.self, isBigEndian: isBigEndian)
            traffic.bulk(
                .usbmon, bus: fields.integer(12, as: UInt16.self, isBigEndian: isBigEndian), address: fields.byte(11),
                endpoint: endpoint,
                UnsafeRawBufferPointer(start: fields + header, count: min(Int(announced), packet.count - header)),
                time: time)
        } else if transfer == control {
            readControl(fields, packet, header, isBigEndian, type, time, traffic)
        }
    }

    /// A record that ends before its header does may be an answer of an interrupt endpoint.
    private static func mayBeReport(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard packet.count >= 11 else { return true }
        return packet[8] == completed && packet[9] == interrupt && packet[10] & 0x80 != 0
    }

    /// ENOENT and ECONNRESET: the host cancelled the transfer; ESHUTDOWN: the device is gone.
    static func isEnd(_ status: Int32) -> Bool { status == -2 || status == -104 || status == -108 }

    private static func readControl(
        _ fields: UnsafeRawPointer, _ packet: UnsafeRawBufferPointer, _ header: Int, _ isBigEndian: Bool,
        _ type: UInt8, _ time: Int64, _ traffic: CaptureTraffic
    ) {
        let id = fields.integer(0, as: UInt64.self, isBigEndian: isBigEndian)
        if type == submitted, fields.byte(14) == 0 {
            let bus = fields.integer(12, as: UInt16.self, isBigEndian: isBigEndian)
            let announced = fields.integer(36, as: UInt32.self, isBigEndian: isBigEndian)
            let data = UnsafeRawBufferPointer(
                start: fields + header, count: min(Int(announced), packet.count - header))
            traffic.controlRequest(
                .usbmon, bus: bus, address: fields.byte(11), id: id, setup: fields + 40, data, time: time)
        } else if type != submitted {
            let announced = fields.integer(36, as: UInt32.self, isBigEndian: isBigEndian)
            let present = min(Int(announced), packet.count - header)
            traffic.controlAnswer(id: id, UnsafeRawBufferPointer(start: fields + header, count: present))
        }
    }
}
