/// Recordings of hid-recorder: the report descriptor (`R: n bytes`), name, bus and ids, and each input report with
/// its time (`E: seconds n bytes`), of one device or, behind `D: n` lines, of several (spec §5).
enum HIDRecording {
    static func isOne(_ head: [UInt8]) -> Bool {
        for line in firstLines(head) where line.first != 0x23 {
            if line.starts(with: Array("D:".utf8)) { continue }
            return line.withUnsafeBytes { bytes in
                var fields = TextFields(bytes)
                guard fields.take("R:"), let count = fields.decimal() else { return false }
                return count == 0 || fields.hexadecimal(digits: 2) != nil
            }
        }
        // A descriptor longer than what was looked at leaves no whole line.
        return head.starts(with: Array("R: ".utf8))
    }

    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        var address: UInt16 = 0
        var bytes: [UInt8] = []
        try traffic.forEachLine(of: input) { line in
            var fields = TextFields(line)
            if fields.take("E:") {
                guard let stamp = fields.seconds(), list(&fields, into: &bytes) else { return false }
                if stamp < EvdevKeys.firstWallClock { traffic.noteOtherEpoch() }
                let time = traffic.time(of: stamp)
                traffic.facts.packets += 1
                guard let stream = traffic.stream(at: StreamPlace(source: .hidraw, address: address)) else {
                    traffic.facts.reportsOfExcessStreams += 1
                    return true
                }
                bytes.withUnsafeBytes { traffic.report(stream, $0, time: time) }
                return true
            }
            if fields.take("D:") {
                guard let number = fields.decimal(), let next = UInt16(exactly: number) else { return false }
                address = next
                return true
            }
            guard let device = traffic.device(at: StreamPlace(source: .hidraw, address: address)) else { return true }
            if fields.take("R:") {
                guard list(&fields, into: &bytes) else { return false }
                traffic.change(device: device) { $0.readReportDescriptor(interface: 0, bytes) }
            } else {
                _ = traffic.identify(device, by: &fields)
            }
            return true
        }
    }

    /// A count and that many bytes in hexadecimal.
    private static func list(_ fields: inout TextFields, into bytes: inout [UInt8]) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        guard let count = fields.decimal(), count <= UInt64(CaptureLimits.reportBytes) else { return false }
        for _ in 0..<count {
            guard let byte = fields.hexadecimal(digits: 2) else { return false }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        return true
    }
}
