import KeyModel
package import TraceReports

extension GateReport {
    /// Findings that a text has with their commands, and others that it names: about 4 kB together.
    private static let limits = (whole: 7, named: 24)

    /// The table for people, the verdict last. Ends with a line break.
    package func text(_ style: ReportStyle = .plain) -> String {
        var lines: [String] = []
        if !comparisons.isEmpty {
            let goldens = HumanNumbers.counted(comparisons.count, "golden", "goldens")
            lines.append("\(goldens) · \(HumanNumbers.counted(presses, "press", "presses")) · \(passed) the same")
        }
        for name in checkedByTests { lines.append("  checked by its test, not here  \(DiffFormatter.safe(name))") }
        for golden in relaxed { lines.append("  \(golden.line)  \(DiffFormatter.safe(golden.golden.title))") }
        // Findings of time are among its own lines.
        let shown = findings.filter { $0.kind != .time && $0.kind != .instructions }
        for finding in shown.prefix(GateReport.limits.whole) {
            lines.append(style.paint("✘ \(finding.kind.words)  \(DiffFormatter.safe(finding.golden))", .bad))
            lines.append("    \(SafeText.escaped(finding.line, limit: 600))")
            lines.append("    \(SafeText.escaped(finding.remedy, limit: 1200))")
            if let accept = finding.accept { lines.append("    \(SafeText.escaped(accept, limit: 1200))") }
        }
        let others = Array(shown.dropFirst(GateReport.limits.whole))
        if !others.isEmpty {
            let names = HumanNumbers.first(GateReport.limits.named, of: others) { DiffFormatter.safe($0.golden) }
            lines.append(style.paint("✘ \(others.count) more  \(names.joined(separator: ", "))", .bad))
            lines.append("    --filter NAME shows one of them; --format json, --junit and --summary have all")
        }
        for line in notCompared { lines.append("  not compared  " + line) }
        if let instructions { lines.append(instructions.line) }
        if let time { lines += timeLines(time) }
        lines.append(style.paint("gate: \(verdictWords)", verdict == .passed ? .good : .bad))
        return lines.joined(separator: "\n") + "\n"
    }

    var verdictWords: String {
        switch verdict {
        case .passed: "passed"
        case .failed: "FAILED"
        case .notComparable: "FAILED: a baseline is missing or cannot be compared"
        case .inconclusive: "passed what is exact; the time is undecided"
        }
    }

    private func timeLines(_ time: TimeGate) -> [String] {
        var lines = ["time, \(time.pairs) runs of each build in turn"]
        lines += time.lines.map { "  " + $0 }
        if time.verdict == .worse, !failsOnTime { lines.append("  reported only: use --time fail to make this fail") }
        if let undecided {
            let status = failsOnUndecided ? "; status 6" : "; --strict makes this status 6"
            lines.append("  \(undecided)" + (verdict == .inconclusive ? status : ""))
        }
        return lines
    }

    /// Measures that stayed undecided after the last pair; `nil` where the time has another verdict.
    var undecided: String? {
        guard let time, time.verdict == .inconclusive else { return nil }
        if time.rows.isEmpty { return failsOnTime ? nil : "no stage has a time in every run: no time was compared" }
        let open = time.rows.filter { $0.verdict == .inconclusive }
        let rows = open.isEmpty && time.incomplete.isEmpty ? time.rows.filter(\.isDecisive) : open
        let names = rows.map(TimingFormatter.name) + time.incomplete
        return "time undecided after \(time.pairs) runs of each build: \(names.joined(separator: ", "))"
    }
}

extension TimeGate {
    /// Rows as people read them: each that is decided, and each other that differs; then the number of the rest.
    var lines: [String] {
        let shown = rows.filter { $0.isDecisive || $0.verdict != .notFoundWorse }
        let rest = rows.count - shown.count
        var lines = shown.map(TimingFormatter.line) + notes + incomplete
        if rest > 0 {
            let open = rows.filter { !$0.isDecisive && $0.verdict == .notFoundWorse }.compactMap(\.pairsNeeded)
            let few = open.max().map {
                "; with \(pairs) runs of each \(open.count) of them cannot be: \($0) are enough"
            }
            lines.append("p90 and sum of stages, sum of actions: \(HumanNumbers.counted(rest, "row", "rows")),"
                + " none found worse" + (few ?? ""))
        }
        return lines
    }
}

/// The words of a timing verdict.
enum TimingFormatter {
    /// `~ action  p50 9.41 µs → 9.55 µs (+1.5 %, −0.3 … +3.2 %)  inconclusive: about 60 runs would decide`
    static func line(_ row: TimeGate.Row) -> String {
        let base = HumanNumbers.duration(TraceDuration(nanoseconds: Int64(min(max(row.base, 0), 9e18))))
        let head = HumanNumbers.duration(TraceDuration(nanoseconds: Int64(min(max(row.head, 0), 9e18))))
        // A bound that so few pairs do not have.
        let (low, high) = (row.low > 0 ? percent(row.low) : "?", row.high.isFinite ? percent(row.high) : "?")
        let change = "\(percent(row.ratio)), \(low) … \(high)"
            + (row.partOfTotal == nil ? "" : " of the total")
        return "\(sign(row.verdict)) \(DiffFormatter.safe(row.measure.subject))  \(row.measure.statistic.rawValue)"
            + " \(base) → \(head) (\(change))  \(words(row))"
            + "; noise ±\(DiffFormatter.decimal(row.noiseFloor * 100, places: 1)) %"
            + ", finds +\(DiffFormatter.decimal(row.detectable * 100, places: 1)) %"
    }

    /// `total p90`
    static func name(_ row: TimeGate.Row) -> String {
        "\(DiffFormatter.safe(row.measure.subject)) \(row.measure.statistic.rawValue)"
    }

    private static func sign(_ verdict: TimeGate.Verdict) -> String {
        switch verdict {
        case .worse: "✘"
        case .better, .notWorse: "✔"
        case .inconclusive: "~"
        case .tooShort, .notFoundWorse: "–"
        }
    }

    private static func words(_ row: TimeGate.Row) -> String {
        let part: String? =
            switch row.partOfTotal {
            case nil: nil
            case .head: "in head alone"
            case .base: "in base alone"
            case .both: "not in every run"
            }
        let verdict =
            switch row.verdict {
            case .worse: "worse"
            case .better: "better"
            case .notWorse: "not worse"
            case .inconclusive:
                "inconclusive" + (row.pairsNeeded.map { ": about \($0) runs of each would decide" } ?? "")
            case .tooShort: "too short to decide"
            case .notFoundWorse: "not found worse"
            }
        return [part, verdict].compactMap(\.self).joined(separator: ": ")
    }

    static func percent(_ ratio: Double) -> String {
        let change = (ratio - 1) * 100
        return (change < 0 ? "" : "+") + DiffFormatter.decimal(change, places: 1) + " %"
    }
}

extension GateReport.InstructionCounts {
    /// `✘ instructions  1,000 → 1,040 (+4.0 %)  worse: more than 3.0 %`
    var line: String {
        "\(sign) instructions  \(HumanNumbers.count(base)) → \(HumanNumbers.count(head))"
            + DiffFormatter.percent(Double(base), Double(head)) + "  " + words
    }

    private var sign: String { verdict == .worse ? "✘" : "✔" }

    private var words: String {
        let limit = DiffFormatter.decimal(margin * 100, places: 1) + " %"
        switch verdict {
        case .worse: return "worse: more than \(limit)"
        case .better: return "better by more than \(limit)"
        default: return "not worse by more than \(limit)" + (isReported ? ", reported" : "")
        }
    }
}

extension GateReport.Finding.Kind {
    var words: String {
        switch self {
        case .state: "states"
        case .renamed: "names"
        case .notDeterministic: "not deterministic"
        case .missing: "baseline missing"
        case .notComparable: "not comparable"
        default: rawValue
        }
    }
}
