import KeyModel
package import LatencyAnalysis
import TraceFormat
import TracePresses

/// The exact counts of a trace as OpenMetrics text: what a build may be compared by. No durations, which are noise.
package enum MetricsText {
    package static func text(_ statistics: TraceStatistics) -> String {
        var metrics = MetricFamilies()
        metrics.add(info: statistics.info)
        metrics.counter("presses", "Presses of keys that are no modifiers.", statistics.presses)
        metrics.counter("repeats", "Repeats of held keys.", statistics.repeats)
        metrics.begin("outcomes", "counter", "Presses, repeats and texts without a key by what they came to.")
        for outcome in statistics.outcomes {
            metrics.sample("outcomes_total", [("outcome", outcome.outcome.name)], outcome.count)
        }
        if let calls = statistics.calls { metrics.add(calls: calls) }
        if let cache = statistics.cache { metrics.add(cache: cache) }
        metrics.add(loss: statistics.info.loss)
        return metrics.text + "# EOF\n"
    }
}

/// Families of metrics while they are written.
private struct MetricFamilies {
    var text = ""

    mutating func begin(_ name: String, _ type: String, _ help: String) {
        text += "# TYPE keyflight_\(name) \(type)\n# HELP keyflight_\(name) \(MetricFamilies.escaped(help))\n"
    }

    /// A family of one number.
    mutating func counter(_ name: String, _ help: String, _ value: UInt64) {
        begin(name, "counter", help)
        sample("\(name)_total", [], value)
    }

    mutating func sample(_ name: String, _ labels: [(name: String, value: String)], _ value: UInt64) {
        let pairs = labels.map { "\($0.name)=\"\(MetricFamilies.escaped($0.value))\"" }.joined(separator: ",")
        text += "keyflight_\(name)" + (labels.isEmpty ? "" : "{\(pairs)}") + " \(value)\n"
    }

    /// Escaped for the exposition format, after characters that could act on a terminal were made visible.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in VisibleText.escaped(text).unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    mutating func add(info: TraceInfo) {
        begin("trace", "info", "What the trace is and how it came to be.")
        var labels = [("level", info.level.name), ("masked", info.isMasked ? "1" : "0")]
        labels.append(("complete", info.file.isComplete ? "1" : "0"))
        for name in ["profile", "scene", "cache"] {
            if let value = info.environment(name) { labels.append((name, value)) }
        }
        sample("trace_info", labels, 1)
    }

    mutating func add(calls: CallCounts) {
        begin("calls", "counter", "Questions that responders were asked, by the moment in a press.")
        for kind in CallKind.allCases {
            let counts = calls[kind]
            sample("calls_total", [("kind", kind.name), ("at", "press")], counts.onDown)
            sample("calls_total", [("kind", kind.name), ("at", "repeat")], counts.onRepeat)
            sample("calls_total", [("kind", kind.name), ("at", "release")], counts.onRelease)
            if counts.withoutPress > 0 {
                sample("calls_total", [("kind", kind.name), ("at", "no press")], counts.withoutPress)
            }
        }
        begin("calls_per_press_max", "gauge", "The most questions for one press or repeat.")
        for kind in CallKind.allCases {
            sample("calls_per_press_max", [("kind", kind.name)], calls[kind].perPressMax)
        }
        if let messages = calls.messages { add(messages) }
        let asked = calls.answersWithLists ? "key_commands" : "key_equivalents"
        begin(asked, "counter", "Questions for \(calls.askedFor), those at no press included, by responder.")
        // Two definitions may have one id; a series must be unique.
        var byID: [ByteName: (calls: UInt64, unchanged: UInt64)] = [:]
        for responder in calls.responders {
            byID[ByteName(responder.id), default: (0, 0)].calls &+= responder.calls
            byID[ByteName(responder.id), default: (0, 0)].unchanged &+= responder.unchangedResults
        }
        let sorted = byID.sorted { $0.key < $1.key }
        for (id, counts) in sorted { sample("\(asked)_total", [("responder", id.text)], counts.calls) }
        if calls.answersWithLists {
            begin("key_commands_unchanged", "counter", "Those that gave the list of the read before.")
            for (id, counts) in sorted {
                sample("key_commands_unchanged_total", [("responder", id.text)], counts.unchanged)
            }
        }
        counter("shadow_reads", "Reads made only to check a cache.", calls.shadowReads)
    }

    private mutating func add(_ messages: CallCounts.Messages) {
        begin("messages", "counter", "Messages that hooks of an adapter saw, by the moment in a press.")
        for (kind, name) in InvocationCounts.kinds {
            let onDown = messages.total[kind] &- messages.onRepeat[kind]
            sample("messages_total", [("kind", name), ("at", "press")], onDown)
            sample("messages_total", [("kind", name), ("at", "repeat")], messages.onRepeat[kind])
        }
    }

    mutating func add(cache: CacheEffectiveness) {
        begin("cache_lookups", "counter", "Lookups of key commands in the cache.")
        sample("cache_lookups_total", [("result", "hit")], cache.hits)
        sample("cache_lookups_total", [("result", "miss")], cache.misses)
        counter("cache_stale", "Hits that a fresh answer contradicts.", cache.stale)
        counter("cache_invalidations", "Entries dropped.", cache.invalidations)
        counter("cache_calls_saved", "Calls that no cache would have made beyond these.", cache.callsSaved)
    }

    mutating func add(loss: LossSummary) {
        counter("lost", "Records or events known to be missing.", loss.dropped)
        begin("gaps", "counter", "Stretches without recording, by cause.")
        for gap in loss.gapCauses.sorted(by: { $0.cause.name < $1.cause.name }) where gap.count > 0 {
            sample("gaps_total", [("cause", gap.cause.name)], gap.count)
        }
        counter("synthetic_releases", "Releases that no source sent.", loss.synthetic)
    }
}
