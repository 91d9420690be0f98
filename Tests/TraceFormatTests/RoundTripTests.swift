import KeyModel
import Testing

@testable import TraceFormat

@Suite struct RoundTripTests {
    static let header = TraceHeader(level: .calls, isMasked: false)

    /// Recordings are compared by their bytes, which say everything: handles mean nothing across recordings.
    @Test func `records to bytes to records to bytes gives the same bytes`() throws {
        for seed in 0..<60 as Range<UInt64> { try roundTrip(seed) }
    }

    private func roundTrip(_ seed: UInt64) throws {
        let recording = RecordingGenerator.recording(seed: seed, records: 40 + Int(seed) * 7)
        let bytes = try recording.bytes(header: Self.header)
        let (back, report) = try Recording.read(bytes)
        #expect(report.complete, "seed \(seed): \(report)")
        #expect(report.damages.isEmpty)
        #expect(back.records.count == recording.records.count)
        #expect(back.records.map(\.time) == recording.records.map(\.time))
        #expect(back.records.map(\.sequence) == recording.records.map(\.sequence))
        for (a, b) in zip(recording.records, back.records) {
            if case .key(let first) = a.body { #expect(b.body == .key(first), "seed \(seed)") }
        }
        #expect(try back.bytes(header: Self.header) == bytes, "seed \(seed)")
    }
}
