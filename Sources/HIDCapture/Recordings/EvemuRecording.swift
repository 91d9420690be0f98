/// Recordings of evemu, versions 1.0 to 1.3: `E: seconds type code value` lines with type and code in hexadecimal
/// and the value in decimal, after a description of the device (spec §5).
enum EvemuRecording {
    /// A version line, or the lines of a description or of events alone.
    static func isOne(_ head: [UInt8]) -> Bool {
        let all = firstLines(head)
        if all.contains(where: { $0.starts(with: Array("# EVEMU".utf8)) }) { return true }
        let lines = all.filter { $0.first != 0x23 }
        guard let first = lines.first else { return false }
        if first.starts(with: Array("E: ".utf8)) {
            return first.withUnsafeBytes { line in
                var fields = TextFields(line)
                return fields.take("E: ") && event(&fields) != nil
            }
        }
        let isDescription = first.starts(with: Array("N: ".utf8)) && lines.count > 1
        return isDescription && lines[lines.startIndex + 1].withUnsafeBytes { line in
            var fields = TextFields(line)
            return fields.take("I: ") && (0..<4).allSatisfy { _ in fields.hexadecimal(digits: 4) != nil }
        }
    }

    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        let place = StreamPlace(source: .evdev, address: 1)
        guard let device = traffic.device(at: place) else { return }
        var keys = EvdevKeys(place)
        var pollution: UInt64 = 0
        var keyBits = 0
        try traffic.forEachLine(of: input) { line in
            var fields = TextFields(line)
            if fields.take("E:") {
                guard let event = event(&fields) else { return false }
                keys.add(event, to: traffic)
            } else if traffic.identify(device, by: &fields) {
                return true
            } else if fields.take("B: 01") {
                let bits = (0..<8).map { _ in fields.hexadecimal(digits: 2) ?? 0 }
                // KEY_A is bit 30 of the first eight bytes.
                if keyBits == 0, bits[3] & 0x40 != 0 { traffic.change(device: device) { $0.hasLetterKeys = true } }
                keyBits += 1
            } else if fields.take("# EVEMU") {
                keys.restart(traffic)
            } else if line.first != 0x23, fields.pass("E: "), let event = event(&fields) {
                // A terminal that echoes the keys being recorded writes into the recording (spec §5).
                pollution += 1
                keys.add(event, to: traffic)
            }
            return true
        }
        keys.finish(traffic)
        guard pollution > 0 else { return }
        traffic.facts.note("\(pollution) events stand behind what a terminal echoed into their lines")
    }

    /// `seconds type code value`; what follows is a comment.
    private static func event(_ fields: inout TextFields) -> EvdevEvent? {
        fields.skipBlanks()
        guard let stamp = fields.seconds(), let type = fields.hexadecimal(digits: 4),
            let code = fields.hexadecimal(digits: 4), let value = fields.signed()
        else { return nil }
        return EvdevEvent(
            stamp: stamp, type: UInt16(truncatingIfNeeded: type), code: UInt16(truncatingIfNeeded: code),
            value: Int32(clamping: value))
    }
}
