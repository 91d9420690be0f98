/// Link types of captures, by their numbers in the tcpdump registry.
enum LinkType {
    static let usbLinux: UInt16 = 189
    static let usbLinuxMmapped: UInt16 = 220
    static let usbPcap: UInt16 = 249

    /// The packets of one interface of a capture, by link type.
    enum Reader {
        case usbmon(header: Int)
        case usbpcap
        /// No USB keyboard reports that are read here.
        case none

        init(_ linkType: UInt16) {
            switch linkType {
            case LinkType.usbLinux: self = .usbmon(header: USBMonRecord.headerOf189)
            case LinkType.usbLinuxMmapped: self = .usbmon(header: USBMonRecord.headerOf220)
            case LinkType.usbPcap: self = .usbpcap
            default: self = .none
            }
        }

        @inline(__always)
        func read(
            _ packet: UnsafeRawBufferPointer, isBigEndian: Bool, isCut: Bool, time: Int64, into traffic: CaptureTraffic
        ) {
            switch self {
            case .usbmon(let header):
                USBMonRecord.read(
                    packet, header: header, isBigEndian: isBigEndian, isCut: isCut, time: time, into: traffic)
            case .usbpcap: USBPcapRecord.read(packet, isCut: isCut, time: time, into: traffic)
            case .none: break
            }
        }
    }
}
