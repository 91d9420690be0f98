import FlightRecorder
import Testing

extension RecorderTests {
    /// What counters record.
    @Suite struct Costs {
        private func costs(
            versioned: Bool = true, level: TraceLevel = .stages, _ body: (StageSpan) -> Void
        ) throws -> [CostRecord] {
            let recording = try recorded(level: level, { $0.recordsInvocations = versioned }) { _ in
                Keyflight.key(.leftGUI, .down)
                Keyflight.key(.keyboard(0x1A), .down)
                let span = Keyflight.begin(.collect)
                body(span)
                Keyflight.end(span)
            }
            return recording.records.compactMap { if case .cost(let record) = $0.body { record } else { nil } }
        }

        @Test func countsBelongToTheStageAndItsPress() throws {
            let found = try costs { span in
                Keyflight.cost(span, allocations: 12, bytes: 345, process: nil)
                let next = Keyflight.next(span, .action)
                Keyflight.key(.keyboard(0x1B), .down)
                Keyflight.cost(next, allocations: 0, bytes: .max, process: (.max, .max, 2, 3))
            }
            let at = PressTick(press: 1, tick: 0)
            #expect(
                found == [
                    CostRecord(at: at, stage: .collect, allocations: 12, bytes: 345),
                    CostRecord(at: at, stage: .action, allocations: 0, bytes: 0, faults: 2, switches: 3),
                ])
        }

        @Test func nothingIsKeptOfASecureEntryNorWhereItIsNotRecorded() throws {
            #expect(
                try costs { span in
                    Keyflight.beginSecureEntry()
                    Keyflight.cost(span, allocations: 1, bytes: 1, process: nil)
                    Keyflight.endSecureEntry()
                    Keyflight.cost(span, allocations: 2, bytes: 2, process: nil)
                }.isEmpty)
            #expect(try costs(versioned: false) { Keyflight.cost($0, allocations: 1, bytes: 1, process: nil) }.isEmpty)
            let none = try costs(level: .resolutions) { Keyflight.cost($0, allocations: 1, bytes: 1, process: nil) }
            #expect(none.isEmpty)
        }
    }
}
