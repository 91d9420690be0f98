/// Network packets: link header → IP → TCP. Only connections of protocols that carry keys are followed.
final class NetworkTraffic {
    /// The header before the IP packet.
    enum Link {
        case ethernet
        case cooked
        case cookedVersion2
        case loopback(isBigEndian: Bool)
        case none
    }

    /// Both ends of a connection, as a packet contains them.
    private struct Ends: Hashable {
        var source: [UInt8]
        var destination: [UInt8]
        var sourcePort: UInt16
        var destinationPort: UInt16

        var turned: Ends {
            Ends(
                source: destination, destination: source, sourcePort: destinationPort,
                destinationPort: sourcePort)
        }
    }

    private enum Flag {
        static let finished: UInt8 = 0x01
        static let synchronise: UInt8 = 0x02
        static let reset: UInt8 = 0x04
        static let acknowledgement: UInt8 = 0x10
    }

    unowned let traffic: CaptureTraffic
    /// The connections by the ends of the first packet seen of each.
    private var connections: [Ends: TCPConnection] = [:]
    private var connectionsSeen: UInt64 = 0
    /// Connections that carry no keys, or no more of them: they make room for others. Some may be gone by now.
    private var idle: [Ends] = []

    init(_ traffic: CaptureTraffic) { self.traffic = traffic }

    func packet(_ link: Link, _ bytes: UnsafeRawBufferPointer, time: Int64) {
        guard let base = bytes.baseAddress else { return }
        var at: Int
        switch link {
        case .ethernet:
            at = 12
            // Any number of VLAN tags, bounded by the packet.
            while bytes.count >= at + 6, NetworkTraffic.isTag(base, at) { at += 4 }
            guard bytes.count >= at + 2, NetworkTraffic.isIP(base, at) else { return }
            at += 2
        case .cooked:
            guard bytes.count >= 16, NetworkTraffic.isIP(base, 14) else { return }
            at = 16
        case .cookedVersion2:
            guard bytes.count >= 20, NetworkTraffic.isIP(base, 0) else { return }
            at = 20
        case .loopback(let isBigEndian):
            guard bytes.count >= 4 else { return }
            let family = base.integer(0, as: UInt32.self, isBigEndian: isBigEndian)
            // Systems number the families differently, and write them in their own byte order.
            let isIP = NetworkTraffic.families.contains(family) || NetworkTraffic.families.contains(family.byteSwapped)
            guard isIP else { return }
            at = 4
        case .none: at = 0
        }
        internet(UnsafeRawBufferPointer(rebasing: bytes[min(at, bytes.count)...]), time)
    }

    /// IPv4 everywhere, and IPv6 on Linux, NetBSD, FreeBSD and macOS.
    private static let families: [UInt32] = [2, 10, 24, 28, 30]

    private static func isTag(_ base: UnsafeRawPointer, _ at: Int) -> Bool {
        [0x8100, 0x88A8].contains(base.integer(at, as: UInt16.self, isBigEndian: true))
    }

    private static func isIP(_ base: UnsafeRawPointer, _ at: Int) -> Bool {
        [0x0800, 0x86DD].contains(base.integer(at, as: UInt16.self, isBigEndian: true))
    }

    private func internet(_ packet: UnsafeRawBufferPointer, _ time: Int64) {
        guard let first = packet.first, let base = packet.baseAddress else { return }
        switch first >> 4 {
        case 4:
            let header = Int(first & 0x0F) * 4
            guard header >= 20, packet.count >= header, packet[9] == 6 else { return }
            // Fragments are left out: what is sent over local networks is not fragmented. The first one has the ports.
            let fragment = base.integer(6, as: UInt16.self, isBigEndian: true) & 0x3FFF
            guard fragment == 0 else {
                if fragment == 0x2000, mayCarryKeys(packet, from: header) { traffic.facts.cutReports += 1 }
                return
            }
            let total = Int(base.integer(2, as: UInt16.self, isBigEndian: true))
            // 0 where the interface's hardware was to fill it in.
            let length = total == 0 ? packet.count : total
            guard length >= header else { return traffic.facts.cutReports += 1 }
            segment(
                packet, from: header, announced: length - header, Array(packet[12..<16]), Array(packet[16..<20]), time)
        case 6:
            guard packet.count >= 40 else { return }
            let total = Int(base.integer(4, as: UInt16.self, isBigEndian: true))
            guard let (header, isTCP) = NetworkTraffic.upper(packet), isTCP else { return }
            let length = total == 0 ? packet.count - 40 : total
            guard length >= header - 40 else { return }
            segment(
                packet, from: header, announced: length - (header - 40), Array(packet[8..<24]), Array(packet[24..<40]),
                time)
        default: return
        }
    }

    /// The beginning of the upper protocol behind the extension headers of IPv6, of which there may be a few.
    private static func upper(_ packet: UnsafeRawBufferPointer) -> (at: Int, isTCP: Bool)? {
        var (next, at) = (packet[6], 40)
        for _ in 0..<8 {
            guard [0, 43, 60].contains(next) else { return (at, next == 6) }
            guard packet.count >= at + 2 else { return nil }
            next = packet[at]
            at += (Int(packet[at + 1]) + 1) * 8
        }
        return nil
    }

    private func mayCarryKeys(_ packet: UnsafeRawBufferPointer, from start: Int) -> Bool {
        guard packet.count >= start + 4, let ports = packet.baseAddress.map({ $0 + start }) else { return false }
        return TCPConnection.mayCarryKeys(
            ports.integer(0, as: UInt16.self, isBigEndian: true), ports.integer(2, as: UInt16.self, isBigEndian: true))
    }

    private func segment(
        _ packet: UnsafeRawBufferPointer, from start: Int, announced: Int, _ source: [UInt8], _ destination: [UInt8],
        _ time: Int64
    ) {
        let header = packet.count > start + 12 ? Int(packet[start + 12] >> 4) * 4 : 60
        guard packet.count >= start + 20, header >= 20, announced >= header, packet.count >= start + header,
            let base = packet.baseAddress
        else {
            // Cut before its data, or with a header that cannot be: where its data belongs is unknown. Where there is
            // no room for a header, its ports are as well.
            let hasData = announced > (header >= 20 && header <= announced ? header : 20)
            if announced < 20 || hasData && mayCarryKeys(packet, from: start) { traffic.facts.cutReports += 1 }
            return
        }
        let fields = base + start
        let present = UnsafeRawBufferPointer(
            rebasing: packet[(start + header)..<min(packet.count, start + announced)])
        let ends = Ends(
            source: source, destination: destination,
            sourcePort: fields.integer(0, as: UInt16.self, isBigEndian: true),
            destinationPort: fields.integer(2, as: UInt16.self, isBigEndian: true))
        let flags = fields.byte(13)
        let sequence = fields.integer(4, as: UInt32.self, isBigEndian: true)
        let (connection, isForward) = connection(ends, from: flags & Flag.synchronise != 0 ? sequence : nil, time)
        if connection == nil, announced > header, TCPConnection.mayCarryKeys(ends.sourcePort, ends.destinationPort) {
            traffic.facts.reportsOfExcessStreams += 1
        }
        let wasIdle = connection?.isIdle ?? true
        let acknowledged = fields.integer(8, as: UInt32.self, isBigEndian: true)
        connection?.receive(
            TCPSegment(
                sequence: sequence,
                acknowledged: flags & Flag.acknowledgement != 0 ? acknowledged : nil, announced: announced - header,
                bytes: present, isSynchronising: flags & Flag.synchronise != 0,
                isLast: flags & (Flag.finished | Flag.reset) != 0),
            isForward: isForward, time)
        let own = isForward ? ends : ends.turned
        if flags & Flag.reset != 0 {
            connection?.end(time)
            connections[own] = nil
        } else if !wasIdle, connection?.isIdle == true {
            idle.append(own)
            if idle.count > 2 * CaptureLimits.devices { idle.removeAll { connections[$0]?.isIdle != true } }
        }
    }

    /// There is room for one more connection, or there is now.
    private func makeRoom(_ time: Int64) -> Bool {
        while connections.count >= CaptureLimits.devices {
            guard let ends = idle.popLast() else { return false }
            if let connection = connections[ends], connection.isIdle {
                connection.finish(time)
                connections[ends] = nil
            }
        }
        return true
    }

    /// `first`: the number with which a segment begins a connection.
    private func connection(_ ends: Ends, from first: UInt32?, _ time: Int64) -> (TCPConnection?, isForward: Bool) {
        for own in [ends, ends.turned] {
            guard let known = connections[own] else { continue }
            let isForward = own == ends
            guard let first, !known.mayBegin(with: first, isForward: isForward) else { return (known, isForward) }
            // The same ports again: another connection begins.
            known.end(time)
            connections[own] = nil
        }
        guard makeRoom(time) else { return (nil, true) }
        connectionsSeen += 1
        let connection = TCPConnection(
            traffic, serial: connectionsSeen, sourcePort: ends.sourcePort, destinationPort: ends.destinationPort)
        connections[ends] = connection
        return (connection, true)
    }

    /// After the last packet: what waits for bytes that never came is delivered, and the bytes are counted.
    func finish(_ time: Int64) {
        for connection in connections.values.sorted(by: { $0.serial < $1.serial }) { connection.finish(time) }
    }
}
