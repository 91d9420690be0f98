import Foundation
import GeneratedTraces
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

@testable import TraceExport

/// What became of each press, in other programs' forms.
@Suite struct TimelineExportTests {
    static func export(_ recording: Recording, _ format: TimelineExport.Format, name: String = "t") throws -> [UInt8] {
        var bytes: [UInt8] = []
        var export = try TimelineExport(format, name: name) { bytes += $0 }
        for record in recording.records { try export.consume(record, definitions: recording.definitions) }
        try export.finish(definitions: recording.definitions)
        return bytes
    }

    static func timelines(_ recording: Recording) throws -> [TimelineReading] {
        [
            try TimelineReading(perfetto: export(recording, .perfetto)),
            try TimelineReading(chrome: export(recording, .chrome)),
        ]
    }

    static func folded(_ recording: Recording) throws -> [(frames: [String], time: Int64)] {
        String(decoding: try export(recording, .folded), as: UTF8.self).split(separator: "\n").map { line in
            let stack = line.prefix(upTo: line.lastIndex(of: " ") ?? line.endIndex)
            return (stack.split(separator: ";").map(String.init), Int64(line.dropFirst(stack.count + 1)) ?? -1)
        }
    }

    /// Two presses whose second one arrives while the first one is served; a read inside another one; a mark; a loss.
    static func recorded() -> Recording {
        var flight = RecordedPresses()
        flight.chain(["page", "nav", "app"])
        let first = flight.down(at: 1_000_000, .keyboard(0x1A), .command)
        flight.add(.stage(StageRecord(at: first, stage: .inputDelay, duration: .init(nanoseconds: 300_000))), 1_000_000)
        let second = flight.down(at: 1_200_000, .keyboard(0x04), .command)
        flight.call(first, "nav", until: 1_450_000, lasting: 50_000, depth: 1)
        flight.call(first, "page", until: 1_500_000, lasting: 400_000)
        flight.call(first, "app", until: 1_560_000, lasting: 50_000)
        flight.stage(first, .collect, until: 1_600_000, lasting: 550_000)
        flight.stage(first, .action, until: 3_600_000, lasting: 2_000_000)
        flight.resolve(first, .performed, action: "closeTab:", at: 3_600_100)
        flight.add(
            .stage(StageRecord(at: second, stage: .inputDelay, duration: .init(nanoseconds: 2_400_000))), 3_600_200)
        flight.stage(second, .collect, until: 4_000_000, lasting: 100_000)
        flight.resolve(second, .unhandled, action: nil, at: 4_000_100)
        flight.add(.mark(MarkRecord(name: "saved")), 4_100_000)
        let gap = LossRecord(cause: .secureEntry, count: nil, duration: .init(nanoseconds: 5_000), detail: "")
        flight.add(.loss(gap), 4_200_000)
        return flight.recording
    }

    @Test func `presses and stages lie where they were recorded, to the nanosecond`() throws {
        for timeline in try Self.timelines(Self.recorded()) {
            #expect(timeline.faults == [])
            #expect(timeline.presses.map(\.name) == ["cmd+w", "cmd+a"])
            #expect(timeline.presses.map(\.begin) == [700_000, 1_200_000])
            #expect(timeline.presses.map(\.end) == [3_600_100, 4_000_100])
            let facts = timeline.presses[0].facts
            #expect(facts["end"] == "performed" && facts["action"] == "closeTab:" && facts["total_ns"] == "2850000")
            let collect = timeline.slices.filter { $0.name == "collect" }
            #expect(collect.map(\.begin) == [1_050_000, 3_900_000] && collect.map(\.end) == [1_600_000, 4_000_000])
            // Overlapping presses and delays are on lanes of their own.
            #expect(Set(timeline.presses.map(\.track)) == ["presses", "presses, lane 2"])
            #expect(timeline.slices.filter { $0.name == "inputDelay" }.map(\.begin) == [700_000, 1_200_200])
        }
    }

    @Test func `calls nest in their stage, with responder, pass and how many commands came`() throws {
        for timeline in try Self.timelines(Self.recorded()) {
            let calls = timeline.slices.filter { $0.category == "call" }
            #expect(calls.map(\.name) == ["page.keyCommands", "nav.keyCommands", "app.keyCommands"])
            #expect(calls.map(\.depth) == [1, 2, 1])
            #expect(calls.map(\.begin) == [1_100_000, 1_400_000, 1_510_000])
            #expect(calls[0].facts["responder"] == "page" && calls[0].facts["pass"] == "1")
            #expect(calls[0].facts["results"] == "1" && calls[0].facts["self_ns"] == "350000")
            #expect(Set(calls.map(\.track)) == ["collect"])
        }
    }

    @Test func `an arrow goes from a press to its action; marks and losses stand beside`() throws {
        for timeline in try Self.timelines(Self.recorded()) {
            #expect(timeline.leaving.count == 1 && timeline.leaving == timeline.arriving)
            #expect(timeline.moments.map(\.name) == ["saved"])
            let loss = timeline.slices.filter { $0.category == "loss" }
            #expect(loss.map(\.name) == ["secureEntry"] && loss.map { $0.end - $0.begin } == [5_000])
            let context = timeline.slices.filter { $0.category == "context" }
            #expect(context.map(\.name) == ["page"] && context.map(\.track) == ["first responder"])
            let waiting = timeline.counts["presses waiting or served"] ?? []
            #expect(waiting.map(\.time) == [1_000_000, 1_200_000, 3_600_100, 4_000_100])
            #expect(waiting.map(\.value) == [1, 2, 1, 0])
            #expect(timeline.counts["keyCommands per press"]?.map(\.value) == [3, 0])
        }
    }

    @Test func `a profile has presses as they came, and each frame closes in its parent`() throws {
        let bytes = try Self.export(Self.recorded(), .speedscope)
        let profile = try SpeedscopeReading(bytes)
        #expect(profile.faults == [])
        // The second came while the first was served: it stands behind it.
        #expect(profile.begins == [0, 2_850_000])
        #expect(profile.length == 2_850_000 + 2_500_000)
        #expect(profile.total(of: "collect") == 650_000 && profile.total(of: "inputDelay") == 2_700_000)
        #expect(profile.total(of: "cmd+w closeTab:") == 2_850_000)
        #expect(profile.total(of: "cmd+a unhandled") == 2_500_000)
        #expect(profile.total(of: "nav.keyCommands") == 50_000)
        #expect(profile.parents["nav.keyCommands"] == ["page.keyCommands"])
    }

    @Test func `stacks are the chain from the application down, with own time`() throws {
        let lines = try Self.folded(Self.recorded()).map { $0.frames.joined(separator: ";") + " \($0.time)" }
        #expect(
            lines == [
                "app;keyCommands 50000", "app;nav;page;keyCommands 350000",
                "app;nav;page;keyCommands;nav;keyCommands 50000",
            ])
    }

    @Test func `Perfetto's packets are the golden`() throws {
        let text = try ProtobufReading(Self.export(Self.recorded(), .perfetto), as: "Trace").lines()
        let golden = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Traces/golden/reports/export-perfetto.txt").standardizedFileURL
        guard text != (try? String(contentsOf: golden, encoding: .utf8)) else { return }
        if ProcessInfo.processInfo.environment["CI"] == nil {
            try text.write(to: golden.appendingPathExtension("new"), atomically: true, encoding: .utf8)
        }
        Issue.record("\(golden.path) differs: look at it and run Scripts/accept-goldens reports/export-perfetto")
    }

    @Test func `where the trace knows the time of day, Perfetto's times are that clock's`() throws {
        var flight = RecordedPresses()
        let clock = ClockRecord(source: "", unixTime: 1_795_484_731_985_169_501, granularity: nil, backwardSteps: 0)
        flight.add(.clock(clock), 0)
        flight.add(.mark(MarkRecord(name: "saved")), 4_100_000)
        let packets = try ProtobufReading(Self.export(flight.recording, .perfetto), as: "Trace").messages("packet")
        let snapshot = packets.flatMap { $0.messages("clock_snapshot") }
        #expect(snapshot.map { $0.lines() } == [
            "clocks {\n  clock_id: 1\n  timestamp: 1795484731985169501\n}\n"
                + "primary_trace_clock: BUILTIN_CLOCK_REALTIME\n"
        ])
        #expect(packets.flatMap { $0.numbers("timestamp") } == [1_795_484_731_989_269_501])
        let defaults = packets.flatMap { $0.messages("trace_packet_defaults") }
        #expect(defaults.flatMap { $0.numbers("timestamp_clock_id") } == [1])
        // A part of it knows the time from its initial context.
        var bytes: [UInt8] = []
        var part = try TimelineExport(.perfetto, name: "t", context: [.record(.clock(clock))]) { bytes += $0 }
        try part.consume(flight.recording.records[1], definitions: flight.recording.definitions)
        try part.finish(definitions: flight.recording.definitions)
        #expect(bytes == (try Self.export(flight.recording, .perfetto)))
    }

    @Test func `an empty recording is a whole file in every form`() throws {
        let empty = Recording()
        for timeline in try Self.timelines(empty) { #expect(timeline.faults == [] && timeline.slices.isEmpty) }
        #expect(try SpeedscopeReading(Self.export(empty, .speedscope)).faults == [])
        #expect(try Self.export(empty, .folded) == [])
    }

    @Test func `a repeat that was never served, a cancelled press and an unresolved one say how they ended`() throws {
        var flight = RecordedPresses()
        flight.chain(["page"])
        let held = flight.down(at: 1000, .keyboard(0x1A), .command)
        flight.stage(held, .action, until: 3000, lasting: 100)
        flight.resolve(held, .performed, action: "x:", at: 3000)
        flight.again(held, at: 4000)
        flight.again(held, at: 5000)
        let served = PressTick(press: held.press, tick: 2)
        flight.stage(served, .action, until: 6000, lasting: 100)
        flight.resolve(served, .swallowedByPresses, action: nil, at: 6000)
        let cancelled = flight.down(at: 7000, .keyboard(0x04), [])
        flight.cancel(cancelled, at: 8000)
        _ = flight.down(at: 9000, .keyboard(0x05), [])
        flight.add(.mark(MarkRecord(name: "end")), 9500)
        for timeline in try Self.timelines(flight.recording) {
            #expect(timeline.faults == [])
            let endings = Dictionary(
                uniqueKeysWithValues: timeline.presses.map { press in
                    ("\(press.facts["press"] ?? "").\(press.facts["tick"] ?? "0")", press.facts["end"] ?? "")
                })
            #expect(
                endings == [
                    "1.0": "performed", "1.1": "coalesced", "1.2": "swallowedByPresses", "2.0": "cancelled",
                    "3.0": "unresolved",
                ])
        }
    }
}
