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
        var records = 0
        while reader.next() != nil { records += 1 }
        try BenchFailure.check(reader.report.damages.isEmpty, "the trace is damaged")
        return records
    }

    /// Key events of a file and the nanoseconds of the fastest of some rounds, as `Scripts/floors/scan.c` prints them.
    static func scan(_ path: String, rounds: Int) throws -> String {
        let bytes = TraceBytes(try FileBytes.contents(of: path), file: path)
        var best = UInt64.max
        var records = 0
        for _ in 0..<rounds {
            let begin = MonotonicClock.nanoseconds()
            records = try count(bytes)
            best = min(best, MonotonicClock.nanoseconds() - begin)
        }
        return "bytes \(bytes.count) records \(records) ns \(best)\n"
    }
}
