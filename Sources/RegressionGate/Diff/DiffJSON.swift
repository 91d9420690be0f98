import KeyModel
import LatencyAnalysis
import TraceFormat

extension TraceDiff {
    /// The object for two traces that cannot be compared at all.
    package static func json(incomparable line: String) -> String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.diff/1")
            json.member("identical", false)
            json.member("incomparable", [line])
        }
    }

    /// One object with everything, `keyflight.diff/1`.
    package var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.diff/1")
            json.member("identical", isIdentical)
            for (name, side) in [("base", base), ("head", head)] {
                json.member(name) { json in
                    json.member("name", side.name)
                    json.member("presses", side.presses)
                }
            }
            json.member("resolutions") { json in
                json.member("changed", changed)
                json.member("added", added)
                json.member("removed", removed)
                json.member("unchanged", unchanged)
                json.member("not_compared", undecided)
            }
            if !missing.isEmpty {
                json.member("not_compared", objects: missing) { json, missing in
                    json.member("field", missing.field)
                    json.member("not_recorded_in", missing.isOfBase ? "base" : "head")
                }
            }
            json.member("incomparable", incomparable)
            json.member("renames", objects: renames) { json, rename in
                json.member("base", rename.base)
                json.member("head", rename.head)
                json.member("presses", rename.presses)
            }
            json.member("changes", objects: changes) { $1.write(to: &$0) }
            json.member("counts", objects: counts) { $1.write(to: &$0) }
            json.member("time", objects: time?.rows) { $1.write(to: &$0) }
        }
    }
}

extension TraceDiff.Change {
    fileprivate func write(to json: inout JSONText) {
        switch self {
        case .removed(let result): write("removed", base: result, head: nil, to: &json)
        case .added(let result): write("added", base: nil, head: result, to: &json)
        case .changed(let base, let head, let fields, let why):
            write("changed", base: base, head: head, to: &json)
            json.member("fields", objects: fields) { json, field in
                json.member("field", field.field)
                json.member("base", field.base)
                json.member("head", field.head)
            }
            json.member("why", why)
        }
    }

    private func write(_ kind: String, base: PressResult?, head: PressResult?, to json: inout JSONText) {
        json.member("kind", kind)
        json.member("chord", (head ?? base)?.input.name)
        for (name, side) in [("base", base), ("head", head)] {
            json.member(name, about: side) { json, side in
                json.member("press", side.at.press == 0 ? nil : side.at.press)
                json.member("tick", side.at.tick)
                json.member("outcome", side.isDecided ? side.decision.outcome.name : nil)
                json.member("takenBy", side.decision.takenBy?.name)
                json.member("action", side.decision.action)
                json.member("supplier", side.decision.supplier)
                json.member("target", side.decision.target)
            }
        }
    }
}

extension TraceDiff.Count {
    fileprivate func write(to json: inout JSONText) {
        json.member("name", name)
        json.member("base", base)
        json.member("head", head)
        json.member("affected", affected)
        json.member("presses", array: presses) { $0.value($1) }
    }
}

extension TimeComparison.Row {
    fileprivate func write(to json: inout JSONText) {
        json.member("stage", stage?.name ?? "total")
        for (name, side) in [("base", base), ("head", head)] {
            json.member(name) { json in
                json.member("n", side.count)
                json.member("p50_ns", side.p50?.nanoseconds)
                json.member("p90_ns", side.p90?.nanoseconds)
                json.member("p99_ns", side.p99?.nanoseconds)
                json.member("max_ns", side.max.nanoseconds)
            }
        }
        json.key("p")
        // Six places suffice for the result of a rank test.
        json.raw(DiffFormatter.decimal(p, places: 6))
    }
}
