/// One stream of reports: an IN endpoint of a USB device, a channel or attribute of a Bluetooth one; or of key
/// events: a node of the kernel.
struct ReportStream {
    var device: Int
    /// Endpoint address or attribute handle.
    var endpoint: UInt16
    var reports: UInt64 = 0
    var idleReports: UInt64 = 0
    /// The kind of the stream's entries, where the protocol fixes it beyond the bytes of its reports.
    var nature = Nature.reports
    /// The id of its reports, where they come without it (Bluetooth LE).
    var reportID: UInt8?
    /// The latest entry of this stream in the store.
    var latest: UnsafeMutablePointer<StoredReport>?
    /// The place of the latest entry, when the store keeps no more of this stream than that.
    var onlyLatest: ReportStore.Single?
    /// Entries that were kept although the store had as many as it should.
    var keptBeyond = 0

    /// The endpoint in notes, without the number of a device behind a receiver.
    var endpointName: String { "0x" + String(nature == .paired ? endpoint & 0xFF : endpoint, radix: 16) }

    enum Nature: Hashable {
        case reports
        /// Boot reports of a keyboard, by the protocol that carried them.
        case bootReports
        /// Reports of a device that is paired with a receiver, as `LogitechReceiver` lays them out.
        case paired
        /// Key events in place of reports.
        case events
        /// Known not to be a keyboard's.
        case other
    }
}

/// The origin of a stream.
struct StreamPlace: Hashable {
    var source: CaptureSource
    var transport: BluetoothTransport?
    /// USB bus, Bluetooth adapter.
    var bus: UInt16 = 0
    /// USB address, Bluetooth connection handle, number of a node.
    var address: UInt16 = 0
    /// USB endpoint address, and in the high byte the number of a device behind a receiver; Bluetooth attribute handle.
    var endpoint: UInt16 = 0
    /// Interface of the capture, which is no part of the device.
    var interface: UInt8 = 0

    /// The same number for the same place, another for every other.
    @inline(__always)
    static func key(
        _ source: CaptureSource, _ transport: BluetoothTransport?, _ bus: UInt16, _ address: UInt16, _ endpoint: UInt16
    ) -> UInt64 {
        UInt64(source.rawValue) << 52 | UInt64(transport?.rawValue ?? 0) << 48 | UInt64(bus) << 32
            | UInt64(address) << 16 | UInt64(endpoint)
    }

    var key: UInt64 { StreamPlace.key(source, transport, bus, address, endpoint) | UInt64(interface) << 56 }
    var deviceKey: UInt64 { StreamPlace.key(source, transport, bus, address, 0) }
}
