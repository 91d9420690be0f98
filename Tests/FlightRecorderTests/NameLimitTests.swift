import Foundation
import Testing

@testable import FlightRecorder

extension RecorderTests {
    @Suite struct NameLimits {
        private func losses(_ recording: Recording) -> [LossRecord] { recording.losses.map(\.record) }

        @Test func namesBeyondTheLimitAreCountedAndStandAsUnnamed() throws {
            let recording = try recorded { _ in
                let pane = Pane()
                // An object of an earlier test may have had the same address.
                Keyflight.forget(pane)
                NameTable.shared.whileFull {
                    Keyflight.firstResponder(pane, cause: .become)
                    Keyflight.firstResponder(RecordedResponder(id: "never met before", kind: "field"), cause: .become)
                    Keyflight.firstResponder(nil, cause: .resign)
                    Keyflight.mark("a mark that was never met before")
                    Keyflight.effect("an effect that was never met", on: nil, publicValue: "\"nor this\"")
                }
            }
            let focus = recording.records.compactMap { record -> FirstResponderRecord? in
                if case .firstResponder(let focus) = record.body { focus } else { nil }
            }
            #expect(focus.map { $0.responder.flatMap { recording.definitions[$0] }?.id } == ["unnamed", "unnamed", nil])
            #expect(recording.marks == ["unnamed"])
            let effects = recording.records.compactMap { record -> EffectRecord? in
                if case .effect(let effect) = record.body { effect } else { nil }
            }
            #expect(effects.map { recording.definitions[$0.kind] } == ["unnamed"])
            #expect(effects.first?.value == nil, "what was a value is left out, not made up")
            #expect(losses(recording) == [
                LossRecord(cause: .dropped, count: 5, duration: nil, detail: "names beyond 65536"),
            ])
        }

        @Test func namesThatARecordingBeforeLackedAreNotOfThisOne() throws {
            _ = try recorded { _ in NameTable.shared.whileFull { Keyflight.mark("one that the first one lacked") } }
            #expect(try recorded { _ in press(0x28) }.losses.isEmpty)
        }
    }
}
