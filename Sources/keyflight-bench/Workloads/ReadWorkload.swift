import KeyModel
import TraceFormat

/// The bytes of a canonical trace → records, checksums and all.
enum ReadWorkload {
    static func cases(isQuick: Bool) throws -> [BenchCase] {
        let counted = TraceBytes(try TypedKeys(transfers: WriteWorkload.countedTransfers).bytes())
        let timed = TraceBytes(try TypedKeys(transfers: isQuick ? 50_000 : 250_000).bytes())
        let flight = TraceBytes(try RecordedFlight(presses: isQuick ? 250 : 1_000).bytes())
        return [
            try read("read key events", "key event", counted, timed),
            try read("read calls", "record", TraceBytes(try RecordedFlight(presses: 250).bytes()), flight),
        ]
    }

    private static func read(
        _ name: String, _ unit: String, _ counted: TraceBytes, _ timed: TraceBytes
    ) throws -> BenchCase {
        let records = try count(counted), timedRecords = try count(timed)
        let allocated = try allocations { _ = try count(counted) }
        var counters = [ExactCounter("records", records)]
        // Interned definitions go into hash tables, whose allocations depend on the seed of the process.
        if unit == "key event" {
            counters.append(ExactCounter("allocations", allocated, per: records, isOfReleaseBuilds: true))
        }
        return BenchCase(
            workload: .read, name: name, unit: unit, unitsPerRun: timedRecords, counters: counters,
            run: {
                let found = try count(timed)
                try BenchFailure.check(found == timedRecords, "\(found) of \(timedRecords) records")
            })
    }

    private static func count(_ bytes: TraceBytes) throws -> Int {
        var reader = try TraceReader(bytes)
        var summary = ReadSummary()
        reader.feed(&summary)
        try BenchFailure.check(reader.report.damages.isEmpty, "the trace is damaged")
        return summary.records
    }

    /// Key events of a file, and the nanoseconds of the fastest of some rounds, those that passed and those of a
    /// processor, as `Scripts/floors/scan.c` prints them.
    static func scan(_ path: String, rounds: Int) throws -> String {
        let bytes = try TraceFile.read(path)
        var records = 0
        let fastest = try FastestRound(of: rounds) { records = try count(bytes) }
        return "bytes \(bytes.count) records \(records) \(fastest.words)\n"
    }
}

/// Counts the records of a trace, and takes histograms of the times between key events and of what each stage and call
/// took: sixteen steps an octave.
struct ReadSummary: TraceConsumer {
    private(set) var records = 0
    private var lastKey: Int64 = 0
    private var histogram = [UInt64](repeating: 0, count: (LatencyStage.allCases.count + 2) * 1024)

    private mutating func add(_ nanoseconds: Int64, _ row: Int) {
        histogram[row * 1024 + ReadSummary.step(nanoseconds)] &+= 1
    }

    /// Five bits from the highest one on are kept, the highest being encoded by how many are not.
    @inline(__always) private static func step(_ nanoseconds: Int64) -> Int {
        let value = UInt64(bitPattern: nanoseconds)
        let shift = 59 &- (value | 31).leadingZeroBitCount
        return shift &* 16 &+ Int(truncatingIfNeeded: value &>> UInt64(truncatingIfNeeded: shift))
    }

    mutating func consume(_ record: TraceRecord, definitions _: TraceDefinitions) {
        records += 1
        switch record.body {
        case .key:
            add(record.time.rawValue &- lastKey, 0)
            lastKey = record.time.rawValue
        case .stage(let stage): add(stage.duration.nanoseconds, 2 + Int(stage.stage.rawValue))
        case .call(let call): if let duration = call.duration { add(duration.nanoseconds, 1) }
        default: break
        }
    }
}
