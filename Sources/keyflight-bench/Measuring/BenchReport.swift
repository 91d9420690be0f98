import TraceFormat

/// Results as a table for people and as JSON.
enum BenchReport {
    /// Exact counters first, then the timings.
    static func text(_ results: [BenchRunner.Result]) -> String {
        var out = "Exact counters\n"
        let counters = results.flatMap { result in
            result.bench.counters.map { [result.bench.name, $0.name, $0.text] }
        }
        out += table([["row", "counter", "value"]] + counters, textColumns: 2)
        let runs = results.first?.runs.sorted.count ?? 0
        out += "\nTimings, \(runs) run\(runs == 1 ? "" : "s") of each row in turn\n"
        let header = ["row", "unit", "units", "min ns", "median ns", "95 % interval", "processor ns", "units/s"]
        out += table([header] + results.map(timing), textColumns: 2)
        if runs < RunStatistics.runsForInterval {
            out += "no interval: \(RunStatistics.runsForInterval) runs are needed, \(runs) were made\n"
        }
        return out
    }

    private static func timing(_ result: BenchRunner.Result) -> [String] {
        let (runs, units) = (result.runs, UInt64(result.bench.unitsPerRun))
        let interval = runs.interval.map { "\(perUnit($0.low, units))…\(perUnit($0.high, units))" } ?? "–"
        return [
            result.bench.name, result.bench.unit, "\(units)", perUnit(runs.minimum, units),
            perUnit(runs.median, units), interval, perUnit(result.processor.median, units),
            "\(unitsPerSecond(runs.median, units))",
        ]
    }

    /// Nanoseconds per unit with one decimal.
    private static func perUnit(_ nanoseconds: UInt64, _ units: UInt64) -> String {
        let tenths = units == 0 ? 0 : nanoseconds * 10 / units
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func unitsPerSecond(_ nanoseconds: UInt64, _ units: UInt64) -> UInt64 {
        // A thousand million units of a nanosecond each would overflow only beyond 18 thousand million units a run.
        let (product, overflow) = units.multipliedReportingOverflow(by: 1_000_000_000)
        return nanoseconds == 0 || overflow ? 0 : product / nanoseconds
    }

    private static func table(_ rows: [[String]], textColumns: Int) -> String {
        let columns = rows.first?.count ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.count)
                return column < textColumns ? cell + blanks : blanks + cell
            }
            return "  " + cells.joined(separator: "  ").trimmedEnd + "\n"
        }.joined()
    }

    static func json(_ results: [BenchRunner.Result]) -> String {
        let rows = results.map { result in
            let (bench, runs) = (result.bench, result.runs)
            let counters = bench.counters.map { counter in
                "{\"name\":\(JSONText.quoted(counter.name)),\"total\":\(counter.total),\"per\":\(counter.per)}"
            }
            let interval = runs.interval.map { "[\($0.low),\($0.high)]" } ?? "null"
            return """
                {"workload":\(JSONText.quoted(bench.workload.rawValue)),"row":\(JSONText.quoted(bench.name)),\
                "unit":\(JSONText.quoted(bench.unit)),"units":\(bench.unitsPerRun),\
                "counters":[\(counters.joined(separator: ","))],"runs":\(runs.sorted.count),\
                "run_min_ns":\(runs.minimum),"run_median_ns":\(runs.median),"run_interval_ns":\(interval),\
                "run_median_processor_ns":\(result.processor.median),\
                "units_per_s":\(unitsPerSecond(runs.median, UInt64(bench.unitsPerRun)))}
                """
        }
        return "{\"schema\":\"keyflight.bench/1\",\"rows\":[\n" + rows.joined(separator: ",\n") + "\n]}\n"
    }
}

extension String {
    fileprivate var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
