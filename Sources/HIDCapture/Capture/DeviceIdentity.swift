/// The identity by which a device that comes back is recognised.
struct DeviceIdentity: Hashable {
    private var source: CaptureSource
    private var bus: UInt16
    private var vendor: UInt16
    private var product: UInt16
    private var name: String?
    private var endpoint: UInt16

    /// `nil` for USB devices whose descriptors are not in the capture, and where connections identify devices.
    init?(_ device: CapturedDevice, _ stream: ReportStream) {
        guard device.place.source.isUSB, let vendor = device.vendor, let product = device.product else { return nil }
        (source, bus, endpoint) = (device.place.source, device.place.bus, stream.endpoint)
        (self.vendor, self.product, name) = (vendor, product, device.name)
    }
}
