/// The data of a capture about one device: by USB control transfers, Bluetooth service discovery or its header.
struct CapturedDevice {
    struct Interface: Hashable {
        var number: UInt8
        var classCode: UInt8
        var subclass: UInt8
        var protocolCode: UInt8
    }

    /// A report descriptor as it was read.
    struct ReadDescriptor: Hashable {
        /// wIndex of the request. Captures exist where it is 0 for every interface.
        var interface: UInt16
        var bytes: [UInt8]
    }

    var place: StreamPlace
    var vendor: UInt16?
    var product: UInt16?
    var productString: UInt8 = 0
    var strings: [UInt8: String] = [:]
    /// The interfaces by endpoint address.
    var interfaces: [UInt8: Interface] = [:]
    /// `bInterval` by endpoint address.
    private(set) var intervals: [UInt8: UInt8] = [:]
    /// Numbers of the interfaces that the host has switched to the boot protocol.
    private var bootInterfaces: Set<UInt8> = []
    /// Lengths of report descriptors that the HID descriptors announce, by interface number.
    var announcedLengths: [UInt8: Int] = [:]
    private(set) var reportDescriptors: [ReadDescriptor] = []

    init(_ place: StreamPlace) {
        self.place = place
        (self.place.endpoint, self.place.interface) = (0, 0)
    }

    /// The name in the header of a recording.
    var givenName: String?
    /// The name given, else the USB product string.
    var name: String? { givenName ?? (productString == 0 ? nil : strings[productString]) }

    /// The first lights that the host set, and when.
    struct Lights: Hashable {
        var capsLock: Bool
        var numLock: Bool?
        var time: Int64
    }
    var firstLights: Lights?
    /// A Bluetooth controller on USB: its interrupt transfers are events, its bulk transfers data.
    var isBluetoothController = false
    /// True where a descriptor says what the device is.
    var isKnown: Bool { !interfaces.isEmpty || isBluetoothController }
    /// The header of a recording lists the keys of a keyboard.
    var hasLetterKeys = false

    var announcesKeyboard: Bool {
        hasLetterKeys || interfaces.values.contains { $0.classCode == 3 && $0.protocolCode == 1 }
    }

    /// The interface of an endpoint, when a configuration descriptor contains it.
    func interface(of endpoint: UInt16) -> Interface? { UInt8(exactly: endpoint).flatMap { interfaces[$0] } }

    /// A GET_DESCRIPTOR answer of type 1. False when it shows another device than before at this address.
    mutating func readDevice(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 12, bytes[1] == 1 else { return true }
        let vendor = UInt16(bytes[8]) | UInt16(bytes[9]) << 8
        let product = UInt16(bytes[10]) | UInt16(bytes[11]) << 8
        if let known = self.vendor, known != vendor || self.product != product { return false }
        (self.vendor, self.product) = (vendor, product)
        if bytes.count >= 16 { productString = bytes[15] }
        return true
    }

    /// A configuration descriptor with all it contains, as far as it was read: its own total length may lie.
    /// A descriptor shorter than its two-byte head ends the walk.
    mutating func readConfiguration(_ bytes: [UInt8]) {
        var at = 0
        var interface: Interface?
        while at + 2 <= bytes.count {
            let length = Int(bytes[at])
            guard length >= 2, at + length <= bytes.count else { break }
            let item = bytes[at..<(at + length)]
            func field(_ index: Int) -> UInt8 { item[item.startIndex + index] }
            switch field(1) {
            case 4 where length >= 9:
                interface = Interface(
                    number: field(2), classCode: field(5), subclass: field(6), protocolCode: field(7))
                // Wireless, radio, Bluetooth.
                if (field(5), field(6), field(7)) == (0xE0, 1, 1) { isBluetoothController = true }
            case 5 where length >= 4:
                if let interface, field(2) & 0x80 != 0 {
                    interfaces[field(2)] = interface
                    if length >= 7, field(6) > 0 { intervals[field(2)] = field(6) }
                }
            case 0x21 where length >= 9 && field(6) == 0x22:
                if let interface, interface.classCode == 3 {
                    announcedLengths[interface.number] = Int(field(7)) | Int(field(8)) << 8
                }
            default: break
            }
            at += length
        }
    }

    /// The last word counts: firmware takes the boot protocol, the system after it may not.
    mutating func setProtocol(isBoot: Bool, interface: UInt8) {
        if isBoot { bootInterfaces.insert(interface) } else { bootInterfaces.remove(interface) }
    }

    /// A device that is configured anew speaks the report protocol (HID 1.11, section 7.2.6).
    mutating func forgetProtocols() { bootInterfaces.removeAll() }

    /// True for the endpoint of a boot keyboard that the host wants boot reports of, whatever its descriptor has.
    func sendsBootReports(endpoint: UInt16) -> Bool {
        guard let interface = interface(of: endpoint) else { return false }
        return interface.subclass == 1 && interface.protocolCode == 1 && bootInterfaces.contains(interface.number)
    }

    /// Up to its NUL, without blanks at the end. The longest answer counts: Windows asks for the first character alone,
    /// then for all.
    mutating func readString(_ index: UInt8, _ bytes: [UInt8]) {
        guard bytes.count >= 4, bytes[1] == 3 else { return }
        let length = min(Int(bytes[0]), bytes.count)
        guard length >= 4 else { return }
        let units = stride(from: 2, to: length - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        let name = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
        let text = String(name.reversed().drop { $0 == " " }.reversed())
        if text.utf16.count > strings[index]?.utf16.count ?? 0 { strings[index] = text }
    }

    /// False for one that is known, or one too many.
    mutating func readReportDescriptor(interface: UInt16, _ bytes: [UInt8]) -> Bool {
        let new = ReadDescriptor(interface: interface, bytes: bytes)
        guard !reportDescriptors.contains(new), reportDescriptors.count < CaptureLimits.descriptorsPerDevice
        else { return false }
        reportDescriptors.append(new)
        return true
    }

    /// The report descriptors that may be that of an endpoint's interface, and whether the capture says that they are.
    /// The length that the interface announces decides before the interface that the request named.
    func reportDescriptors(endpoint: UInt16) -> (bytes: [[UInt8]], areOwn: Bool) {
        guard let number = interface(of: endpoint)?.number else {
            return (reportDescriptors.map(\.bytes), !place.source.isUSB)
        }
        let own = reportDescriptors.filter { $0.interface == UInt16(number) }.map(\.bytes)
        guard let length = announcedLengths[number] else { return (own.suffix(1), true) }
        let named = own.filter { $0.count == length }
        if !named.isEmpty { return (named, true) }
        return (reportDescriptors.map(\.bytes).filter { $0.count == length }, false)
    }
}
