/// The kernel's data on the USB devices that are plugged in: the descriptors that a capture which begins now has missed
/// (spec §4, getting the descriptor, 3).
struct USBDeviceFiles {
    private let files: SystemFiles
    private static let folder = "/sys/bus/usb/devices"

    init(root: String) { files = SystemFiles(root: root) }

    /// Reads what is known of the devices of a bus, 0 for all buses; `address`: of one device alone.
    func describe(bus: UInt16, address: UInt16? = nil, to traffic: CaptureTraffic) {
        for name in files.names(USBDeviceFiles.folder) where !name.contains(":") {
            let path = USBDeviceFiles.folder + "/" + name
            guard let number = files.number(path + "/busnum").flatMap({ UInt16(exactly: $0) }),
                let device = files.number(path + "/devnum").flatMap({ UInt16(exactly: $0) }),
                bus == 0 || bus == number, address == nil || address == device
            else { continue }
            let place = StreamPlace(source: .usbmon, bus: number, address: device)
            guard let index = traffic.device(at: place), traffic.devices[index].vendor == nil else { continue }
            describe(path, name, index, traffic)
        }
    }

    private func describe(_ path: String, _ name: String, _ index: Int, _ traffic: CaptureTraffic) {
        let descriptors = files.bytes(path + "/descriptors")
        let product = files.line(path + "/product")
        let interfaces = files.names(path).filter { $0.hasPrefix(name + ":") }
        traffic.change(device: index) { device in
            if let descriptors {
                _ = device.readDevice(descriptors)
                device.readConfiguration(descriptors)
            }
            if let product, !product.isEmpty { device.givenName = product }
            for interface in interfaces {
                let folder = path + "/" + interface
                guard let number = files.number(folder + "/bInterfaceNumber", radix: 16) else { continue }
                // The HID device below the interface is named BUS:VENDOR:PRODUCT.NUMBER.
                for child in files.names(folder) where child.count(where: { $0 == ":" }) == 2 {
                    guard let bytes = files.bytes(folder + "/" + child + "/report_descriptor"), !bytes.isEmpty else {
                        continue
                    }
                    let kept = Array(bytes.prefix(CaptureLimits.descriptorBytes))
                    _ = device.readReportDescriptor(interface: UInt16(clamping: number), kept)
                }
            }
        }
    }
}
