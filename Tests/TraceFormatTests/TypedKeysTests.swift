import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

/// Whatever is typed, `feed` and `next` read the records that were written.
@Suite struct TypedKeysTests {
    @Test(arguments: [
        Typist(name: "one keyboard"), Typist(name: "masked", isMasked: true),
        Typist(name: "two keyboards", keyboards: 2),
        Typist(name: "a keyboard with a large number", keyboards: 300), Typist(name: "ten fingers", fingers: 12),
        Typist(name: "held keys that repeat", repeats: 6), Typist(name: "a key that stays down", isStuck: true),
        Typist(name: "presses out of order", isDisordered: true),
        Typist(name: "modifiers of both sides", sides: [0xE1, 0xE5, 0xE0]),
        Typist(name: "masked, ten fingers", isMasked: true, fingers: 12),
        Typist(
            name: "all of it", keyboards: 3, isMasked: true, fingers: 9, repeats: 3, isStuck: true, isDisordered: true),
    ])
    func `keys are read as they were written`(typist: Typist) throws {
        for seed in 0..<6 as Range<UInt64> {
            let recording = typist.recording(1500, seed: seed)
            let bytes = try recording.bytes(header: TraceHeader(level: .keys, isMasked: false))
            var reader = try TraceReader(bytes)
            var collected = CollectedRecords()
            reader.feed(&collected)
            #expect(reader.report.complete)
            #expect(collected.records == recording.records, "\(typist.name), seed \(seed)")
            #expect(try Recording.read(bytes).0.records == recording.records, "\(typist.name), seed \(seed)")
        }
    }

    @Test func `checksums of any length are those of the polynomial`() {
        var random = SeededGenerator(seed: 3)
        let bytes = (0..<8000).map { _ in UInt8(truncatingIfNeeded: random.below(256)) }
        for length in [0, 1, 7, 8, 9, 63, 511, 1535, 1536, 1537, 3072, 4607, 4608, 7990] {
            let (start, before) = (random.below(8), UInt32(truncatingIfNeeded: random.below(1 << 32)))
            let piece = bytes[start..<start + length]
            var expected = ~before
            for byte in piece {
                expected ^= UInt32(byte)
                for _ in 0..<8 { expected = expected >> 1 ^ (expected & 1 == 1 ? 0x82F6_3B78 : 0) }
            }
            let found = bytes.withUnsafeBytes {
                TraceFrame.checksum(UnsafeRawBufferPointer(rebasing: $0[start..<start + length]), from: before)
            }
            #expect(found == ~expected, "\(length) bytes")
        }
    }
}

/// Types keys that overlap, as people do.
struct Typist: Sendable, CustomTestStringConvertible {
    var name: String
    var keyboards = 1
    var isMasked = false
    var fingers = 4
    /// Repeats of a press at most.
    var repeats = 0
    /// One key goes down at first and up at last.
    var isStuck = false
    /// Keys of a kind do not go up in the order of their downs.
    var isDisordered = false
    /// Usages of the modifier keys.
    var sides: [UInt16] = [0xE1]

    var testDescription: String { name }


    func recording(_ count: Int, seed: UInt64) -> Recording {
        var random = SeededGenerator(seed: seed)
        var recording = Recording()
        var (down, presses, time): ([KeyRecord], UInt32, Int64) = ([], 0, 0)
        var held: ModifierKeys = []
        var modifiers: KeyModifiers { held.modifiers }
        func add(_ key: KeyRecord) {
            time += Int64(random.below(1 << (8 * random.below(5))))
            recording.append(.key(key), at: TraceTime(nanoseconds: time))
        }
        func flags(_ key: KeyIdentity) -> KeyModifiers {
            let isKeypad = key.usage?.isKeypad ?? (key.maskedClass == .keypad)
            return isKeypad ? modifiers.union(.numericPad) : modifiers
        }
        while recording.records.count < count {
            let kind = random.below(20)
            if kind == 0, down.isEmpty || keyboards == 1 {
                let usage = KeyUsage.keyboard(random.pick(sides))
                guard let own = usage.modifierKey else { continue }
                held.formSymmetricDifference(own)
                let phase: KeyPhase = held.contains(own) ? .down : .up
                add(KeyRecord(device: 1, key: .clear(usage), phase: phase, modifiers: modifiers, press: nil))
            } else if down.count < fingers, kind < 10 || down.count == (isStuck ? 1 : 0) {
                presses += 1
                let device = UInt16(1 + random.below(keyboards))
                let key = KeyRecord(
                    device: device, key: identity(&random), phase: .down, modifiers: [], press: presses)
                down.append(key)
                add(with(key, .down, flags(key.key)))
            } else if repeats > 0, kind < 14, let key = down.last {
                for _ in 0...random.below(repeats) { add(with(key, .repeat, flags(key.key))) }
            } else {
                let first = isStuck ? 1 : 0
                guard down.count > first else { continue }
                let place = isDisordered ? first + random.below(down.count - first) : first
                let key = down.remove(at: place)
                add(with(key, kind == 19 ? .cancel : .up, flags(key.key)))
            }
        }
        return recording
    }

    private func with(_ key: KeyRecord, _ phase: KeyPhase, _ modifiers: KeyModifiers) -> KeyRecord {
        var key = key
        (key.phase, key.modifiers) = (phase, modifiers)
        return key
    }

    private func identity(_ random: inout SeededGenerator) -> KeyIdentity {
        if isMasked, random.below(4) > 0 { return .masked(random.pick(TextKeyClass.allCases)) }
        if random.below(60) == 0 {
            return .clear(
                random.pick([.capsLock, .keyboard(0), .keyboard(0xE8), .keyboard(0xFF), .init(page: 12, usage: 9)]))
        }
        return .clear(.keyboard(random.pick([0x04, 0x05, 0x06, 0x28, 0x2A, 0x4F, 0x55, 0x59])))
    }
}
