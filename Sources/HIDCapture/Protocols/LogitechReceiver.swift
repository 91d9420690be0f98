/// Logitech's receivers as Linux drives them: a report of a paired device comes behind the receiver's own report id and
/// the device's number, 1 to 7, on one endpoint for all (the kernel's hid-logitech-dj.c and hid-logitech-hidpp.c).
/// Others send a keyboard's boot reports, and on another endpoint reports with ids; Lightspeed receivers from 1.3 on
/// send its keys as bits, with an id.
enum LogitechReceiver {
    static let vendor: UInt16 = 0x046D
    /// Bytes of a short HID++ message.
    static let short = 7

    /// What is behind the two bytes of a message: a report with its id, or a notification.
    private enum Kind {
        /// Consumer and vendor keys, in a short HID++ message.
        static let consumer: UInt8 = 3
        static let lastReport: UInt8 = 0x1F
        /// The two highest bits of them.
        static let notifications: UInt8 = 0x40
        static let unpaired: UInt8 = 0x40
        static let connection: UInt8 = 0x42
        static let linkLost: UInt8 = 1
    }

    /// The number of the paired device that sent a message; `nil` for what is none. A short message is one only where
    /// the vendor is known, a long one where the stream has not sent others of its length: they may be bits of keys.
    static func device(of bytes: UnsafeRawBufferPointer, vendor: UInt16?, hasSentOthers: Bool) -> UInt8? {
        guard bytes.count >= short, (1...7).contains(bytes[1]), vendor == nil || vendor == LogitechReceiver.vendor
        else { return nil }
        switch (bytes[0], bytes.count) {
        case (0x20, 15), (0x21, 32):
            let isMessage = isReport(bytes) || bytes[2] & 0xC0 == Kind.notifications
            return isMessage && !hasSentOthers ? bytes[1] : nil
        case (0x10, short) where vendor != nil && (bytes[2] == Kind.consumer || bytes[2] == Kind.unpaired):
            return bytes[1]
        default: return nil
        }
    }

    /// True for a report of the device, as it is behind the two bytes.
    static func isReport(_ bytes: UnsafeRawBufferPointer) -> Bool { (1...Kind.lastReport).contains(bytes[2]) }

    /// True when the device is gone, and with it what it held.
    static func isEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes[2] == Kind.unpaired || bytes[2] == Kind.connection && bytes[3] == Kind.linkLost
    }

    private static let lightspeed: Set<UInt16> = [0xC547, 0xC54D]
    private static let others: Set<UInt16> = [
        0xC513, 0xC517, 0xC52B, 0xC531, 0xC532, 0xC534, 0xC537, 0xC539, 0xC53A, 0xC53F, 0xC543, 0xC548,
    ]
    private static let bitmapLength = 17

    /// The layout of reports with ids that a receiver sends beside messages; `nil` for other devices.
    static func numbered(_ vendor: UInt16?, _ product: UInt16?) -> ReportDescriptor? {
        guard vendor == LogitechReceiver.vendor, let product else { return nil }
        return lightspeed.contains(product) ? bitmaps : others.contains(product) ? reports : nil
    }

    /// True for a report with keys, false for one of a mouse or a message, `nil` for what has no id.
    static func hasKeys(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        switch bytes.first {
        case 1: bytes.count == bitmapLength ? true : nil
        case 3, 4: true
        case 2, 8, 0x0B, 0x10, 0x11, 0x20, 0x21: false
        default: nil
        }
    }

    /// Keyboard (1) without a reserved byte, consumer keys (3), system keys (4).
    static let reports = layout([0x95, 6, 0x75, 8, 0x26, 0xFF, 0, 0x19, 0, 0x2A, 0xFF, 0, 0x81, 0])
    /// The same with a bit for each key from A to F24, of 87 to 8B and of 90 to 92.
    private static let bitmaps = layout(
        [0x95, 112, 0x19, 4, 0x29, 0x73, 0x81, 2, 0x95, 5, 0x19, 0x87, 0x29, 0x8B, 0x81, 2]
            + [0x95, 3, 0x19, 0x90, 0x29, 0x92, 0x81, 2])

    private static func layout(_ keys: [UInt8]) -> ReportDescriptor {
        let keyboard: [UInt8] =
            [5, 1, 9, 6, 0xA1, 1, 0x85, 1, 5, 7, 0x15, 0, 0x25, 1, 0x75, 1, 0x95, 8, 0x19, 0xE0, 0x29, 0xE7, 0x81, 2]
            + keys + [0xC0]
        let consumer: [UInt8] =
            [5, 0x0C, 9, 1, 0xA1, 1, 0x85, 3, 0x75, 16, 0x95, 2, 0x15, 1, 0x26, 0xFF, 0x10, 0x19, 1, 0x2A, 0xFF, 0x10]
            + [0x81, 0, 0xC0]
        let system: [UInt8] =
            [5, 1, 9, 0x80, 0xA1, 1, 0x85, 4, 0x75, 2, 0x95, 1, 0x15, 1, 0x25, 3, 9, 0x82, 9, 0x81, 9, 0x83, 0x81, 0x60]
        return (try? ReportDescriptor(keyboard + consumer + system + [0xC0])) ?? ReportDescriptor()
    }
}
