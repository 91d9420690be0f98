/// Link types of captures, by their numbers in the tcpdump registry.
enum LinkType {
    static let bluetoothH4: UInt16 = 187
    static let usbLinux: UInt16 = 189
    static let bluetoothH4WithDirection: UInt16 = 201
    static let usbLinuxMmapped: UInt16 = 220
    static let usbPcap: UInt16 = 249
    static let bluetoothMonitor: UInt16 = 254
    static let darwin: UInt16 = 266
    /// Networks: loopback of two kinds, Ethernet, raw IP by two numbers, Linux cooked of two versions.
    fileprivate static let networks: Set<UInt16> = [0, 1, 12, 101, 108, 113, 276]

    fileprivate static let names: [UInt16: String] = [
        186: "USB of FreeBSD", 192: "PPI", 251: "Bluetooth LE link layer", 256: "Bluetooth LE radio",
        272: "nRF sniffer", 288: "USB 2.0 raw", 293: "USB raw, low speed", 294: "USB raw, full speed",
        295: "USB raw, high speed",
    ]

    /// The packets of one interface of a capture, by link type.
    enum Reader {
        case usbmon(header: Int)
        case usbpcap
        case darwin
        case bluetoothH4
        case bluetoothH4WithDirection
        case bluetoothMonitor
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

    /// The number of a link type, with its name where it may have keyboards in it.
    package static func words(linkType: UInt16) -> String {
        LinkType.names[linkType].map { "\(linkType) (\($0))" } ?? "\(linkType)"
    }

    /// True for link types of networks. X11 and USB/IP, the protocols over them that carry keys, are not read.
    package static func isNetwork(linkType: UInt16) -> Bool { LinkType.networks.contains(linkType) }
}
