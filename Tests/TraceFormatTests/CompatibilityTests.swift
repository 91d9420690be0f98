import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

/// `Traces/compatibility/VERSION/NAME.keyflight` and the text it must give, `NAME.txt`, for ever. The files were
/// written once, by the build that froze the version; with `KEYFLIGHT_WRITE_COMPATIBILITY` set, those that are missing
/// are written, none is ever replaced.
@Suite struct CompatibilityTests {
    static let folder = "Traces/compatibility/"

    /// One for each level and form, and what else readers must know.
    static let names = [
        "v1/keys", "v1/resolutions", "v1/stages", "v1/calls", "v1/calls-rounded", "v1/calls-live",
        "v1/calls-live-killed", "v1/every-kind", "v1/cut-in-the-middle", "v1/unknown-kinds", "v2/invocations",
        "v2/invocations-live-killed", "v2/every-kind", "v2/samples", "v2/costs",
    ]

    @Test(arguments: names)
    func `frozen files read as they always did`(name: String) throws {
        if RepositoryFile.isSet("KEYFLIGHT_WRITE_COMPATIBILITY") { try Self.write(name) }
        let bytes = try RepositoryFile.bytes(Self.folder + name + ".keyflight")
        let text = try RepositoryFile.text(Self.folder + name + ".txt")
        #expect(bytes[8] == (name.hasPrefix("v1/") ? 1 : 2))
        #expect(try textFormat(of: bytes) == text)
        let (_, report) = try Recording.read(bytes)
        #expect(report.complete == !name.hasSuffix("killed"))
        if report.header?.form == .canonical { #expect(try assembled(Array(text.utf8)) == bytes) }
    }

    @Test func `the folder of frozen files is listed`() throws {
        let list = try RepositoryFile.text("Traces/compatibility/README.md")
        for name in Self.names {
            #expect(list.contains("| `\(name).keyflight` | `\(name).txt` |"), "\(name)")
        }
    }

    @Test func `kinds of records and of blocks that a second version made up are passed over and counted`() throws {
        let before = HostileTrace.block(
            [0] + HostileTrace.mark + [62, 7, 3, 1, 2, 3], count: 2, kinds: [.moments, .unknown])
        let made = HostileTrace.block([9, 9, 9, 9], count: 3, sequence: 2, time: 7, kind: 7, flags: 0, kinds: .unknown)
        let after = HostileTrace.block([0] + HostileTrace.mark, count: 1, sequence: 5, time: 9)
        let blocks = HostileTrace.header + before + made + after
        var entries = ByteBuffer()
        let first = TraceIndex.Block(
            offset: 28, firstTime: .zero, firstSequence: 0, firstPress: 1, kinds: [.moments, .unknown])
        first.append(to: &entries, after: .none)
        let second = TraceIndex.Block(
            offset: UInt64(28 + before.count + made.count), firstTime: TraceTime(nanoseconds: 9), firstSequence: 5,
            firstPress: 1, kinds: .moments)
        second.append(to: &entries, after: first)
        let index = HostileTrace.block(
            entries.withBytes { Array($0) } + HostileTrace.totals(of: blocks), count: 2, sequence: 6, time: 9,
            kind: 2, flags: 0, kinds: [.moments, .unknown])
        let end = TraceFrame.end(indexOffset: UInt64(blocks.count)).withBytes { Array($0) }
        let (recording, report) = try Recording.read(blocks + index + end)
        #expect(report.complete, "\(report.damages)")
        #expect(recording.records.map(\.sequence) == [0, 1, 5])
        #expect(recording.records[1].body == .unknown(UnknownRecord(kind: 62, payload: [1, 2, 3])))
        #expect(report.unknownRecords == 4)
    }
}

extension CompatibilityTests {
    private static func write(_ name: String) throws {
        guard (try? RepositoryFile.bytes(folder + name + ".keyflight")) == nil else { return }
        let bytes = try made(name)
        try RepositoryFile.write(bytes, to: folder + name + ".keyflight")
        try RepositoryFile.write(Array(textFormat(of: bytes).utf8), to: folder + name + ".txt")
    }

    private static func made(_ name: String) throws -> [UInt8] {
        var parameters = try FlightParameters(RepositoryFile.text("Traces/workloads/changing-answers.txt"))
        parameters.presses = 8
        parameters.pressesPerChord = 3
        parameters.responders = 3
        parameters.commandsPerResponder = 2
        let flight = TypedFlight(parameters, showsSettle: true)
        switch name {
        case "v1/keys", "v1/resolutions", "v1/stages", "v1/calls":
            let level = try #require(TraceLevel(name: String(name.dropFirst(3))))
            return try flight.recording(level).bytes(header: TraceHeader(level: level, isMasked: true))
        case "v1/calls-rounded": return try written(flight.recording, durations: .percent)
        case "v1/calls-live", "v1/calls-live-killed":
            let bytes = try flight.recording.bytes(header: TraceHeader(form: .live, level: .calls, isMasked: true))
            return name == "v1/calls-live" ? bytes : Array(bytes[..<(bytes.count * 2 / 3)])
        case "v1/every-kind", "v2/every-kind":
            let version: UInt16 = name == "v1/every-kind" ? 1 : 2
            return try everyKind(version).bytes(header: TraceHeader(level: .calls, isMasked: false))
        case "v2/invocations":
            return try HookedFlight.recording(seed: 7, presses: 8, isOdd: true, menus: 3)
                .bytes(header: TraceHeader(level: .calls, isMasked: true))
        case "v2/invocations-live-killed":
            let bytes = try HookedFlight.recording(seed: 8, presses: 8)
                .bytes(header: TraceHeader(form: .live, level: .calls, isMasked: true))
            return Array(bytes[..<(bytes.count * 2 / 3)])
        case "v2/samples":
            var recording = HookedFlight.recording(seed: 7, presses: 8, isOdd: true, menus: 3)
            let end = recording.records.last?.time ?? .zero
            recording.append(.samples(SamplesTests.record(PressTick(press: 2, tick: 0))), at: end)
            return try recording.bytes(header: TraceHeader(level: .calls, isMasked: true))
        case "v2/costs":
            var recording = HookedFlight.recording(seed: 7, presses: 8, isOdd: true, menus: 3)
            let end = recording.records.last?.time ?? .zero
            var cost = CostRecord(at: PressTick(press: 2, tick: 0), stage: .action, allocations: 498, bytes: 71_204)
            recording.append(.cost(cost), at: end)
            (cost.stage, cost.allocations, cost.read, cost.written) = (.settle, 0, 4096, 0)
            recording.append(.cost(cost), at: end)
            (cost.faults, cost.switches) = (300, 1)
            recording.append(.cost(cost), at: end)
            return try recording.bytes(header: TraceHeader(level: .calls, isMasked: true))
        case "v1/cut-in-the-middle": return try cut(flight.recording)
        default:
            var recording = RecordingGenerator(seed: 5).recording
            recording.append(.mark(MarkRecord(name: "before")), at: .zero)
            recording.append(.unknown(UnknownRecord(kind: 62, payload: [1, 2, 3])), at: .zero)
            recording.append(.unknown(UnknownRecord(kind: 112, payload: [])), at: TraceTime(nanoseconds: 9))
            recording.append(.mark(MarkRecord(name: "after")), at: TraceTime(nanoseconds: 9))
            return try recording.bytes(header: TraceHeader(level: .keys, isMasked: true))
        }
    }

    private static func written(
        _ recording: Recording, durations: TraceWriter.DurationPrecision
    ) throws -> [UInt8] {
        let output = ByteCollector()
        var writer = try TraceWriter(header: TraceHeader(level: .calls, isMasked: true), durations: durations) {
            output.bytes.append(contentsOf: $0)
        }
        for record in recording.records {
            try writer.append(record.body, at: record.time, definitions: recording.definitions)
        }
        try writer.finish()
        return output.bytes
    }

    /// Every kind three times, so that packed and plain forms both stand in it.
    private static func everyKind(_ version: UInt16) -> Recording {
        var generator = RecordingGenerator(seed: 2026)
        generator.version = version
        var time: Int64 = 0
        for kind in RecordKind.allCases where !kind.isContextOnly && kind.version <= version {
            for _ in 0..<3 {
                time += Int64(generator.random.below(1 << 20))
                let body = generator.body(kind)
                generator.recording.append(body, at: TraceTime(nanoseconds: time))
                generator.recording.append(body, at: TraceTime(nanoseconds: time))
            }
        }
        return generator.recording
    }

    /// The last third, with the context that it goes on from and a gap left on purpose.
    private static func cut(_ recording: Recording) throws -> [UInt8] {
        let start = recording.records.count * 2 / 3
        var context = TraceContext()
        for record in recording.records[..<start] { context.apply(record.body) }
        let output = ByteCollector()
        var writer = try TraceWriter(
            header: TraceHeader(level: .calls, isMasked: true, firstSequence: UInt64(start)), context: context
        ) { output.bytes.append(contentsOf: $0) }
        for record in recording.records[start...] where record.sequence % 50 != 7 {
            try writer.skip(toSequence: record.sequence)
            try writer.append(record.body, at: record.time, definitions: recording.definitions)
        }
        try writer.finish()
        return output.bytes
    }
}
