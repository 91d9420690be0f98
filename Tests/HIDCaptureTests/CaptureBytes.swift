import HIDCapture
import KeyModel

/// Builds captures in memory: usbmon and USBPcap packets in pcap and pcapng files of either byte order.
struct CaptureBytes {
    private(set) var bytes: [UInt8] = []
    var isBigEndian = false

    mutating func put<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { bytes += $0 }
    }

    mutating func put(_ more: [UInt8]) { bytes += more }

    // MARK: Packets

    /// A usbmon record with 64 header bytes, or 48. `setup` is never swapped.
    static func usbmon(
        _ type: Character, transfer: UInt8 = 1, endpoint: UInt8 = 0x81, device: UInt8 = 5, bus: UInt16 = 1,
        status: Int32 = 0, id: UInt64 = 0x1000, setup: [UInt8]? = nil, data: [UInt8] = [], header: Int = 64,
        isBigEndian: Bool = false
    ) -> [UInt8] {
        var packet = CaptureBytes(isBigEndian: isBigEndian)
        packet.put(id)
        packet.put([type.asciiValue ?? 0, transfer, endpoint, device])
        packet.put(bus)
        packet.put([setup == nil ? 0x2D : 0, data.isEmpty ? 0x3C : 0])
        packet.put(Int64(0))
        packet.put(Int32(0))
        packet.put(status)
        packet.put(UInt32(data.count))
        packet.put(UInt32(data.count))
        packet.put(setup ?? Array(repeating: 0, count: 8))
        if header == 64 { packet.put(Array(repeating: 0, count: 16)) }
        packet.put(data)
        return packet.bytes
    }

    /// A boot report with its completion.
    static func report(
        _ keys: [UInt8], modifiers: UInt8 = 0, device: UInt8 = 5, endpoint: UInt8 = 0x81, header: Int = 64,
        isBigEndian: Bool = false
    ) -> [UInt8] {
        let slots = (keys + Array(repeating: 0, count: 6)).prefix(6)
        return usbmon(
            "C", endpoint: endpoint, device: device, data: [modifiers, 0] + slots, header: header,
            isBigEndian: isBigEndian)
    }

    /// A GET_DESCRIPTOR request and its answer.
    static func descriptor(
        _ type: UInt8, index: UInt8 = 0, wIndex: UInt8 = 0, device: UInt8 = 5, _ data: [UInt8], id: UInt64 = 0x2000,
        isBigEndian: Bool = false
    ) -> [[UInt8]] {
        let setup: [UInt8] = [type == 0x22 ? 0x81 : 0x80, 6, index, type, wIndex, 0, UInt8(data.count & 0xFF), 0]
        return [
            usbmon(
                "S", transfer: 2, endpoint: 0x80, device: device, status: -115, id: id, setup: setup,
                isBigEndian: isBigEndian),
            usbmon(
                "C", transfer: 2, endpoint: 0x80, device: device, id: id, data: data, isBigEndian: isBigEndian),
        ]
    }

    /// A configuration with one HID interface per tuple.
    static func configuration(
        _ interfaces: [(subclass: UInt8, protocolCode: UInt8, descriptorLength: UInt16, endpoint: UInt8)]
    ) -> [UInt8] {
        var body: [UInt8] = []
        for (number, interface) in interfaces.enumerated() {
            body += [9, 4, UInt8(number), 0, 1, 3, interface.subclass, interface.protocolCode, 0]
            body += [
                9, 0x21, 0x11, 1, 0, 1, 0x22, UInt8(interface.descriptorLength & 0xFF),
                UInt8(interface.descriptorLength >> 8),
            ]
            body += [7, 5, interface.endpoint, 3, 8, 0, 10]
        }
        let total = body.count + 9
        return [9, 2, UInt8(total & 0xFF), UInt8(total >> 8), UInt8(interfaces.count), 1, 0, 0xA0, 50] + body
    }

    /// A USBPcap record of an interrupt transfer, or of a control transfer with a stage.
    static func usbpcap(
        transfer: UInt8 = 1, endpoint: UInt8 = 0x81, device: UInt16 = 5, status: UInt32 = 0, isFromDevice: Bool = true,
        stage: UInt8? = nil, id: UInt64 = 7, data: [UInt8]
    ) -> [UInt8] {
        var packet = CaptureBytes()
        packet.put(UInt16(stage == nil ? 27 : 28))
        packet.put(id)
        packet.put(status)
        packet.put(UInt16(9))
        packet.put([isFromDevice ? 1 : 0])
        packet.put(UInt16(1))
        packet.put(device)
        packet.put([endpoint, transfer])
        packet.put(UInt32(data.count))
        if let stage { packet.put([stage]) }
        packet.put(data)
        return packet.bytes
    }

    // MARK: Files

    /// A classic pcap file; packets are a millisecond apart.
    static func pcap(
        _ packets: [[UInt8]], linkType: UInt32 = 220, isBigEndian: Bool = false, isNanosecond: Bool = false,
        micros: [UInt64]? = nil
    ) -> [UInt8] {
        var file = CaptureBytes(isBigEndian: isBigEndian)
        file.put(UInt32(isNanosecond ? 0xA1B2_3C4D : 0xA1B2_C3D4))
        file.put(UInt16(2))
        file.put(UInt16(4))
        file.put(UInt64(0))
        file.put(UInt32(65_535))
        file.put(linkType)
        for (number, packet) in packets.enumerated() {
            let stamp = micros?[number] ?? UInt64(number) * 1000
            file.put(UInt32(1_700_000_000 + stamp / 1_000_000))
            file.put(UInt32(stamp % 1_000_000 * (isNanosecond ? 1000 : 1)))
            file.put(UInt32(packet.count))
            file.put(UInt32(packet.count))
            file.put(packet)
        }
        return file.bytes
    }

    mutating func block(_ kind: UInt32, _ body: (inout CaptureBytes) -> Void) {
        var inner = CaptureBytes(isBigEndian: isBigEndian)
        body(&inner)
        while inner.bytes.count % 4 != 0 { inner.put([0]) }
        put(kind)
        put(UInt32(inner.bytes.count + 12))
        put(inner.bytes)
        put(UInt32(inner.bytes.count + 12))
    }

    mutating func section() {
        block(0x0A0D_0D0A) {
            $0.put(UInt32(0x1A2B_3C4D))
            $0.put(UInt16(1))
            $0.put(UInt16(0))
            $0.put(Int64(-1))
        }
    }

    mutating func interface(_ linkType: UInt16 = 220, resolution: UInt8? = nil, offset: Int64? = nil) {
        block(1) {
            $0.put(linkType)
            $0.put(UInt16(0))
            $0.put(UInt32(0))
            if let resolution {
                $0.put(UInt16(9))
                $0.put(UInt16(1))
                $0.put([resolution, 0, 0, 0])
            }
            if let offset {
                $0.put(UInt16(14))
                $0.put(UInt16(8))
                $0.put(offset)
            }
            $0.put(UInt32(0))
        }
    }

    mutating func enhanced(_ packet: [UInt8], stamp: UInt64, interface: UInt32 = 0) {
        block(6) {
            $0.put(interface)
            $0.put(UInt32(stamp >> 32))
            $0.put(UInt32(truncatingIfNeeded: stamp))
            $0.put(UInt32(packet.count))
            $0.put(UInt32(packet.count))
            $0.put(packet)
        }
    }

    mutating func obsolete(_ packet: [UInt8], stamp: UInt64) {
        block(2) {
            $0.put(UInt16(0))
            $0.put(UInt16(0))
            $0.put(UInt32(stamp >> 32))
            $0.put(UInt32(truncatingIfNeeded: stamp))
            $0.put(UInt32(packet.count))
            $0.put(UInt32(packet.count))
            $0.put(packet)
        }
    }

    mutating func simple(_ packet: [UInt8]) {
        block(3) {
            $0.put(UInt32(packet.count))
            $0.put(packet)
        }
    }

    // MARK: Results

    /// What a capture says, such as `1 a+ 1 a- @1000`: device, key, direction, time in microseconds.
    static func lines(_ bytes: [UInt8]) throws -> [String] {
        var lines: [String] = []
        try Capture(bytes: bytes).forEachBatch { events in
            for event in events {
                let sign = event.phase == .down ? "+" : event.isSynthetic ? "!" : "-"
                let micros = event.time.nanoseconds / 1000
                lines.append("\(event.device) \(event.key.usage?.chordName ?? "?")\(sign) @\(micros)")
            }
        }
        return lines
    }
}
