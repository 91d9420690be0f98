import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

@Suite struct RoundTripTests {
    static let header = TraceHeader(level: .calls, isMasked: false)

    /// Recordings are compared by their bytes, which say everything: handles mean nothing across recordings.
    @Test func `records to bytes to records to bytes gives the same bytes`() throws {
        for seed in 0..<60 as Range<UInt64> { try roundTrip(seed) }
    }

    @Test func `what recorders write comes back from bytes and text, exactly`() throws {
        for seed in 0..<24 as Range<UInt64> {
            let recording = FlightGenerator.recording(seed: seed, presses: 5 + Int(seed) * 3)
            try roundTrip(recording, seed)
            let bytes = try recording.bytes(header: Self.header)
            #expect(try assembled(Array(textFormat(of: bytes).utf8)) == bytes, "seed \(seed)")
            var live = Self.header
            live.form = .live
            let (fromLive, _) = try Recording.read(recording.bytes(header: live))
            #expect(try fromLive.bytes(header: Self.header) == bytes, "seed \(seed)")
        }
    }

    @Test func `durations kept to 1 % are within it, say so, and come back exactly`() throws {
        for seed in 0..<8 as Range<UInt64> {
            let recording = FlightGenerator.recording(seed: seed, presses: 40)
            let output = ByteCollector()
            var writer = try TraceWriter(header: Self.header, durations: .percent) {
                output.bytes.append(contentsOf: $0)
            }
            for record in recording.records {
                try writer.append(record.body, at: record.time, definitions: recording.definitions)
            }
            try writer.finish()
            let (back, report) = try Recording.read(output.bytes)
            #expect(report.complete)
            #expect(back.records.map(\.time) == recording.records.map(\.time))
            for (exact, rounded) in zip(recording.records, back.records) {
                guard case .call(let a) = exact.body, case .call(let b) = rounded.body, !a.isRounded else { continue }
                #expect(b.isRounded == (a.duration != nil))
                guard let exact = a.duration?.nanoseconds, let kept = b.duration?.nanoseconds else { continue }
                #expect(abs(exact - kept) <= exact / 100, "seed \(seed): \(exact) kept as \(kept)")
            }
            let canonical = try back.bytes(header: Self.header)
            #expect(try Recording.read(canonical).recording.records.map(\.body) == back.records.map(\.body))
        }
    }

    private func roundTrip(_ seed: UInt64) throws {
        try roundTrip(RecordingGenerator.recording(seed: seed, records: 40 + Int(seed) * 7), seed)
    }

    private func roundTrip(_ recording: Recording, _ seed: UInt64) throws {
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
