/// Recordings of hid-recorder: the report descriptor (`R: n bytes`), name, bus and ids, and each input report with
/// its time (`E: seconds n bytes`), of one device or, behind `D: n` lines, of several (spec §5).
enum HIDRecording {
    static func isOne(_ head: [UInt8]) -> Bool {
        for line in firstLines(head) where line.starts(with: Array("R:".utf8)) {
            return line.withUnsafeBytes { bytes in
                var fields = TextFields(bytes)
                guard fields.take("R:"), let count = fields.decimal() else { return false }
                return count == 0 || fields.next == nil || fields.hexadecimal(digits: 2) != nil
            }
        }
        // A descriptor longer than what was looked at leaves no whole line.
        return head.starts(with: Array("R: ".utf8))
    }

    static func read(_ input: CaptureInput, into traffic: CaptureTraffic) throws(CaptureError) {
        var address: UInt16 = 0
        var bytes: [UInt8] = []
        // Bytes of a descriptor or report that are on the next lines, as mail programs wrap it, and where it begins.
        var wrapped = Wrapped()
        var next = input.offset
        try traffic.forEachLine(of: input) { line in
            let start = next
            next = input.offset
            var fields = TextFields(line)
            if wrapped.left > 0, line.count > 1, line[1] != 0x3A {
                wrapped.left -= take(wrapped.left, &fields, into: &bytes)
                if wrapped.left == 0 { keep(bytes, wrapped.stamp, address, traffic) }
                return true
            }
            notWhole(&wrapped, traffic)
            let isReport = fields.take("E:")
            if isReport || fields.take("R:") {
                wrapped.stamp = isReport ? fields.seconds() : nil
                let most = isReport ? CaptureLimits.reportBytes : CaptureLimits.descriptorBytes
                guard !isReport || wrapped.stamp != nil, let count = fields.decimal(), count <= UInt64(most)
                else { return false }
                bytes.removeAll(keepingCapacity: true)
                wrapped.left = count - take(count, &fields, into: &bytes)
                wrapped.start = start
                if wrapped.left == 0 { keep(bytes, wrapped.stamp, address, traffic) }
            } else if fields.take("D:") {
                guard let number = fields.decimal(), let next = UInt16(exactly: number) else { return false }
                address = next
            } else if let device = traffic.device(at: StreamPlace(source: .hidraw, address: address)) {
                _ = traffic.identify(device, by: &fields)
            }
            return true
        }
        notWhole(&wrapped, traffic)
    }

    private struct Wrapped {
        var left: UInt64 = 0
        var start: UInt64 = 0
        /// Of a report; `nil` for a descriptor.
        var stamp: Int64?
    }

    /// A report with its stamp, or a descriptor.
    private static func keep(_ bytes: [UInt8], _ stamp: Int64?, _ address: UInt16, _ traffic: CaptureTraffic) {
        let place = StreamPlace(source: .hidraw, address: address)
        guard let stamp else {
            guard let device = traffic.device(at: place) else { return }
            return traffic.readReportDescriptor(of: device, interface: 0, bytes)
        }
        if stamp < EvdevKeys.firstWallClock { traffic.noteOtherEpoch() }
        let time = traffic.time(of: stamp)
        traffic.facts.packets += 1
        guard let stream = traffic.stream(at: place) else { return traffic.facts.reportsOfExcessStreams += 1 }
        bytes.withUnsafeBytes { traffic.report(stream, $0, time: time) }
    }

    /// Something else follows what lacks bytes.
    private static func notWhole(_ wrapped: inout Wrapped, _ traffic: CaptureTraffic) {
        guard wrapped.left > 0 else { return }
        wrapped.left = 0
        traffic.facts.skippedLines += 1
        let what = wrapped.stamp == nil ? "report descriptor" : "report"
        traffic.noteDamage(at: wrapped.start, what, "all of its bytes", "fewer")
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
