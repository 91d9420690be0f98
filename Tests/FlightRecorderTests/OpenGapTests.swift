import FlightRecorder
import Foundation
import Testing

extension RecorderTests {
    /// Secure entries and pauses that go on, and what crosses them.
    @Suite struct OpenGaps {
        @Test(arguments: [true, false])
        func aSnapshotInsideTellsTheGapUntilNow(isSecure: Bool) throws {
            let recording = try recorded { flight in
                press(0x28)
                if isSecure { Keyflight.beginSecureEntry() } else { flight.pause() }
                defer { if isSecure { Keyflight.endSecureEntry() } else { flight.resume() } }
                usleep(20_000)
                press(0x04)
                let snapshot = try Recording.read(try flight.snapshot()).recording
                let gap = try #require(snapshot.losses.first)
                #expect(snapshot.losses.count == 1)
                #expect(gap.record.cause == (isSecure ? .secureEntry : .paused))
                let end = gap.time.nanoseconds + (try #require(gap.record.duration).nanoseconds)
                #expect(isSecure ? end % 1_000_000_000 == 0 : end - gap.time.nanoseconds >= 20_000_000)
            }
            #expect(recording.losses.count == 1, "one that has ended is one record")
        }

        @Test func aSnapshotOfTheLastPartTellsTheGapThatCoversIt() throws {
            _ = try recorded { flight in
                press(0x28)
                flight.pause()
                usleep(60_000)
                let bytes = try flight.snapshot(last: TraceDuration(nanoseconds: 20_000_000))
                let gap = try #require(try Recording.read(bytes).recording.losses.first)
                #expect(gap.record.cause == .paused)
                #expect(try #require(gap.record.duration).nanoseconds <= 20_000_000)
                flight.resume()
            }
        }

        @Test func aFileTellsAGapThatGoesOnBeforeItEnds() throws {
            try withFolder { folder in
                let path = folder + "/a.keyflight"
                let flight = try Keyflight.start(RecorderOptions(.file(path)))
                Keyflight.key(.leftGUI, .down)
                Keyflight.beginSecureEntry()
                var live = try Recording.read(try TraceFile.read(path)).recording
                for _ in 0..<500 where live.losses.isEmpty {
                    usleep(10_000)
                    live = try Recording.read(try TraceFile.read(path)).recording
                }
                Keyflight.endSecureEntry()
                try flight.stop()
                let open = try #require(live.losses.first)
                #expect(open.record == LossRecord(cause: .secureEntry, count: nil, duration: nil, detail: ""))
                #expect(live.keys.map(\.phase) == [.down, .up], "what was held is released there")
                let whole = try Recording.read(try TraceFile.read(path)).recording
                #expect(whole.losses.map(\.time) == [open.time, open.time])
                #expect(whole.losses.last?.record.duration != nil)
                #expect(whole.keys.count == 2)
                #expect(whole.isInOrder)
            }
        }

        @Test func keysThatAreLeftOutHaveNoInputDelay() throws {
            let recording = try recorded { _ in
                Keyflight.key(.escape, .down, systemTime: 1)
                Keyflight.beginSecureEntry()
                Keyflight.key(.keyboard(0x04), .down, systemTime: 1)
                Keyflight.endSecureEntry()
                Keyflight.key(.keyboard(0x04), .repeat, systemTime: 1)
                Keyflight.key(.keyboard(0x04), .up, systemTime: 1)
            }
            #expect(recording.stages.map(\.stage) == [.inputDelay])
        }

        @Test(arguments: [true, false])
        func stagesAndCallsThatBeganBeforeAGapEndAsNothing(isSecure: Bool) throws {
            let pane = Pane()
            let recording = try recorded { flight in
                Keyflight.key(.escape, .down)
                let stage = Keyflight.begin(.action)
                let other = Keyflight.begin(.match)
                let call = Keyflight.beginCall(.buildMenu, of: pane)
                if isSecure { Keyflight.beginSecureEntry() } else { flight.pause() }
                if isSecure { Keyflight.endSecureEntry() } else { flight.resume() }
                Keyflight.end(stage)
                Keyflight.end(call)
                let next = Keyflight.next(other, .settle)
                Keyflight.end(next)
            }
            #expect(recording.stages.map(\.stage) == [.settle], "one that follows begins anew")
            #expect(recording.calls.isEmpty)
        }

        @Test func stagesDoNotEndInAnotherRecording() throws {
            var span: StageSpan?
            _ = try recorded { _ in span = Keyflight.begin(.action) }
            let begun = try #require(span)
            #expect(try recorded { _ in Keyflight.end(begun) }.stages.isEmpty)
        }

        @Test func aSwitchOfLevelDoesNotEndAStage() throws {
            let recording = try recorded { flight in
                let span = Keyflight.begin(.action)
                flight.level = .stages
                Keyflight.end(span)
            }
            #expect(recording.stages.map(\.stage) == [.action])
        }

        @Test func aSecureTextInputIsASecureEntry() throws {
            let (password, name) = (Pane(), Pane())
            Keyflight.name(password, "password")
            Keyflight.name(name, "name")
            let recording = try recorded { _ in
                Keyflight.textInput(password, isSecure: true)
                for usage: UInt16 in 4...6 { press(usage) }
                Keyflight.textInput(name)
                press(0x29)
            }
            #expect(recording.keys.map(\.key) == [.clear(.escape), .clear(.escape)])
            #expect(recording.losses.map(\.record.cause) == [.secureEntry])
            let inputs = recording.records.compactMap { record -> TextInputRecord? in
                if case .textInput(let input) = record.body { input } else { nil }
            }
            #expect(inputs.map(\.isSecure) == [true, false])
            #expect(inputs.map { $0.responder.flatMap { recording.definitions[$0] }?.id } == ["password", "name"])
        }

        @Test func aKeyThatMovesTheFocusOutOfASecureFieldLeavesNothing() throws {
            let password = RecordedResponder(id: "password", kind: "field")
            let recording = try recorded({ $0.showsKeys = true }) { _ in
                press(0x29)
                Keyflight.textInput(password, isSecure: true)
                Keyflight.key(.keyboard(0x04), .down)
                Keyflight.textInput(nil)
                var resolution = RecordedResolution(.consumedByText, by: .text)
                (resolution.character, resolution.text) = ("canary", "canary")
                Keyflight.endKey(resolution)
                Keyflight.key(.keyboard(0x04), .up)
                Keyflight.key(.keyboard(0x05), .down)
                Keyflight.endKey(RecordedResolution(.unhandled))
            }
            #expect(recording.resolutions.map(\.outcome) == [.unhandled], "that of the key after it")
            #expect(!recording.definitions.strings.contains("canary"))
        }

        @Test func theInputDelayOfAReleaseIsNoStageOfItsPress() throws {
            let recording = try recorded { _ in
                Keyflight.key(.escape, .down, systemTime: 1)
                Keyflight.key(.escape, .repeat, systemTime: 1)
                Keyflight.key(.escape, .up, systemTime: 1)
            }
            let none = PressTick(press: 0, tick: 0)
            #expect(recording.stages.map(\.at) == [PressTick(press: 1, tick: 0), PressTick(press: 1, tick: 1), none])
            #expect(recording.stages.map(\.stage) == [.inputDelay, .inputDelay, .inputDelay])
        }

        @Test func aSecureTextInputAndExplicitSecureEntriesMayOverlap() throws {
            let states = States()
            let recording = try recorded({ $0.indicator = { states.append($0) } }) { _ in
                let password = RecordedResponder(id: "password", kind: "field")
                Keyflight.textInput(password, isSecure: true)
                Keyflight.beginSecureEntry()
                Keyflight.textInput(password, isSecure: true)
                Keyflight.textInput(nil)
                press(0x04)
                Keyflight.endSecureEntry()
                press(0x29)
                Keyflight.beginSecureEntry()
                Keyflight.textInput(password, isSecure: true)
                Keyflight.endSecureEntry()
                press(0x05)
                Keyflight.textInput(nil)
                press(0x28)
            }
            #expect(recording.keys.map(\.key) == [
                .clear(.escape), .clear(.escape), .clear(.returnOrEnter), .clear(.returnOrEnter),
            ])
            #expect(recording.losses.count == 2)
            let going = RecorderState.recording(isMasked: true)
            #expect(states.all == [going, .secureEntry, going, .secureEntry, going, .stopped])
        }

        @Test func aRecordingThatBeginsInASecureTextInputIsSilent() throws {
            Keyflight.textInput(RecordedResponder(id: "password", kind: "field"), isSecure: true)
            let recording = try recorded { _ in
                press(0x04)
                Keyflight.textInput(nil)
                press(0x29)
            }
            #expect(recording.keys.count == 2)
            #expect(recording.losses.map(\.record.cause) == [.secureEntry])
        }
    }
}

private final class States: @unchecked Sendable {
    private let lock = NSLock()
    private var states: [RecorderState] = []
    func append(_ state: RecorderState) { lock.withLock { states.append(state) } }
    var all: [RecorderState] { lock.withLock { states } }
}
