/// Text of usbmon (`/sys/kernel/debug/usb/usbmon/Nu`): a line per event with at most 32 bytes of data, so that
/// longer reports and descriptors are cut (kernel, Documentation/usb/usbmon.rst; spec §2).
enum USBMonText {
    /// The microseconds of its stamps start anew after this many.
    private static let wrap: Int64 = 4096 * 1_000_000

    static func isOne(_ head: [UInt8]) -> Bool {
        guard let first = firstLines(head).first else { return false }
        return first.withUnsafeBytes { line(TextFields($0)) != nil }
    }

    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        traffic.noteOtherEpoch()
        var latest: Int64 = 0
        var turns: Int64 = 0
        var data: [UInt8] = []
        try traffic.forEachLine(of: input) { bytes in
            guard let line = line(TextFields(bytes)) else { return bytes.isEmpty }
            if line.micros < latest - wrap / 2 { turns += 1 }
            latest = line.micros
            traffic.facts.packets += 1
            let time = traffic.time(of: (turns &* wrap &+ line.micros) &* 1000)
            deliver(line, &data, time, to: traffic)
            return true
        }
    }

    private struct Line {
        var id: UInt64
        var micros: Int64
        var event: UInt8
        var transfer: UInt8
        var isIn: Bool
        var bus: UInt16
        var address: UInt8
        var endpoint: UInt8
        var rest: TextFields
    }

    /// `tag µs S|C|E Ii:bus:device:endpoint …`; the older form has no bus.
    private static func line(_ start: TextFields) -> Line? {
        var fields = start
        guard let id = fields.hexadecimal(), fields.take(" "), let micros = fields.decimal(), micros < UInt64(wrap),
            fields.take(" "), let event = letter(&fields, Array("SCE".utf8)), fields.take(" "),
            let transfer = letter(&fields, Array("CZIB".utf8)), let direction = letter(&fields, Array("io".utf8)),
            fields.take(":"), let first = fields.decimal(), fields.take(":"), let second = fields.decimal()
        else { return nil }
        let third = fields.take(":") ? fields.decimal() : nil
        let place = third.map { (first, second, $0) } ?? (0, first, second)
        guard let bus = UInt16(exactly: place.0), let address = UInt8(exactly: place.1), place.2 < 16 else {
            return nil
        }
        return Line(
            id: id, micros: Int64(micros), event: event, transfer: transfer, isIn: direction == 0x69, bus: bus,
            address: address, endpoint: UInt8(place.2) | (direction == 0x69 ? 0x80 : 0), rest: fields)
    }

    /// The next character, passed, when it is one of these.
    private static func letter(_ fields: inout TextFields, _ allowed: [UInt8]) -> UInt8? {
        guard let next = fields.next, allowed.contains(next) else { return nil }
        fields.skip()
        return next
    }

    private static func deliver(_ line: Line, _ data: inout [UInt8], _ time: Int64, to traffic: CaptureTraffic) {
        var fields = line.rest
        let isSubmit = line.event == 0x53
        if line.transfer == 0x43, isSubmit {
            guard let setup = setup(&fields), fields.decimal() != nil else { return }
            words(&fields, into: &data)
            setup.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                data.withUnsafeBytes {
                    traffic.controlRequest(
                        .usbmon, bus: line.bus, address: line.address, id: line.id, setup: base, $0, time: time)
                }
            }
            return
        }
        let isBulk = line.transfer == 0x42
        guard isSubmit == (isBulk && !line.isIn), let status = fields.signed() else { return }
        while fields.take(":") { _ = fields.signed() }  // interval, start frame and error count
        guard let length = fields.decimal() else { return }
        words(&fields, into: &data)
        let isWhole = UInt64(data.count) >= length
        if line.transfer == 0x43 {
            guard isWhole else { return }
            data.withUnsafeBytes { traffic.controlAnswer(id: line.id, $0) }
        } else if isBulk, isWhole {
            data.withUnsafeBytes {
                traffic.bulk(.usbmon, bus: line.bus, address: line.address, endpoint: line.endpoint, $0, time: time)
            }
        } else if line.transfer == 0x49, line.isIn {
            let isThere = !data.isEmpty
            if length > 0 && (status == 0 || isThere) || status == 0 && isThere {
                guard isWhole else { return traffic.facts.cutReports += 1 }
                data.withUnsafeBytes {
                    traffic.report(
                        .usbmon, bus: line.bus, address: line.address, endpoint: line.endpoint, $0, time: time)
                }
            } else if USBMonRecord.isEnd(Int32(clamping: status)) {
                traffic.ended(.usbmon, bus: line.bus, address: line.address, endpoint: line.endpoint, time: time)
            }
        }
    }

    /// ` s 80 06 0100 0000 0012`: the setup bytes as they were on the wire.
    private static func setup(_ fields: inout TextFields) -> [UInt8]? {
        fields.skipBlanks()
        guard fields.take("s") else { return nil }
        var bytes: [UInt8] = []
        for digits in [2, 2, 4, 4, 4] {
            guard let value = fields.hexadecimal(digits: digits) else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: value))
            if digits == 4 { bytes.append(UInt8(truncatingIfNeeded: value >> 8)) }
        }
        return bytes
    }

    /// ` = 00000400 00000000`: bytes in the order of the bus.
    private static func words(_ fields: inout TextFields, into data: inout [UInt8]) {
        data.removeAll(keepingCapacity: true)
        fields.skipBlanks()
        guard fields.take("=") else { return }
        while let byte = fields.hexadecimal(digits: 2), data.count < 64 { data.append(UInt8(truncatingIfNeeded: byte)) }
    }
}
