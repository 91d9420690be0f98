import KeyModel
import TraceFormat
import TraceReports

/// One line of JSON for each gate on the main branch, and the steps in their measurements.
package struct GateHistory: Sendable {
    private let file: String
    /// The machine of this gate: times of others are no part of the series.
    private let machine: String
    private var content: [[UInt8]] = []
    /// What `append` adds to the end of the file, in which another gate may have added a line of its own.
    package private(set) var addition: [UInt8] = []
    /// Lines that are no gate's, by their number from 1, with their beginning. They stay in the file.
    package private(set) var leftOut: [(line: Int, found: String)] = []
    private var ofOtherMachines = 0
    /// Medians of head by stage, and exact counts by name, with a point for each line that has it.
    private(set) var times: [Series] = []
    private(set) var counts: [Series] = []

    struct Series: Sendable {
        /// Of one line: the value of head, and in a series of times that of base in the same gate.
        struct Point: Sendable {
            var value: Double
            var base: Double?
            var label: String
            var date: String?
            var verdict: String?
        }
        var name: String
        var points: [Point] = []
    }

    /// Reads what is there. A file in which no line is a gate's is refused: it is another file.
    package init(_ bytes: [UInt8], file: String, machine: String) throws(VerdictError) {
        (self.file, self.machine) = (file, machine)
        content = bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
        // A torn line is not continued.
        if !bytes.isEmpty, bytes.last != UInt8(ascii: "\n") { addition = [UInt8(ascii: "\n")] }
        for (place, line) in content.enumerated() where !add(line) {
            leftOut.append((place + 1, SafeText.escaped(String(decoding: line.prefix(40), as: UTF8.self))))
        }
        if let first = leftOut.first, leftOut.count == content.count {
            throw VerdictError(
                .notComparable, "\(file): line \(first.line)", "history", expected: "a line of keyflight gate",
                found: first.found)
        }
    }

    /// - Parameter date: in the form of ISO 8601.
    package mutating func append(_ report: GateReport, label: String?, date: String) {
        let builds = report.builds
        var counts: JSONObject = [:]
        for (name, sum) in (builds?.sums ?? [:]).sorted(by: { $0.key < $1.key }) { counts.add(name, sum) }
        if let instructions = report.instructions { counts.add("instructions", instructions.head) }
        var (bases, heads, ratios, intervals): (JSONObject, JSONObject, JSONObject, JSONObject) = ([:], [:], [:], [:])
        for row in report.time?.rows ?? [] where row.measure.statistic == .p50 {
            bases.add(row.measure.subject, Int64(min(max(row.base, 0), 9e18)))
            heads.add(row.measure.subject, Int64(min(max(row.head, 0), 9e18)))
            ratios.add(row.measure.subject, JSONNumber(row.ratio))
            intervals.add(row.measure.subject, [JSONNumber(row.low), JSONNumber(row.high)] as JSONArray)
        }
        let line: JSONObject = [
            "schema": GateHistory.schema, "label": label ?? "run \(content.count + 1)", "date": date,
            "machine": machine, "verdict": report.verdict.rawValue, "goldens": report.comparisons.count,
            "findings": report.findings.count, "presses": builds?.head.presses ?? report.presses, "counts": counts,
            "base_ns": bases, "head_ns": heads, "ratio": ratios, "ratio_interval": intervals,
            "pairs": report.time?.pairs,
        ]
        let bytes = Array(line.text.utf8)
        content.append(bytes)
        addition += bytes + [UInt8(ascii: "\n")]
        _ = add(bytes)
    }

    // MARK: Steps

    /// A change of a series: a step to another level, or values at its end that may begin one.
    package struct Step: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case step
            /// Fewer runs than make a level are certain.
            case shortLevel
            case singleRun
        }
        package var stage: String
        package var kind: Kind
        /// The first gate of it.
        package var label: String
        package var before: Double
        package var after: Double
        /// Gates since then, this one included.
        package var runs: Int
        /// Of a step.
        package var p: Double?

        var line: String {
            let change = DiffFormatter.percent(before, after)
            let label = DiffFormatter.safe(label)
            switch kind {
            case .step: return "\(stage) stepped at \(label)\(change), \(DiffFormatter.probability(p ?? 0))"
            case .shortLevel: return "\(stage) may have stepped at \(label)\(change): \(runs) runs are no level yet"
            case .singleRun: return "\(stage) is off in \(label) alone\(change): one run is no level"
            }
        }
    }

    package var steps: [Step] {
        times.flatMap { series in
            let (stage, values, labels) = (series.name, series.points.map(\.value), series.points.map(\.label))
            let points = ChangePoint.all(in: values)
            let steps = points.map { point in
                Step(
                    stage: stage, kind: .step, label: labels[point.place], before: point.before, after: point.after,
                    runs: values.count - point.place, p: point.p)
            }
            return steps + [GateHistory.end(stage, values, labels, after: points.last?.place ?? 0)].compactMap(\.self)
        }
    }

    /// The longest end of a series, of at most 12 values, whose every value is off the level before it, to one side:
    /// by more than a tenth, and by more than six deviations.
    private static func end(_ stage: String, _ values: [Double], _ labels: [String], after step: Int) -> Step? {
        for count in stride(from: 12, to: 0, by: -1) {
            // What lies before the last step is another level.
            let before = values.dropLast(count).dropFirst(step).suffix(24)
            guard before.count >= 8 else { continue }
            let level = OrderStatistics.median(Array(before))
            let deviation = 1.4826 * OrderStatistics.median(before.map { abs($0 - level) })
            let distance = max(level / 10, 6 * deviation)
            let tail = Array(values.suffix(count))
            let (isAbove, isBelow) = ((tail.min() ?? 0) > level + distance, (tail.max() ?? 0) < level - distance)
            guard isAbove || isBelow else { continue }
            return Step(
                stage: stage, kind: count == 1 ? .singleRun : .shortLevel, label: labels[values.count - count],
                before: level, after: OrderStatistics.median(tail), runs: count)
        }
        return nil
    }

    /// Notes about steps and about what is no part of the series, one a line.
    package var lines: [String] {
        var lines = leftOut.map { "line \($0.line) is left out: expected a line of keyflight gate, found \($0.found)" }
        if ofOtherMachines > 0 {
            let others = HumanNumbers.counted(ofOtherMachines, "line", "lines")
            lines.append("\(others) of other machines: left out of the steps")
        }
        return (lines + steps.map(\.line)).map { "\(DiffFormatter.safe(file)): \($0)" }
    }

    var json: JSONObject {
        [
            "file": file, "lines": content.count, "of_other_machines": ofOtherMachines,
            "left_out": leftOut.objects { ["line": $0.line, "found": $0.found] },
            "steps": steps.objects { step in
                [
                    "stage": step.stage, "kind": step.kind.rawValue, "label": step.label,
                    "before_ns": JSONNumber(step.before), "after_ns": JSONNumber(step.after), "runs": step.runs,
                    "p": step.p.map { JSONNumber($0) },
                ]
            },
        ]
    }

    // MARK: Lines

    /// The fields that are read of a line.
    private struct Entry: JSONReadable {
        var schema, label: String
        var date, machine, verdict: String?
        var heads: [String: Int64]
        var bases, counts: [String: Int64]?

        init(json: JSONTree) throws {
            (schema, label, date) = try (json.member("schema"), json.member("label"), json.member("date"))
            (machine, verdict) = try (json.member("machine"), json.member("verdict"))
            (heads, bases) = try (json.member("head_ns"), json.member("base_ns"))
            counts = try json.member("counts")
        }

        /// `nil` for what is no line of this schema.
        init?(_ line: [UInt8]) {
            guard let entry = try? Entry(json: JSONTree(line)), entry.schema == GateHistory.schema else { return nil }
            self = entry
        }

        func point(_ value: Int64, base: Int64? = nil) -> Series.Point {
            Series.Point(
                value: Double(value), base: base.map(Double.init), label: label, date: date, verdict: verdict)
        }
    }

    /// The machines of the lines, in the order of their first one; none where no line names one.
    static func machines(_ bytes: [UInt8]) -> [String] {
        var found: [String] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if let machine = Entry(Array(line))?.machine, !found.contains(machine) { found.append(machine) }
        }
        return found
    }

    /// False for what is no line of this schema.
    private mutating func add(_ line: [UInt8]) -> Bool {
        guard let entry = Entry(line) else { return false }
        // Lines of earlier versions do not name their machine.
        guard entry.machine == nil || entry.machine == machine else {
            ofOtherMachines += 1
            return true
        }
        for (stage, value) in entry.heads.sorted(by: { $0.key < $1.key }) {
            GateHistory.add(entry.point(value, base: entry.bases?[stage]), to: &times, stage)
        }
        for (name, value) in (entry.counts ?? [:]).sorted(by: { $0.key < $1.key }) {
            GateHistory.add(entry.point(value), to: &counts, name)
        }
        return true
    }

    private static func add(_ point: Series.Point, to all: inout [Series], _ name: String) {
        if let place = all.firstIndex(where: { $0.name == name }) {
            all[place].points.append(point)
        } else {
            all.append(Series(name: name, points: [point]))
        }
    }

    private static let schema = "keyflight.history/1"
}
