@testable import HIDCapture
import KeyModel
import SystemPackage
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// pcap and pcapng in all their forms give the same keys at the same times.
struct ContainerTests {
    static func typed(isBigEndian: Bool = false) -> [[UInt8]] {
        [[4], [4, 5], [5], []].map { CaptureBytes.report($0, modifiers: 0, isBigEndian: isBigEndian) }
    }
    static let lines = ["1 a+ @0", "1 b+ @1000", "1 a- @2000", "1 b- @3000"]

    @Test("classic pcap of both byte orders, micro- and nanoseconds (HC-1)", arguments: [false, true], [false, true])
    func classic(isBigEndian: Bool, isNanosecond: Bool) throws {
        let file = CaptureBytes.pcap(
            ContainerTests.typed(isBigEndian: isBigEndian), isBigEndian: isBigEndian, isNanosecond: isNanosecond)
        #expect(try CaptureBytes.lines(file) == ContainerTests.lines)
        let capture = try Capture(bytes: file)
        #expect(capture.facts.clock.start == 1_700_000_000_000_000_000)
        #expect(capture.facts.packets == 4)
    }

    @Test("in version 2.3 a record may have its two lengths the other way round")
    func swappedLengths() throws {
        var file = CaptureBytes.pcap([CaptureBytes.report([4]), CaptureBytes.report([])])
        file[6] = 3
        // Both are 72; of the second packet four bytes more were sent than captured.
        let second = 24 + 16 + 72
        file[second + 8] = 76
        #expect(try CaptureBytes.lines(file) == ["1 a+ @0", "1 a- @1000"])
        #expect(try Capture(bytes: file).facts.packets == 2)
        #expect(try Capture(bytes: file).facts.damage == nil)
    }

    @Test("of a record beyond the snapshot length only that much is the packet; one of megabytes is passed over (HC-1)")
    func longRecords() throws {
        let long = CaptureBytes.report([5]) + Array(repeating: 0, count: 5 << 20)
        let beyond = CaptureBytes.report([4, 6]) + Array(repeating: 0, count: 70_000)
        let packets = [CaptureBytes.report([4]), long, beyond, CaptureBytes.report([])]
        let file = CaptureBytes.pcap(packets)
        let capture = try Capture(bytes: file)
        #expect(capture.facts.packets == 4)
        #expect(capture.facts.damage == nil)
        #expect(try CaptureBytes.lines(file) == ["1 a+ @0", "1 c+ @2000", "1 a- @3000", "1 c- @3000"])
        let cut = try Capture(bytes: Array(file.prefix(24 + 88 + 16 + 1000)))
        #expect(cut.facts.packets == 1)
        #expect(cut.facts.damage == CaptureDamage(
            offset: 112, reason: "packet 2: expected \(16 + long.count) bytes, found 1016", lostPackets: nil))
    }

    @Test("records lie across the windows in which a file is read")
    func windows() throws {
        let packets: [[UInt8]] = (0..<12_000).map { (number: Int) -> [UInt8] in
            let keys: [UInt8] = number % 2 == 0 ? [UInt8(4 + number % 26)] : []
            return CaptureBytes.report(keys)
        }
        let file = CaptureBytes.pcap(packets)
        let path = FilePath("/tmp/keyflight-windows-\(UInt64.random(in: .min ... .max)).pcap")
        let written = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        defer { _ = unlink(path.string) }
        _ = try written.closeAfter { try written.writeAll(file) }
        let (fromFile, fromMemory) = (try Capture(path), try Capture(bytes: file))
        #expect(fromFile.facts.packets == 12_000)
        #expect(fromFile.facts.damage == nil)
        var events: [[KeyEvent]] = [[], []]
        fromFile.forEachBatch { events[0] += $0 }
        fromMemory.forEachBatch { events[1] += $0 }
        #expect(events[0].count == 12_000)
        #expect(events[0] == events[1])
    }

    @Test("pcapng sections of both byte orders (HC-2)", arguments: [false, true])
    func sections(isBigEndian: Bool) throws {
        var file = CaptureBytes(isBigEndian: isBigEndian)
        file.section()
        file.interface()
        for (number, packet) in ContainerTests.typed(isBigEndian: isBigEndian).enumerated() {
            file.enhanced(packet, stamp: 1_700_000_000_000_000 + UInt64(number) * 1000)
        }
        #expect(try CaptureBytes.lines(file.bytes) == ContainerTests.lines)
    }

    /// The byte of a resolution, and its units per second.
    static let units: [(UInt8, UInt64)] = [
        (3, 1000), (6, 1_000_000), (9, 1_000_000_000), (12, 1_000_000_000_000), (0x80 | 20, 1 << 20),
        (0x80 | 32, 1 << 32),
    ]

    @Test("any if_tsresol (HC-2)", arguments: units)
    func resolutions(byte: UInt8, perSecond: UInt64) throws {
        var file = CaptureBytes()
        file.section()
        file.interface(resolution: byte)
        for (number, packet) in ContainerTests.typed().enumerated() {
            file.enhanced(packet, stamp: 10 * perSecond + perSecond * UInt64(number) / 8)
        }
        #expect(try CaptureBytes.lines(file.bytes) == ["1 a+ @0", "1 b+ @125000", "1 a- @250000", "1 b- @375000"])
        #expect(try Capture(bytes: file.bytes).facts.clock.start == 10_000_000_000)
    }

    @Test("if_tsoffset moves the start and not the times (HC-2)")
    func offset() throws {
        var file = CaptureBytes()
        file.section()
        file.interface(offset: 1_000_000)
        for (number, packet) in ContainerTests.typed().enumerated() {
            file.enhanced(packet, stamp: UInt64(number) * 1000)
        }
        #expect(try CaptureBytes.lines(file.bytes) == ContainerTests.lines)
        #expect(try Capture(bytes: file.bytes).facts.clock.start == 1_000_000_000_000_000)
    }

    @Test("obsolete packet blocks read as enhanced ones, simple ones have no stamp (HC-2)")
    func otherPackets() throws {
        var file = CaptureBytes()
        file.section()
        file.interface()
        file.obsolete(ContainerTests.typed()[0], stamp: 5000)
        file.obsolete(ContainerTests.typed()[1], stamp: 6000)
        file.simple(ContainerTests.typed()[2])
        file.simple(ContainerTests.typed()[3])
        #expect(try CaptureBytes.lines(file.bytes) == ["1 a+ @0", "1 b+ @1000", "1 a- @1000", "1 b- @1000"])
        #expect(try Capture(bytes: file.bytes).facts.clock.unstamped == 2)
    }

    @Test("interfaces of different link types are read side by side, and their keyboards stay apart (HC-2)")
    func severalLinkTypes() throws {
        var file = CaptureBytes()
        file.section()
        file.interface(220)
        file.interface(249, resolution: 9)
        file.interface(1)
        file.enhanced(ContainerTests.typed()[0], stamp: 1000)
        file.enhanced([1, 2, 3, 4], stamp: 1500, interface: 2)
        file.enhanced(
            CaptureBytes.usbpcap(data: [0, 0, 6, 0, 0, 0, 0, 0]), stamp: 2_000_000, interface: 1)
        file.enhanced(ContainerTests.typed()[3], stamp: 3000)
        file.enhanced(
            CaptureBytes.usbpcap(data: [0, 0, 0, 0, 0, 0, 0, 0]), stamp: 4_000_000, interface: 1)
        #expect(try CaptureBytes.lines(file.bytes) == ["1 a+ @0", "2 c+ @1000", "1 a- @2000", "2 c- @3000"])
        let capture = try Capture(bytes: file.bytes)
        #expect(capture.devices.map(\.source) == [.usbmon, .usbpcap])
        #expect(capture.facts.linkTypes == [1, 220, 249])
    }

    @Test("a second section brings its byte order, forgets the interfaces, and the keys go on (HC-2)")
    func secondSection() throws {
        var file = CaptureBytes()
        file.section()
        file.interface()
        file.enhanced(ContainerTests.typed()[0], stamp: 1000)
        var second = CaptureBytes(isBigEndian: true)
        second.section()
        second.interface(220, resolution: 9)
        second.enhanced(ContainerTests.typed(isBigEndian: true)[3], stamp: 2_000_000)
        #expect(try CaptureBytes.lines(file.bytes + second.bytes) == ["1 a+ @0", "1 a- @1000"])
    }

    @Test("unknown blocks are passed over by their length (HC-2)")
    func unknownBlocks() throws {
        var file = CaptureBytes()
        file.section()
        file.block(0x0000_000A) { $0.put(Array(repeating: 0xAA, count: 1000)) }
        file.interface()
        file.block(0x4000_0BAD) { _ in }
        for (number, packet) in ContainerTests.typed().enumerated() {
            file.enhanced(packet, stamp: UInt64(number) * 1000)
        }
        #expect(try CaptureBytes.lines(file.bytes) == ContainerTests.lines)
        #expect(try Capture(bytes: file.bytes).facts.damage == nil)
    }

    @Test("a clock that is set back goes on from where it stood, and is counted")
    func clockSetBack() throws {
        let file = CaptureBytes.pcap(ContainerTests.typed(), micros: [9_000_000, 9_500_000, 1_000_000, 1_250_000])
        #expect(try CaptureBytes.lines(file) == ["1 a+ @0", "1 b+ @500000", "1 a- @500000", "1 b- @750000"])
        #expect(try Capture(bytes: file).facts.clock.backwardSteps == 1)
    }

    @Test("stamps in disorder below a second stand still and catch up")
    func disorder() throws {
        let file = CaptureBytes.pcap(ContainerTests.typed(), micros: [0, 2000, 1000, 3000])
        #expect(try CaptureBytes.lines(file) == ["1 a+ @0", "1 b+ @2000", "1 a- @2000", "1 b- @3000"])
    }

    @Test("the granularity of the clock is measured (HC-12)")
    func granularity() throws {
        let file = CaptureBytes.pcap(ContainerTests.typed(), micros: [0, 15_600, 15_600, 46_800])
        let clock = try Capture(bytes: file).facts.clock
        #expect(clock.smallestStep == 15_600_000)
    }

    @Test("a link type without USB keyboard reports gives no keyboard and says which it is")
    func otherLinkType() throws {
        let capture = try Capture(bytes: CaptureBytes.pcap(ContainerTests.typed(), linkType: 1))
        #expect(capture.devices.isEmpty)
        #expect(capture.facts.linkTypes == [1])
    }

    @Test("a capture comes through a pipe as well, pcap and pcapng")
    func pipes() throws {
        var next = CaptureBytes()
        next.section()
        next.interface()
        for (number, packet) in ContainerTests.typed().enumerated() {
            next.enhanced(packet, stamp: UInt64(number) * 1000)
        }
        for file in [CaptureBytes.pcap(ContainerTests.typed()), next.bytes] {
            let ends = try FileDescriptor.pipe()
            _ = try ends.writeEnd.writeAll(file)
            try ends.writeEnd.close()
            let capture = try Capture(reading: ends.readEnd)
            try ends.readEnd.close()
            #expect(capture.facts.packets == 4)
            #expect(capture.devices.count == 1)
        }
    }

    @Test("what is no capture is refused, with what was found")
    func noCapture() throws {
        #expect(throws: CaptureError.malformed(
            offset: 0, what: "file", expected: "a capture or recording of a keyboard", found: "68 65 6c 6c")
        ) { try Capture(bytes: Array("hello".utf8)) }
        #expect(!Capture.isCapture(Array("hello".utf8)))
        #expect(Capture.isCapture(CaptureBytes.pcap([])))
    }
}
