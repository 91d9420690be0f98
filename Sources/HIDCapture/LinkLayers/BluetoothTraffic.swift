/// Bluetooth packets of all adapters: connections, the reassembly of what is sent over them, and what each channel
/// carries. All state is kept by adapter and connection handle, since adapters use the same handles (spec §3), and by
/// interface of the capture, since another one may have the same packets.
final class BluetoothTraffic {
    /// The direction of packets: to the host or from it. A capture without directions gets them from how hosts and
    /// controllers mark the first piece of a packet.
    enum Direction: Int {
        case sent
        case received

        var other: Direction { self == .sent ? .received : .sent }
    }

    private enum Event {
        static let connectionComplete: UInt8 = 0x03
        static let disconnectionComplete: UInt8 = 0x05
        static let remoteName: UInt8 = 0x07
        static let lowEnergy: UInt8 = 0x3E
    }

    unowned let traffic: CaptureTraffic
    /// The connections by interface, adapter and handle.
    private var connections: [UInt64: BluetoothConnection] = [:]
    /// Names of classic devices, where the host asked for them.
    private var names: [Peer: String] = [:]
    /// The handle that a device had first: it is the same keyboard when it comes back.
    private var firstHandles: [Peer: UInt16] = [:]

    /// The other side of a connection.
    private struct Peer: Hashable {
        var adapter: UInt16
        var transport: BluetoothTransport
        /// Six bytes.
        var address: UInt64

        init(_ adapter: UInt16, _ transport: BluetoothTransport, _ address: some Sequence<UInt8>) {
            self.adapter = adapter
            self.transport = transport
            self.address = address.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    init(_ traffic: CaptureTraffic) { self.traffic = traffic }

    private func key(_ adapter: UInt16, _ handle: UInt16) -> UInt64 {
        UInt64(traffic.selectedInterface) << 32 | UInt64(adapter) << 16 | UInt64(handle)
    }

    // MARK: Connections

    func event(_ adapter: UInt16, _ bytes: UnsafeRawBufferPointer, _ time: Int64) {
        guard bytes.count >= 2, let fields = bytes.baseAddress else { return }
        let body = UnsafeRawBufferPointer(rebasing: bytes[2...].prefix(Int(bytes[1])))
        switch bytes[0] {
        case Event.connectionComplete where body.count >= 9 && body[0] == 0:
            connected(adapter, fields.integer(3, as: UInt16.self), .classic, body[3..<9], time)
        case Event.lowEnergy where body.count >= 12 && (body[0] == 1 || body[0] == 0x0A) && body[1] == 0:
            connected(adapter, fields.integer(4, as: UInt16.self), .le, body[6..<12], time)
        case Event.disconnectionComplete where body.count >= 3 && body[0] == 0:
            let handle = fields.integer(3, as: UInt16.self) & 0x0FFF
            connections.removeValue(forKey: key(adapter, handle))?.end(time)
        case Event.remoteName where body.count > 7 && body[0] == 0:
            guard names.count < CaptureLimits.devices else { return }
            let text = body[7...].prefix { $0 != 0 }
            names[Peer(adapter, .classic, body[1..<7])] = String(decoding: text, as: UTF8.self)
        default: break
        }
    }

    private func connected(
        _ adapter: UInt16, _ handle: UInt16, _ transport: BluetoothTransport,
        _ address: Slice<UnsafeRawBufferPointer>, _ time: Int64
    ) {
        let handle = handle & 0x0FFF
        let key = key(adapter, handle)
        connections.removeValue(forKey: key)?.end(time)
        guard connections.count < CaptureLimits.devices else { return }
        let peer = Peer(adapter, transport, address)
        let first = firstHandles[peer] ?? handle
        if firstHandles[peer] == nil {
            // Another device with a handle that is free again.
            let place = StreamPlace(source: .bluetooth, transport: transport, bus: adapter, address: handle)
            traffic.forget(place)
            if firstHandles.count < CaptureLimits.devices { firstHandles[peer] = handle }
        }
        connections[key] = BluetoothConnection(traffic, adapter: adapter, handle: first)
    }

    /// The adapter is closed or was taken out.
    func adapterGone(_ adapter: UInt16, time: Int64) {
        let first = key(adapter, 0)
        for (key, connection) in connections.sorted(by: { $0.key < $1.key }) where key >> 16 == first >> 16 {
            connection.end(time)
            connections[key] = nil
        }
    }

    // MARK: Data

    /// Handle and flags, length, and a piece of an L2CAP packet. `isReceived`: `nil` where the capture does not contain
    /// it.
    func data(_ adapter: UInt16, isReceived: Bool?, _ bytes: UnsafeRawBufferPointer, _ time: Int64) {
        // A piece that the capture cut cannot be completed, nor one whose header it cut.
        guard bytes.count >= 4, let fields = bytes.baseAddress else { return traffic.facts.cutReports += 1 }
        let word = fields.integer(0, as: UInt16.self)
        let (handle, boundary) = (word & 0x0FFF, word >> 12 & 3)
        let length = Int(fields.integer(2, as: UInt16.self))
        guard length <= bytes.count - 4 else { return traffic.facts.cutReports += 1 }
        let key = key(adapter, handle)
        let connection: BluetoothConnection
        if let known = connections[key] {
            connection = known
        } else {
            guard connections.count < CaptureLimits.devices else {
                return traffic.facts.reportsOfExcessStreams += 1
            }
            connection = BluetoothConnection(traffic, adapter: adapter, handle: handle)
            connections[key] = connection
        }
        let piece = UnsafeRawBufferPointer(rebasing: bytes[4..<(4 + length)])
        let direction = isReceived.map { $0 ? Direction.received : .sent }
        connection.receive(piece, isFirst: boundary != 1, boundary: boundary, direction, time)
    }

    /// After the last packet: what was learned about attributes and names is given to streams and devices.
    func finish() {
        for (_, connection) in connections.sorted(by: { $0.key < $1.key }) { connection.finish() }
        for (peer, handle) in firstHandles {
            guard let name = names[peer] else { continue }
            let place = StreamPlace(
                source: .bluetooth, transport: peer.transport, bus: peer.adapter, address: handle)
            traffic.name(place, name)
        }
    }
}
