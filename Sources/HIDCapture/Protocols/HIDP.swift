/// The first byte of packets of the Bluetooth HID profile (HID profile 1.1, section 3.1).
enum HIDP {
    /// DATA, input report.
    static let input: UInt8 = 0xA1
    /// DATA, output report.
    static let output: UInt8 = 0xA2
    /// HID_CONTROL, virtual cable unplug.
    static let unplug: UInt8 = 0x15
}
