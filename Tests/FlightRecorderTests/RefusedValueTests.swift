import FlightRecorder
import Foundation
import Testing

extension RecorderTests {
    /// A value that no trace can hold costs its own record and no other.
    @Suite struct RefusedValues {
        @Test func aValueThatNoTraceCanHoldIsCountedAndEndsNothing() throws {
            let states = StateLog()
            let recording = try recorded({ $0.indicator = { states.append($0) } }) { flight in
                press(0x28)
                Keyflight.endKey(RecordedResolution(Outcome(rawValue: 255)))
                Keyflight.endKey(RecordedResolution(.performed, by: TakenBy(rawValue: 255)))
                Keyflight.mark(String(repeating: "a", count: TraceLimits.recordBytes + 1))
                press(0x29)
                Keyflight.mark("after")
                #expect(Keyflight.current === flight)
            }
            #expect(recording.keys.map(\.press) == [1, 1, 2, 2])
            #expect(recording.marks == ["after"])
            #expect(recording.resolutions.isEmpty)
            #expect(recording.losses.allSatisfy { $0.record.cause == .dropped })
            #expect(recording.losses.compactMap(\.record.count).reduce(0, +) == 3)
            #expect(recording.losses.first?.record.detail == "values that a trace cannot hold")
            #expect(states.all == [.recording(isMasked: true), .stopped])
        }

        @Test func aRecordThatIsRefusedLeavesNoEmptyBlock() throws {
            var bytes: [UInt8] = []
            let definitions = TraceDefinitions()
            var writer = try TraceWriter(header: TraceHeader(form: .live, level: .calls, isMasked: true)) {
                bytes.append(contentsOf: $0)
            }
            let refused = ResolutionRecord(
                at: PressTick(press: 0, tick: 0), outcome: Outcome(rawValue: 255), takenBy: nil, state: nil)
            func time(_ nanoseconds: Int64) -> TraceTime { TraceTime(rawValue: nanoseconds) }
            #expect(throws: TraceError.self) {
                try writer.append(.resolution(refused), at: time(5), definitions: definitions)
            }
            let length = bytes.count
            try writer.flush()
            #expect(bytes.count == length)
            try writer.append(.mark(MarkRecord(name: "early")), at: time(3), definitions: definitions)
            try writer.finish()
            let (recording, report) = try Recording.read(bytes)
            #expect(report.complete)
            #expect(recording.records.map(\.time) == [time(3)])
        }
    }
}
