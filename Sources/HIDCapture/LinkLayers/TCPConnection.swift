/// A segment of a connection, as a packet of the capture brings it.
struct TCPSegment {
    var sequence: UInt32
    /// The next byte that the sender expects from the other side; `nil` without an acknowledgement.
    var acknowledged: UInt32?
    /// Bytes that the segment had, of which the capture may have kept fewer.
    var announced: Int
    var bytes: UnsafeRawBufferPointer
    var isSynchronising: Bool
    /// Nothing follows in this direction.
    var isLast: Bool
}

/// A protocol over TCP with keys, from both directions (`way`) of one connection.
protocol KeyConnection: AnyObject {
    func receive(_ bytes: UnsafeRawBufferPointer, way: Int, _ time: Int64)
    /// Bytes of a direction are missing; true when keys may have been among them.
    func lost(_ count: Int, way: Int, _ time: Int64) -> Bool
    /// Nothing follows: a message that is not whole may have keys, or hide some.
    func finish()
    /// The connection is closed.
    func end(_ time: Int64)
}

/// One TCP connection: its segments in order, each byte once, to the protocol that its first bytes or its ports
/// identify.
///
/// Bytes that the capture lacks are waited for as long as the receiver may lack them too: until it acknowledges what
/// lies behind them, the connection or the capture ends, or too much waits. Then they are counted as lost, and what
/// waited is handed on with its own times.
final class TCPConnection {
    private struct Waiting {
        var sequence: UInt32
        var announced: Int
        var bytes: [UInt8]
        var time: Int64
    }

    /// One direction.
    private struct Flow {
        /// The number of the first byte; `nil` where the capture lacks its announcement.
        var first: UInt32?
        var next: UInt32?
        /// Segments that came before the one they follow.
        var waiting: [Waiting] = []
        var waitingBytes = 0
        /// The byte behind all that the other side has acknowledged.
        var acknowledged: UInt32?
        /// The number behind the last one, which the end itself takes.
        var end: UInt32?
    }

    /// Out-of-order bytes that are kept for one direction before the missing ones are given up.
    private static let waitingLimit = 1 << 18

    unowned let traffic: CaptureTraffic
    /// The number of the connection in the capture, from 1 on.
    let serial: UInt64
    private let sourcePort: UInt16
    private let destinationPort: UInt16
    /// The protocol that the data decided; `nil` for one without keys.
    private var keys: (any KeyConnection)?
    private var isDecided = false
    /// Forward, as the first packet went, and back.
    private var flows = [Flow(), Flow()]

    private var isClosed = false

    init(_ traffic: CaptureTraffic, serial: UInt64, sourcePort: UInt16, destinationPort: UInt16) {
        self.traffic = traffic
        self.serial = serial
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
    }

    /// The number of this connection's streams; again the same after 65,535 of them.
    private var number: UInt16 { UInt16(truncatingIfNeeded: (serial - 1) % 65_535 + 1) }

    /// No keys come of it, or no more.
    var isIdle: Bool { isDecided && keys == nil || isClosed }

    /// A connection between these ports may be one of a protocol with keys.
    static func mayCarryKeys(_ source: UInt16, _ destination: UInt16) -> Bool {
        [source, destination].contains { $0 == USBIPConnection.port || X11Connection.ports.contains($0) }
    }

    /// True where a segment that begins a connection in this direction may be one of this connection.
    func mayBegin(with sequence: UInt32, isForward: Bool) -> Bool {
        !isDecided || flows[isForward ? 0 : 1].first == sequence &+ 1
    }

    func receive(_ segment: TCPSegment, isForward: Bool, _ time: Int64) {
        if isDecided, keys == nil { return }
        let way = isForward ? 0 : 1
        if segment.isSynchronising {
            guard flows[way].first != segment.sequence &+ 1 else { return }  // sent again
            flows[way].first = segment.sequence &+ 1
            flows[way].next = flows[way].first
            return
        }
        if let acknowledged = segment.acknowledged { acknowledge(acknowledged, 1 - way) }
        if segment.announced > 0 { data(segment, way, time) }
        if segment.isLast { flows[way].end = segment.sequence &+ UInt32(truncatingIfNeeded: segment.announced) &+ 1 }
        guard let end = flows[way].end, TCPConnection.distance(from: flows[way].next ?? end, to: end) <= 1 else {
            return
        }
        flows[way].next = end
        flows[way].end = nil
        close(time)
    }

    /// The distance of `to` ahead on the circle of sequence numbers.
    private static func distance(from: UInt32, to: UInt32) -> Int { Int(Int32(bitPattern: to &- from)) }

    // MARK: Order

    private func data(_ segment: TCPSegment, _ way: Int, _ time: Int64) {
        let next = flows[way].next ?? segment.sequence
        if TCPConnection.distance(from: next, to: segment.sequence) > 0 {
            flows[way].waiting.append(
                Waiting(
                    sequence: segment.sequence, announced: segment.announced, bytes: Array(segment.bytes), time: time))
            flows[way].waitingBytes += segment.bytes.count
            let isTooMuch = flows[way].waitingBytes > TCPConnection.waitingLimit || flows[way].waiting.count > 256
            if isTooMuch { giveUpMissing(way) }
        } else {
            flows[way].next = next
            take(segment.sequence, segment.announced, segment.bytes, way, time)
            release(way, time)
        }
    }

    /// Delivers what is new of a segment that begins at the next byte or before it.
    private func take(
        _ sequence: UInt32, _ announced: Int, _ bytes: UnsafeRawBufferPointer, _ way: Int, _ time: Int64
    ) {
        guard let next = flows[way].next else { return }
        let known = -TCPConnection.distance(from: next, to: sequence)
        guard known < announced else { return }  // sent again
        flows[way].next = sequence &+ UInt32(truncatingIfNeeded: announced)
        if known < bytes.count { deliver(UnsafeRawBufferPointer(rebasing: bytes[known...]), way, time) }
        let cut = announced - max(bytes.count, known)
        if cut > 0, lost(cut, way, time) { traffic.facts.cutReports += 1 }
    }

    /// Delivers the waiting segments that follow now; `time`: of the segment that they waited for, `nil` where it
    /// never came and their own times count.
    private func release(_ way: Int, _ time: Int64?) {
        while let next = flows[way].next,
            let at = flows[way].waiting.firstIndex(where: { TCPConnection.distance(from: next, to: $0.sequence) <= 0 })
        {
            let segment = flows[way].waiting.remove(at: at)
            flows[way].waitingBytes -= segment.bytes.count
            let time = time ?? max(segment.time, traffic.latestReportTime)
            segment.bytes.withUnsafeBytes { take(segment.sequence, segment.announced, $0, way, time) }
        }
    }

    // MARK: Loss

    /// The receiver has what the capture lacks: it will not come any more.
    private func acknowledge(_ acknowledged: UInt32, _ way: Int) {
        if TCPConnection.distance(from: flows[way].acknowledged ?? acknowledged, to: acknowledged) >= 0 {
            flows[way].acknowledged = acknowledged
        }
        while let earliest = earliestWaiting(way), TCPConnection.distance(from: earliest, to: acknowledged) >= 0 {
            giveUpMissing(way)
        }
    }

    private func earliestWaiting(_ way: Int) -> UInt32? {
        flows[way].waiting.min { TCPConnection.distance(from: $0.sequence, to: $1.sequence) > 0 }?.sequence
    }

    /// Goes on behind the missing bytes with what waits.
    private func giveUpMissing(_ way: Int) {
        guard let earliest = earliestWaiting(way) else { return }
        skip(to: earliest, way, flows[way].waiting.map(\.time).min() ?? 0)
        release(way, nil)
    }

    private func skip(to sequence: UInt32, _ way: Int, _ time: Int64) {
        guard let next = flows[way].next else { return }
        let missing = TCPConnection.distance(from: next, to: sequence)
        guard missing > 0 else { return }
        flows[way].next = sequence
        // The number of packets is unknown.
        if lost(missing, way, max(time, traffic.latestReportTime)) { traffic.facts.sourceDrops.add(nil) }
    }

    /// After the last packet of the capture: what waits is delivered, and what never came is counted.
    func finish(_ time: Int64) {
        for way in flows.indices {
            while !flows[way].waiting.isEmpty { giveUpMissing(way) }
            if let end = flows[way].end.map({ $0 &- 1 }) ?? flows[way].acknowledged { skip(to: end, way, time) }
        }
        keys?.finish()
        if flows.contains(where: { $0.end != nil }) { close(time) }
    }

    /// The connection is broken off, or another one takes its ports.
    func end(_ time: Int64) {
        finish(time)
        close(time)
    }

    /// Bytes of a direction are missing; true when keys may have been among them.
    private func lost(_ count: Int, _ way: Int, _ time: Int64) -> Bool {
        if !isDecided { decide(UnsafeRawBufferPointer(start: nil, count: 0), way) }
        return keys?.lost(count, way: way, time) ?? false
    }

    // MARK: Protocols

    private func deliver(_ bytes: UnsafeRawBufferPointer, _ way: Int, _ time: Int64) {
        if !isDecided { decide(bytes, way) }
        keys?.receive(bytes, way: way, time)
    }

    /// Decides the protocol by the first bytes of data, else by the port of the server.
    private func decide(_ bytes: UnsafeRawBufferPointer, _ way: Int) {
        isDecided = true
        let (from, to) = way == 0 ? (sourcePort, destinationPort) : (destinationPort, sourcePort)
        if let isBigEndian = X11Connection.setup(bytes) {
            keys = X11Connection(traffic, number: number, server: 1 - way, isBigEndian: isBigEndian)
        } else if from == USBIPConnection.port || to == USBIPConnection.port {
            keys = USBIPConnection(traffic, number: number)
        } else if X11Connection.ports.contains(from) {
            keys = X11Connection(traffic, number: number, server: way, isBigEndian: nil)
        } else if X11Connection.ports.contains(to) {
            keys = X11Connection(traffic, number: number, server: 1 - way, isBigEndian: nil)
        }
    }

    /// One side has closed the connection.
    private func close(_ time: Int64) {
        isClosed = true
        keys?.end(time)
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

    /// Passes over bytes that never come; false when they were among those passed over, and nothing is lost.
    mutating func lose(_ count: Int) -> Bool {
        if skipped >= UInt64(count) {
            skipped -= UInt64(count)
            return false
        }
        bytes.removeAll(keepingCapacity: true)
        skipped = 0
        return true
    }
}
