import KeyModel
package import LatencyAnalysis
package import TraceFormat
package import TraceReports

extension TraceDiff {
    /// The most changes in a page; the number left out is reported.
    private static let pageLimit = 1000

    /// Writes the difference as a page of both traces has it. `shown`: the presses of both that the page shows.
    package func write(
        to json: inout JSONText, shown: (base: PressChoice, head: PressChoice), _ room: ReportPage.Room
    ) {
        let limit = room.rows(TraceDiff.pageLimit)
        let kept = pairs.filter { pair in
            pair.base.map(shown.base.chosen.contains) ?? false || pair.head.map(shown.head.chosen.contains) ?? false
        }
        let object: JSONObject = [
            "summary": ([summary] + incomparable.map { "left out: " + $0 }).joined(separator: " · "),
            "identical": isIdentical, "renames": HumanNumbers.first(limit, of: renames, DiffFormatter.rename),
            "leftOut": max(0, changes.count - limit),
            "changes": changes.prefix(limit).map(\.row).rows {
                [TraceDiff.id($0.base), TraceDiff.id($0.head), $0.key, $0.was, $0.now, $0.why]
            },
            "counts": counts?.rows { [$0.name, $0.base, $0.head, $0.affected, $0.presses] },
            "times": time?.rows.rows(TraceDiff.row), "pairCount": pairs.count,
            "pairs": kept.rows { [TraceDiff.id($0.base), TraceDiff.id($0.head), $0.isChanged ? 1 : 0] },
        ]
        object.write(to: &json)
    }

    private static func row(_ row: TimeComparison.Row) -> JSONArray {
        func side(_ side: DurationStatistics) -> JSONArray { [side.count, side.p50, side.p90, side.p99, side.max] }
        let (old, new) = (row.base.p50?.nanoseconds ?? 0, row.head.p50?.nanoseconds ?? 0)
        let change = String(DiffFormatter.percent(Double(old), Double(new)).dropFirst(2).dropLast())
        return [
            row.stage?.rawValue, side(row.base), side(row.head), change, DiffFormatter.probability(row.p),
            row.p < 0.01,
        ]
    }

    /// `118`, or `118.2` for its second repeat; `nil` for text without a key as well.
    private static func id(_ at: PressTick?) -> String? {
        guard let at, at.press > 0 else { return nil }
        return at.tick == 0 ? "\(at.press)" : "\(at.press).\(at.tick)"
    }
}

extension TraceDiff.Change {
    /// A change in the cells of a table.
    struct Row {
        var base: PressTick?
        var head: PressTick?
        var key: String
        var was: String
        var now: String
        var why: String
    }

    var row: Row {
        switch self {
        case .removed(let old): TraceDiff.Change.row(old, nil, "no longer there")
        case .added(let new): TraceDiff.Change.row(nil, new, "was not there")
        case .changed(let old, let new, let fields, let why):
            TraceDiff.Change.row(
                old, new, why ?? fields.map { "\($0.field): \($0.base) → \($0.head)" }.joined(separator: "; "))
        }
    }

    private static func row(_ old: PressResult?, _ new: PressResult?, _ why: String) -> Row {
        Row(
            base: old?.at, head: new?.at, key: DiffFormatter.safe((new ?? old)?.input.glyphs ?? ""),
            was: old.map(DiffFormatter.outcome) ?? "–", now: new.map(DiffFormatter.outcome) ?? "–", why: why)
    }
}
