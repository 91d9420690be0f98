import Testing

@testable import FlightRecorder

extension RecorderTests {
    @Suite struct Names {
        @Test func anObjectThatGetsItsNameWhileAnotherThreadLooksItUpIsKnownByThatName() throws {
            let pane = Pane()
            // The next object at its address is another one.
            defer { Keyflight.forget(pane) }
            let recording = try recorded { _ in
                let buffer = threadBuffer(Keyflight.switchWord)
                let hash = Keyflight.objectHash(pane)
                _ = buffer.remember(hash) {
                    let number = NameTable.shared.responder(hash, ofKind: "Pane")
                    Keyflight.name(pane, "named meanwhile")
                    return number
                }
                Keyflight.firstResponder(pane)
            }
            let ids = recording.records.compactMap { record -> String? in
                guard case .firstResponder(let change) = record.body else { return nil }
                return change.responder.flatMap { recording.definitions[$0] }?.id
            }
            #expect(ids == ["named meanwhile"])
        }

        @Test func aListHasOneNumberWhetherSwiftOrCAnswersIt() throws {
            _ = try recorded { _ in
                let buffer = threadBuffer(Keyflight.switchWord)
                let commands = [
                    PaneCommand(
                        recordedInput: "w", recordedModifiers: .command, recordedAction: "closeTheTabOnTheLeft:",
                        title: "Close", isTitlePublic: true),
                    PaneCommand(recordedInput: nil, recordedModifiers: [], recordedAction: ""),
                ]
                let (input, action, title) = ("w", "closeTheTabOnTheLeft:", "Close")
                let number = input.withCString { input in
                    action.withCString { action in
                        title.withCString { title in
                            buffer.list(2) { place in
                                CommandStrings(
                                    input: place == 0 ? input : nil, modifiers: place == 0 ? .command : [],
                                    action: place == 0 ? action : nil, publicTitle: place == 0 ? title : nil,
                                    attributes: [])
                            }
                        }
                    }
                }
                #expect(number != 0)
                #expect(buffer.list(commands) == number)
            }
        }
    }
}
