import FlightRecorder
import Testing

extension RecorderTests {
    /// What a sampler records.
    @Suite struct Samples {
        private func samples(_ recording: Recording) -> [SamplesRecord] {
            recording.records.compactMap { if case .samples(let record) = $0.body { record } else { nil } }
        }

        @Test func samplesBelongToThePressThatAnnouncedThem() throws {
            let recording = try recorded({ $0.recordsInvocations = true }) { _ in
                Keyflight.key(.leftGUI, .down)
                Keyflight.key(.keyboard(0x1A), .down)
                Keyflight.key(.keyboard(0x1A), .repeat)
                Keyflight.samples(7)
                Keyflight.key(.keyboard(0x1A), .repeat)
                Keyflight.stacks(8, began: 0, interval: 1_000_000, "l 8\n")
                Keyflight.stacks(7, began: 0, interval: 1_000_000, "l 7\n")
            }
            let found = samples(recording)
            #expect(found.map(\.at) == [PressTick(press: 1, tick: 1)])
            #expect(found.map(\.stacks) == ["l 7\n"] && found.map(\.interval.nanoseconds) == [1_000_000])
        }

        @Test func ofMaskedPressesThoseOfTextAreKept() throws {
            let recording = try recorded({ $0.recordsInvocations = true }) { _ in
                for (number, outcome) in [Outcome.consumedByText, .performed].enumerated() {
                    Keyflight.key(.keyboard(0x04), .down)
                    Keyflight.endKey(RecordedResolution(outcome))
                    Keyflight.samples(UInt32(number))
                    Keyflight.key(.keyboard(0x04), .up)
                    Keyflight.stacks(UInt32(number), began: 0, interval: 1, "l \(number)\n")
                }
            }
            #expect(samples(recording).map(\.stacks) == ["l 0\n"])
        }

        @Test func nothingIsKeptOfASecureEntry() throws {
            let recording = try recorded({ $0.recordsInvocations = true }) { _ in
                Keyflight.key(.leftGUI, .down)
                Keyflight.key(.keyboard(0x1A), .down)
                Keyflight.samples(1)
                Keyflight.beginSecureEntry()
                Keyflight.stacks(1, began: 0, interval: 1, "l 1\n")
                Keyflight.endSecureEntry()
                Keyflight.samples(2)
                Keyflight.stacks(2, began: 0, interval: 1, "l 2\n")
            }
            #expect(samples(recording).isEmpty)
        }

        @Test func withoutTheOptionNothingOfVersion2IsStored() throws {
            let recording = try recorded { _ in
                Keyflight.key(.leftGUI, .down)
                Keyflight.key(.keyboard(0x1A), .down)
                Keyflight.samples(1)
                Keyflight.stacks(1, began: 0, interval: 1, "l 1\n")
            }
            #expect(recording.version == 1)
        }
    }
}
