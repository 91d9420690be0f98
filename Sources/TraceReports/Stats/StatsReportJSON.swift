import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

extension StatsReport {
    /// Schema `keyflight.stats/1`, one line with a line break. `stages` and `presses` are those of first presses;
    /// repeats are in `repeats`.
    package var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.stats/1")
            json.member("presses", statistics.presses)
            json.member("partial", statistics.stages.isPartial)
            json.member("stages", object: { StatsReport.write(to: &$0, statistics.stages) })
            writeCalls(&json)
            CacheJSON.write(statistics.cache, to: &json)
            json.member("repeats", object: { json in
                json.member("count", statistics.repeats)
                json.member("stages", object: { StatsReport.write(to: &$0, statistics.repeatStages) })
            })
            json.member("outcomes", objects: statistics.outcomes) { json, entry in
                json.member("outcome", entry.outcome.name)
                json.member("count", entry.count)
            }
            json.member("undecided", about: statistics.undecided) { json, undecided in
                json.member("presses", undecided.presses)
                json.member("repeats", undecided.repeats)
                json.member("cancelled", undecided.cancelled)
            }
            RecorderCostLine.write(statistics.info, to: &json)
            writeSurvey(&json)
            json.member("level", statistics.info.level.name)
            json.member("masked", statistics.info.isMasked)
            json.member("loss", object: { LossLine.write(to: &$0, statistics.info.loss) })
        } + "\n"
    }

    private func writeCalls(_ json: inout JSONText) {
        json.member("calls", about: statistics.calls) { (json: inout JSONText, calls: CallCounts) in
            for kind in CallKind.allCases {
                json.member(kind.name, object: { json in
                    json.member("total", calls[kind].total)
                    json.member("per_press_max", calls[kind].perPressMax)
                    json.member("on_repeat", calls[kind].onRepeat)
                    json.member("on_release", calls[kind].onRelease)
                    json.member("without_press", calls[kind].withoutPress)
                })
            }
            guard let messages = calls.messages else { return }
            for (kind, name) in InvocationCounts.kinds {
                json.member(name, object: { json in
                    json.member("total", messages.total[kind])
                    json.member("per_press_max", messages.perPressMax[kind])
                    json.member("on_repeat", messages.onRepeat[kind])
                })
            }
        }
        json.member("responders", objects: statistics.calls?.responders) { json, responder in
            json.member("id", responder.id)
            json.member("calls", responder.calls)
            json.member("self_ns", responder.selfTime?.nanoseconds)
            json.member("total_ns", responder.totalTime?.nanoseconds)
            json.member("distinct_results", responder.distinctResults)
            json.member("kind", responder.kind)
            json.member("unchanged_results", responder.unchangedResults)
            json.member("timed_calls", responder.timedCalls)
        }
    }

    private static func write(to json: inout JSONText, _ stages: StageStatistics) {
        for stage in LatencyStage.allCases { write(stages[stage], as: stage.name, to: &json) }
        write(stages.total, as: "total", to: &json)
    }

    static func write(_ statistics: DurationStatistics?, as name: String, to json: inout JSONText) {
        json.member(name, about: statistics) { json, statistics in
            json.member("n", statistics.count)
            json.member("p50_ns", statistics.p50?.nanoseconds)
            json.member("p90_ns", statistics.p90?.nanoseconds)
            json.member("p99_ns", statistics.p99?.nanoseconds)
            json.member("max_ns", statistics.max.nanoseconds)
            json.member("sum_ns", statistics.sum.nanoseconds)
            json.member("p999_ns", statistics.p999?.nanoseconds)
        }
    }
}

/// The members of `cache`, the same for a trace and for one press.
enum CacheJSON {
    static func write(_ cache: CacheEffectiveness?, to json: inout JSONText) {
        json.member("cache", about: cache) { json, cache in
            json.member("policy", cache.policy)
            json.member("lookups", cache.lookups)
            json.member("hits", cache.hits)
            json.member("misses", cache.misses)
            json.member("invalidations", cache.invalidations)
            json.member("stale", cache.stale)
            json.member("calls_saved", cache.callsSaved)
            json.member("time_saved_ns", cache.timeSaved.nanoseconds)
            json.member("shadow_reads", cache.shadowReads)
        }
    }
}
