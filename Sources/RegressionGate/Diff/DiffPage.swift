package import TraceReports
import KeyModel
import LatencyAnalysis

extension TraceDiff {
    /// The difference as a page of both traces shows it.
    package var comparison: ReportComparison {
        ReportComparison(
            summary: ([summary] + missingLines.map { "left out: " + $0 }).joined(separator: " · "),
            isIdentical: isIdentical, renames: renames.map(DiffFormatter.rename),
            changes: changes.map { change in
                let row = DiffRow(change)
                let (base, head) = change.presses
                return ReportComparison.Change(
                    base: base?.at, head: head?.at, key: DiffFormatter.safe((head ?? base)?.input.glyphs ?? ""),
                    was: row.base, now: row.head, why: row.why)
            },
            counts: counts?.map { count in
                ReportComparison.Count(
                    name: count.name, base: count.base, head: count.head, affected: count.affected,
                    presses: count.presses)
            },
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
    fileprivate var presses: (base: PressResult?, head: PressResult?) {
        switch self {
        case .removed(let result): (result, nil)
        case .added(let result): (nil, result)
        case .changed(let base, let head, _, _): (base, head)
        }
    }
}
