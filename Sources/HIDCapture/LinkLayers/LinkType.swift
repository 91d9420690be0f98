/// Link types of captures, by their numbers in the tcpdump registry.
enum LinkType {
    static let loopback: UInt16 = 0
    static let ethernet: UInt16 = 1
    static let rawInternet: UInt16 = 101
    /// The number that libpcap has for 101 on Linux.
    static let rawInternetOfLibpcap: UInt16 = 12
    static let loopbackOfBSD: UInt16 = 108
    static let linuxCooked: UInt16 = 113
    static let bluetoothH4: UInt16 = 187
    static let usbLinux: UInt16 = 189
    static let bluetoothH4WithDirection: UInt16 = 201
    static let usbLinuxMmapped: UInt16 = 220
    static let usbPcap: UInt16 = 249
    static let bluetoothMonitor: UInt16 = 254
    static let darwin: UInt16 = 266
    static let linuxCookedVersion2: UInt16 = 276

    /// The packets of one interface of a capture, by link type.
    enum Reader {
        case usbmon(header: Int)
        case usbpcap
        case darwin
        case bluetoothH4
        case bluetoothH4WithDirection
        case bluetoothMonitor
        case network(NetworkTraffic.Link)
        /// No keyboard input that is read here.
        case none

        init(_ linkType: UInt16) {
            switch linkType {
            case LinkType.usbLinux: self = .usbmon(header: USBMonRecord.headerOf189)
            case LinkType.usbLinuxMmapped: self = .usbmon(header: USBMonRecord.headerOf220)
            case LinkType.usbPcap: self = .usbpcap
            case LinkType.darwin: self = .darwin
            case LinkType.bluetoothH4: self = .bluetoothH4
            case LinkType.bluetoothH4WithDirection: self = .bluetoothH4WithDirection
            case LinkType.bluetoothMonitor: self = .bluetoothMonitor
            case LinkType.loopback: self = .network(.loopback(isBigEndian: false))
            case LinkType.loopbackOfBSD: self = .network(.loopback(isBigEndian: true))
            case LinkType.ethernet: self = .network(.ethernet)
            case LinkType.linuxCooked: self = .network(.cooked)
            case LinkType.linuxCookedVersion2: self = .network(.cookedVersion2)
            case LinkType.rawInternet, LinkType.rawInternetOfLibpcap: self = .network(.none)
            default: self = .none
            }
        }

        @inline(__always)
        func read(
            _ packet: UnsafeRawBufferPointer, isBigEndian: Bool, isCut: Bool, time: Int64,
            into traffic: CaptureTraffic
        ) {
            switch self {
            case .usbmon(let header):
                USBMonRecord.read(
                    packet, header: header, isBigEndian: isBigEndian, isCut: isCut, time: time, into: traffic)
            case .usbpcap: USBPcapRecord.read(packet, isCut: isCut, time: time, into: traffic)
            case .darwin: DarwinUSBRecord.read(packet, isCut: isCut, time: time, into: traffic)
            case .bluetoothH4: HCIRecord.h4(packet, isReceived: nil, time: time, into: traffic)
            case .bluetoothH4WithDirection: HCIRecord.h4WithDirection(packet, time: time, into: traffic)
            case .bluetoothMonitor: HCIRecord.monitor(packet, time: time, into: traffic)
            case .network(let link): traffic.network.packet(link, packet, time: time)
            case .none: break
            }
        }
    }
}

extension Capture {
    /// True for link types of pcap, pcapng and btsnoop files whose packets are read.
    package static func reads(linkType: UInt16) -> Bool {
        if case .none = LinkType.Reader(linkType) { return Btsnoop.DataLink.all.contains(linkType) }
        return true
    }
}
