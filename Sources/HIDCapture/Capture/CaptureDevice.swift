import KeyModel

/// The kinds of source whose records hold the data of keyboards.
package enum CaptureSource: UInt8, NamedCase, Hashable, Sendable {
    /// Linux usbmon, link types 189 and 220, or its text.
    case usbmon
    /// USBPcap on Windows, link type 249.
    case usbpcap
    /// The USB interfaces of macOS, link type 266.
    case darwin
    /// Bluetooth, at the host controller interface.
    case bluetooth
    /// The kernel's input events: raw, of evemu, of `libinput record`.
    case evdev
    /// Raw HID reports with their descriptor, as hid-recorder writes them.
    case hidraw
    /// The bytes that a terminal sends for its keyboard.
    case terminal

    package static let names = ["usbmon", "usbpcap", "darwin", "bluetooth", "evdev", "hidraw", "terminal"]

    /// True where bus and address are those of USB.
    var isUSB: Bool {
        switch self {
        case .usbmon, .usbpcap, .darwin: true
        case .bluetooth, .evdev, .hidraw, .terminal: false
        }
    }
}

package enum BluetoothTransport: UInt8, Hashable, Sendable {
    case classic = 1
    case le

    package var name: String { self == .le ? "le" : "classic" }
}

/// The layout of a keyboard's reports, and the source of that.
package enum ReportLayoutOrigin: Hashable, Sendable {
    /// The keyboard's own report descriptor is in the capture, or it is that of its receiver, which is known.
    case reportDescriptor
    /// The descriptor was given with the capture.
    case givenDescriptor
    /// A descriptor or the protocol calls the reports those of a boot keyboard.
    case bootProtocol
    /// No descriptor: the reports look like a keyboard's and like nothing else.
    case plausibility
    /// The source delivers keys, not reports.
    case keyEvents
}

/// One keyboard of a capture: one stream in which a key changed.
package struct CaptureDevice: Hashable, Sendable {
    /// 1-based, in the order of the first key events.
    package var id: UInt16
    /// The keyboard's own name, when the capture has it.
    package var name: String?
    package var source: CaptureSource
    /// USB bus; `nil` where the source has none.
    package var bus: UInt16?
    /// USB address; the number of the node for other sources.
    package var address: UInt16?
    /// USB endpoint address with the direction bit, such as 0x81.
    package var endpoint: UInt8?
    /// Bluetooth adapter, transport, connection handle and, on LE, attribute handle.
    package var adapter: UInt16?
    package var transport: BluetoothTransport?
    package var handle: UInt16?
    package var attribute: UInt16?
    package var vendor: UInt16?
    package var product: UInt16?
    /// `bInterval` of a USB endpoint: frames of 1 ms at low and full speed, 2 to its power less one microframes of
    /// 125 µs at high speed. A capture does not contain the speed.
    package var interval: UInt8?
    package var layout: ReportLayoutOrigin
    /// Reports received, repeats of the same report included; key events for sources of those.
    package var reports: UInt64
    /// Reports that only repeated the one before them.
    package var idleReports: UInt64
}

extension CaptureDevice {
    init(id: UInt16, _ device: CapturedDevice, _ stream: ReportStream, _ layout: ReportLayoutOrigin) {
        let place = device.place
        self.init(
            id: id, name: device.name, source: place.source, vendor: device.vendor, product: device.product,
            layout: layout, reports: stream.reports, idleReports: stream.idleReports)
        if place.source == .bluetooth {
            (adapter, transport, handle) = (place.bus, place.transport, place.address)
            attribute = place.transport == .le ? stream.endpoint : nil
        } else {
            bus = place.source.isUSB && place.source != .darwin ? place.bus : nil
            address = place.address
            endpoint = place.source.isUSB ? UInt8(truncatingIfNeeded: stream.endpoint) : nil
            interval = endpoint.flatMap { device.intervals[$0] }
        }
    }
}
