import Foundation
import KeyModel
import Testing

@testable import HIDCapture

/// Input devices that are read while they are used: a device of the test's own stands in for the kernel's.
@Suite struct EvdevSourceTests {
    /// One end of a pipe gives the events; what is asked of the device is answered from here.
    final class MadeUpDevice: InputDevice {
        private(set) var descriptor: Int32
        private let writing: Int32
        var down: Set<UInt16>? = []
        var asked: [String] = []
        let name: String? = "Test Keyboard"
        let vendorAndProduct: (vendor: UInt16, product: UInt16)? = (0x1209, 0x0001)
        let isCapsLockOn: Bool? = true

        init() {
            var ends: [Int32] = [-1, -1]
            _ = pipe(&ends)
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            (descriptor, writing) = (ends[0], ends[1])
        }

        deinit { endOfEvents() }

        func useMonotonicClock() -> Bool {
            asked.append("clock")
            return true
        }

        func keysDown() -> Set<UInt16>? {
            asked.append("keys")
            return down
        }

        func close() {
            if descriptor >= 0 { Foundation.close(descriptor) }
            descriptor = -1
        }

        private var isWritable = true
        func endOfEvents() {
            if isWritable { Foundation.close(writing) }
            isWritable = false
        }

        func send(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) } }

        func send(_ type: UInt16, _ code: UInt16, _ value: Int32, at milliseconds: Int64) {
            send(MadeUpDevice.record(type, code, value, at: milliseconds))
        }

        static func record(_ type: UInt16, _ code: UInt16, _ value: Int32, at milliseconds: Int64) -> [UInt8] {
            var bytes: [UInt8] = []
            func put<T: FixedWidthInteger>(_ value: T) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
            put(Int(milliseconds / 1000))
            put(Int(milliseconds % 1000 * 1000))
            put(type)
            put(code)
            put(value)
            return bytes
        }

        func key(_ code: UInt16, _ value: Int32, at milliseconds: Int64) {
            send(1, code, value, at: milliseconds)
            send(0, 0, 0, at: milliseconds)
        }
    }

    /// Key, direction and milliseconds since time 0, such as `a+ @10`; `!` for a release that no source sent.
    static func lines(_ events: [KeyEvent]) -> [String] {
        events.map { event in
            let sign = event.isSynthetic ? "!" : event.phase == .down ? "+" : event.phase == .up ? "-" : "="
            return "\(event.key.usage?.chordName ?? "?")\(sign) @\(event.time.nanoseconds / 1_000_000)"
        }
    }

    static func read(_ source: EvdevSource) throws -> [String] {
        var events: [KeyEvent] = []
        try source.read { events.append($0) }
        return lines(events)
    }

    static func source(_ device: MadeUpDevice) -> EvdevSource {
        let source = EvdevSource(name: "/dev/input/event7", device)
        source.begin(at: LiveMoment(realtime: 1_700_000_000_000_000_000, monotonic: 1_000_000_000))
        return source
    }

    @Test("the monotonic clock is set before anything is read, and times count from the recording's beginning")
    func clock() throws {
        let device = MadeUpDevice()
        let source = Self.source(device)
        #expect(device.asked == ["clock"])
        device.key(30, 1, at: 1_010)
        device.key(30, 2, at: 1_260)
        device.key(30, 0, at: 1_300)
        #expect(try Self.read(source) == ["a+ @10", "a= @260", "a- @300"])
        #expect(source.devices.map(\.name) == ["Test Keyboard"])
        #expect(source.devices.map(\.vendor) == [0x1209])
        #expect(source.devices.map(\.address) == [7])
        #expect(source.isCapsLockOn == true)
    }

    @Test("an event that comes in two pieces is one event")
    func pieces() throws {
        let device = MadeUpDevice()
        let source = Self.source(device)
        let record = MadeUpDevice.record(1, 48, 1, at: 1_020)
        device.send(Array(record.prefix(11)))
        #expect(try Self.read(source) == [])
        device.send(Array(record.dropFirst(11)))
        #expect(try Self.read(source) == ["b+ @20"])
    }

    @Test("SYN_DROPPED: the incomplete packet is left out, and the device is asked which keys are down (HC-33)")
    func dropped() throws {
        let device = MadeUpDevice()
        let source = Self.source(device)
        device.key(30, 1, at: 1_010)
        device.key(42, 1, at: 1_020)
        device.send(0, 3, 0, at: 1_030)
        device.send(1, 48, 1, at: 1_030)  // incomplete: its packet ends with the next report
        device.send(0, 0, 0, at: 1_030)
        device.down = [42, 46, 0x110]  // A has gone up, C down, Shift stays; a mouse button is no key
        device.key(46, 0, at: 1_060)
        device.key(42, 0, at: 1_070)
        #expect(
            try Self.read(source) == [
                "a+ @10", "leftshift+ @20", "a! @30", "c+ @30", "c- @60", "leftshift- @70",
            ])
        #expect(source.takeLosses().map(\.count) == [nil])
        #expect(source.takeLosses() == [])
    }

    @Test("a device that cannot be asked keeps its keys down, and the loss is reported")
    func droppedWithoutAnswer() throws {
        let device = MadeUpDevice()
        let source = Self.source(device)
        device.down = nil
        device.key(30, 1, at: 1_010)
        device.send(0, 3, 0, at: 1_030)
        device.send(0, 0, 0, at: 1_030)
        device.key(30, 0, at: 1_060)
        #expect(try Self.read(source) == ["a+ @10", "a- @60"])
        #expect(source.takeLosses().count == 1)
    }

    @Test("the release of a key that was down before the recording is no event, and is noted")
    func enterOfTheCommand() throws {
        let device = MadeUpDevice()
        let source = Self.source(device)
        device.key(28, 0, at: 1_005)
        device.key(30, 1, at: 1_010)
        #expect(try Self.read(source) == ["a+ @10"])
        source.finish { _ in }
        #expect(source.notes.count == 1)
    }

    @Test("a device that goes away says so, after its last events")
    func unplugged() throws {
        let device = MadeUpDevice()
        let source = Self.source(device)
        device.key(30, 1, at: 1_010)
        device.endOfEvents()
        #expect(try Self.read(source) == ["a+ @10"])
        #expect(throws: LiveFailure(source: "/dev/input/event7", reason: .gone)) { try source.read { _ in } }
    }

    @Test("what cannot be opened says why, and what helps")
    func refusals() {
        #expect(throws: LiveFailure.self) { try EvdevSource("/nonexistent/event0") }
        do {
            _ = try EvdevSource("/dev/null")
        } catch {
            #expect("\(error)".hasPrefix("/dev/null: expected a device to record from"))
        }
    }
}
