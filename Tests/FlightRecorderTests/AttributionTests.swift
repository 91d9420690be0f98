import FlightRecorder
import Foundation
import Testing

extension RecorderTests {
    /// What belongs to which press, and to which repeat of it.
    @Suite struct Attribution {
        private func settle() { Keyflight.stage(.settle, lasted: TraceDuration(nanoseconds: 1)) }

        private func onThread(_ body: @escaping @Sendable () -> Void) {
            let thread = Thread(block: body)
            thread.start()
            while !thread.isFinished { usleep(500) }
        }

        @Test func repeatsOfAPressCountOnWhateverComesInBetween() throws {
            let recording = try recorded { _ in
                Keyflight.key(.downArrow, .down)
                for _ in 0..<2 {
                    for _ in 0..<2 {
                        Keyflight.key(.downArrow, .repeat)
                        settle()
                    }
                    Keyflight.key(.leftShift, .down)
                    Keyflight.key(.leftShift, .up)
                }
                Keyflight.key(.downArrow, .up)
                settle()
            }
            #expect(recording.stages.map(\.at) == [1, 2, 3, 4, 0].map { PressTick(press: 1, tick: $0) })
        }

        @Test func anAdoptedPressIsAtTheRepeatThatItsThreadHandles() throws {
            let pane = RecordedResponder(id: "pane", kind: "view")
            let recording = try recorded { _ in
                Keyflight.key(.downArrow, .down)
                for _ in 0..<3 { Keyflight.key(.downArrow, .repeat) }
                let press = Keyflight.currentPress
                onThread {
                    Keyflight.adopt(press)
                    #expect(Keyflight.currentPress == press)
                    Keyflight.stage(.settle, lasted: TraceDuration(nanoseconds: 1))
                    Keyflight.end(Keyflight.beginCall(.canPerformAction, of: pane, action: "a:"), true)
                }
            }
            #expect(recording.stages.map(\.at) == [PressTick(press: 1, tick: 3)])
            #expect(recording.calls.map(\.occasion) == [.repeatTick])
        }

        @Test func aPressInsideAPressTakesNothingOfTheOuterOne() throws {
            let recording = try recorded { _ in
                Keyflight.handle(.keyboard(0x1A), .down) {
                    let span = Keyflight.begin(.action)
                    Keyflight.handle(.escape, .down) { RecordedResolution(.performed, action: "close:") }
                    Keyflight.handle(.escape, .up) { nil }
                    settle()
                    Keyflight.end(span)
                    return RecordedResolution(.performed, action: "ask:")
                }
                settle()
            }
            #expect(recording.stages.map(\.stage) == [.settle, .action, .settle])
            #expect(recording.stages.map(\.at.press) == [1, 1, 1])
            #expect(recording.resolutions.map(\.at.press) == [2, 1])
        }

        @Test func aPressThatAnEventLoopHandledInsideLeavesTheOuterItsResolution() throws {
            let recording = try recorded { _ in
                Keyflight.handle(.keyboard(0x1A), .down) {
                    press(0x29)
                    return RecordedResolution(.performed, action: "ask:")
                }
            }
            #expect(recording.resolutions.map(\.at.press) == [1])
        }

        @Test func aStageBelongsToThePressInWhichItBegan() throws {
            let recording = try recorded { _ in
                Keyflight.key(.leftArrow, .down)
                let span = Keyflight.begin(.settle)
                Keyflight.key(.rightArrow, .down)
                Keyflight.end(span)
                Keyflight.measure(.match) {}
            }
            #expect(recording.stages.map(\.at.press) == [1, 2])
        }

        @Test func aNewThreadDoesNotInheritThePressOfOneThatHasEnded() throws {
            let recording = try recorded { _ in
                // Each thread gets the buffer of the one before, once that was emptied.
                for _ in 0..<6 {
                    onThread {
                        Keyflight.stage(.settle, lasted: TraceDuration(nanoseconds: 1))
                        #expect(Keyflight.currentPress.number == 0)
                        Keyflight.key(.escape, .down)
                    }
                    usleep(60_000)
                }
            }
            #expect(recording.stages.map(\.at) == Array(repeating: PressTick(press: 0, tick: 0), count: 6))
        }
    }
}
