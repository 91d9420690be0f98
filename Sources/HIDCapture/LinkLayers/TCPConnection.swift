/// One TCP connection: its segments in order, each byte once, to the protocol that its first bytes or its ports tell.
final class TCPConnection {
    /// One direction.
    private struct Flow {
        var next: UInt32?
        /// Segments that came before the one they follow.
        var waiting: [(sequence: UInt32, bytes: [UInt8])] = []
        var waitingBytes = 0
    }

    /// Out-of-order bytes that are kept for one direction before the missing ones are given up.
    private static let waitingLimit = 1 << 18

    private enum Kind {
        case undecided
        case usbip(USBIPConnection)
        case x11(X11Connection)
        case other
    }

    unowned let traffic: CaptureTraffic
    private let number: UInt16
    private let sourcePort: UInt16
    private let destinationPort: UInt16
    private var kind = Kind.undecided
    /// Forward, as the first packet went, and back.
    private var flows = [Flow(), Flow()]

    init(_ traffic: CaptureTraffic, number: UInt16, sourcePort: UInt16, destinationPort: UInt16) {
        self.traffic = traffic
        self.number = number
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
    }

    /// True before any data came.
    var isFresh: Bool { if case .undecided = kind { true } else { false } }

    /// `announced`: the bytes of the segment, of which the capture may have kept fewer.
    func receive(
        _ bytes: UnsafeRawBufferPointer, announced: Int, sequence: UInt32, isSynchronising: Bool, isForward: Bool,
        _ time: Int64
    ) {
        if case .other = kind { return }
        let way = isForward ? 0 : 1
        if isSynchronising {
            flows[way].next = sequence &+ 1
            return
        }
        guard announced > 0 else { return }
        let next = flows[way].next ?? sequence
        // How far ahead of what is expected, as a distance on the circle of sequence numbers.
        let ahead = Int32(bitPattern: sequence &- next)
        if ahead > 0 {
            wait(bytes, announced, sequence, way, time)
            return
        }
        let known = Int(-Int64(ahead))
        guard known < announced else { return }  // sent again
        flows[way].next = sequence &+ UInt32(truncatingIfNeeded: announced)
        if known < bytes.count { deliver(UnsafeRawBufferPointer(rebasing: bytes[known...]), way, time) }
        if bytes.count < announced { lost(way) }
        release(way, time)
    }

    private func wait(
        _ bytes: UnsafeRawBufferPointer, _ announced: Int, _ sequence: UInt32, _ way: Int, _ time: Int64
    ) {
        guard bytes.count == announced else { return }
        flows[way].waiting.append((sequence, Array(bytes)))
        flows[way].waitingBytes += bytes.count
        guard flows[way].waitingBytes > TCPConnection.waitingLimit || flows[way].waiting.count > 256 else { return }
        // What is missing does not come any more: the capture has lost it.
        traffic.facts.sourceDrops.add(nil)
        lost(way)
        let earliest = flows[way].waiting.min { Int32(bitPattern: $0.sequence &- $1.sequence) < 0 }
        flows[way].next = earliest?.sequence
        release(way, time)
    }

    /// Delivers the waiting segments that follow now.
    private func release(_ way: Int, _ time: Int64) {
        while let next = flows[way].next,
            let at = flows[way].waiting.firstIndex(where: { Int32(bitPattern: $0.sequence &- next) <= 0 })
        {
            let (sequence, bytes) = flows[way].waiting.remove(at: at)
            flows[way].waitingBytes -= bytes.count
            let known = Int(-Int64(Int32(bitPattern: sequence &- next)))
            guard known < bytes.count else { continue }
            flows[way].next = sequence &+ UInt32(truncatingIfNeeded: bytes.count)
            bytes.withUnsafeBytes { deliver(UnsafeRawBufferPointer(rebasing: $0[known...]), way, time) }
        }
    }

    // MARK: Protocols

    private func deliver(_ bytes: UnsafeRawBufferPointer, _ way: Int, _ time: Int64) {
        if case .undecided = kind { decide(bytes, way) }
        switch kind {
        case .usbip(let connection): connection.receive(bytes, way: way, time)
        case .x11(let connection): connection.receive(bytes, way: way, time)
        case .other, .undecided: break
        }
    }

    /// By the first bytes of data, else by the port of the server.
    private func decide(_ bytes: UnsafeRawBufferPointer, _ way: Int) {
        let (from, to) = way == 0 ? (sourcePort, destinationPort) : (destinationPort, sourcePort)
        if let isBigEndian = X11Connection.setup(bytes) {
            kind = .x11(X11Connection(traffic, number: number, server: 1 - way, isBigEndian: isBigEndian))
        } else if from == USBIPConnection.port || to == USBIPConnection.port {
            kind = .usbip(USBIPConnection(traffic, number: number))
        } else if X11Connection.ports.contains(from) {
            kind = .x11(X11Connection(traffic, number: number, server: way, isBigEndian: nil))
        } else if X11Connection.ports.contains(to) {
            kind = .x11(X11Connection(traffic, number: number, server: 1 - way, isBigEndian: nil))
        } else {
            kind = .other
        }
    }

    private func lost(_ way: Int) {
        switch kind {
        case .usbip(let connection): connection.lost(way: way)
        case .x11(let connection): connection.lost(way: way)
        case .other, .undecided: break
        }
    }

    /// One side has closed the connection.
    func end(_ time: Int64) {
        switch kind {
        case .usbip(let connection): connection.end(time)
        case .x11(let connection): connection.end(time)
        case .other, .undecided: break
        }
    }
}

/// The bytes of one direction that are not a whole message yet, and how many are to be passed over.
struct MessageBuffer {
    private(set) var bytes: [UInt8] = []
    private var skipped: UInt64 = 0

    var isEmpty: Bool { bytes.isEmpty && skipped == 0 }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        let passed = Int(min(UInt64(more.count), skipped))
        skipped -= UInt64(passed)
        bytes += more[passed...]
    }

    /// Passes over bytes, of which some may not have come yet.
    mutating func skip(_ count: UInt64) {
        let here = Int(min(UInt64(bytes.count), count))
        bytes.removeFirst(here)
        skipped += count - UInt64(here)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        skipped = 0
    }
}
