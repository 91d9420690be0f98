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
        json.object { json in
            json.member("summary", ([summary] + missingLines.map { "left out: " + $0 }).joined(separator: " · "))
            json.member("identical", isIdentical)
            json.member("renames", HumanNumbers.first(limit, of: renames, DiffFormatter.rename))
            json.member("leftOut", max(0, changes.count - limit))
            json.member("changes", rows: changes.prefix(limit).lazy.map(\.row)) { json, row in
                for at in [row.base, row.head] { json.value(TraceDiff.id(at)) }
                for text in [row.key, row.was, row.now, row.why] { json.value(text) }
            }
            json.member("counts", rows: counts) { json, count in
                json.value(count.name)
                for number in [count.base, count.head, UInt64(count.affected)] { json.value(number) }
                json.array(count.presses) { $0.value($1) }
            }
            json.member("times", rows: time?.rows) { TraceDiff.write($1, to: &$0) }
            let kept = pairs.filter { pair in
                pair.base.map(shown.base.chosen.contains) ?? false || pair.head.map(shown.head.chosen.contains) ?? false
            }
            json.member("pairCount", pairs.count)
            json.member("pairs", rows: kept) { json, pair in
                for at in [pair.base, pair.head] { json.value(TraceDiff.id(at)) }
                json.value(pair.isChanged ? 1 : 0)
            }
        }
    }

    private static func write(_ row: TimeComparison.Row, to json: inout JSONText) {
        json.value(row.stage?.rawValue)
        for side in [row.base, row.head] {
            json.row { json in
                json.value(side.count)
                for duration in [side.p50, side.p90, side.p99, side.max] { json.value(duration?.nanoseconds) }
            }
        }
        let (old, new) = (row.base.p50?.nanoseconds ?? 0, row.head.p50?.nanoseconds ?? 0)
        json.value(String(DiffFormatter.percent(Double(old), Double(new)).dropFirst(2).dropLast()))
        json.value(DiffFormatter.probability(row.p))
        json.value(row.p < 0.01)
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
