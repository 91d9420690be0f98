import HIDCapture
import KeyModel
import Testing

/// Which streams are one keyboard, how its reports are read where little is known, and how it began.
struct KeyboardIdentityTests {
    private static func lines(_ packets: [[UInt8]], micros: [UInt64]? = nil) throws -> [String] {
        try CaptureBytes.lines(CaptureBytes.pcap(packets, micros: micros)).map {
            String($0.prefix { $0 != "@" }.dropLast())
        }
    }

    static let device: [UInt8] = [18, 1, 0, 2, 0, 0, 0, 8, 0x27, 6, 1, 0, 0, 0, 0, 0, 0, 1]

    @Test("keys that come on two endpoints of one keyboard count once (HC-8)")
    func mirrors() throws {
        let reports: [[UInt8]] = [[4], [4, 5], [5], [], [6], []]
        var packets: [[UInt8]] = []
        var micros: [UInt64] = []
        for (number, keys) in reports.enumerated() {
            packets += [CaptureBytes.report(keys), CaptureBytes.report(keys, endpoint: 0x84)]
            micros += [UInt64(number) * 50_000, UInt64(number) * 50_000 + 100]
        }
        let capture = try Capture(bytes: CaptureBytes.pcap(packets, micros: micros))
        #expect(capture.devices.map(\.endpoint) == [0x81])
        #expect(capture.facts.notes.count == 1)
        // The same keys at other times are another person's typing.
        let apart = micros.enumerated().map { $0 % 2 == 1 ? $1 + 20_000 : $1 }
        #expect(try Capture(bytes: CaptureBytes.pcap(packets, micros: apart)).devices.count == 2)
    }

    @Test("a keyboard that is plugged in again is the same one, and its keys were released (HC-10)")
    func replug() throws {
        let first =
            CaptureBytes.descriptor(1, Self.device)
            + [CaptureBytes.report([4]), CaptureBytes.report([4, 5]), CaptureBytes.usbmon("C", status: -108)]
        let second =
            CaptureBytes.descriptor(1, device: 9, Self.device)
            + [CaptureBytes.report([6], device: 9), CaptureBytes.report([], device: 9)]
        #expect(try Self.lines(first + second) == ["1 a+", "1 b+", "1 a!", "1 b!", "1 c+", "1 c-"])
        #expect(try Self.lines(Array(first.dropLast()) + second).contains("2 c+"))
    }

    @Test("lights tell whether Caps Lock was on at the start (HC-36)")
    func capsLock() throws {
        func lights(_ bits: UInt8) -> [[UInt8]] {
            [
                CaptureBytes.usbmon(
                    "S", transfer: 2, endpoint: 0, status: -115, setup: [0x21, 9, 0, 2, 0, 0, 1, 0], data: [bits])
            ]
        }
        func isOn(_ packets: [[UInt8]]) throws -> Bool? {
            try Capture(bytes: CaptureBytes.pcap(packets)).facts.initialLocks?.capsLock
        }
        let press = [CaptureBytes.report([0x39]), CaptureBytes.report([])]
        let key = [CaptureBytes.report([4]), CaptureBytes.report([])]
        #expect(try isOn(key) == nil)
        #expect(try isOn(lights(2) + key) == true)
        #expect(try isOn(press + lights(2) + key) == false)
        #expect(try isOn(press + lights(1) + key) == true)
        #expect(try Capture(bytes: CaptureBytes.pcap(lights(1) + key)).facts.initialLocks?.numLock == true)
    }

    @Test("a descriptor that is given is used where its lengths fit (HC-29)")
    func givenDescriptor() throws {
        let reports: [[UInt8]] = [[4, 0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 0, 0]]
        // The map has an id, which reports on USB begin with.
        let packets = reports.map { CaptureBytes.usbmon("C", data: [5] + $0) }
        let options = CaptureOptions(reportDescriptor: try ReportDescriptor(BluetoothTests.map))
        let capture = try Capture(bytes: CaptureBytes.pcap(packets), options: options)
        #expect(capture.devices.map(\.layout) == [.givenDescriptor])
        let others = reports.map { CaptureBytes.usbmon("C", data: $0 + [0, 0]) }
        #expect(try Capture(bytes: CaptureBytes.pcap(others), options: options).devices.isEmpty)
    }

    @Test("without a descriptor a bitmap is taken for keys when it behaves like keys (HC-29)")
    func bitmap() throws {
        func report(_ keys: [Int], id: UInt8? = nil) -> [UInt8] {
            var bytes = Array(repeating: UInt8(0), count: 17)
            for key in keys { bytes[1 + key / 8] |= 1 << UInt8(key % 8) }
            return CaptureBytes.usbmon("C", data: (id.map { [$0] } ?? []) + bytes)
        }
        let typed = [[], [4], [4, 5], [5], []]
        #expect(try Self.lines(typed.map { report($0) }) == ["1 a+", "1 b+", "1 a-", "1 b-"])
        #expect(try Self.lines(typed.map { report($0, id: 3) }) == ["1 a+", "1 b+", "1 a-", "1 b-"])
        #expect(try Self.lines([report([4, 5, 6, 7]), report([])]) == [])  // begins with keys held
        let boot = [CaptureBytes.report([4], endpoint: 0x82), CaptureBytes.report([], endpoint: 0x82)]
        #expect(try Self.lines(boot + typed.map { report($0) }) == ["1 a+", "1 a-"])  // keys are known already
    }

    @Test("Fn of Apple's keyboards is a key on either of its pages, as a bit or a byte (HC-25)")
    func appleFn() throws {
        for page in [[0x05, 0xFF], [0x06, 0x00, 0xFF]] as [[UInt8]] {
            let field = page + [0x09, 3, 0x15, 0, 0x25, 1, 0x75, 8, 0x95, 1, 0x81, 2]
            let bytes = Array(ReportDescriptorTests.boot.dropLast()) + field + [0xC0]
            var keys = PressedKeys()
            let report: [UInt8] = [0, 0, 4, 0, 0, 0, 0, 0, 1]
            let descriptor = try ReportDescriptor(bytes)
            _ = report.withUnsafeBytes { descriptor.read($0, into: &keys) }
            #expect(keys.usages.map(\.name) == ["A", "ff:0003"])
        }
    }

    @Test("a clock that ticks coarsely is reported (HC-12)")
    func coarseClock() throws {
        let packets = (0..<120).map { CaptureBytes.report($0 % 2 == 0 ? [4] : []) }
        let ticks = (0..<120).map { UInt64($0) / 2 * 15_600 }
        let capture = try Capture(bytes: CaptureBytes.pcap(packets, micros: ticks))
        #expect(capture.facts.clock.smallestStep == 15_600_000)
        #expect(capture.facts.notes.first?.contains("15.6 ms") == true)
        let alone = try Capture(bytes: CaptureBytes.pcap(packets, micros: (0..<120).map { UInt64($0) * 15_600 }))
        #expect(alone.facts.notes.isEmpty, "no two packets at once: the clock may be as fine as any")
    }
}
