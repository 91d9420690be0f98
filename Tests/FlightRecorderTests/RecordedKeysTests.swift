import FlightRecorder
import Foundation
import Testing

extension RecorderTests {
    @Suite struct Keys {
        @Test func aPressIsRecordedWithItsOrdinalAndTheModifiersHeld() throws {
            let recording = try recorded { _ in press(0x1A, with: [0xE3]) }
            let keys = recording.keys
            #expect(keys.map(\.phase) == [.down, .down, .up, .up])
            #expect(keys.map(\.press) == [nil, 1, 1, nil])
            #expect(keys[1].key == .clear(.keyboard(0x1A)))
            #expect(keys[1].modifiers == .command)
            #expect(keys[3].modifiers == [])
            #expect(recording.isInOrder)
        }

        @Test func typedTextIsStoredAsItsClass() throws {
            let keys = try recorded { _ in
                for usage: UInt16 in [0x0B, 0x1E, 0x2D, 0x2C, 0x28] { press(usage) }
            }.keys
            #expect(keys.filter { $0.phase == .down }.map(\.key) == [
                .masked(.letter), .masked(.digit), .masked(.punctuation), .masked(.space), .clear(.returnOrEnter),
            ])
            #expect(keys.map(\.press) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
        }

        @Test(arguments: [false, true]) func aKeyWithoutAUsageIsStoredAsItsClass(_ showsKeys: Bool) throws {
            let recording = try recorded({ $0.showsKeys = showsKeys }) { _ in
                let (key, other) = (Keyflight.unnamedKey(.letter, 203), Keyflight.unnamedKey(.punctuation, 202))
                for step in [(key, KeyPhase.down), (other, .down), (key, .repeat), (key, .up), (other, .up)] {
                    Keyflight.key(step.0, step.1)
                }
            }
            #expect(recording.keys.map(\.key) == [
                .masked(.letter), .masked(.punctuation), .masked(.letter), .masked(.letter), .masked(.punctuation),
            ])
            #expect(recording.keys.map(\.press) == [1, 2, 1, 1, 2])
        }

        @Test func whatADownDecidedHoldsForItsRelease() throws {
            let keys = try recorded { _ in
                Keyflight.key(.keyboard(0x04), .down)
                Keyflight.key(.leftGUI, .down)
                Keyflight.key(.keyboard(0x04), .up)
                Keyflight.key(.keyboard(0x05), .down)
                Keyflight.key(.leftGUI, .up)
                Keyflight.key(.keyboard(0x05), .repeat)
                Keyflight.key(.keyboard(0x05), .cancel)
            }.keys
            #expect(keys[0].key == .masked(.letter))
            #expect(keys[2].key == .masked(.letter))
            #expect(keys[3].key == .clear(.keyboard(0x05)))
            #expect(keys[5].key == .clear(.keyboard(0x05)))
            #expect(keys[6].key == .clear(.keyboard(0x05)))
            #expect(keys.map(\.press) == [1, nil, 1, 2, nil, 2, 2])
        }

        @Test func rolledOverLettersKeepTheirOwnPresses() throws {
            let keys = try recorded { _ in
                Keyflight.key(.keyboard(0x04), .down)
                Keyflight.key(.keyboard(0x05), .down)
                Keyflight.key(.keyboard(0x05), .up)
                Keyflight.key(.keyboard(0x04), .up)
            }.keys
            #expect(keys.map(\.press) == [1, 2, 2, 1])
        }

        @Test func textIsInClearOnlyWhenAskedFor() throws {
            let keys = try recorded({ $0.showsKeys = true }) { _ in press(0x0B) }.keys
            #expect(keys.map(\.key) == [.clear(.keyboard(0x0B)), .clear(.keyboard(0x0B))])
        }

        @Test func keyboardsAreToldApartAndTheirModifiersJoined() throws {
            let keys = try recorded { _ in
                Keyflight.key(.leftGUI, .down, device: 1)
                Keyflight.key(.keyboard(0x06), .down, device: 2)
                Keyflight.key(.keyboard(0x06), .up, device: 2)
                Keyflight.key(.leftGUI, .up, device: 1)
                Keyflight.key(KeyUsage(page: 0x0C, usage: 0xE9), .down, device: 9)
                Keyflight.key(KeyUsage(page: 0x0C, usage: 0xE9), .up, device: 9)
            }.keys
            #expect(keys.map(\.device) == [1, 2, 2, 1, 9, 9])
            #expect(keys[1].key == .clear(.keyboard(0x06)))
            #expect(keys[1].modifiers == .command)
            #expect(keys[5].press == 2)
        }

        private func elsewhere(_ body: @escaping @Sendable () -> Void) {
            let thread = Thread(block: body)
            thread.start()
            while !thread.isFinished { usleep(500) }
        }

        @Test func aChordThatAnotherThreadHoldsIsOne() throws {
            let keys = try recorded { _ in
                Keyflight.key(.leftGUI, .down)
                elsewhere { press(0x1A) }
                Keyflight.key(.leftGUI, .up)
                elsewhere { press(0x1A) }
            }.keys
            let downs = keys.filter { $0.phase == .down && $0.press != nil }
            #expect(downs.map(\.key) == [.clear(.keyboard(0x1A)), .masked(.letter)])
            #expect(downs.map(\.modifiers) == [.command, []])
        }

        @Test func aModifierThatWentUpOnAnotherThreadIsHeldByNone() throws {
            let keys = try recorded { _ in
                Keyflight.key(.leftGUI, .down)
                elsewhere {
                    Keyflight.key(.leftGUI, .down)
                    Keyflight.key(.leftGUI, .up)
                }
                press(0x1A)
                Keyflight.key(.leftGUI, .up)
            }.keys
            let typed = keys.filter { $0.press != nil }
            #expect(typed.map(\.key) == [.masked(.letter), .masked(.letter)] && typed[0].modifiers == [])
        }

        @Test func threadsOnOneKeyboardRecordNothingInClearWithoutAChord() throws {
            let keys = try recorded { _ in
                DispatchQueue.concurrentPerform(iterations: 4) { thread in
                    for round in 0..<500 {
                        if thread < 2 {
                            Keyflight.key(.leftGUI, round % 2 == 0 ? .down : .up)
                        } else {
                            press(0x1A)
                        }
                    }
                }
            }.keys
            let downs = keys.filter { $0.phase == .down && $0.press != nil }
            #expect(downs.count == 1000)
            #expect(downs.allSatisfy { $0.key.usage == nil || $0.modifiers.contains(.command) })
        }

        @Test func aChordWhoseEndAnotherThreadSawMasksAgain() throws {
            let keys = try recorded { _ in
                Keyflight.key(.leftGUI, .down)
                press(0x1A)
                elsewhere { Keyflight.key(.leftGUI, .up) }
                press(0x0B)
                Keyflight.key(.leftControl, .down)
                press(0x06)
                Keyflight.key(.leftControl, .up)
                press(0x08)
            }.keys
            let downs = keys.filter { $0.phase == .down && $0.press != nil }.map(\.key)
            #expect(downs == [.clear(.keyboard(0x1A)), .masked(.letter), .clear(.keyboard(0x06)), .masked(.letter)])
        }

        @Test func theOrderOfSeveralThreadsIsTimeThenThread() throws {
            let recording = try recorded { _ in
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    for _ in 0..<300 { press(0x4F) }
                }
            }
            #expect(recording.isInOrder)
            #expect(recording.keys.count == 4 * 600)
            #expect(recording.losses.isEmpty)
            #expect(recording.keys.filter { $0.phase == .down }.compactMap(\.press) == (1...1200).map { UInt32($0) })
        }

        @Test func whatFindsNoRoomIsCounted() throws {
            let recording = try recorded({ $0.flushInterval = TraceDuration(nanoseconds: 200_000_000) }) { _ in
                for _ in 0..<100_000 { Keyflight.key(.rightArrow, .repeat) }
            }
            let lost = recording.losses.reduce(0) { $0 + ($1.record.count ?? 0) }
            #expect(recording.losses.allSatisfy { $0.record.cause == .dropped })
            #expect(UInt64(recording.keys.count) + lost == 100_000)
        }
    }
}
