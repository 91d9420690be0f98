import KeyModel
import TraceFormat

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One line of JSON for each gate on the main branch, and the steps in their measurements.
package struct GateHistory: Sendable {
    private var lines: [String]
    /// Medians of head by stage, one for each line that has it.
    private var series: [(stage: String, values: [Double], labels: [String])] = []

    /// Reads what is there. A line that is no gate's is an error with its number.
    package init(_ bytes: [UInt8], file: String) throws(VerdictError) {
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        for (place, line) in lines.enumerated() {
            guard add(line) else {
                throw VerdictError(
                    .notComparable, "\(file): line \(place + 1)", "history", expected: "a line of keyflight gate",
                    found: String(line.prefix(40)))
            }
        }
    }

    package mutating func append(_ report: GateReport, label: String?) {
        var json = JSONText()
        json.object { json in
            json.member("schema", GateHistory.schema)
            json.member("label", label ?? "run \(lines.count + 1)")
            json.member("verdict", report.verdict.rawValue)
            json.member("goldens", report.comparisons.count)
            json.member("findings", report.findings.count)
            json.member("head_ns") { json in
                for row in report.time?.rows ?? [] {
                    json.member(row.stage?.name ?? "total", Int64(min(max(row.head, 0), 9e18)))
                }
            }
        }
        lines.append(json.text)
        _ = add(json.text)
    }

    package var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

    /// The notes about steps, one a line.
    package var steps: [String] {
        series.flatMap { stage, values, labels in
            ChangePoint.all(in: values).map { point in
                "\(stage) stepped at \(labels[point.place])"
                    + DiffFormatter.percent(point.before, point.after) + ", \(DiffFormatter.probability(point.p))"
            }
        }
    }

    /// The fields that are read of a line.
    private struct Entry: Decodable {
        var schema: String
        var label: String
        var medians: [String: Int64]

        enum CodingKeys: String, CodingKey {
            case schema, label
            case medians = "head_ns"
        }
    }

    /// False for what is no line of this schema.
    private mutating func add(_ line: String) -> Bool {
        guard let entry = try? JSONDecoder().decode(Entry.self, from: Data(line.utf8)),
            entry.schema == GateHistory.schema
        else { return false }
        for (stage, value) in entry.medians.sorted(by: { $0.key < $1.key }) {
            let place = series.firstIndex { $0.stage == stage } ?? series.count
            if place == series.count { series.append((stage, [], [])) }
            series[place].values.append(Double(value))
            series[place].labels.append(entry.label)
        }
        return true
    }

    private static let schema = "keyflight.history/1"
}
