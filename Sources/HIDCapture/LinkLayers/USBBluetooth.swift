/// Bluetooth packets between a host and its controller on USB: commands are control transfers, events come on the
/// interrupt endpoint, data on the bulk endpoints (Bluetooth Core 5.4, volume 4, part B).
struct USBBluetooth {
    enum Packet: Int {
        case event
        case sent
        case received
    }

    /// Numbers of adapters by device.
    private var adapters: [Int: UInt16] = [:]
    /// Packets that the next transfers of the same interface of the capture complete.
    private var pieces: [Int: [UInt8]] = [:]

    /// HCI commands are requests of class and device whose data contain their own length.
    static func isCommand(_ setup: UnsafeRawPointer, _ data: UnsafeRawBufferPointer) -> Bool {
        setup.byte(0) == 0x20 && data.count >= 3 && Int(data[2]) == data.count - 3
    }

    /// A first piece of L2CAP from a controller, for captures that have no other sign of one.
    static func isData(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 8, let fields = bytes.baseAddress else { return false }
        let (handle, length) = (fields.integer(0, as: UInt16.self), Int(fields.integer(2, as: UInt16.self)))
        return handle >> 12 == 2 && (1..<0xF00).contains(handle & 0xFFF) && length == bytes.count - 4
            && length >= Int(fields.integer(4, as: UInt16.self)) + 4 && fields.integer(6, as: UInt16.self) != 0
    }

    /// A transfer of a controller.
    mutating func read(
        _ packet: Packet, _ bytes: UnsafeRawBufferPointer, device: Int, time: Int64, into traffic: CaptureTraffic
    ) {
        let adapter = adapters[device] ?? UInt16(adapters.count)
        adapters[device] = adapter
        let key = (device * 3 + packet.rawValue) << 8 | Int(traffic.selectedInterface)
        collect(bytes, key: key, header: packet == .event ? 2 : 4) {
            switch packet {
            case .event: traffic.bluetooth.event(adapter, $0, time)
            case .sent, .received: traffic.bluetooth.data(adapter, isReceived: packet == .received, $0, time)
            }
        }
    }

    /// Puts a packet together that is longer than the endpoint takes at once: its pieces are full, of 16 bytes or a
    /// multiple, but for the last one.
    private mutating func collect(
        _ bytes: UnsafeRawBufferPointer, key: Int, header: Int, _ deliver: (UnsafeRawBufferPointer) -> Void
    ) {
        func lacks(_ packet: UnsafeRawBufferPointer) -> Bool {
            guard bytes.count % 16 == 0, packet.count >= header else { return false }
            return packet.count < header + (header == 2 ? Int(packet[1]) : Int(packet[2]) | Int(packet[3]) << 8)
        }
        guard let before = pieces.removeValue(forKey: key) else {
            if lacks(bytes) { pieces[key] = Array(bytes) } else { deliver(bytes) }
            return
        }
        let joined = before + bytes
        if joined.withUnsafeBytes(lacks) { pieces[key] = joined } else { joined.withUnsafeBytes(deliver) }
    }
}
