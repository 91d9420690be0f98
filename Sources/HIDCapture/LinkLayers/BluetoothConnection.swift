/// One connection of two Bluetooth devices, as an interface of the capture has it: pieces become L2CAP packets, and
/// packets go to their channel's protocol.
final class BluetoothConnection {
    typealias Direction = BluetoothTraffic.Direction

    unowned let traffic: CaptureTraffic
    private let adapter: UInt16
    /// The first handle of the device on this adapter.
    private let handle: UInt16

    /// The assemblies by direction.
    private var assemblies = [L2CAPAssembly(), L2CAPAssembly()]
    private var channels = L2CAPChannels()
    /// The attributes that each side's server reported, by the direction that its answers take.
    private let attributes = [AttributeServer(), AttributeServer()]
    private var services = ServiceRecords()
    private var classicStream: Int?
    private var streamsByAttribute: [UInt16: Int] = [:]

    init(_ traffic: CaptureTraffic, adapter: UInt16, handle: UInt16) {
        self.traffic = traffic
        self.adapter = adapter
        self.handle = handle
    }

    func receive(
        _ piece: UnsafeRawBufferPointer, isFirst: Bool, boundary: UInt16, _ known: Direction?, _ time: Int64
    ) {
        let direction = known ?? guess(isFirst, boundary)
        let isLost = assemblies[direction.rawValue].add(piece, isFirst: isFirst) { channel, payload in
            deliver(channel, payload, direction, time)
        }
        // Keys come to the host.
        if isLost, direction == .received { traffic.facts.sourceDrops.add(1) }
    }

    /// Hosts mark first pieces 0, controllers 2; what continues belongs to the packet that is not complete.
    private func guess(_ isFirst: Bool, _ boundary: UInt16) -> Direction {
        if isFirst { return boundary == 0 ? .sent : .received }
        return assemblies[Direction.sent.rawValue].isIncomplete ? .sent : .received
    }

    // MARK: Channels

    private func deliver(_ channel: UInt16, _ payload: UnsafeRawBufferPointer, _ direction: Direction, _ time: Int64) {
        switch channel {
        case L2CAPChannels.signalling, L2CAPChannels.signallingLE: channels.signal(payload, direction)
        case L2CAPChannels.attributes: attribute(payload, direction, time)
        case 0x40...:
            switch channels.service(of: channel, direction) {
            case .hidInterrupt:
                if payload.first == HIDP.output { lights(payload, time) } else { hid(payload, time) }
            case .hidControl: if payload.first == HIDP.unplug { release(time) }
            case .discovery: discovery(payload)
            case .enhancedAttributes: enhanced(payload, direction, time)
            case .other: break
            case nil: if payload.first == HIDP.input { hid(payload, time) }
            }
        default: break
        }
    }

    // MARK: Classic

    private func hid(_ payload: UnsafeRawBufferPointer, _ time: Int64) {
        guard payload.first == HIDP.input, payload.count > 1 else { return }
        classicStream = classicStream ?? traffic.stream(at: place(.classic))
        guard let stream = classicStream else { return traffic.facts.reportsOfExcessStreams += 1 }
        traffic.report(stream, UnsafeRawBufferPointer(rebasing: payload[1...]), time: time)
    }

    private func place(_ transport: BluetoothTransport, _ attribute: UInt16 = 0) -> StreamPlace {
        StreamPlace(
            source: .bluetooth, transport: transport, bus: adapter, address: handle, endpoint: attribute,
            interface: traffic.selectedInterface)
    }

    /// An output report of a keyboard: id and lights.
    private func lights(_ payload: UnsafeRawBufferPointer, _ time: Int64) {
        guard payload.count == 3, let bits = payload.last, let device = traffic.device(at: place(.classic)) else {
            return
        }
        traffic.lights(of: device, bits, time: time)
    }

    private func discovery(_ payload: UnsafeRawBufferPointer) {
        guard let descriptor = services.receive(payload), let device = traffic.device(at: place(.classic)) else {
            return
        }
        traffic.readReportDescriptor(of: device, interface: 0, descriptor)
    }

    // MARK: Low energy

    private func attribute(_ payload: UnsafeRawBufferPointer, _ direction: Direction, _ time: Int64) {
        guard let operation = payload.first else { return }
        if AttributeServer.isRequest(operation) {
            attributes[direction.other.rawValue].request(payload)
        } else {
            let isWhole = attributes[direction.rawValue].answer(payload) { notified($0, $1, time) }
            if !isWhole, direction == .received { traffic.facts.sourceDrops.add(1) }
        }
    }

    /// A packet of a credit-based channel begins with the length of the whole unit. Units in several packets are not
    /// put together: reports need none.
    private func enhanced(_ payload: UnsafeRawBufferPointer, _ direction: Direction, _ time: Int64) {
        guard payload.count >= 2, let base = payload.baseAddress,
            Int(base.integer(0, as: UInt16.self)) == payload.count - 2
        else {
            if direction == .received { traffic.facts.sourceDrops.add(1) }
            return
        }
        attribute(UnsafeRawBufferPointer(rebasing: payload[2...]), direction, time)
    }

    private func notified(_ attribute: UInt16, _ report: UnsafeRawBufferPointer, _ time: Int64) {
        guard attribute != 0 else { return }  // no attribute has this handle
        guard let stream = streamsByAttribute[attribute] ?? traffic.stream(at: place(.le, attribute)) else {
            return traffic.facts.reportsOfExcessStreams += 1
        }
        streamsByAttribute[attribute] = stream
        traffic.report(stream, report, time: time)
    }

    // MARK: End

    /// The connection is over: what is held is released.
    func end(_ time: Int64) {
        finish()
        release(time)
    }

    /// The keyboard is gone, and its connection may be there for a while.
    private func release(_ time: Int64) {
        if let classicStream { traffic.ended(classicStream, time: time) }
        for stream in streamsByAttribute.values.sorted() { traffic.ended(stream, time: time) }
    }

    /// After the last packet: nothing completes what was begun.
    func finish() {
        if assemblies[Direction.received.rawValue].isIncomplete { traffic.facts.sourceDrops.add(1) }
        describe()
    }

    /// Gives what the servers reported of their attributes to the streams and the device.
    private func describe() {
        guard !streamsByAttribute.isEmpty else { return }
        for server in attributes {
            for (attribute, stream) in streamsByAttribute.sorted(by: { $0.key < $1.key }) {
                switch server.meaning(of: attribute) {
                case .report(let id, let isInput):
                    traffic.change(stream: stream) {
                        if let id { $0.reportID = id }
                        if !isInput { $0.nature = .other }
                    }
                case .bootKeyboard: traffic.change(stream: stream) { $0.nature = .bootReports }
                case .other: traffic.change(stream: stream) { $0.nature = .other }
                case nil: break
                }
            }
            guard let device = traffic.device(at: place(.le)) else { continue }
            for (attribute, map) in server.reportMaps {
                traffic.readReportDescriptor(of: device, interface: attribute, map)
            }
            traffic.change(device: device) {
                $0.givenName = $0.givenName ?? server.name
                if let (vendor, product) = server.identity { ($0.vendor, $0.product) = (vendor, product) }
            }
        }
    }
}
