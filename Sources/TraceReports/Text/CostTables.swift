import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

/// Exact counts of the thread that handled a press: allocations by stage, and what the system counted.
extension ExplainReport {
    /// Empty where nothing was counted.
    func costs(_ style: ReportStyle) -> String {
        guard let costs = explanation.costs else { return "" }
        var table = TextTable([.init(title: "stage"), .right("allocations"), .right("bytes")])
        for (stage, made) in costs.ordered {
            table.add([.init(StatsReport.words(stage)), .count(made.count), .init(HumanNumbers.bytes(made.bytes))])
        }
        let process = [
            costs.read.map { "read \(HumanNumbers.bytes($0))" },
            costs.written.map { "wrote \(HumanNumbers.bytes($0))" },
            costs.faults.map { HumanNumbers.counted($0, "minor page fault", "minor page faults") },
            costs.switches.map { HumanNumbers.counted($0, "voluntary context switch", "voluntary context switches") },
        ].compactMap(\.self)
        let line = process.isEmpty ? "" : "  " + process.joined(separator: ", ") + "\n"
        return "\n  " + style.spelled("counted exactly, of its thread alone:") + "\n" + table.rendered(style) + line
    }

    /// `nil` where nothing was counted.
    var costObject: JSONObject? {
        explanation.costs.map { costs in
            var object: JSONObject = [
                "stages": costs.ordered.objects {
                    ["stage": $0.stage.name, "allocations": $0.allocations.count, "bytes": $0.allocations.bytes]
                }
            ]
            for (name, count) in costs.ofProcess { object.add(name, count) }
            return object
        }
    }
}

extension StatsReport {
    /// `nil` where nothing was counted.
    func allocations(_ style: ReportStyle) -> String? {
        guard !statistics.allocations.isEmpty else { return nil }
        var table = TextTable(
            [.init(title: "stage")] + ["n", "p50", "p90", "max", "sum", "bytes"].map { TextTable.Column.right($0) })
        for made in statistics.allocations {
            let counts = made.counts
            table.add([
                .init(StatsReport.words(made.stage)), .count(counts.count),
                .init(HumanNumbers.count(counts.p50?.nanoseconds)), .init(HumanNumbers.count(counts.p90?.nanoseconds)),
                .count(counts.max.nanoseconds), .count(counts.sum.nanoseconds), .init(HumanNumbers.bytes(made.bytes)),
            ])
        }
        return style.paint("Allocations of presses and repeats", .heading) + "\n" + table.rendered(style)
    }

    var allocationObjects: [JSONObject] {
        statistics.allocations.objects { made in
            let counts = made.counts
            return [
                "stage": made.stage.name, "n": counts.count, "p50": counts.p50?.nanoseconds,
                "p90": counts.p90?.nanoseconds, "max": counts.max.nanoseconds, "sum": counts.sum.nanoseconds,
                "bytes": made.bytes,
            ]
        }
    }
}
