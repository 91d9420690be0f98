import HIDCapture

/// A keyboard that is plugged into this machine, and where it can be recorded.
package struct AttachedKeyboard: Hashable, Sendable {
    /// Something of it that is a file.
    package struct Node: Hashable, Sendable {
        package var path: String
        /// This user may read it now.
        package var isReadable: Bool
        /// The remedy that makes it readable; `nil` when it is.
        package var remedy: String?
    }

    /// Its place on USB.
    package struct USBPlace: Hashable, Sendable {
        package var bus: UInt32
        package var address: UInt32
        /// `usbmonN` of its bus; `nil` while the kernel has none.
        package var monitor: Node?
    }

    /// Its own name.
    package var name: String
    package var vendor: UInt32?
    package var product: UInt32?
    /// The kernel's number of its kind of connection: 3 is USB, 5 Bluetooth.
    package var connection: UInt32?
    package var inputDevice: Node
    package var hidraw: String?
    package var usb: USBPlace?
    /// The interval at which it is asked for reports, in nanoseconds.
    package var pollInterval: Int64?

    /// The keyboards of a machine, in the order of their input devices.
    static func all(_ files: SystemFiles) -> [AttachedKeyboard] {
        files.names(folder).compactMap { name in
            guard name.hasPrefix("event"), UInt32(name.dropFirst(5)) != nil else { return nil }
            return AttachedKeyboard(files, name)
        }
    }

    private static let folder = "/sys/class/input"

    /// `nil` for what is no keyboard.
    private init?(_ files: SystemFiles, _ event: String) {
        let device = "\(AttachedKeyboard.folder)/\(event)/device"
        guard let keys = files.line(device + "/capabilities/key"), AttachedKeyboard.hasLetters(keys) else { return nil }
        name = files.line(device + "/name") ?? event
        vendor = files.number(device + "/id/vendor", radix: 16)
        product = files.number(device + "/id/product", radix: 16)
        connection = files.number(device + "/id/bustype", radix: 16)
        let path = "/dev/input/" + event
        inputDevice = Node(files, path, remedy: LiveRemedy.permission(input: path))
        guard let whole = files.resolved(device) else { return }
        // From the input device up to the bus: input, HID device, interface, USB device.
        var parts = whole.split(separator: "/").map(String.init)
        while !parts.isEmpty {
            let place = "/" + parts.joined(separator: "/")
            if hidraw == nil { hidraw = files.names(place + "/hidraw").first.map { "/dev/" + $0 } }
            if pollInterval == nil { pollInterval = AttachedKeyboard.pollInterval(files, place) }
            if let bus = files.number(place + "/busnum"), let address = files.number(place + "/devnum") {
                usb = USBPlace(bus: bus, address: address, monitor: AttachedKeyboard.monitor(files, bus))
                break
            }
            parts.removeLast()
        }
    }

    /// The keys from Q to P and A, which are among the lowest 32 bits whatever the size of the kernel's words.
    private static func hasLetters(_ capabilities: String) -> Bool {
        guard let low = capabilities.split(separator: " ").last.flatMap({ UInt64($0, radix: 16) }) else { return false }
        let letters: UInt64 = 0x3FF << 16 | 1 << 30
        return low & letters == letters
    }

    private static func monitor(_ files: SystemFiles, _ bus: UInt32) -> Node? {
        let path = "/dev/usbmon\(bus)"
        guard files.exists(path) else { return nil }
        return Node(files, path, remedy: LiveRemedy.permission(interface: "usbmon\(bus)"))
    }

    /// The interval of the first IN endpoint of an interface: the kernel writes `10ms` or `125us`.
    private static func pollInterval(_ files: SystemFiles, _ interface: String) -> Int64? {
        guard let endpoint = files.names(interface).first(where: { $0.hasPrefix("ep_8") }),
            let text = files.line("\(interface)/\(endpoint)/interval")
        else { return nil }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), (0...1_000_000).contains(count) else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": return count * 1_000_000
        case "us": return count * 1000
        default: return nil
        }
    }
}

extension AttachedKeyboard.Node {
    fileprivate init(_ files: SystemFiles, _ path: String, remedy: String) {
        let isReadable = files.isReadable(path)
        self.init(path: path, isReadable: isReadable, remedy: isReadable ? nil : remedy)
    }
}
