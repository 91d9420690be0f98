import FlightRecorder
import Foundation
import GeneratedTraces
import KeyModel
import Testing

extension RecorderTests {
    /// Several threads with events of the same keyboards. Whatever their order, a reader of the records alone comes to
    /// the same rule of masking: a text key is in clear where ⌘ or ⌃ was held at its down.
    @Suite struct SharedKeyboards {
        private static let usages = ([0x04, 0x1A, 0x1E, 0x2C] + [0xE0, 0xE3, 0xE3, 0xE7, 0xE1]).map {
            KeyUsage.keyboard($0)
        }

        /// Keyboards that share a place in the cells of a thread, and one that does not.
        private static let devices: [UInt16] = [1, 9, 2]

        private static func type(_ seed: UInt64, _ events: Int) {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<events {
                let phase = random.pick([KeyPhase.down, .down, .up, .up, .repeat, .cancel])
                Keyflight.key(random.pick(usages), phase, device: random.pick(devices))
            }
            // What is held when a thread ends counts for the others.
            for usage in usages { for device in devices { Keyflight.key(usage, .up, device: device) } }
        }

        @Test(arguments: 1...20 as ClosedRange<UInt64>)
        func aReaderOfTheRecordsAgrees(_ seed: UInt64) throws {
            let recording = try recorded { _ in
                DispatchQueue.concurrentPerform(iterations: 4) { thread in
                    Self.type(seed * 100 + UInt64(thread), 400)
                }
                press(0x04)
                press(0x04, with: [0xE3])
            }
            #expect(recording.losses.isEmpty)
            var modifiers = ModifierState()
            var clear: [UInt32: Bool] = [:]
            for key in recording.keys {
                if case .clear(let usage) = key.key { modifiers.apply(usage, key.phase, device: key.device) }
                guard key.key.usage.map({ TextKeyClass($0) != nil }) ?? true else { continue }
                guard let press = key.press else {
                    #expect(key.key.usage == nil, "\(key)")
                    continue
                }
                if key.phase == .down {
                    clear[press] = !modifiers.heldFlags.isDisjoint(with: [.command, .control])
                }
                // More may be masked than must be: a thread knows of another one's ⌘ a moment later.
                #expect(key.key.usage == nil || clear[press] == true, "press \(press), \(key.phase)")
            }
            #expect(clear.values.contains(true) && clear.values.contains(false))
        }
    }
}
