package import TraceReports
import KeyModel
import LatencyAnalysis

extension TraceDiff {
    /// The difference as a page of both traces shows it.
    package var comparison: ReportComparison {
        ReportComparison(
            summary: ([summary] + missingLines.map { "left out: " + $0 }).joined(separator: " · "),
            isIdentical: isIdentical, renames: renames.map(DiffFormatter.rename),
            changes: changes.map(\.row), counts: counts,
            times: time?.rows.map { row in
                let (old, new) = (row.base.p50?.nanoseconds ?? 0, row.head.p50?.nanoseconds ?? 0)
                return ReportComparison.Time(
                    stage: row.stage, base: row.base, head: row.head,
                    difference: String(DiffFormatter.percent(Double(old), Double(new)).dropFirst(2).dropLast()),
                    probability: DiffFormatter.probability(row.p), isNotable: row.p < 0.01)
            },
            pairs: pairs)
    }
}

extension TraceDiff.Change {
    /// The change as tables show it.
    var row: ReportComparison.Change {
        switch self {
        case .removed(let old): TraceDiff.Change.row(old, nil, "no longer there")
        case .added(let new): TraceDiff.Change.row(nil, new, "was not there")
        case .changed(let old, let new, let fields, let why):
            TraceDiff.Change.row(
                old, new, why ?? fields.map { "\($0.field): \($0.base) → \($0.head)" }.joined(separator: "; "))
        }
    }

    private static func row(_ old: PressResult?, _ new: PressResult?, _ why: String) -> ReportComparison.Change {
        ReportComparison.Change(
            base: old?.at, head: new?.at, key: DiffFormatter.safe((new ?? old)?.input.glyphs ?? ""),
            was: old.map(DiffFormatter.outcome) ?? "–", now: new.map(DiffFormatter.outcome) ?? "–", why: why)
    }
}
