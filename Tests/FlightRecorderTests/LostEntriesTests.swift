import Atomics
import Foundation
import Testing

@testable import FlightRecorder

extension RecorderTests {
    /// What is recorded after entries of a thread found no room.
    @Suite struct LostEntries {
        /// What the body records finds no room.
        private func withoutRoom(_ body: () -> Void) {
            repeat { usleep(2_000) } while !Keyflight.isThreadDrained
            let buffer = threadBuffer(Keyflight.switchWord)
            let tail = buffer.pointee.ring.tail.load(ordering: .relaxed)
            buffer.pointee.ring.tail.store(tail &- UInt64(ThreadBuffer.words), ordering: .relaxed)
            buffer.pointee.limit = buffer.pointee.head
            body()
            buffer.pointee.ring.tail.store(tail, ordering: .relaxed)
        }

        private func lost(_ recording: Recording) -> UInt64 {
            recording.losses.reduce(0) { $0 + ($1.record.count ?? 0) }
        }

        @Test func aModifierWhoseReleaseIsLostIsHeldNoMore() throws {
            let recording = try recorded { _ in
                Keyflight.key(.leftGUI, .down)
                Keyflight.key(.keyboard(0x1A), .down)
                withoutRoom {
                    Keyflight.key(.keyboard(0x1A), .up)
                    Keyflight.key(.leftGUI, .up)
                }
                press(0x29)
            }
            #expect(lost(recording) == 2)
            let keys = recording.keys
            #expect(keys.map(\.phase) == [.down, .down, .up, .up, .down, .up])
            #expect(keys.map(\.isSynthetic) == [false, false, true, true, false, false])
            #expect(keys.map(\.press) == [nil, 1, nil, 1, 2, 2])
            #expect(keys.dropFirst(4).first?.modifiers == [])
        }

        @Test func aModifierThatIsStillHeldStaysHeld() throws {
            let recording = try recorded { _ in
                Keyflight.key(.leftGUI, .down, device: 3)
                Keyflight.key(.leftArrow, .down)
                withoutRoom { press(0x29) }
                Keyflight.key(.leftArrow, .up)
                press(0x1A)
                Keyflight.key(.leftGUI, .up, device: 3)
            }
            #expect(lost(recording) == 2)
            let keys = recording.keys
            #expect(keys.allSatisfy { !$0.isSynthetic })
            #expect(keys.map(\.phase) == [.down, .down, .up, .down, .up, .up])
            let chord = keys.dropFirst(3).first
            #expect(chord?.key == .clear(.keyboard(0x1A)) && chord?.modifiers == .command)
            #expect(keys.last?.modifiers == [])
        }

        @Test func aModifierWhoseDownIsLostIsPressedAllTheSame() throws {
            let recording = try recorded { _ in
                withoutRoom { Keyflight.key(.leftGUI, .down) }
                press(0x1A)
                Keyflight.key(.leftGUI, .up)
            }
            let keys = recording.keys
            #expect(keys.map(\.phase) == [.down, .down, .up, .up])
            #expect(keys.map(\.isSynthetic) == [true, false, false, false])
            #expect(keys.map(\.modifiers) == [.command, .command, .command, []])
        }

        @Test func theEventThatFindsRoomAgainIsToldOnce() throws {
            let recording = try recorded { _ in
                Keyflight.key(.leftShift, .down)
                withoutRoom { press(0x29) }
                Keyflight.key(.leftShift, .up)
                withoutRoom { press(0x29) }
                Keyflight.key(.leftControl, .down)
                Keyflight.key(.leftControl, .up)
            }
            #expect(recording.keys.map(\.phase) == [.down, .up, .down, .up])
            #expect(recording.keys.allSatisfy { !$0.isSynthetic })
        }

        /// A thread that is interrupted between an entry's clock read and its end is waited for up to
        /// `EpochMerge.timeout`.
        @Test func aHeldKeysSnapshotFromBeforeAPauseThatComesAfterItPressesNothing() throws {
            let recording = try recorded { flight in
                Keyflight.key(.leftGUI, .down)
                let buffer = threadBuffer(Keyflight.switchWord)
                let time = try #require(buffer.begin())
                buffer.pointee.hasDropped = true
                buffer.pointee.limit = buffer.pointee.head
                flight.pause()
                flight.resume()
                usleep(200_000)
                buffer.append(.markedText, at: time, small: 1)
                press(0x29)
            }
            #expect(recording.keys.map(\.phase) == [.down, .up, .down, .up])
            #expect(recording.keys.map(\.isSynthetic) == [false, true, false, false])
            #expect(recording.keys.last?.modifiers == [])
        }

        @Test func whatFollowsALostPressDoesNotBelongToTheOneBefore() throws {
            let recording = try recorded { _ in
                Keyflight.key(.leftArrow, .down)
                withoutRoom { Keyflight.key(.rightArrow, .down) }
                Keyflight.measure(.match) {}
            }
            #expect(recording.stages.map(\.at.press) == [0])
        }

        /// What a thread holds is reported of its last 64 presses: one before them is released, and may still repeat.
        @Test func repeatsOfAPressThatWasReleasedForLostEntriesCountOn() throws {
            let recording = try recorded { _ in
                Keyflight.key(.leftArrow, .down)
                Keyflight.key(.leftArrow, .repeat)
                for _ in 0..<70 { press(0x29) }
                withoutRoom { press(0x29) }
                press(0x29)
                for _ in 0..<2 {
                    Keyflight.key(.leftArrow, .repeat)
                    Keyflight.measure(.match) {}
                }
                Keyflight.key(.leftArrow, .up)
            }
            let keys = recording.keys.filter { $0.press == 1 }
            #expect(keys.map(\.phase) == [.down, .repeat, .up, .repeat, .repeat, .up])
            #expect(keys.map(\.isSynthetic) == [false, false, true, false, false, false])
            #expect(recording.stages.map(\.at) == [PressTick(press: 1, tick: 2), PressTick(press: 1, tick: 3)])
        }

        @Test func downsWithoutReleasesDoNotFillWhatIsHeld() throws {
            let keys = try recorded { flight in
                for _ in 0..<300 { Keyflight.key(.keyboard(0x04), .down) }
                for _ in 0..<300 { Keyflight.key(.escape, .down) }
                Keyflight.key(.leftGUI, .down)
                flight.pause()
                flight.resume()
                press(0x29)
            }.keys
            #expect(keys.last?.modifiers == [])
            #expect(keys.contains { $0.isSynthetic && $0.key == .clear(.leftGUI) })
        }
    }
}
