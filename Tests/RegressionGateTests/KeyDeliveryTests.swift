import KeyModel
import Testing
import TraceFormat

@testable import RegressionGate

/// Planted faults among typed keys: each is named, and nothing else.
@Suite struct KeyDeliveryTests {
    private static let letters: [KeyUsage] = (UInt16(0)..<40).map { KeyUsage.keyboard(4 + $0 * 7 % 26) }

    private static func keys(
        _ usages: [KeyUsage], unreleased: Int? = nil, heldCommand: Bool = false
    ) -> KeyDelivery.Keys {
        var keys = KeyDelivery.Keys()
        var sequence: UInt64 = 0
        func add(_ usage: KeyUsage, _ phase: KeyPhase, _ press: UInt32?, _ keys: inout KeyDelivery.Keys) {
            let record = KeyRecord(
                device: 1, key: .clear(usage), phase: phase, modifiers: [], press: press, isSynthetic: false)
            let time = TraceTime.zero.advanced(by: TraceDuration(nanoseconds: Int64(sequence) * 1_000_000))
            keys.consume(
                TraceRecord(time: time, sequence: sequence, body: .key(record)), definitions: TraceDefinitions())
            sequence += 1
        }
        if heldCommand { add(.leftGUI, .down, nil, &keys) }
        for (place, usage) in usages.enumerated() {
            add(usage, .down, UInt32(place + 1), &keys)
            if place != unreleased { add(usage, .up, UInt32(place + 1), &keys) }
        }
        return keys
    }

    @Test func plantedFaultsAreFoundEachTime() {
        let typed = Self.keys(Self.letters)
        #expect(KeyDelivery(typed: typed, found: typed).findings.isEmpty)
        for place in 1..<39 {
            func kinds(_ change: (inout [KeyUsage]) -> Void) -> [KeyDelivery.Finding.Kind] {
                var found = Self.letters
                change(&found)
                return KeyDelivery(typed: typed, found: Self.keys(found)).findings.map(\.kind)
            }
            #expect(kinds { $0.remove(at: place) } == [.lost], "\(place)")
            #expect(kinds { $0.insert($0[place], at: place) } == [.doubled], "\(place)")
            #expect(kinds { $0.swapAt(place, place + 1) } == [.swapped], "\(place)")
            for distance in 1...3 where place + distance < 40 {
                var late = Self.letters
                late.insert(late.remove(at: place), at: place + distance)
                let swapped = KeyDelivery(typed: typed, found: Self.keys(late))
                #expect(swapped.findings.map(\.kind) == [.swapped], "\(place)")
                // Two beside each other: either is out of its place.
                #expect(swapped.findings[0].moved.map { distance == 1 ? abs($0) : $0 } == distance)
                let words = distance == 1 ? " · 1 key " : " · \(distance) keys later"
                #expect(swapped.text(trace: "t", script: "s").contains(words))
            }
            #expect(kinds { $0.insert(.escape, at: place) } == [.unexpected], "\(place)")
            let stuck = KeyDelivery(typed: typed, found: Self.keys(Self.letters, unreleased: place)).findings
            #expect(stuck.map(\.kind) == [.stuck] && stuck[0].typed == place + 1)
            #expect(stuck.first?.after?.press == UInt32(place))
        }
        let held = KeyDelivery(typed: typed, found: Self.keys(Self.letters, heldCommand: true)).findings
        #expect(held.map(\.kind) == [.stuck] && held[0].key == "⌘")
    }

    @Test("A modifier that stays down in the middle is one finding, with the key before it") func stuckModifier() {
        let typed = Self.keys(Self.letters)
        for place in [1, 20, 38] {
            var found = Self.keys(Array(Self.letters.prefix(place)))
            Self.add([(.leftGUI, .down, nil)], [], &found)
            for (number, usage) in Self.letters.enumerated().dropFirst(place) {
                Self.add([(usage, .down, UInt32(number + 1)), (usage, .up, UInt32(number + 1))], .command, &found)
            }
            let findings = KeyDelivery(typed: typed, found: found).findings
            #expect(findings.map(\.kind) == [.stuck] && findings[0].key == "⌘", "\(findings)")
            #expect(findings.first?.after?.press == UInt32(place))
        }
    }

    @Test("Masked keys are compared by class, which is said") func masked() {
        func keys(_ classes: [TextKeyClass]) -> KeyDelivery.Keys {
            var keys = KeyDelivery.Keys()
            for (place, textClass) in classes.enumerated() {
                for phase in [KeyPhase.down, .up] {
                    let record = KeyRecord(
                        device: 1, key: .masked(textClass), phase: phase, modifiers: [], press: UInt32(place + 1),
                        isSynthetic: false)
                    Self.consume(.key(record), &keys)
                }
            }
            return keys
        }
        let delivery = KeyDelivery(typed: keys([.letter, .letter]), found: keys([.letter, .letter]))
        #expect(delivery.masked == 2 && delivery.findings.isEmpty)
        #expect(delivery.text(trace: "t", script: "s").contains("2 masked, compared by class alone"))
        #expect(KeyDelivery(typed: keys([.letter]), found: keys([.digit])).findings.map(\.kind) == [.lost, .unexpected])

        // A stuck ⌘ brings what follows into the clear, and a stuck ⇧ does not.
        let typed = keys([.letter, .letter, .digit, .letter])
        var found = keys([.letter, .letter])
        Self.add([(.leftGUI, .down, nil)], [], &found)
        for (usage, press) in [(KeyUsage.keyboard(0x1E), UInt32(3)), (.keyboard(0x04), 4)] {
            Self.add([(usage, .down, press), (usage, .up, press)], .command, &found)
        }
        let stuck = KeyDelivery(typed: typed, found: found)
        #expect(stuck.findings.map(\.key) == ["⌘"] && stuck.findings.first?.after?.press == 2 && stuck.masked == 4)
        var shifted = keys([.letter])
        Self.add([(.leftShift, .down, nil)], [], &shifted)
        for phase in [KeyPhase.down, .up] {
            let record = KeyRecord(
                device: 1, key: .masked(.letter), phase: phase, modifiers: .shift, press: 2, isSynthetic: false)
            Self.consume(.key(record), &shifted)
        }
        let shift = KeyDelivery(typed: keys([.letter, .letter]), found: shifted).findings
        #expect(shift.map(\.key) == ["⇧"] && shift.first?.kind == .stuck)
    }

    private static func add(
        _ events: [(KeyUsage, KeyPhase, UInt32?)], _ modifiers: KeyModifiers, _ keys: inout KeyDelivery.Keys
    ) {
        for (usage, phase, press) in events {
            let record = KeyRecord(
                device: 1, key: .clear(usage), phase: phase, modifiers: modifiers, press: press, isSynthetic: false)
            consume(.key(record), &keys)
        }
    }

    private static func consume(
        _ body: TraceRecord.Body, _ keys: inout KeyDelivery.Keys, _ definitions: TraceDefinitions = TraceDefinitions()
    ) {
        keys.consume(TraceRecord(time: .zero, sequence: 0, body: body), definitions: definitions)
    }

    @Test("Keys of a secure entry are not recorded, which is no loss") func secureEntry() {
        let typed = Self.keys(Self.letters)
        var found = Self.keys(Array(Self.letters.prefix(10)))
        Self.consume(.loss(LossRecord(cause: .secureEntry, count: nil, duration: nil, detail: "")), &found)
        let rest = Array(Self.letters.dropFirst(15))
        for (place, usage) in rest.enumerated() {
            for phase in [KeyPhase.down, .up] {
                let record = KeyRecord(
                    device: 1, key: .clear(usage), phase: phase, modifiers: [], press: UInt32(place + 100),
                    isSynthetic: false)
                Self.consume(.key(record), &found)
            }
        }
        let delivery = KeyDelivery(typed: typed, found: found)
        #expect(delivery.findings.isEmpty && delivery.unrecorded == 5 && delivery.arrived == 35)
    }

    @Test("The key that ends the app is released after its end, if ever") func quit() throws {
        var typed = Self.keys([.escape])
        Self.add([(.leftGUI, .down, nil)], [], &typed)
        var found = typed
        Self.add([(.keyboard(0x14), .down, 2), (.keyboard(0x14), .up, 2)], .command, &typed)
        Self.add([(.leftGUI, .up, nil)], [], &typed)
        Self.add([(.keyboard(0x14), .down, 2)], .command, &found)
        #expect(KeyDelivery(typed: typed, found: found).findings.map(\.kind) == [.stuck, .stuck])
        Self.consume(.environment(EnvironmentRecord(name: AdapterFact.toolkit, value: "gnustep")), &found)
        #expect(KeyDelivery(typed: typed, found: found).findings.isEmpty)
    }
}
