import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

/// What must be so of every trace, on generated ones; a case that fails is shrunk before it is shown.
@Suite struct RecordPropertyTests {
    static let header = TraceHeader(level: .calls, isMasked: false)

    private func check(_ property: RecordingProperty, _ name: String) {
        for seed in 200..<230 as Range<UInt64> {
            let recordings = [
                RecordingGenerator.recording(seed: seed, records: 40 + Int(seed % 30) * 6),
                FlightGenerator.recording(seed: seed, presses: 3 + Int(seed % 30) * 2),
                RecordingGenerator.recording(
                    seed: seed, records: 40 + Int(seed % 30) * 6, version: TraceLimits.invocationVersion),
                HookedFlight.recording(seed: seed, presses: 3 + Int(seed % 30) * 2, isOdd: seed % 2 == 0),
            ]
            for recording in recordings {
                if let counterexample = property.counterexample(recording) {
                    Issue.record("\(name), seed \(seed): \(counterexample)")
                    return
                }
            }
        }
    }

    @Test func `records to bytes to records to bytes`() {
        check(
            RecordingProperty { recording in
                let bytes = try recording.bytes(header: Self.header)
                let (back, report) = try Recording.read(bytes)
                guard report.complete, report.damages.isEmpty else { return "damaged: \(report)" }
                guard back.records.map(\.time) == recording.records.map(\.time) else { return "other times" }
                guard back.records.map(\.sequence) == recording.records.map(\.sequence) else { return "other numbers" }
                for case (.key(let key), let other) in zip(recording.records, back.records).map({ ($0.body, $1.body) })
                where other != .key(key) { return "another key" }
                guard try back.bytes(header: Self.header) == bytes else { return "other bytes" }
                var live = Self.header
                live.form = .live
                let fromLive = try Recording.read(recording.bytes(header: live)).recording
                return try fromLive.bytes(header: Self.header) == bytes ? nil : "other bytes from the live form"
            }, "records → bytes → records → bytes")
    }

    @Test func `bytes to text to bytes`() {
        check(
            RecordingProperty { recording in
                for isMasked in [false, true] {
                    let bytes = try recording.bytes(header: TraceHeader(level: .calls, isMasked: isMasked))
                    guard try assembled(Array(textFormat(of: bytes).utf8)) == bytes else { return "other bytes" }
                }
                return nil
            }, "bytes → text → bytes")
    }

    @Test func `durations kept to 1 % are within it, say so, and come back exactly`() throws {
        for seed in 0..<8 as Range<UInt64> {
            let recording = FlightGenerator.recording(seed: seed, presses: 40)
            let (_, back, report) = try recording.written(Self.header, .percent)
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

    /// Keys in runs, packed calls and stages do not go the way of `next`.
    @Test func `a visitor sees what the reader hands over record by record`() {
        check(
            RecordingProperty { recording in
                for form in [TraceForm.canonical, .live] {
                    var header = Self.header
                    header.form = form
                    if let wrong = try Self.difference(recording.bytes(header: header)) { return wrong }
                }
                return nil
            }, "visitor and reader")
    }

    /// With right checksums, so that it is the content that is met.
    @Test func `a visitor sees of changed blocks what the reader hands over`() throws {
        var random = SeededGenerator(seed: 9)
        for seed in 300..<304 as Range<UInt64> {
            let flight =
                seed % 2 == 0
                ? FlightGenerator.recording(seed: seed, presses: 12)
                : HookedFlight.recording(seed: seed, presses: 12, isOdd: true)
            let bytes = try flight.bytes(header: Self.header)
            let offset = TraceFrame.fileHeaderLength
            let header = try bytes.withUnsafeBytes { try TraceFrame.block($0, at: offset) }
            let start = offset + TraceFrame.blockHeaderLength
            for _ in 0..<100 {
                var payload = Array(bytes[start..<start + header.length])
                payload[random.below(payload.count)] ^= UInt8(1 << random.below(8))
                let block = HostileTrace.block(
                    payload, count: header.count, sequence: header.firstSequence, time: header.firstTime,
                    kind: header.kind, flags: header.flags, kinds: header.kinds)
                #expect(try Self.difference(Array(bytes[..<offset]) + block) == nil, "seed \(seed)")
            }
        }
    }

    /// A property that is not so shrinks to what makes it so.
    @Test func `a counterexample is as small as it can be`() throws {
        let recording = RecordingGenerator.recording(seed: 5, records: 200)
        @Sendable func isText(_ record: TraceRecord) -> Bool { if case .text = record.body { true } else { false } }
        try #require(recording.records.contains(where: isText))
        #expect(recording.shrunk { $0.records.contains(where: isText) }.records.count == 1)
        let described = RecordingProperty { $0.records.count(where: isText) > 1 ? "two texts" : nil }
        let counterexample = try #require(described.counterexample(recording))
        #expect(counterexample.hasPrefix("two texts\n2 of 200 records are left:\n"))
    }

    private static func difference(_ bytes: [UInt8]) throws -> String? {
        var reader = try TraceReader(bytes)
        var collector = CollectedRecords()
        reader.feed(&collector)
        let (recording, report) = try Recording.read(bytes)
        let pairs = zip(collector.records, recording.records)
        if let place = Array(pairs).firstIndex(where: { $0.0 != $0.1 }) {
            return "record \(place): expected \(recording.records[place]), found \(collector.records[place])"
        }
        guard collector.records.count == recording.records.count else {
            return "expected \(recording.records.count) records, found \(collector.records.count)"
        }
        return reader.report == report ? nil : "expected \(report), found \(reader.report)"
    }
}
