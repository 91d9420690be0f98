import Testing

@testable import FlightRecorder

extension RecorderTests {
    @Suite struct Names {
        @Test func anObjectThatGetsItsNameWhileAnotherThreadLooksItUpIsKnownByThatName() throws {
            let pane = Pane()
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
    }
}
