import KeyModel
import LatencyAnalysis
import TraceFormat

extension TraceDiff {
    /// One object with everything, `keyflight.diff/1`.
    package var json: String {
        var object: JSONObject = [
            "schema": "keyflight.diff/1", "identical": isIdentical && incomparable.isEmpty,
            "base": ["name": base.name, "presses": base.presses] as JSONObject,
            "head": ["name": head.name, "presses": head.presses] as JSONObject,
            "resolutions": [
                "changed": changed, "added": added, "removed": removed, "unchanged": unchanged,
                "not_compared": undecided + unrecorded,
            ] as JSONObject,
        ]
        if !missing.isEmpty {
            object.add(
                "not_compared",
                missing.objects { ["field": $0.field, "not_recorded_in": $0.isOfBase ? "base" : "head"] })
        }
        object.add([
            "incomparable": incomparable,
            "renames": renames.objects { ["base": $0.base, "head": $0.head, "presses": $0.presses] },
            "changes": changes.objects(\.json),
            "counts": counts?.objects {
                [
                    "name": $0.name, "base": $0.base, "head": $0.head, "affected": $0.affected,
                    "presses": $0.presses,
                ]
            },
            "time": time?.rows.objects { row in
                // Six places suffice for the result of a rank test.
                let p = JSONNumber(DiffFormatter.decimal(row.p, places: 6))
                return [
                    "stage": row.stage?.name ?? "total", "base": TraceDiff.object(row.base),
                    "head": TraceDiff.object(row.head), "p": p,
                ]
            },
        ])
        if !allocations.isEmpty {
            object.add("allocations", allocations.objects { ["stage": $0.name, "base": $0.base, "head": $0.head] })
        }
        return object.text
    }

    private static func object(_ side: DurationStatistics) -> JSONObject {
        ["n": side.count, "p50_ns": side.p50, "p90_ns": side.p90, "p99_ns": side.p99, "max_ns": side.max]
    }
}

extension TraceDiff.Change {
    fileprivate var json: JSONObject {
        switch self {
        case .removed(let result): return json("removed", base: result, head: nil)
        case .added(let result): return json("added", base: nil, head: result)
        case .changed(let base, let head, let fields, let why):
            var object = json("changed", base: base, head: head)
            object.add([
                "fields": fields.objects { ["field": $0.field, "base": $0.base, "head": $0.head] }, "why": why,
            ])
            return object
        }
    }

    private func json(_ kind: String, base: PressResult?, head: PressResult?) -> JSONObject {
        func side(_ side: PressResult) -> JSONObject {
            let decision = side.decision
            return [
                "press": side.at.press == 0 ? nil : side.at.press, "tick": side.at.tick,
                "outcome": side.isDecided ? decision.outcome.name : nil, "takenBy": decision.takenBy?.name,
                "action": decision.action, "supplier": decision.supplier, "target": decision.target,
            ]
        }
        return [
            "kind": kind, "chord": (head ?? base)?.input.name, "base": base.object(side), "head": head.object(side),
        ]
    }
}
