/// Pieces of one direction of a connection, put together to L2CAP packets.
///
/// A new first piece drops what was incomplete; a piece that makes a packet too long drops all of it; a piece
/// without a first one is dropped. What is kept never exceeds the pieces received.
struct L2CAPAssembly {
    private static let header = 4

    private var bytes: [UInt8] = []
    private(set) var isIncomplete = false

    /// True when a packet is lost: the one before this piece, or the one it belongs to.
    mutating func add(
        _ piece: UnsafeRawBufferPointer, isFirst: Bool, _ deliver: (UInt16, UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var isLost = isFirst && isIncomplete
        if isFirst {
            bytes.removeAll(keepingCapacity: true)
            isIncomplete = false
            // Nearly every packet is one piece, which needs no copy.
            if let length = L2CAPAssembly.length(piece), piece.count == length {
                L2CAPAssembly.deliver(piece, deliver)
                return isLost
            }
            isIncomplete = true
        }
        guard isIncomplete else { return true }
        bytes += piece
        bytes.withUnsafeBytes { whole in
            guard let length = L2CAPAssembly.length(whole), whole.count >= length else { return }
            isIncomplete = false
            if whole.count == length { L2CAPAssembly.deliver(whole, deliver) } else { isLost = true }
        }
        if !isIncomplete { bytes.removeAll(keepingCapacity: true) }
        return isLost
    }

    private static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= header, let fields = bytes.baseAddress else { return nil }
        return header + Int(fields.integer(0, as: UInt16.self))
    }

    private static func deliver(_ packet: UnsafeRawBufferPointer, _ body: (UInt16, UnsafeRawBufferPointer) -> Void) {
        guard packet.count >= header, let fields = packet.baseAddress else { return }
        body(fields.integer(2, as: UInt16.self), UnsafeRawBufferPointer(rebasing: packet[header...]))
    }
}

/// The service of each dynamic channel of a connection, from the signalling that set it up.
struct L2CAPChannels {
    typealias Direction = BluetoothTraffic.Direction

    static let signalling: UInt16 = 1
    static let attributes: UInt16 = 4
    static let signallingLE: UInt16 = 5
    /// Channels of one connection that are followed.
    private static let limit = 256

    enum Service {
        case hidControl
        case hidInterrupt
        case discovery
        case enhancedAttributes
        case other

        init(_ multiplexer: UInt16) {
            switch multiplexer {
            case 0x0001: self = .discovery
            case 0x0011: self = .hidControl
            case 0x0013: self = .hidInterrupt
            case 0x0027: self = .enhancedAttributes
            default: self = .other
            }
        }
    }

    private struct Channel: Hashable {
        var direction: Direction
        var id: UInt16
    }

    private enum Command {
        static let connectionRequest: UInt8 = 0x02
        static let connectionResponse: UInt8 = 0x03
        static let disconnectionRequest: UInt8 = 0x06
        static let creditRequest: UInt8 = 0x14
        static let creditResponse: UInt8 = 0x15
        static let enhancedRequest: UInt8 = 0x17
        static let enhancedResponse: UInt8 = 0x18
    }

    /// The services by the channel number that packets of a direction carry, which is the receiver's.
    private var services: [Channel: Service] = [:]
    /// Requests without an answer, by their sender and the identifier of the command: the service and own channels.
    private var requests: [Channel: (service: Service, channels: [UInt16])] = [:]

    func service(of channel: UInt16, _ direction: Direction) -> Service? {
        services[Channel(direction: direction, id: channel)]
    }

    /// One or more commands: code, identifier, length, data.
    mutating func signal(_ bytes: UnsafeRawBufferPointer, _ direction: Direction) {
        var at = 0
        while bytes.count - at >= 4, let base = bytes.baseAddress {
            let length = Int(base.integer(at + 2, as: UInt16.self))
            guard length <= bytes.count - at - 4 else { return }
            let words = (0..<(length / 2)).map { base.integer(at + 4 + 2 * $0, as: UInt16.self) }
            command(bytes[at], UInt16(bytes[at + 1]), words, direction)
            at += 4 + length
        }
    }

    private mutating func command(_ code: UInt8, _ identifier: UInt16, _ words: [UInt16], _ direction: Direction) {
        switch code {
        case Command.connectionRequest where words.count >= 2: request(words[0], [words[1]], identifier, direction)
        case Command.creditRequest where words.count >= 5: request(words[0], [words[1]], identifier, direction)
        case Command.enhancedRequest where words.count >= 5:
            request(words[0], Array(words[4...].prefix(5)), identifier, direction)
        case Command.connectionResponse where words.count >= 4:
            // 1 is "pending": another answer follows.
            guard words[2] != 1 else { return }
            answer(words[2] == 0 ? [words[0]] : [], identifier, direction)
        case Command.creditResponse where words.count >= 5:
            answer(words[4] == 0 ? [words[0]] : [], identifier, direction)
        case Command.enhancedResponse where words.count >= 4: answer(Array(words[4...]), identifier, direction)
        case Command.disconnectionRequest where words.count >= 2:
            services[Channel(direction: direction, id: words[0])] = nil
            services[Channel(direction: direction.other, id: words[1])] = nil
        default: break
        }
    }

    private mutating func request(
        _ multiplexer: UInt16, _ channels: [UInt16], _ identifier: UInt16, _ direction: Direction
    ) {
        if requests.count >= L2CAPChannels.limit { requests.removeAll() }
        requests[Channel(direction: direction, id: identifier)] = (Service(multiplexer), channels)
    }

    /// The answer goes the other way: packets to the requester carry its channel, packets to the other one the
    /// channel of the answer.
    private mutating func answer(_ channels: [UInt16], _ identifier: UInt16, _ direction: Direction) {
        guard let request = requests.removeValue(forKey: Channel(direction: direction.other, id: identifier)) else {
            return
        }
        for (own, theirs) in zip(request.channels, channels) where services.count < L2CAPChannels.limit {
            services[Channel(direction: direction, id: own)] = request.service
            services[Channel(direction: direction.other, id: theirs)] = request.service
        }
    }
}
