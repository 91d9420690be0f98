/// What evtest prints: a description of the device, then a line for each event, `Event: time 1700000000.012345, type 1
/// (EV_KEY), code 30 (KEY_A), value 1`, and lines of dashes between packets. Scan codes are hexadecimal. The terminal
/// echoes the keys while they are recorded, so an event counts wherever in its line it begins.
enum EvtestRecording {
    static func isOne(_ head: [UInt8]) -> Bool {
        firstLines(head).contains { line in
            line.withUnsafeBytes { bytes in
                var fields = TextFields(bytes)
                if fields.pass("Input driver version is ") { return true }
                return fields.pass("Event: time ") && event(&fields) != nil
            }
        }
    }

    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        let place = StreamPlace(source: .evdev, address: 1)
        guard let device = traffic.device(at: place) else { return }
        var keys = EvdevKeys(place)
        try traffic.forEachLine(of: input) { line in
            var fields = TextFields(line)
            if fields.pass("Event: time ") {
                guard let event = event(&fields) else { return false }
                keys.add(event, to: traffic)
            } else if fields.pass("Input driver version is ") {
                keys.restart(traffic)
            } else if fields.take("Input device name: ") {
                let name = fields.quoted()
                traffic.change(device: device) { $0.givenName = name }
            } else if fields.take("Input device ID: "), fields.pass("vendor 0x"), let vendor = fields.hexadecimal(),
                fields.pass("product 0x"), let product = fields.hexadecimal()
            {
                traffic.change(device: device) {
                    ($0.vendor, $0.product) = (UInt16(exactly: vendor), UInt16(exactly: product))
                }
            } else if fields.pass("Event code 30 (") {
                traffic.change(device: device) { $0.hasLetterKeys = true }
            }
            return true
        }
        keys.finish(traffic)
    }

    /// `seconds, type n (name), code n (name), value n`, or the end of a packet.
    private static func event(_ fields: inout TextFields) -> EvdevEvent? {
        guard let stamp = fields.seconds(), fields.take(", ") else { return nil }
        guard fields.take("type ") else {
            guard let next = fields.next, "-+>".utf8.contains(next) else { return nil }
            let code: UInt16 = fields.pass("SYN_DROPPED") ? 3 : fields.pass("SYN_MT_REPORT") ? 2 : 0
            return EvdevEvent(stamp: stamp, type: 0, code: code, value: 0)
        }
        guard let type = fields.decimal(), fields.pass("code "), let code = fields.decimal(), fields.pass("value ")
        else { return nil }
        var other = fields
        guard var value = fields.signed() ?? (type == 4 ? 0 : nil) else { return nil }
        // Old versions print scan codes in decimal: what is no key in hexadecimal is left so.
        if type == 4, code == 4, let scan = other.hexadecimal(digits: 8),
            ReportDescriptor.key(UInt32(truncatingIfNeeded: scan)) != nil
        {
            value = Int64(scan)
        }
        return EvdevEvent(
            stamp: stamp, type: UInt16(clamping: type), code: UInt16(clamping: code),
            value: Int32(truncatingIfNeeded: value))
    }
}
