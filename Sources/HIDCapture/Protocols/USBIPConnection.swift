/// USB/IP (kernel, Documentation/usb/usbip_protocol.rst): big-endian headers of 48 bytes with requests in one
/// direction and answers, matched by their number, in the other.
final class USBIPConnection: KeyConnection {
    static let port: UInt16 = 3240
    private static let header = 48
    /// Data of one transfer that is looked at; a larger one is passed over.
    private static let transferBytes = CaptureLimits.reportBytes
    /// Requests without an answer.
    private static let requestLimit = 4096

    private enum Command {
        static let submit: UInt32 = 1
        static let submitted: UInt32 = 3
        static let unlinked: UInt32 = 4
    }

    /// The phase before transfers: requests and answers that begin with the protocol's version.
    private enum Operation {
        static let version: UInt16 = 0x0111
        static let importRequest: UInt16 = 0x8003
        static let importReply: UInt16 = 0x0003
        static let deviceBytes: UInt64 = 312
    }

    private struct Request {
        var device: UInt32
        var endpoint: UInt8
        var isIn: Bool
        var isInterrupt: Bool
    }

    unowned let traffic: CaptureTraffic
    private let number: UInt16
    private var buffers = [MessageBuffer(), MessageBuffer()]
    private var requests: [UInt32: Request] = [:]
    private var places: Set<StreamPlace> = []
    /// True by direction when its last bytes were messages.
    private var isInStep = [false, false]

    init(_ traffic: CaptureTraffic, number: UInt16) {
        self.traffic = traffic
        self.number = number
    }

    func lost(_ count: Int, way: Int, _ time: Int64) -> Bool { buffers[way].lose(count) }

    func receive(_ bytes: UnsafeRawBufferPointer, way: Int, _ time: Int64) {
        buffers[way].append(bytes)
        while let length = message(way, time) { buffers[way].skip(length) }
    }

    /// Reads the message that begins the buffer; returns its length, or `nil` when more bytes must come.
    private func message(_ way: Int, _ time: Int64) -> UInt64? {
        buffers[way].bytes.withUnsafeBytes { bytes in
            guard bytes.count >= 8, let base = bytes.baseAddress else { return nil }
            if base.integer(0, as: UInt16.self, isBigEndian: true) == Operation.version {
                return operation(base)
            }
            let command = base.integer(0, as: UInt32.self, isBigEndian: true)
            guard (Command.submit...Command.unlinked).contains(command) else {
                // Out of step: on with the next segment. Reports may have been in this one.
                if isInStep[way] { traffic.facts.sourceDrops.add(nil) }
                isInStep[way] = false
                return UInt64(bytes.count)
            }
            isInStep[way] = true
            guard bytes.count >= USBIPConnection.header else { return nil }
            let request = command == Command.submit ? request(base) : nil
            let data = dataLength(command, base, request)
            let whole = USBIPConnection.header + Int(min(data, UInt64(USBIPConnection.transferBytes)))
            guard bytes.count >= whole else { return nil }
            let sequence = base.integer(4, as: UInt32.self, isBigEndian: true)
            if let request {
                submit(sequence, request, base)
            } else if command == Command.submitted, let request = requests.removeValue(forKey: sequence) {
                let payload = UnsafeRawBufferPointer(rebasing: bytes[USBIPConnection.header..<whole])
                answer(sequence, request, Int32(bitPattern: word(base, 20)), payload, time)
            }
            return UInt64(USBIPConnection.header) + data
        }
    }

    private func word(_ base: UnsafeRawPointer, _ at: Int) -> UInt32 {
        base.integer(at, as: UInt32.self, isBigEndian: true)
    }

    /// The length of an operation; only imports go before transfers on one connection.
    private func operation(_ base: UnsafeRawPointer) -> UInt64 {
        switch base.integer(2, as: UInt16.self, isBigEndian: true) {
        case Operation.importRequest: 8 + 32
        case Operation.importReply: 8 + (word(base, 4) == 0 ? Operation.deviceBytes : 0)
        default: 8
        }
    }

    private func request(_ base: UnsafeRawPointer) -> Request {
        Request(
            device: word(base, 8), endpoint: UInt8(truncatingIfNeeded: word(base, 16)) & 0x0F,
            isIn: word(base, 12) == 1, isInterrupt: word(base, 36) != 0)
    }

    /// Bytes behind the header: data that goes out, or has come in, and 16 bytes for each isochronous packet.
    private func dataLength(_ command: UInt32, _ base: UnsafeRawPointer, _ request: Request?) -> UInt64 {
        guard command == Command.submit || command == Command.submitted else { return 0 }
        let packets = word(base, 32)
        let descriptions = packets == .max ? 0 : UInt64(min(packets, 1024)) * 16
        if let request { return (request.isIn ? 0 : UInt64(word(base, 24))) + descriptions }
        let isIn = requests[word(base, 4)]?.isIn ?? true
        return (isIn ? UInt64(word(base, 24)) : 0) + descriptions
    }

    private func submit(_ sequence: UInt32, _ request: Request, _ base: UnsafeRawPointer) {
        if requests.count >= USBIPConnection.requestLimit {
            // Their answers will not be known for reports.
            let reports = requests.values.count { $0.isIn && $0.isInterrupt }
            if reports > 0 { traffic.facts.sourceDrops.add(UInt64(reports)) }
            requests.removeAll()
        }
        requests[sequence] = request
        if request.endpoint == 0 {
            traffic.controlRequest(
                .usbip, bus: bus(request), address: address(request), id: id(sequence), setup: base + 40)
        }
    }

    private func answer(
        _ sequence: UInt32, _ request: Request, _ status: Int32, _ data: UnsafeRawBufferPointer, _ time: Int64
    ) {
        if request.endpoint == 0 {
            traffic.controlAnswer(id: id(sequence), data)
        } else if request.isIn, request.isInterrupt {
            let endpoint = request.endpoint | 0x80
            if !data.isEmpty {
                places.insert(
                    StreamPlace(
                        source: .usbip, bus: bus(request), address: UInt16(address(request)),
                        endpoint: UInt16(endpoint)))
                traffic.report(
                    .usbip, bus: bus(request), address: address(request), endpoint: endpoint, data, time: time)
            } else if USBMonRecord.isEnd(status) {
                traffic.ended(.usbip, bus: bus(request), address: address(request), endpoint: endpoint, time: time)
            }
        }
    }

    private func bus(_ request: Request) -> UInt16 { UInt16(truncatingIfNeeded: request.device >> 16) }
    private func address(_ request: Request) -> UInt8 { UInt8(truncatingIfNeeded: request.device) }
    private func id(_ sequence: UInt32) -> UInt64 { 1 << 63 | UInt64(number) << 32 | UInt64(sequence) }

    func finish() {
        if buffers.contains(where: { !$0.isEmpty }) { traffic.facts.sourceDrops.add(nil) }
        buffers = [MessageBuffer(), MessageBuffer()]
    }

    /// The connection is closed: its devices are gone.
    func end(_ time: Int64) {
        for place in places.sorted(by: { $0.key < $1.key }) {
            traffic.ended(
                place.source, bus: place.bus, address: UInt8(truncatingIfNeeded: place.address),
                endpoint: UInt8(truncatingIfNeeded: place.endpoint), time: time)
        }
    }
}
