import KeyModel
package import LatencyAnalysis
import TraceFormat

/// Text about missing records, for all header lines.
package enum LossLine {
    /// `0 drops, 0 gaps` and, where there is any, synthetic releases and damage.
    package static func text(_ loss: LossSummary) -> String {
        var parts = [drops(loss), gaps(loss)]
        if loss.synthetic > 0 {
            parts.append(HumanNumbers.counted(loss.synthetic, "synthetic release", "synthetic releases"))
        }
        if let damage = loss.damage { parts.append("damaged at byte \(HumanNumbers.count(damage.offset))") }
        return parts.joined(separator: ", ")
    }

    private static func drops(_ loss: LossSummary) -> String {
        // An uncounted loss is one at least.
        let counted = HumanNumbers.counted(loss.dropped.addingSaturated(loss.uncountedDrops), "drop", "drops")
        return loss.uncountedDrops == 0 ? counted : "at least \(counted)"
    }

    private static func gaps(_ loss: LossSummary) -> String {
        let gaps = HumanNumbers.counted(loss.gapCount, "gap", "gaps")
        guard loss.gapCount > 0 else { return gaps }
        let details = (loss.gapTime.map { [HumanNumbers.duration($0)] } ?? []) + loss.gapCauses.map { words($0.cause) }
        return "\(gaps) (\(details.joined(separator: ", ")))"
    }

    static func words(_ cause: LossCause) -> String {
        switch cause {
        case .dropped: "a full buffer"
        case .secureEntry: "secure text entry"
        case .truncated: "torn off"
        case .damaged: "damaged bytes"
        case .clockStep: "clock stepped back"
        case .paused: "paused"
        }
    }
}
