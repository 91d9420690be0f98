import GeneratedTraces
import KeyModel
import Testing
import TraceFormat

@testable import TraceTools

@Suite struct RepairTests {
    private func repaired(_ bytes: [UInt8]) throws -> [UInt8] {
        try Output.of { try TraceRepair(showsKeys: true).run(TraceBytes(bytes), to: $0) }
    }

    private func bytes(seed: UInt64, records: Int) throws -> [UInt8] {
        try RecordingGenerator.recording(seed: seed, records: records)
            .bytes(header: TraceHeader(level: .calls, isMasked: false))
    }

    @Test func `a whole canonical trace comes out byte for byte`() throws {
        for seed in 0..<20 as Range<UInt64> {
            let bytes = try bytes(seed: seed, records: 50)
            #expect(try repaired(bytes) == bytes, "seed \(seed)")
        }
        let empty = try Recording().bytes(header: TraceHeader(level: .keys, isMasked: true))
        #expect(try repaired(empty) == empty)
    }

    @Test func `every prefix becomes a complete trace that says what is missing`() throws {
        let bytes = try bytes(seed: 3, records: 30)
        for length in 8..<bytes.count {
            let once = try repaired(Array(bytes[..<length]))
            let (recording, report) = try Recording.read(once)
            #expect(report.complete, "\(length) bytes: \(report.damages)")
            let isReported = recording.records.contains {
                guard case .loss(let loss) = $0.body else { return false }
                return loss.cause == .truncated && loss.detail.contains("byte ")
            }
            #expect(isReported, "\(length) bytes")
            #expect(try repaired(once) == once, "\(length) bytes")
        }
    }

    @Test func `a loss in the middle takes the place of what is missing`() throws {
        let bytes = try bytes(seed: 5, records: 12_000)
        var damaged = bytes
        damaged[bytes.count / 2] ^= 0x55
        let (before, report) = try Recording.read(damaged)
        let lost = try #require(report.damages.first?.recordsLost)
        let (after, whole) = try Recording.read(repaired(damaged))
        #expect(whole.complete, "\(whole.damages)")
        #expect(after.records.count == before.records.count + 1)
        let place = try #require(after.records.firstIndex { record in
            if case .loss(let loss) = record.body { return loss.detail.hasPrefix("byte \(report.damages[0].offset): ") }
            return false
        })
        guard case .loss(let loss) = after.records[place].body else { return }
        #expect(loss.cause == .damaged && loss.count == lost)
        #expect(after.records[place].sequence == after.records[place - 1].sequence + 1)
        // The numbers of what is whole stay.
        #expect(after.records.last?.sequence == before.records.last?.sequence)
        #expect(after.records[place + 1].sequence == after.records[place - 1].sequence + lost + 1)
    }

    @Test func `a live trace becomes a canonical one`() throws {
        let recording = RecordingGenerator.recording(seed: 8, records: 80)
        let live = try recording.bytes(header: TraceHeader(form: .live, level: .calls, isMasked: false))
        #expect(try repaired(live) == recording.bytes(header: TraceHeader(level: .calls, isMasked: false)))
    }

    @Test func `any change of one byte leaves a trace that is repaired`() throws {
        let bytes = try bytes(seed: 6, records: 12)
        for offset in 8..<bytes.count where offset != 8 && offset != 9 {
            var damaged = bytes
            damaged[offset] ^= 0xA5
            let once = try repaired(damaged)
            #expect(try Recording.read(once).report.complete, "byte \(offset)")
            #expect(try repaired(once) == once, "byte \(offset)")
        }
    }
}
