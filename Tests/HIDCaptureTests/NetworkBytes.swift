/// Builds network packets in memory.
enum NetworkBytes {
    static func big(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }

    /// An IPv4 or IPv6 packet with a TCP segment.
    static func segment(
        _ data: [UInt8], from: Int, to: Int, sequence: Int, acknowledged: Int? = nil, flags: UInt8 = 0x08,
        isVersion6: Bool = false
    ) -> [UInt8] {
        let flags = acknowledged == nil ? flags : flags | 0x10
        let tcp =
            big(from, 2) + big(to, 2) + big(sequence, 4) + big(acknowledged ?? 0, 4) + [0x50, flags] + big(0, 6) + data
        if isVersion6 {
            let address = Array(repeating: UInt8(0), count: 15) + [1]
            return [0x60, 0, 0, 0] + big(tcp.count, 2) + [6, 64] + address + address + tcp
        }
        return [0x45, 0] + big(20 + tcp.count, 2) + [0, 0, 0x40, 0, 64, 6, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1] + tcp
    }

    static func ethernet(_ packet: [UInt8]) -> [UInt8] {
        Array(repeating: 0, count: 12) + (packet[0] >> 4 == 6 ? [0x86, 0xDD] : [8, 0]) + packet
    }

    // MARK: X11

    /// What a client and a server say first.
    static let setup: [UInt8] = [0x6C, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    static let setupAnswer: [UInt8] = [1, 0, 11, 0, 0, 0, 2, 0] + Array(repeating: 0, count: 8)

    static func key(_ code: UInt8, isDown: Bool, time: UInt8) -> [UInt8] {
        [isDown ? 2 : 3, code, 1, 0, time, 0, 0, 0, 9, 1, 0, 0] + Array(repeating: 0, count: 18) + [1, 0]
    }

    // MARK: USB/IP

    static func submit(
        _ sequence: Int, endpoint: Int, isIn: Bool, interval: Int = 8, setup: [UInt8]? = nil
    ) -> [UInt8] {
        [1, sequence, 1 << 16 | 5, isIn ? 1 : 0, endpoint, 0, 64, 0, -1, interval].flatMap { big($0, 4) }
            + (setup ?? Array(repeating: 0, count: 8))
    }

    static func answer(_ sequence: Int, _ data: [UInt8], status: Int = 0) -> [UInt8] {
        [3, sequence, 0, 0, 0, status, data.count, 0, -1, 0, 0, 0].flatMap { big($0, 4) } + data
    }
}
