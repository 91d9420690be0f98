import HIDCapture
import KeyModel

/// Builds Bluetooth packets in memory, and the containers they come in.
enum BluetoothBytes {
    static func word(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }

    /// Data packets of a connection with the H4 byte; more than one when `pieces` is given.
    static func data(
        _ payload: [UInt8], channel: Int, handle: Int = 42, isReceived: Bool = true, pieces: Int = 1,
        announced: Int? = nil
    ) -> [[UInt8]] {
        let packet = word(announced ?? payload.count) + word(channel) + payload
        let size = (packet.count + pieces - 1) / pieces
        return stride(from: 0, to: packet.count, by: size).map { at in
            let piece = Array(packet[at..<min(at + size, packet.count)])
            let boundary = at > 0 ? 1 : isReceived ? 2 : 0
            return [2] + word(handle | boundary << 12) + word(piece.count) + piece
        }
    }

    /// A report of a classic keyboard on its interrupt channel.
    static func report(_ keys: [UInt8], modifiers: UInt8 = 0, channel: Int = 0x41, handle: Int = 42) -> [[UInt8]] {
        let slots = (keys + Array(repeating: 0, count: 6)).prefix(6)
        return data([0xA1, 1, modifiers, 0] + slots, channel: channel, handle: handle)
    }

    /// A notification of a low-energy keyboard.
    static func notification(_ report: [UInt8], attribute: Int = 0x14, handle: Int = 43) -> [[UInt8]] {
        data([0x1B] + word(attribute) + report, channel: 4, handle: handle)
    }

    static func attribute(_ packet: [UInt8], isReceived: Bool, handle: Int = 43) -> [[UInt8]] {
        data(packet, channel: 4, handle: handle, isReceived: isReceived)
    }

    /// Signalling of a classic connection: the keyboard's channel for a service.
    static func connect(service: Int, own: Int, theirs: Int, handle: Int = 42, identifier: UInt8 = 1) -> [[UInt8]] {
        data([2, identifier] + word(4) + word(service) + word(own), channel: 1, handle: handle, isReceived: false)
            + data([3, identifier] + word(8) + word(theirs) + word(own) + word(0) + word(0), channel: 1, handle: handle)
    }

    static func disconnected(handle: Int) -> [UInt8] { [4, 5, 4, 0] + word(handle) + [0x13] }

    static func connected(handle: Int, address: [UInt8], isLowEnergy: Bool) -> [UInt8] {
        isLowEnergy
            ? [4, 0x3E, 19, 1, 0] + word(handle) + [0, 0] + address + [6, 0, 0, 0, 0x2A, 0, 0]
            : [4, 3, 11, 0] + word(handle) + address + [1, 0]
    }

    // MARK: Containers

    /// True for packets to the host.
    static func isReceived(_ packet: [UInt8]) -> Bool {
        packet[0] == 4 || packet[0] == 2 && packet[2] >> 4 & 3 != 0
    }

    private static func big(_ value: UInt64, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (width - 1 - $0))) }
    }

    /// Packets a millisecond apart.
    static func btsnoop(_ packets: [[UInt8]], link: UInt64 = 1002, drops: [UInt64]? = nil) -> [UInt8] {
        var file = Array("btsnoop\0".utf8) + big(1, 4) + big(link, 4)
        for (number, packet) in packets.enumerated() {
            let stamp = 0x00DC_DDB3_0F2F_8000 + 1_700_000_000_000_000 + UInt64(number) * 1000
            let received = isReceived(packet)
            let flags: UInt64
            switch link {
            case 2001: flags = packet[0] == 4 ? 3 : received ? 5 : 4
            default: flags = (received ? 1 : 0) | (packet[0] == 2 ? 0 : 2)
            }
            let body = link == 1002 ? packet : Array(packet.dropFirst())
            file += big(UInt64(body.count), 4) + big(UInt64(body.count), 4) + big(flags, 4)
            file += big(drops?[number] ?? 0, 4) + big(stamp, 8) + body
        }
        return file
    }

    static func packetLogger(_ packets: [[UInt8]], isBigEndian: Bool) -> [UInt8] {
        func number(_ value: UInt64) -> [UInt8] { isBigEndian ? big(value, 4) : big(value, 4).reversed() }
        var file: [UInt8] = []
        for (index, packet) in packets.enumerated() {
            let type: UInt8 = packet[0] == 4 ? 1 : isReceived(packet) ? 3 : 2
            file += number(UInt64(packet.count - 1 + 9)) + number(1_700_000_000) + number(UInt64(index) * 1000)
            file += [type] + packet.dropFirst()
        }
        return file
    }

    /// Link type 187, or 201 with the direction before each packet.
    static func pcap(_ packets: [[UInt8]], hasDirection: Bool = true) -> [UInt8] {
        CaptureBytes.pcap(
            packets.map { hasDirection ? [0, 0, 0, isReceived($0) ? 1 : 0] + $0 : $0 },
            linkType: hasDirection ? 201 : 187)
    }

    /// `a`, then `b` with Shift, on a classic keyboard whose channels are known.
    static let typed: [[UInt8]] =
        connected(handle: 42, address: [1, 2, 3, 4, 5, 6], isLowEnergy: false).asPackets
        + connect(service: 0x13, own: 0x40, theirs: 0x41, identifier: 2)
        + [[4], [], [5], []].enumerated().flatMap { number, keys in
            report(keys, modifiers: number == 2 ? 2 : 0, channel: 0x40)
        }
}

extension [UInt8] {
    var asPackets: [[UInt8]] { [self] }
}
