import KeyModel
import TraceFormat

/// One line of JSON for each gate on the main branch, and the steps in what they measured.
public struct GateHistory: Sendable {
    private var lines: [String]
    /// Medians of head by stage, one for each line that has it.
    private var series: [(stage: String, values: [Double], labels: [String])] = []
    private let file: String

    /// Reads what is there. A line that is no gate's is an error with its number.
    public init(_ bytes: [UInt8], file: String) throws(VerdictError) {
        self.file = file
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        for (place, line) in lines.enumerated() {
            guard line.hasPrefix("{\"schema\":\"keyflight.history/1\",") else {
                throw VerdictError(
                    .notComparable, "\(file): line \(place + 1)", "history", expected: "a line of keyflight gate",
                    found: String(line.prefix(40)))
            }
            add(line)
        }
    }

    public mutating func append(_ report: GateReport, label: String?) {
        var json = JSONText()
        json.object { json in
            json.member("schema", "keyflight.history/1")
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
        add(json.text)
    }

    public var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

    /// What is said about steps, one a line.
    public var steps: [String] {
        series.flatMap { stage, values, labels in
            ChangePoint.all(in: values).map { point in
                "\(stage) stepped at \(labels[point.place])"
                    + DiffWords.percent(point.before, point.after) + ", p = \(DiffWords.probability(point.p))"
            }
        }
    }

    /// Reads the medians of one line: its own form, written above.
    private mutating func add(_ line: String) {
        guard let start = line.firstRange(of: "\"head_ns\":{"), let end = line[start.upperBound...].firstIndex(of: "}")
        else { return }
        let label = line.firstRange(of: "\"label\":\"").map { range in
            String(line[range.upperBound...].prefix { $0 != "\"" })
        }
        for part in line[start.upperBound..<end].split(separator: ",") {
            let halves = part.split(separator: ":")
            guard halves.count == 2, let value = Double(halves[1]) else { continue }
            let stage = String(halves[0].filter { $0 != "\"" })
            let place = series.firstIndex { $0.stage == stage } ?? series.count
            if place == series.count { series.append((stage, [], [])) }
            series[place].values.append(value)
            series[place].labels.append(label ?? "?")
        }
    }
}
