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
        // Bytes of a descriptor that are on the next lines, as mail programs wrap it, and where it begins.
        var wrapped = (left: UInt64(0), start: UInt64(0))
        try traffic.forEachLine(of: input) { line in
            var fields = TextFields(line)
            if wrapped.left > 0, line.count > 1, line[1] != 0x3A {
                wrapped.left -= take(wrapped.left, &fields, into: &bytes)
                return wrapped.left > 0 || keep(bytes, address, traffic)
            }
            notWhole(&wrapped, traffic)
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
                bytes.removeAll(keepingCapacity: true)
                guard let count = fields.decimal(), count <= UInt64(CaptureLimits.descriptorBytes) else { return false }
                wrapped = (count - take(count, &fields, into: &bytes), input.offset - UInt64(line.count))
                return wrapped.left > 0 || keep(bytes, address, traffic)
            } else {
                _ = traffic.identify(device, by: &fields)
            }
            return true
        }
        notWhole(&wrapped, traffic)
    }

    private static func keep(_ descriptor: [UInt8], _ address: UInt16, _ traffic: CaptureTraffic) -> Bool {
        if let device = traffic.device(at: StreamPlace(source: .hidraw, address: address)) {
            traffic.change(device: device) { $0.readReportDescriptor(interface: 0, descriptor) }
        }
        return true
    }

    /// Something else follows a descriptor of which bytes are missing.
    private static func notWhole(_ wrapped: inout (left: UInt64, start: UInt64), _ traffic: CaptureTraffic) {
        guard wrapped.left > 0 else { return }
        wrapped.left = 0
        traffic.facts.skippedLines += 1
        traffic.noteDamage(at: wrapped.start, "report descriptor", "all of its bytes", "fewer")
    }

    /// A count and that many bytes in hexadecimal.
    private static func list(_ fields: inout TextFields, into bytes: inout [UInt8]) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        guard let count = fields.decimal(), count <= UInt64(CaptureLimits.reportBytes) else { return false }
        return take(count, &fields, into: &bytes) == count
    }

    /// Takes so many bytes in hexadecimal, or as many as there are.
    private static func take(_ count: UInt64, _ fields: inout TextFields, into bytes: inout [UInt8]) -> UInt64 {
        for taken in 0..<count {
            guard let byte = fields.hexadecimal(digits: 2) else { return taken }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        return count
    }
}
