import KeyModel

/// The reports of one keyboard, rebuilt from its keys: those of the boot protocol, and on a second interface those of
/// keys that the boot protocol has no place for.
///
/// A report is 8 bytes, as in the boot protocol, unless more than six keys were held at once: then it has a slot for
/// each of them, and so does the report descriptor.
struct USBReports {
    /// Interface 0: modifier bits, a reserved byte, and keys in the order in which they went down.
    private var modifiers: UInt8 = 0
    private var slots: [UInt8]
    /// Interface 1, report 1: keys of the consumer page.
    private var consumer: [UInt16]
    /// Interface 1, reports 2 and 3: keys of the Generic Desktop page, and Fn.
    private var system: UInt8 = 0
    let hasOthers: Bool

    /// More keys at once than any hand has, or any report descriptor here.
    private static let mostKeys = 250

    init(_ keyboard: ExportSurvey.Keyboard) {
        slots = Array(repeating: 0, count: min(max(6, keyboard.mostKeys), USBReports.mostKeys))
        consumer = Array(repeating: 0, count: min(max(1, keyboard.mostOthers), USBReports.mostKeys))
        hasOthers = keyboard.mostOthers > 0
    }

    struct Report: Equatable {
        var interface: UInt8
        var bytes: [UInt8]
    }

    /// The report after a change; `nil` when none can hold it.
    mutating func report(_ change: KeyChange) -> Report? {
        let isDown = change.phase == .down
        let (page, usage) = (change.usage.page, change.usage.usage)
        switch page {
        case KeyUsage.keyboardPage:
            if (0xE0...0xE7).contains(usage) {
                let bit = UInt8(1) << UInt8(usage & 7)
                modifiers = isDown ? modifiers | bit : modifiers & ~bit
            } else {
                guard usage > 3, let key = UInt8(exactly: usage), place(key, isDown, in: \.slots) else { return nil }
            }
            return Report(interface: 0, bytes: [modifiers, 0] + slots)
        case KeyUsage.consumerPage:
            guard usage > 0, usage <= 0x3FF, place(usage, isDown, in: \.consumer) else { return nil }
            return Report(interface: 1, bytes: [1] + consumer.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        case 1:
            guard (0x81...0x83).contains(usage) else { return nil }
            let bit = UInt8(1) << UInt8(usage - 0x81)
            system = isDown ? system | bit : system & ~bit
            return Report(interface: 1, bytes: [2, system])
        default:
            guard change.usage == .appleFn else { return nil }
            return Report(interface: 1, bytes: [3, isDown ? 1 : 0])
        }
    }

    private mutating func place<Slot: BinaryInteger>(
        _ key: Slot, _ isDown: Bool, in path: WritableKeyPath<USBReports, [Slot]>
    ) -> Bool {
        let slots = self[keyPath: path]
        if isDown {
            guard let free = slots.firstIndex(of: 0) else { return false }
            self[keyPath: path][free] = key
        } else {
            guard let known = slots.firstIndex(of: key) else { return false }
            // Keyboards close the gap.
            self[keyPath: path].remove(at: known)
            self[keyPath: path].append(0)
        }
        return true
    }

    // MARK: Descriptors

    var reportDescriptors: [[UInt8]] { hasOthers ? [keyboardDescriptor, otherDescriptor] : [keyboardDescriptor] }

    private var keyboardDescriptor: [UInt8] {
        [
            0x05, 0x01, 0x09, 0x06, 0xA1, 0x01,  // Generic Desktop, Keyboard, application
            0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x08, 0x81, 0x02,
            0x75, 0x08, 0x95, 0x01, 0x81, 0x01,  // reserved
            0x19, 0x00, 0x2A, 0xFF, 0x00, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08, 0x95, UInt8(slots.count), 0x81,
            0x00, 0xC0,
        ]
    }

    private var otherDescriptor: [UInt8] {
        [
            0x05, 0x0C, 0x09, 0x01, 0xA1, 0x01, 0x85, 0x01,  // Consumer Control, report 1
            0x19, 0x00, 0x2A, 0xFF, 0x03, 0x15, 0x00, 0x26, 0xFF, 0x03, 0x75, 0x10, 0x95, UInt8(consumer.count), 0x81,
            0x00, 0xC0,
            0x05, 0x01, 0x09, 0x80, 0xA1, 0x01, 0x85, 0x02,  // System Control, report 2
            0x19, 0x81, 0x29, 0x83, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x03, 0x81, 0x02,
            0x95, 0x05, 0x81, 0x01, 0xC0,
            0x05, 0x0C, 0x09, 0x01, 0xA1, 0x01, 0x85, 0x03,  // Fn, report 3
            0x06, 0xFF, 0x00, 0x09, 0x03, 0x95, 0x01, 0x81, 0x02, 0x95, 0x07, 0x81, 0x01, 0xC0,
        ]
    }

    func deviceDescriptor(vendor: UInt16, product: UInt16) -> [UInt8] {
        func bytes(_ word: UInt16) -> [UInt8] { [UInt8(word & 0xFF), UInt8(word >> 8)] }
        return [18, 1, 0x00, 0x02, 0, 0, 0, 8] + bytes(vendor) + bytes(product) + [0x11, 0x01, 0, 2, 0, 1]
    }

    var configurationDescriptor: [UInt8] {
        var body: [UInt8] = []
        for (number, descriptor) in reportDescriptors.enumerated() {
            let isBoot = number == 0 && slots.count == 6
            body += [9, 4, UInt8(number), 0, 1, 3, isBoot ? 1 : 0, isBoot ? 1 : 0, 0]
            body += [9, 0x21, 0x11, 1, 0, 1, 0x22, UInt8(descriptor.count & 0xFF), UInt8(descriptor.count >> 8)]
            body += [7, 5, 0x81 + UInt8(number), 3, 64, 0, 1]
        }
        let total = body.count + 9
        return [9, 2, UInt8(total & 0xFF), UInt8(total >> 8), UInt8(reportDescriptors.count), 1, 0, 0xA0, 50] + body
    }
}
