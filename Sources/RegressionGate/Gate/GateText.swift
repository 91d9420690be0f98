import KeyModel
package import TraceReports

extension GateReport {
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
        for finding in findings where finding.sort != .time && finding.sort != .instructions {
            lines.append(style.paint("✘ \(finding.sort.words)  \(DiffFormatter.safe(finding.golden))", .bad))
            lines.append("    \(SafeText.escaped(finding.line, limit: 600))")
            lines.append("    \(SafeText.escaped(finding.remedy, limit: 1200))")
        }
        if let instructions {
            lines.append("instructions  " + instructions.line)
        }
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
        for row in time.rows { lines.append("  " + TimingFormatter.line(row)) }
        if time.rows.isEmpty { lines.append("  no stage has a time in every run: nothing was compared") }
        if time.verdict == .worse, !failsOnTime { lines.append("  reported only: use --time fail to make this fail") }
        return lines
    }
}

/// The words of a timing verdict.
enum TimingFormatter {
    /// `~ action  p50 9.41 µs → 9.55 µs (+1.5 %, −0.3 … +3.2 %)  inconclusive: about 60 runs would decide`
    static func line(_ row: TimeGate.Row) -> String {
        let name = row.stage?.name ?? "total"
        let base = HumanNumbers.duration(TraceDuration(nanoseconds: Int64(min(max(row.base, 0), 9e18))))
        let head = HumanNumbers.duration(TraceDuration(nanoseconds: Int64(min(max(row.head, 0), 9e18))))
        let change = "\(percent(row.ratio)), \(percent(row.low)) … \(percent(row.high))"
        return "\(sign(row.verdict)) \(name)  p50 \(base) → \(head) (\(change))  \(words(row))"
            + "; noise ±\(DiffFormatter.decimal(row.noiseFloor * 100, places: 1)) %"
            + ", finds +\(DiffFormatter.decimal(row.detectable * 100, places: 1)) %"
    }

    private static func sign(_ verdict: TimeGate.Verdict) -> String {
        switch verdict {
        case .worse: "✘"
        case .better, .notWorse: "✔"
        case .inconclusive: "~"
        case .tooShort: "–"
        }
    }

    private static func words(_ row: TimeGate.Row) -> String {
        switch row.verdict {
        case .worse: "worse"
        case .better: "better"
        case .notWorse: "not worse"
        case .inconclusive:
            "inconclusive" + (row.pairsNeeded.map { ": about \($0) runs of each would decide" } ?? "")
        case .tooShort: "too short to decide"
        }
    }

    static func percent(_ ratio: Double) -> String {
        let change = (ratio - 1) * 100
        return (change < 0 ? "" : "+") + DiffFormatter.decimal(change, places: 1) + " %"
    }
}

extension GateReport.InstructionCounts {
    var line: String {
        "\(HumanNumbers.count(base)) → \(HumanNumbers.count(head))"
            + DiffFormatter.percent(Double(base), Double(head)) + words
    }

    private var words: String {
        change >= Self.fails
            ? "  ✘ more than 3 %" : change >= Self.reports ? "  more than 1 %: reported, does not fail" : "  ✔"
    }
}

extension GateReport.Finding.Sort {
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
