import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

/// Messages that hooks saw, in traces of version 2.
@Suite struct InvocationTests {
    private static let header = TraceHeader(level: .calls, isMasked: true)

    @Test func `only a trace with invocations is of version 2`() throws {
        let without = try FlightGenerator.recording(seed: 4, presses: 3).bytes(header: Self.header)
        #expect(without[8] == 1)
        let with = try HookedFlight.recording(seed: 4, presses: 3).bytes(header: Self.header)
        #expect(with[8] == 2)
        #expect(try textFormat(of: with).hasPrefix("keyflight-text 2 "))
    }

    @Test func `a writer of version 1 refuses what version 2 has, and stays as it was`() throws {
        let recording = HookedFlight.recording(seed: 1, presses: 1)
        let output = ByteCollector()
        var writer = try TraceWriter(header: Self.header) { output.bytes.append(contentsOf: $0) }
        var refused = 0
        for record in recording.records {
            do {
                try writer.append(record.body, at: record.time, definitions: recording.definitions)
            } catch let error as TraceError {
                #expect(error.reason.contains("a kind of version 1"), "\(error)")
                refused += 1
            }
        }
        try writer.finish()
        let kept = recording.records.filter { ($0.body.kind?.version ?? 1) == 1 }
        #expect(refused == recording.records.count - kept.count)
        let (back, report) = try Recording.read(output.bytes)
        #expect(report.complete)
        #expect(back.records.map(\.time) == kept.map(\.time))
    }

    /// In version 1 their numbers are those of unknown kinds, and tags 6D and 6E begin nothing.
    @Test func `a trace of version 1 has no invocations, whatever its bytes`() throws {
        let with = try HookedFlight.recording(seed: 4, presses: 3).bytes(header: Self.header)
        var other = with
        let header = TraceFrame.header(Self.header).withBytes { Array($0) }
        other.replaceSubrange(0..<header.count, with: header)
        let (recording, report) = try Recording.read(other)
        #expect(!report.complete)
        #expect(report.unknownRecords > 0)
        #expect(recording.records.allSatisfy { $0.body.kind.map { $0.version == 1 } ?? true })
        let unknown = UnknownRecord(kind: RecordKind.invocation.rawValue, payload: [1, 2])
        var made = Recording()
        made.append(.unknown(unknown), at: .zero)
        let bytes = try made.bytes(header: Self.header)
        #expect(bytes[8] == 1)
        #expect(try Recording.read(bytes).recording.records.map(\.body) == [.unknown(unknown)])
    }

    /// A letter typed into a document: 8 views and 24 menus are asked.
    @Test func `a letter takes no more than 75 bytes, and an expected message 2.4`() throws {
        func bytes(_ presses: Int, menus: Int) throws -> Int {
            try HookedFlight.recording(seed: 3, presses: presses, menus: menus).bytes(header: Self.header).count
        }
        let folded = try (bytes(300, menus: 0) - bytes(100, menus: 0)) / 200
        #expect(folded <= 75, "\(folded)")
        // Of menus that are not one record.
        let single = try (bytes(300, menus: 136) - bytes(100, menus: 136)) / 200
        #expect(single * 10 <= folded * 10 + 136 * 24, "\(single)")
    }

    @Test func `a message that begins before the press is open, and ends after all others, comes back`() throws {
        var recording = Recording()
        let view = recording.definitions.intern(ResponderDefinition(id: "v", kind: "view"))
        func append(_ time: Int64, lasting duration: Int64, depth: UInt8) {
            var record = InvocationRecord(
                at: PressTick(press: 0, tick: 0), kind: .keyDown, occasion: .down, responder: view,
                duration: TraceDuration(nanoseconds: duration))
            record.depth = depth
            recording.append(.invocation(record), at: TraceTime(nanoseconds: time))
        }
        for round in 0..<5 as Range<Int64> {
            append(round * 100 + 10, lasting: 7, depth: 3)
            append(round * 100 + 20, lasting: Int64.max, depth: 1)
            append(round * 100 + 30, lasting: 0, depth: 2)
            append(round * 100 + 30, lasting: Int64.max - round, depth: 0)
        }
        append(Int64.max, lasting: Int64.max, depth: 0)
        let bytes = try recording.bytes(header: Self.header)
        let (back, report) = try Recording.read(bytes)
        #expect(report.complete, "\(report.damages)")
        #expect(back.records.map(\.body) == recording.records.map(\.body))
    }
}
