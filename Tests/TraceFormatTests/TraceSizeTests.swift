import GeneratedTraces
import KeyModel
import Testing

@testable import TraceFormat

/// What a trace costs, exactly: the table `Traces/golden/reports/trace-sizes.txt`, and the limits that the format is
/// held to.
@Suite struct TraceSizeTests {
    /// Bytes of the canonical files of one flight, level by level.
    struct Sizes {
        let flight: TypedFlight
        let keys, resolutions, stages, calls, roundedCalls: Int

        init(_ workload: String, showsSettle: Bool = false) throws {
            let parameters = try FlightParameters(RepositoryFile.text("Traces/workloads/\(workload).txt"))
            flight = TypedFlight(parameters, showsSettle: showsSettle)
            keys = try Sizes.bytes(flight, .keys)
            resolutions = try Sizes.bytes(flight, .resolutions)
            stages = try Sizes.bytes(flight, .stages)
            calls = try Sizes.bytes(flight, .calls)
            roundedCalls = try Sizes.bytes(flight, .calls, .percent)
        }

        static func bytes(
            _ flight: TypedFlight, _ level: TraceLevel, _ durations: TraceWriter.DurationPrecision = .exact
        ) throws -> Int {
            let recording = flight.recording(level)
            let header = TraceHeader(level: level, isMasked: true)
            let (bytes, back, report) = try recording.written(header, durations)
            #expect(report.complete)
            #expect(back.records.map(\.time) == recording.records.map(\.time))
            #expect(try back.bytes(header: header).count <= bytes.count + 3 * Int(report.blocks))
            return bytes.count
        }

        var perKeyEvent: Thousandths { Thousandths(keys, flight.keyEvents) }
        var perResolvedPress: Thousandths { Thousandths(resolutions - keys, flight.presses) }
        var perStagedPress: Thousandths { Thousandths(stages - resolutions, flight.presses) }
        var perCall: Thousandths { Thousandths(calls - stages, flight.calls) }
        var perRoundedCall: Thousandths { Thousandths(roundedCalls - stages, flight.calls) }
    }

    /// A ratio, rounded up, so that a table shows the same everywhere.
    struct Thousandths: CustomStringConvertible {
        let value: Int
        init(_ total: Int, _ count: Int) { value = (total * 1000 + count - 1) / count }
        var description: String {
            let rest = String(value % 1000)
            return "\(value / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
        }
    }

    private static func row(
        _ what: String, _ bytes: Thousandths, _ total: Int, _ count: Int, _ limit: String
    ) -> String {
        func padded(_ text: String, _ width: Int, leading: Bool = true) -> String {
            let blanks = String(repeating: " ", count: max(0, width - text.count))
            return leading ? blanks + text : text + blanks
        }
        return padded(what, 46, leading: false) + padded(bytes.description, 8) + padded(String(total), 9)
            + padded(String(count), 8) + padded(limit, 7) + "\n"
    }

    @Test func `the sizes of canonical traces are those of the table, and within their limits`() throws {
        let same = try Sizes("typing-and-chords")
        let changing = try Sizes("changing-answers")
        let settling = try Sizes("typing-and-chords", showsSettle: true)
        let (presses, calls) = (same.flight.presses, same.flight.calls)
        let table =
            """
            # Bytes of canonical traces of Traces/workloads/typing-and-chords.txt; what a level adds is the difference
            # of the whole files of that level and of the one below. From Tests/TraceFormatTests/TraceSizeTests.swift.
            #                                                bytes    total   units  limit

            """
            + Self.row("key event", same.perKeyEvent, same.keys, same.flight.keyEvents, "8")
            + Self.row(
                "press at resolutions", same.perResolvedPress, same.resolutions - same.keys, presses, "12")
            + Self.row("press at stages", same.perStagedPress, same.stages - same.resolutions, presses, "20")
            + Self.row(
                "press at stages, one more stage (settle)", settling.perStagedPress,
                settling.stages - settling.resolutions, presses, "–")
            + Self.row("call, answer unchanged", same.perCall, same.calls - same.stages, calls, "6")
            + Self.row(
                "call, answer unchanged, duration to 1 %", same.perRoundedCall, same.roundedCalls - same.stages, calls,
                "3.5")
            + Self.row(
                "call, one answer in 20 changed", changing.perCall, changing.calls - changing.stages, calls, "6")
            + Self.row(
                "call, one answer in 20 changed, duration to 1 %", changing.perRoundedCall,
                changing.roundedCalls - changing.stages, calls, "–")
        try RepositoryFile.expect(table, toEqual: "Traces/golden/reports/trace-sizes.txt")
        for sizes in [same, changing] {
            #expect(sizes.perKeyEvent.value <= 8_000)
            #expect(sizes.perResolvedPress.value <= 12_000)
            #expect(sizes.perStagedPress.value <= 20_000)
            #expect(sizes.perCall.value <= 6_000)
        }
        #expect(same.perRoundedCall.value <= 3_500)
    }

    @Test func `a workload of other names or values is refused with its line`() throws {
        let text = try RepositoryFile.text("Traces/workloads/typing-and-chords.txt")
        #expect(throws: FlightParameters.Failure.self) { try FlightParameters(text + "more 1\n") }
        let error = #expect(throws: FlightParameters.Failure.self) { try FlightParameters("seed\n") }
        #expect(error?.description.hasPrefix("line 1: ") == true)
        #expect(throws: FlightParameters.Failure.self) { try FlightParameters("seed 1\n") }
    }
}

extension Recording {
    /// The bytes of its records, and what is read of these.
    func written(
        _ header: TraceHeader, _ durations: TraceWriter.DurationPrecision
    ) throws -> (bytes: [UInt8], back: Recording, report: ReadingReport) {
        let output = ByteCollector()
        var writer = try TraceWriter(header: header, durations: durations) { output.bytes.append(contentsOf: $0) }
        for record in records { try writer.append(record.body, at: record.time, definitions: definitions) }
        try writer.finish()
        let (back, report) = try Recording.read(output.bytes)
        return (output.bytes, back, report)
    }
}
