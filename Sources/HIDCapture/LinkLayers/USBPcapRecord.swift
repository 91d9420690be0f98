/// Records of USBPcap, link type 249: packed, little-endian, data behind a header that contains its own length.
enum USBPcapRecord {
    /// Bytes that every header has.
    static let smallestHeader = 27

    private static let interrupt: UInt8 = 1
    private static let control: UInt8 = 2
    private static let bulk: UInt8 = 3
    private enum Stage {
        static let setup: UInt8 = 0
        static let data: UInt8 = 1
        static let complete: UInt8 = 3
    }

    static func read(_ packet: UnsafeRawBufferPointer, isCut: Bool, time: Int64, into traffic: CaptureTraffic) {
        guard packet.count >= smallestHeader, let fields = packet.baseAddress else {
            if mayBeReport(packet) { traffic.facts.cutReports += 1 }
            return
        }
        let header = Int(fields.integer(0, as: UInt16.self))
        // A header length below the fixed part, or beyond the packet, leaves nothing to read.
        guard header >= smallestHeader, header <= packet.count else {
            if mayBeReport(packet) { traffic.facts.cutReports += 1 }
            return
        }
        let announced = Int(fields.integer(23, as: UInt32.self))
        let data = UnsafeRawBufferPointer(start: fields + header, count: min(announced, packet.count - header))
        let isFromDevice = fields.byte(16) & 1 != 0
        let (bus, endpoint) = (fields.integer(17, as: UInt16.self), fields.byte(21))
        let address = UInt8(truncatingIfNeeded: fields.integer(19, as: UInt16.self))
        switch fields.byte(22) {
        case interrupt where isFromDevice && endpoint & 0x80 != 0:
            let status = fields.integer(10, as: UInt32.self)
            if status == 0, announced > 0 || packet.count > header {
                // A report that announces more bytes than there are is read, as short reports are, and one that
                // announces fewer as far as that.
                if announced != packet.count - header { traffic.facts.cutReports += 1 }
                guard !data.isEmpty, data.count == announced || !isCut else { return }
                traffic.report(.usbpcap, bus: bus, address: address, endpoint: endpoint, data, time: time)
            } else if isEnd(status) {
                traffic.ended(.usbpcap, bus: bus, address: address, endpoint: endpoint, time: time)
            }
        case bulk where isFromDevice == (endpoint & 0x80 != 0):
            traffic.bulk(.usbpcap, bus: bus, address: address, endpoint: endpoint, data, time: time)
        case control where header > smallestHeader:
            let id = fields.integer(2, as: UInt64.self)
            switch fields.byte(27) {
            case Stage.setup:
                guard data.count >= 8, let setup = data.baseAddress else { return }
                traffic.controlRequest(
                    .usbpcap, bus: bus, address: address, id: id, setup: setup,
                    UnsafeRawBufferPointer(rebasing: data[8...]), time: time)
            case Stage.data, Stage.complete:
                // Drivers before 1.5 send the answer in the data stage, later ones when the transfer is complete.
                if isFromDevice, !data.isEmpty { traffic.controlAnswer(id: id, data) }
            default: break
            }
        default: break
        }
    }

    /// A record that is not whole may be an answer of an interrupt endpoint.
    private static func mayBeReport(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard packet.count >= 23 else { return true }
        return packet[16] & 1 != 0 && packet[21] & 0x80 != 0 && packet[22] == interrupt
    }

    /// USBD_STATUS_CANCELED and USBD_STATUS_DEVICE_GONE.
    private static func isEnd(_ status: UInt32) -> Bool { status == 0xC001_0000 || status == 0xC000_7000 }
}
