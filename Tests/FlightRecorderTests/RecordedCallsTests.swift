import FlightRecorder
import Foundation
import Testing

extension RecorderTests {
    @Suite struct Calls {
        @Test func stagesBelongToThePressAndLastAsLongAsTheyDo() throws {
            let recording = try recorded { _ in
                Keyflight.key(.leftGUI, .down)
                Keyflight.handle(.keyboard(0x1A), .down) {
                    Keyflight.measure(.collect) { usleep(3_000) }
                    var span = Keyflight.begin(.match)
                    span = Keyflight.next(span, .action)
                    usleep(1_000)
                    Keyflight.end(span)
                    return RecordedResolution(.performed, by: .keyCommands, action: "closeTab:")
                }
            }
            #expect(recording.stages.map(\.stage) == [.collect, .match, .action])
            #expect(recording.stages.map(\.at.press) == [1, 1, 1])
            #expect(recording.stages[0].duration.nanoseconds >= 3_000_000)
            #expect(recording.stages[2].duration.nanoseconds >= 1_000_000)
            let resolution = try #require(recording.resolutions.first)
            #expect(resolution.outcome == .performed)
            #expect(resolution.action.flatMap { recording.definitions[$0] } == "closeTab:")
        }

        @Test func callsTellTheirAnswers() throws {
            let pane = Pane()
            Keyflight.name(pane, "tabs")
            defer { Keyflight.forget(pane) }
            let command = PaneCommand(
                recordedInput: "w", recordedModifiers: .command, recordedAction: "closeTab:", title: "Close My Plan")
            let recording = try recorded { _ in
                Keyflight.key(.keyboard(0x1A), .down)
                for pass in 1...3 {
                    let list = Keyflight.keyCommands(of: pane, pass: pass) { [command] }
                    #expect(list.count == 1)
                }
                #expect(Keyflight.canPerform("closeTab:", on: pane) { true })
                #expect(!Keyflight.validate("closeTab:", on: pane) { false })
                Keyflight.buildMenu(of: pane) {}
                Keyflight.key(.keyboard(0x1A), .up)
                _ = Keyflight.keyCommands(of: pane) { [PaneCommand]() }
            }
            let calls = recording.calls
            #expect(calls.map(\.kind) == [
                .keyCommands, .keyCommands, .keyCommands, .canPerformAction, .validate, .buildMenu, .keyCommands,
            ])
            #expect(calls.map(\.pass) == [1, 2, 3, 0, 0, 0, 0])
            #expect(calls.map(\.occasion) == [.down, .down, .down, .down, .down, .down, .release])
            #expect(calls[3].answer == .yes)
            #expect(calls[4].answer == .no)
            #expect(calls[0].answer == calls[2].answer)
            #expect(recording.definitions[calls[0].responder]?.id == "tabs")
            guard case .commands(let list) = calls[0].answer, let first = recording.definitions[list]?.first else {
                Issue.record("no list")
                return
            }
            #expect(recording.definitions[first]?.action == "closeTab:")
            #expect(recording.definitions[first]?.title == nil, "titles are private")
        }

        @Test func aPublicTitleIsStored() throws {
            let pane = Pane()
            let command = PaneCommand(
                recordedInput: "n", recordedModifiers: .command, recordedAction: "new:", title: "New Tab",
                isTitlePublic: true)
            let recording = try recorded { _ in _ = Keyflight.keyCommands(of: pane) { [command] } }
            #expect(recording.definitions.commands.contains { $0.title == "New Tab" })
        }

        @Test func callsInsideCallsAreDeeper() throws {
            let (outer, inner) = (Pane(), Pane())
            let recording = try recorded { _ in
                _ = Keyflight.keyCommands(of: outer) {
                    _ = Keyflight.canPerform("a:", on: inner) { true }
                    return [PaneCommand]()
                }
            }
            #expect(recording.calls.map(\.depth) == [1, 0])
        }

        @Test func aSwitchOfLevelInsideACallMakesNoLaterCallDeeper() throws {
            let pane = Pane()
            let recording = try recorded { flight in
                let span = Keyflight.beginCall(.keyCommands, of: pane)
                flight.level = .keys
                Keyflight.end(span)
                flight.level = .calls
                _ = Keyflight.canPerform("a:", on: pane) { true }
            }
            #expect(recording.calls.map(\.depth) == [0])
        }

        @Test func aCallThatEndsOnAnotherThreadOrNeverMakesNoCallOfALaterKeyDeeper() throws {
            let pane = Pane()
            let recording = try recorded { _ in
                let span = Keyflight.beginCall(.buildMenu, of: pane)
                let inner = Keyflight.beginCall(.validate, of: pane)
                let thread = Thread {
                    let own = Keyflight.beginCall(.keyCommands, of: Pane())
                    Keyflight.end(inner)
                    _ = Keyflight.canPerform("a:", on: Pane()) { true }
                    Keyflight.end(own)
                    Keyflight.end(span)
                }
                thread.start()
                while !thread.isFinished { usleep(500) }
                _ = Keyflight.canPerform("a:", on: pane) { true }
                Keyflight.key(.escape, .down)
                _ = Keyflight.canPerform("a:", on: pane) { true }
            }
            let kinds: [CallKind] = [
                .validate, .canPerformAction, .keyCommands, .buildMenu, .canPerformAction, .canPerformAction,
            ]
            #expect(recording.calls.map(\.kind) == kinds)
            #expect(recording.calls.map(\.depth) == [1, 1, 0, 0, 2, 0])
        }

        @Test func aLowerLevelLeavesOutWhatIsAboveIt() throws {
            let pane = Pane()
            let recording = try recorded(level: .keys) { flight in
                Keyflight.key(.escape, .down)
                Keyflight.measure(.match) {}
                flight.level = .stages
                Keyflight.measure(.collect) { _ = Keyflight.canPerform("a:", on: pane) { true } }
                flight.level = .calls
                _ = Keyflight.canPerform("a:", on: pane) { true }
                Keyflight.key(.escape, .up)
            }
            #expect(recording.stages.map(\.stage) == [.collect])
            #expect(recording.calls.count == 1)
            #expect(recording.keys.map(\.press) == [1, 1], "a key stays held across a switch of level")
            let levels = recording.records.compactMap { record -> TraceLevel? in
                if case .level(let level) = record.body { level.level } else { nil }
            }
            #expect(levels == [.stages, .calls])
        }

        @Test func aPressIsHandedToAnotherThread() throws {
            let recording = try recorded { _ in
                let press = Keyflight.beginKey(.escape, .down)
                DispatchQueue.global().sync {
                    // `sync` may run here; a thread of its own is certain.
                    let thread = Thread {
                        Keyflight.adopt(press)
                        Keyflight.measure(.settle) {}
                    }
                    thread.start()
                    while !thread.isFinished { usleep(500) }
                }
            }
            #expect(recording.stages.map(\.at.press) == [1])
        }

        @Test func contextIsRecordedAtEveryLevel() throws {
            let (pane, window) = (Pane(), Pane())
            Keyflight.name(pane, "field")
            Keyflight.name(window, "window")
            let recording = try recorded(level: .keys) { _ in
                Keyflight.firstResponder(pane, cause: .become)
                Keyflight.keyWindow(window, cause: .windowChange)
                Keyflight.link(pane, to: window, window: window)
                Keyflight.presentation(by: window, of: pane)
                Keyflight.textInput(pane)
                Keyflight.markedText(true)
                Keyflight.textWithoutKey()
                Keyflight.hardwareKeyboard(isAttached: false, device: 1)
                Keyflight.invalidation(.menuRebuild)
                Keyflight.mark("here")
                Keyflight.firstResponder(nil, cause: .resign)
            }
            let own: [RecordKind] = [.environment, .clock, .device]
            let kinds = recording.records.compactMap(\.body.kind).filter { !own.contains($0) }
            #expect(kinds == [
                .firstResponder, .keyWindow, .link, .presentation, .textInput, .markedText, .text, .hardware,
                .invalidation, .mark, .firstResponder,
            ])
            #expect(recording.marks == ["here"])
            #expect(recording.definitions.responders.contains { $0.id == "field" && $0.kind == "Pane" })
        }
    }
}
