import FlightRecorder
import Foundation
import Testing

extension RecorderTests {
    @Suite struct Silences {
        @Test func aSecureEntryLeavesOneGapOfWholeSecondsAndNothingElse() throws {
            let pane = Pane()
            let recording = try recorded { _ in
                press(0x28)
                Keyflight.beginSecureEntry()
                for usage: UInt16 in 0x04...0x1D { press(usage, with: [0xE1]) }
                Keyflight.mark("inside")
                _ = Keyflight.canPerform("a:", on: pane) { true }
                Keyflight.measure(.match) {}
                Keyflight.endSecureEntry()
                press(0x29)
            }
            #expect(recording.keys.map(\.key) == [
                .clear(.returnOrEnter), .clear(.returnOrEnter), .clear(.escape), .clear(.escape),
            ])
            #expect(recording.marks.isEmpty)
            #expect(recording.calls.isEmpty)
            #expect(recording.stages.isEmpty)
            let gap = try #require(recording.losses.first)
            #expect(recording.losses.count == 1)
            #expect(gap.record.cause == .secureEntry)
            #expect(gap.record.count == nil)
            let nanoseconds = try #require(gap.record.duration).nanoseconds
            #expect(nanoseconds > 0)
            #expect((gap.time.nanoseconds + nanoseconds) % 1_000_000_000 == 0, "it ends at a whole second")
            #expect(recording.isInOrder)
        }

        @Test func theGapEndsNoLaterThanTheSecondInWhichItEnded() throws {
            let recording = try recorded { _ in
                usleep(300_000)
                press(0x28)
                Keyflight.beginSecureEntry()
                usleep(20_000)
                Keyflight.endSecureEntry()
                Keyflight.mark("after")
            }
            let gap = try #require(recording.losses.first)
            let end = gap.time.nanoseconds + (try #require(gap.record.duration).nanoseconds)
            let mark = try #require(recording.records.first { $0.body.kind == .mark })
            #expect(end - mark.time.nanoseconds < 1_000_000_000)
            #expect(end % 1_000_000_000 == 0)
        }

        @Test func theGapBeginsAtAWholeSecondWhenNothingWasRecordedInIt() throws {
            let recording = try recorded { _ in
                usleep(1_050_000)
                Keyflight.beginSecureEntry()
                press(0x04)
                Keyflight.endSecureEntry()
            }
            let gap = try #require(recording.losses.first)
            #expect(gap.time.nanoseconds % 1_000_000_000 == 0)
        }

        @Test func releasesOfPressesInsideAreNotRecordedAfterwards() throws {
            let keys = try recorded { _ in
                Keyflight.beginSecureEntry()
                Keyflight.key(.leftShift, .down)
                Keyflight.key(.keyboard(0x04), .down)
                Keyflight.endSecureEntry()
                Keyflight.key(.keyboard(0x04), .repeat)
                Keyflight.key(.keyboard(0x04), .up)
                Keyflight.key(.leftShift, .up)
                press(0x05)
            }.keys
            #expect(keys.count == 2)
            #expect(keys.first?.modifiers == [])
        }

        @Test func keysHeldWhenAGapBeginsAreReleasedThere() throws {
            let keys = try recorded { flight in
                Keyflight.key(.leftGUI, .down)
                Keyflight.key(.keyboard(0x1A), .down)
                flight.pause()
                Keyflight.key(.keyboard(0x1A), .up)
                Keyflight.key(.leftGUI, .up)
                flight.resume()
                press(0x05)
            }.keys
            #expect(keys.map(\.isSynthetic) == [false, false, true, true, false, false])
            #expect(keys[4].key == .masked(.letter), "⌘ was released unseen: it masks again")
            #expect(keys[4].modifiers == [])
        }

        /// What comes of a key that was released at the gap has no press: nothing says that it went down with ⌃.
        @Test func aKeyHeldOverAGapIsMaskedAfterIt() throws {
            let keys = try recorded { _ in
                Keyflight.key(.leftControl, .down)
                Keyflight.key(.keyboard(0x04), .down)
                Keyflight.beginSecureEntry()
                Keyflight.endSecureEntry()
                Keyflight.key(.keyboard(0x04), .repeat)
                Keyflight.key(.keyboard(0x04), .up)
            }.keys
            #expect(keys.prefix(4).map(\.isSynthetic) == [false, false, true, true])
            #expect(keys.dropFirst(4).allSatisfy { $0.press == nil && $0.key == .masked(.letter) }, "\(keys)")
        }

        @Test func aPauseIsAGapWithItsLength() throws {
            let recording = try recorded { flight in
                press(0x28)
                flight.pause()
                press(0x28)
                usleep(20_000)
                flight.resume()
                press(0x28)
            }
            #expect(recording.keys.count == 4)
            let gap = try #require(recording.losses.first)
            #expect(gap.record.cause == .paused)
            #expect(try #require(gap.record.duration).nanoseconds >= 20_000_000)
        }

        @Test func aSecureEntryInsideAPauseStaysSilent() throws {
            let recording = try recorded { flight in
                flight.pause()
                Keyflight.beginSecureEntry()
                Keyflight.beginSecureEntry()
                flight.resume()
                press(0x28)
                Keyflight.endSecureEntry()
                press(0x28)
                Keyflight.endSecureEntry()
                press(0x29)
            }
            #expect(recording.keys.count == 2)
            #expect(recording.losses.map(\.record.cause) == [.paused, .secureEntry])
        }

        @Test func aRecordingThatBeginsInsideASecureEntryIsSilent() throws {
            Keyflight.beginSecureEntry()
            let recording = try recorded { _ in
                press(0x04)
                Keyflight.endSecureEntry()
                press(0x29)
            }
            #expect(recording.keys.count == 2)
            #expect(recording.losses.map(\.record.cause) == [.secureEntry])
        }
    }
}
