import HIDCapture

/// Names keyboards of a capture: by id, or by where they are plugged in.
package enum DeviceSelector: Hashable, Sendable, CustomStringConvertible {
    case id(UInt16)
    /// All keyboards of a bus and address, or the one of an endpoint.
    case place(bus: UInt16, address: UInt16, endpoint: UInt8?)

    /// Reads `ID` or `BUS:ADDRESS[:ENDPOINT]`; numbers are decimal, or hexadecimal after `0x`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { DeviceSelector.number($0) }
        switch parts.count {
        case 1:
            guard let number = parts[0], let id = UInt16(exactly: number), id > 0 else { return nil }
            self = .id(id)
        case 2, 3:
            guard let bus = parts[0].flatMap({ UInt16(exactly: $0) }),
                let address = parts[1].flatMap({ UInt16(exactly: $0) })
            else { return nil }
            var endpoint: UInt8?
            if parts.count == 3 {
                guard let number = parts[2].flatMap({ UInt8(exactly: $0) }) else { return nil }
                endpoint = number
            }
            self = .place(bus: bus, address: address, endpoint: endpoint)
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .id(let id): "\(id)"
        case .place(let bus, let address, let endpoint):
            "\(bus):\(address)" + (endpoint.map { ":0x" + String($0, radix: 16) } ?? "")
        }
    }

    private static func number(_ text: some StringProtocol) -> UInt32? {
        text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }

    func matches(_ device: CaptureDevice) -> Bool {
        switch self {
        case .id(let id): device.id == id
        case .place(let bus, let address, let endpoint):
            // People write the endpoint's number; its address has the direction bit as well.
            (device.bus ?? device.adapter ?? 0) == bus && (device.address ?? device.handle) == address
                && (endpoint == nil || endpoint == device.endpoint || endpoint == device.endpoint.map { $0 & 0x0F })
        }
    }
}
