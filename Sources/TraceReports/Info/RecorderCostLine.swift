import KeyModel
import LatencyAnalysis
import TraceFormat

/// Text about the cost of recording, for header lines.
enum RecorderCostLine {
    /// `recorder: 10.2 ns a key event, 12.3 µs in all, 0.4 % of what the presses took`, with a line break; empty for a
    /// trace that no recorder in an app wrote.
    static func text(_ info: TraceInfo, of whole: TraceDuration?, _ what: String) -> String {
        guard let cost = info.recorderCost else { return "" }
        var parts = ["recorder: \(cost.keyTenths / 10).\(cost.keyTenths % 10) ns a key event"]
        if let total = cost.total {
            parts.append("\(HumanNumbers.duration(total)) in all" + (cost.hooks == nil ? "" : " with its hooks"))
            if let whole, whole > .zero {
                let share = HumanNumbers.share(UInt64(max(0, total.nanoseconds)), of: UInt64(whole.nanoseconds))
                parts.append("\(share) of \(what)")
            }
        } else {
            parts.append("no end was recorded")
        }
        return parts.joined(separator: ", ") + "\n"
    }

    /// `nil` for a trace that no recorder in an app wrote.
    static func json(_ info: TraceInfo) -> JSONObject? {
        info.recorderCost.object { cost in
            let key = JSONNumber("\(cost.keyTenths / 10).\(cost.keyTenths % 10)")
            return ["key_ns": key, "total_ns": cost.total, "hooks_ns": cost.hooks, "entries": cost.entries]
        }
    }
}
