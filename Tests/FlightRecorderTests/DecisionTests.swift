import FlightRecorder
import Foundation
import Testing

extension RecorderTests {
    @Suite struct Decisions {
        private let command = PaneCommand(
            recordedInput: "w", recordedModifiers: .command, recordedAction: "closeTab:", title: "Close My Plan")

        private func bodies(_ recording: Recording) -> [TraceRecord.Body] { recording.records.map(\.body) }

        @Test func candidatesEffectsAndTheCacheBelongToThePress() throws {
            let (tabs, document) = (Pane(), Pane())
            Keyflight.name(tabs, "tabs")
            Keyflight.name(document, "document")
            var account = RecordedCacheAccount()
            account.hits = 11
            account.misses = 1
            account.callsSaved = 33
            account.timeSaved = TraceDuration(nanoseconds: 700_000)
            let recording = try recorded { _ in
                Keyflight.key(.leftGUI, .down)
                Keyflight.key(.keyboard(0x1A), .down)
                Keyflight.candidate(command, of: tabs, .won, because: "nearest to the first responder")
                Keyflight.candidate(command, of: nil, .shadowed, because: "shadowed by tabs")
                Keyflight.effect("selection", on: document, publicValue: "3")
                Keyflight.effect("beep", on: nil)
                Keyflight.cache(account)
            }
            let definitions = recording.definitions
            let candidates = bodies(recording).compactMap { body -> CandidateRecord? in
                if case .candidate(let record) = body { record } else { nil }
            }
            #expect(candidates.map(\.verdict) == [.won, .shadowed])
            #expect(candidates.map(\.at.press) == [1, 1])
            #expect(candidates.map { $0.supplier.flatMap { definitions[$0] }?.id } == ["tabs", nil])
            #expect(definitions[try #require(candidates.first).command]?.action == "closeTab:")
            #expect(definitions.commands.allSatisfy { $0.title == nil }, "titles are private")
            let effects = bodies(recording).compactMap { body -> EffectRecord? in
                if case .effect(let record) = body { record } else { nil }
            }
            #expect(effects.map { definitions[$0.kind] } == ["selection", "beep"])
            #expect(effects.map { $0.value.flatMap { definitions[$0] } } == ["3", nil])
            let caches = bodies(recording).compactMap { body -> CacheRecord? in
                if case .cache(let record) = body { record } else { nil }
            }
            let cache = try #require(caches.first)
            #expect(cache.at == PressTick(press: 1, tick: 0))
            #expect((cache.hits, cache.misses, cache.callsSaved) == (11, 1, 33))
            #expect(cache.timeSaved == TraceDuration(nanoseconds: 700_000))
        }

        @Test func gesturesAndTheKeyboardOnTheScreenAreRecorded() throws {
            let pane = Pane()
            Keyflight.name(pane, "scroll")
            let frame = KeyboardFrameRecord.Frame(x: 0, y: 500_000, width: 1_024_000, height: -1)
            let recording = try recorded { _ in
                Keyflight.key(.rightArrow, .down)
                Keyflight.gesture("KeyboardScrollRecognizer", on: pane, .down, isTaken: true)
                Keyflight.keyboardFrame(.docked, frame, cause: .bringUp)
                Keyflight.keyboardFrame(.hidden)
            }
            let gestures = bodies(recording).compactMap { body -> GestureRecord? in
                if case .gesture(let record) = body { record } else { nil }
            }
            let gesture = try #require(gestures.first)
            #expect(gesture.at.press == 1 && gesture.isTaken && gesture.phase == .down)
            #expect(recording.definitions[gesture.responder]?.id == "scroll")
            #expect(recording.definitions[gesture.recognizer] == "KeyboardScrollRecognizer")
            let frames = bodies(recording).compactMap { body -> KeyboardFrameRecord? in
                if case .keyboardFrame(let record) = body { record } else { nil }
            }
            #expect(frames == [
                KeyboardFrameRecord(state: .docked, frame: frame, cause: .bringUp),
                KeyboardFrameRecord(state: .hidden, cause: .unknown),
            ])
        }

        @Test func eachKindOfDecisionHasItsLevel() throws {
            let kinds = try recorded(level: .resolutions) { _ in
                Keyflight.candidate(command, of: nil, .won, because: "first")
                Keyflight.cache(RecordedCacheAccount())
            }.records.compactMap(\.body.kind)
            #expect(kinds.contains(.candidate))
            #expect(!kinds.contains(.cache))
            let fewer = try recorded(level: .keys) { _ in
                Keyflight.candidate(command, of: nil, .won, because: "first")
                Keyflight.effect("beep", on: nil)
            }.records.compactMap(\.body.kind)
            #expect(!fewer.contains(.candidate) && !fewer.contains(.effect))
        }

        @Test func aResolutionTellsItsCommandAndTextOnlyWhereKeysAreShown() throws {
            var resolution = RecordedResolution(.consumedByText, by: .text)
            resolution.command = command
            resolution.character = "q"
            resolution.text = "Q"
            for isShown in [false, true] {
                let recording = try recorded({ $0.showsKeys = isShown }) { _ in
                    Keyflight.handle(.keyboard(0x14), .down) { resolution }
                    Keyflight.textWithoutKey("pasted")
                }
                let record = try #require(recording.resolutions.first)
                let action = record.command.flatMap { recording.definitions[$0] }?.action
                #expect(action == (isShown ? "closeTab:" : nil), "a masked key's command would tell the key")
                #expect(record.character.flatMap { recording.definitions[$0] } == (isShown ? "q" : nil))
                #expect(record.text.flatMap { recording.definitions[$0] } == (isShown ? "Q" : nil))
                #expect(recording.definitions.strings.contains("pasted") == isShown)
            }
        }

        @Test func whatAMaskedPressLedToIsLeftOut() throws {
            let pane = Pane()
            let down = PaneCommand(
                recordedInput: "j", recordedModifiers: [], recordedAction: "moveDown:", title: nil)
            let recording = try recorded { _ in
                Keyflight.handle(.keyboard(0x0D), .down) {
                    _ = Keyflight.canPerform("moveDown:", on: pane) { true }
                    Keyflight.candidate(down, of: pane, .won, because: "nearest")
                    Keyflight.candidate(command, of: pane, .possible, because: "")
                    var resolution = RecordedResolution(
                        .performed, by: .keyCommands, action: "moveDown:", supplier: pane, target: pane)
                    resolution.command = down
                    return resolution
                }
                Keyflight.key(.keyboard(0x0D), .up)
                Keyflight.key(.leftArrow, .down)
                _ = Keyflight.canPerform("left:", on: pane) { true }
            }
            #expect(recording.resolutions.map(\.outcome) == [.performed])
            #expect(recording.resolutions.map(\.takenBy) == [.keyCommands])
            #expect(recording.resolutions.first?.target != nil)
            #expect(recording.calls.map { $0.action.flatMap { recording.definitions[$0] } } == [nil, "left:"])
            let verdicts = bodies(recording).compactMap { body -> CandidateVerdict? in
                if case .candidate(let record) = body { record.verdict } else { nil }
            }
            #expect(verdicts == [.possible])
            #expect(!recording.definitions.strings.contains("moveDown:"))
        }

        /// Once a masked letter was taken from a text, or where the app states that it may be, no outcome names one.
        @Test(arguments: [false, true]) func aHandlerOfPressesDoesNotNameTheLetter(_ isStated: Bool) throws {
            let (field, page) = (Pane(), Pane())
            Keyflight.name(field, "field")
            Keyflight.name(page, "page")
            func type(_ usage: UInt16, isTaken: Bool) {
                Keyflight.handle(.keyboard(usage), .down) {
                    Keyflight.received(page, .down, isSwallowed: isTaken)
                    if !isTaken { Keyflight.effect("text", on: field, publicValue: "3") }
                    return RecordedResolution(
                        isTaken ? .swallowedByPresses : .consumedByText, by: isTaken ? .presses : .text,
                        target: isTaken ? page : field)
                }
                Keyflight.key(.keyboard(usage), .up)
            }
            let runs = try [true, false].map { isTaken in
                try recorded { _ in
                    if isStated { Keyflight.fact("bareKeys", "presses") }
                    Keyflight.textInput(field)
                    if !isStated { type(0x15, isTaken: true) }
                    type(isTaken ? 0x15 : 0x1B, isTaken: isTaken)
                    type(0x1B, isTaken: false)
                }
            }
            let shown = runs.map { run in run.records.map { "\($0.body)" }.filter { !$0.hasPrefix("clock") } }
            #expect(shown[0] == shown[1])
            let outcomes = runs[0].resolutions.map(\.outcome)
            #expect(outcomes == Array(repeating: .undetermined, count: isStated ? 2 : 3))
        }

        @Test func factsKeyboardsAndLayoutsAreToldAsTheyAre() throws {
            let layout = Layout(name: "us", keys: [4: Layout.Key(symbols: [.text("a"), .text("A")])])
            let recording = try recorded(level: .keys) { _ in
                Keyflight.fact("app.version", "3.1")
                Keyflight.keyboard(2, name: "Magic Keyboard")
                Keyflight.layout("us", table: layout)
                Keyflight.layout("fr")
            }
            #expect(bodies(recording).contains(.environment(EnvironmentRecord(name: "app.version", value: "3.1"))))
            #expect(bodies(recording).contains(
                .device(DeviceRecord(device: 2, name: "Magic Keyboard", source: "recorder"))))
            let layouts = bodies(recording).compactMap { body -> LayoutRecord? in
                if case .layout(let record) = body { record } else { nil }
            }
            #expect(layouts.map(\.name) == ["us", "fr"])
            #expect(layouts.map(\.hash) == [layout.hash, 0])
            #expect(layouts.first?.table.flatMap { recording.definitions[$0] } == layout.text)
        }
    }
}
