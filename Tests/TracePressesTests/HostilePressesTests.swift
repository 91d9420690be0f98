import KeyModel
import Libc
import Testing
import TraceFormat
import TracePresses

/// What comes of the presses of `Traces/hostile/presses-NAME.keyflight`.
@Suite struct HostilePressesTests {
    private static let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/Traces/hostile"

    static func path(_ name: String) -> String { "\(folder)/presses-\(name).keyflight" }

    /// The presses of a file, and how many of them came before its end.
    static func read(
        _ name: String, _ delivery: PressAssembler.Delivery
    ) throws -> (presses: [TracePress], early: Int) {
        var reader = try TraceReader(TraceFile.read(path(name)))
        var assembler = PressAssembler(.decision, delivery, context: reader.initialContext)
        var found: [TracePress] = []
        while let record = reader.next() {
            assembler.consume(record)
            while let press = assembler.next() { found.append(press) }
        }
        #expect(reader.report.complete)
        let early = found.count
        assembler.finish()
        while let press = assembler.next() { found.append(press) }
        return (found, early)
    }

    @Test func `the files of the hostile folder are these`() throws {
        let list = try TraceFile.read("\(Self.folder)/README.md").withBytes { String(decoding: $0, as: UTF8.self) }
        for hostile in HostilePresses.all {
            let (path, bytes) = (Self.path(hostile.name), try hostile.bytes())
            if getenv("KEYFLIGHT_WRITE_HOSTILE") != nil {
                let output = try TraceFileOutput(publishingTo: path, replacing: .regularFile)
                try bytes.withUnsafeBytes { try output.write($0) }
                try output.publish()
            }
            #expect(try TraceFile.read(path).withBytes { Array($0) } == bytes, "\(hostile.name)")
            #expect(list.contains(hostile.row + "\n"), "\(hostile.row)")
        }
    }

    @Test(arguments: [PressAssembler.Delivery.decided, .released])
    func `an ordinal that comes twice is two presses`(_ delivery: PressAssembler.Delivery) throws {
        let found = try Self.read("ordinal-twice", delivery).presses
        #expect(found.map(\.at.press) == [1, 1])
        #expect(found.map { $0.callCounts[0] } == [1, 2])
        #expect(found.map(\.resolutions.count) == [1, 1])
        #expect(found.map(\.time.nanoseconds) == [0, 3])
        #expect(found[0].release == nil)
    }

    @Test(arguments: [PressAssembler.Delivery.decided, .released])
    func `a decision before its key is one decided press`(_ delivery: PressAssembler.Delivery) throws {
        let found = try Self.read("decision-before-key", delivery).presses
        #expect(found.map(\.at.press) == [1, 2])
        #expect(found.allSatisfy { $0.callCounts[0] == 1 && $0.resolutions.count == 1 && $0.key != nil })
    }

    @Test(arguments: [PressAssembler.Delivery.decided, .released])
    func `a slow press among many is not cut in two`(_ delivery: PressAssembler.Delivery) throws {
        let found = try Self.read("slow-among-many", delivery).presses
        #expect(found.count == HostilePresses.overlapping + 1)
        let slow = found.filter { $0.at.press == 1 }
        #expect(slow.count == 1)
        #expect(slow[0].callCounts[0] == 1 && slow[0].resolutions.count == 1)
        #expect(slow[0].stages.total?.nanoseconds == 5)
        #expect(!slow[0].isCutShort)
        #expect(found.allSatisfy { $0.key != nil && $0.isResolved })
    }

    @Test(arguments: [PressAssembler.Delivery.decided, .released])
    func `the number of a repeat does not go back`(_ delivery: PressAssembler.Delivery) throws {
        let found = try Self.read("repeat-goes-back", delivery).presses
        #expect(found.filter { $0.key != nil }.map(\.at.tick) == [0, 1, 2, 3])
        #expect(found.filter { $0.key != nil }.allSatisfy { $0.resolutions.count == 1 })
    }

    @Test(arguments: [PressAssembler.Delivery.decided, .released])
    func `a repeat that came up before it was decided has its key`(_ delivery: PressAssembler.Delivery) throws {
        let found = try Self.read("cut-amid-repeats", delivery).presses.filter(\.isResolved)
        #expect(found.map(\.at) == [PressTick(press: 1, tick: 41), PressTick(press: 2, tick: 0)])
        #expect(found.allSatisfy { $0.key != nil })
    }

    @Test func `presses of level keys keep no others waiting`() throws {
        let (found, early) = try Self.read("level-falls", .released)
        #expect(found.map(\.at.press) == [1, 2, 3, 4])
        #expect(found.map(\.level) == [.calls, .keys, .calls, .calls])
        #expect(found.map(\.isResolved) == [true, false, true, false])
        #expect(early == 3)
        #expect(try Self.read("level-falls", .decided).presses.map(\.at.press) == [1, 3, 4])
    }

    @Test func `keys that never come up are bounded`() throws {
        let (found, early) = try Self.read("keys-unreleased", .released)
        #expect(found.map(\.at.press) == Array(1...UInt32(HostilePresses.unreleased)))
        #expect(found.count - early <= PressAssembler.heldLimit)
        #expect(found.prefix(early).allSatisfy { $0.isCutShort })
    }

    /// A context takes at least 8 bytes a fact, and all that wait 16 MiB.
    @Test(arguments: ["environment-grows", "presentations-grow"], [PressAssembler.Delivery.decided, .released])
    func `contexts that grow are bounded`(_ name: String, _ delivery: PressAssembler.Delivery) throws {
        let (found, early) = try Self.read(name, delivery)
        #expect(found.map(\.at.press) == Array(1...UInt32(HostilePresses.growingPresses)))
        let waiting = found.count - early
        #expect(waiting > 1)
        #expect(waiting <= (16 << 20) / (HostilePresses.growth * 8))
        #expect(name != "environment-grows" || waiting <= (16 << 20) / (HostilePresses.growth * 32))
    }
}
