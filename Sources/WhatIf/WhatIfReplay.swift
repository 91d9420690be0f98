package import FlightReplay
package import KeyModel
package import LatencyAnalysis
package import ResponderEngine
import TraceFormat

/// A change to a recorded app or its keyboard, and what would have come of it.
package struct WhatIfReplay {
    /// The change as written in the command.
    package var question: String
    /// Caches and costs: the recorded times stay, and the queue of presses is run again with the savings.
    package var costs = CostChanges()
    package var policy: CachePolicy?
    /// Rules, layout, modifiers and repeat rate: both sides are replayed, and caches and costs are reckoned on the
    /// replay.
    package var profile: Profile?
    package var layout: Layout?
    package var repeats: (delay: TraceDuration, interval: TraceDuration)?
    /// Roles of modifier keys in the app.
    package var roles: [(key: KeyUsage, role: KeyModifiers)] = []

    package init(question: String) { self.question = question }

    private var changesRules: Bool { profile != nil || layout != nil || repeats != nil || !roles.isEmpty }

    /// The result for a trace at level `calls`; `nil` for one that does not contain the answers of responders.
    /// `otherwise` is used where the trace has no profile or layout.
    package func answer(
        _ trace: RecordedTrace, otherwise: (profile: Profile, layout: Layout)
    ) throws -> WhatIfResult? {
        guard let base = RecordedReplay(trace, otherwise: otherwise) else { return nil }
        return try answer(
            trace, by: base, try base.timeline(), profile: base.environment.profile ?? otherwise.profile,
            otherwise: otherwise)
    }

    /// The same for a replay: its responders also answer questions that a recording of it would lack.
    package func answer(
        by plan: some ReplayPlan, _ timeline: ReplayTimeline, otherwise: (profile: Profile, layout: Layout)
    ) throws -> WhatIfResult? {
        try answer(
            nil, by: plan, timeline, profile: try plan.makeSubject().engine.profile, otherwise: otherwise)
    }

    /// `trace`: what was recorded; `nil` for what a replay by `base` would record.
    private func answer(
        _ trace: RecordedTrace?, by base: some ReplayPlan, _ timeline: ReplayTimeline, profile own: Profile,
        otherwise: (profile: Profile, layout: Layout)
    ) throws -> WhatIfResult? {
        var result = WhatIfResult(question: question)
        var other = plan(from: base, own)
        var changed = timeline
        for (key, role) in roles { changed.set(key, to: role) }
        let before = try PressOutcomes(of: timeline, by: base)
        var after = before
        // The times of what is there, under the other rules.
        var times = WhatIfTimes(costs)
        let definitions: TraceDefinitions
        if let trace, !changesRules {
            times.begin(trace.initialContext)
            trace.feed(&times)
            definitions = trace.definitions
        } else {
            definitions = try other.record(changed, showsKeys: true, keepsLists: costs.keepLists) { records, known in
                for record in records { times.consume(record, definitions: known) }
            }
        }
        times.finish(&result, definitions: definitions)
        if !costs.kept.isEmpty {
            let recorded = changesRules ? nil : trace
            let source = try recorded ?? RecordedTrace(other.record(changed, showsKeys: true))
            guard let cached = try cached(source, otherwise) else { return nil }
            after = cached
        } else if changesRules || policy != nil {
            if let policy { other.options.cachePolicy = policy }
            after = try PressOutcomes(of: changed, by: other)
        }
        before.compare(with: after, &result)
        guard changesRules else { return result }
        result.isReplayed = true
        var replayed = TraceStatisticsBuilder()
        try base.record(timeline, showsKeys: true, keepsLists: false) { records, definitions in
            for record in records { replayed.consume(record, definitions: definitions) }
        }
        result.before = replayed.statistics().stages.total
        return result
    }

    /// The plan under the other rules.
    private func plan<Plan: ReplayPlan>(from base: Plan, _ own: Profile) -> Plan {
        var other = base
        if let profile { other.options.profile = profile }
        if let layout { other.options.layout = layout }
        if let repeats {
            var rules = profile ?? own
            rules.repeatDelay = repeats.delay
            rules.repeatInterval = repeats.interval
            other.options.profile = rules
        }
        return other
    }

    /// Outcomes of the presses of a trace with some answers kept.
    private func cached(
        _ trace: RecordedTrace, _ otherwise: (profile: Profile, layout: Layout)
    ) throws -> PressOutcomes? {
        guard var plan = RecordedReplay(trace.keepingAnswers(of: costs.kept), otherwise: otherwise) else { return nil }
        if let policy { plan.options.cachePolicy = policy }
        return try PressOutcomes(of: try plan.timeline(), by: plan)
    }
}
