/// Packets of the Bluetooth host controller interface in the forms that captures have (spec §3, transport headers). One
/// that ends before its type is known counts as cut: it may have had keys.
enum HCIRecord {
    /// Link type 187, and the rest of the others: a byte for the type, then the packet. Its adapter is not named: 0.
    static func h4(_ bytes: UnsafeRawBufferPointer, isReceived: Bool?, time: Int64, into traffic: CaptureTraffic) {
        guard let type = bytes.first else { return traffic.facts.cutReports += 1 }
        let packet = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        switch type {
        case 2: traffic.bluetooth.data(0, isReceived: isReceived, packet, time)
        case 4: traffic.bluetooth.event(0, packet, time)
        default: break  // commands, voice and isochronous data
        }
    }

    /// Link type 201: a big-endian number whose lowest bit is set for packets to the host, then H4.
    static func h4WithDirection(_ bytes: UnsafeRawBufferPointer, time: Int64, into traffic: CaptureTraffic) {
        guard bytes.count >= 4 else { return traffic.facts.cutReports += 1 }
        h4(UnsafeRawBufferPointer(rebasing: bytes[4...]), isReceived: bytes[3] & 1 == 1, time: time, into: traffic)
    }

    /// Link type 254: adapter and opcode, both big-endian, then the packet.
    static func monitor(_ bytes: UnsafeRawBufferPointer, time: Int64, into traffic: CaptureTraffic) {
        guard bytes.count >= 4, let fields = bytes.baseAddress else { return traffic.facts.cutReports += 1 }
        monitor(
            adapter: fields.integer(0, as: UInt16.self, isBigEndian: true),
            opcode: fields.integer(2, as: UInt16.self, isBigEndian: true),
            UnsafeRawBufferPointer(rebasing: bytes[4...]), time: time, into: traffic)
    }

    /// A packet of the Linux monitor channel.
    static func monitor(
        adapter: UInt16, opcode: UInt16, _ bytes: UnsafeRawBufferPointer, time: Int64, into traffic: CaptureTraffic
    ) {
        switch opcode {
        case 1, 9: traffic.bluetooth.adapterGone(adapter, time: time)
        case 3: traffic.bluetooth.event(adapter, bytes, time)
        case 4, 5: traffic.bluetooth.data(adapter, isReceived: opcode == 5, bytes, time)
        default: break
        }
    }
}
