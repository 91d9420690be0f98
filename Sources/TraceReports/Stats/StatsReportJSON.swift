import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

extension StatsReport {
    /// Schema `keyflight.stats/1`, one line with a line break. `stages` and `presses` are those of first presses;
    /// repeats are in `repeats`.
    package var json: String {
        let info = statistics.info
        var object: JSONObject = [
            "schema": "keyflight.stats/1", "presses": statistics.presses, "partial": statistics.stages.isPartial,
            "stages": statistics.stages.json, "calls": statistics.calls.object(StatsReport.object),
            "responders": statistics.calls?.responders.objects {
                [
                    "id": $0.id, "calls": $0.calls, "self_ns": $0.selfTime, "total_ns": $0.totalTime,
                    "distinct_results": $0.distinctResults, "kind": $0.kind,
                    "unchanged_results": $0.unchangedResults, "timed_calls": $0.timedCalls,
                ]
            },
            "cache": statistics.cache?.json,
            "invalidated": statistics.invalidated.objects {
                ["scope": $0.scope.name, "responder": $0.responder, "count": $0.count]
            },
            "repeats": ["count": statistics.repeats, "stages": statistics.repeatStages.json] as JSONObject,
            "outcomes": statistics.outcomes.objects { ["outcome": $0.outcome.name, "count": $0.count] },
            "undecided": statistics.undecided.object {
                ["presses": $0.presses, "repeats": $0.repeats, "cancelled": $0.cancelled]
            },
            "recorder": RecorderCostLine.json(info),
        ]
        if !statistics.allocations.isEmpty { object.add("allocations", allocationObjects) }
        object.add(surveyJSON)
        object.add(["level": info.level.name, "masked": info.isMasked, "loss": info.loss.json])
        return object.line
    }

    private static func object(_ calls: CallCounts) -> JSONObject {
        var object: JSONObject = [:]
        for kind in CallKind.allCases {
            let counts = calls[kind]
            object.add(
                kind.name,
                [
                    "total": counts.total, "per_press_max": counts.perPressMax, "on_repeat": counts.onRepeat,
                    "on_release": counts.onRelease, "without_press": counts.withoutPress,
                ] as JSONObject)
        }
        guard let messages = calls.messages else { return object }
        for (kind, name) in InvocationCounts.kinds {
            let (total, most) = (messages.total[kind], messages.perPressMax[kind])
            object.add(
                name, ["total": total, "per_press_max": most, "on_repeat": messages.onRepeat[kind]] as JSONObject)
        }
        return object
    }
}

extension StageStatistics {
    fileprivate var json: JSONObject {
        var object: JSONObject = [:]
        for stage in LatencyStage.allCases { object.add(stage.name, self[stage]?.json) }
        object.add("total", total?.json)
        object.addDerived(derived.contains)
        return object
    }
}

extension JSONObject {
    /// Names the stages that have the times of their calls.
    mutating func addDerived(_ isDerived: (LatencyStage) -> Bool) {
        let names = LatencyStage.allCases.filter(isDerived).map(\.name)
        if !names.isEmpty { add("derived", names) }
    }
}

extension DurationStatistics {
    var json: JSONObject {
        [
            "n": count, "p50_ns": p50, "p90_ns": p90, "p99_ns": p99, "max_ns": max, "sum_ns": sum, "p999_ns": p999,
        ]
    }
}

extension CacheEffectiveness {
    /// The same for a trace and for one press.
    var json: JSONObject {
        [
            "policy": policy, "lookups": lookups, "hits": hits, "misses": misses, "invalidations": invalidations,
            "stale": stale, "calls_saved": callsSaved, "time_saved_ns": timeSaved, "shadow_reads": shadowReads,
        ]
    }
}
