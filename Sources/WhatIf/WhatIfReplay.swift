public import FlightReplay
public import KeyModel
public import LatencyAnalysis
public import ResponderEngine
import Scenes
public import TraceFormat

/// A change to a recorded app or its keyboard, and what would have come of it.
public struct WhatIfReplay {
    /// As it was asked for.
    public var question: String
    /// Caches and costs: the times of what is there stand, and the queue of presses is run again with what is saved.
    public var costs = CostChanges()
    public var policy: CachePolicy?
    /// Rules, layout and repeat rate: both sides are replayed, and caches and costs are reckoned on the replay.
    public var profile: Profile?
    public var layout: Layout?
    public var repeats: (delay: TraceDuration, interval: TraceDuration)?

    public init(question: String) { self.question = question }

    private var changesRules: Bool { profile != nil || layout != nil || repeats != nil }

    /// The answer for a recording at level `calls`; `nil` for one that does not tell what responders answered.
    /// `otherwise` is what to replay under where the recording does not say.
    public func answer(
        _ recording: Recording, otherwise: (profile: Profile, layout: Layout)
    ) throws -> WhatIfResult? {
        guard let base = RecordedReplay(recording, otherwise: otherwise) else { return nil }
        return try answer(
            recording, by: base, timeline: try base.timeline(),
            profile: base.environment.profile ?? otherwise.profile, otherwise: otherwise)
    }

    /// The same for a recording that a replay of a scene made: its responders are there to be asked what the
    /// recording does not say.
    public func answer(
        _ recording: Recording, by scene: SceneReplay, _ timeline: ReplayTimeline,
        otherwise: (profile: Profile, layout: Layout)
    ) throws -> WhatIfResult? {
        try answer(
            recording, by: scene, timeline: timeline, profile: try scene.instantiate().engine.profile,
            otherwise: otherwise)
    }

    private func answer(
        _ recording: Recording, by base: some ReplayPlan, timeline: ReplayTimeline, profile own: Profile,
        otherwise: (profile: Profile, layout: Layout)
    ) throws -> WhatIfResult? {
        var result = WhatIfResult(question: question)
        let before = try base.lines(of: timeline)
        var changed = recording
        var after = before
        if changesRules {
            let other = plan(from: base, own)
            changed = try other.record(timeline, showsKeys: true)
            after = try other.lines(of: timeline)
        }
        if !costs.kept.isEmpty {
            guard let lines = try cached(changed, otherwise) else { return nil }
            after = lines
        } else if let policy {
            var other = plan(from: base, own)
            other.options.cachePolicy = policy
            after = try other.lines(of: timeline)
        }
        compare(before, after, &result)
        var times = WhatIfTimes(costs)
        times.begin(changed.initialContext)
        times.consume(changed)
        times.finish(&result, definitions: changed.definitions)
        guard changesRules else { return result }
        result.isReplayed = true
        result.before = totals(of: try base.record(timeline, showsKeys: true))
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

    /// What the presses of a recording come to with some answers kept.
    private func cached(
        _ recording: Recording, _ otherwise: (profile: Profile, layout: Layout)
    ) throws -> [ReplayLine]? {
        let kept = recording.keepingAnswers(of: costs.kept)
        guard var plan = RecordedReplay(kept, otherwise: otherwise) else { return nil }
        if let policy { plan.options.cachePolicy = policy }
        return try plan.lines(of: try plan.timeline())
    }

    /// Lines belong together by press, and by their place among the lines of the press.
    private func compare(_ before: [ReplayLine], _ after: [ReplayLine], _ result: inout WhatIfResult) {
        var others: [UInt32: [ReplayLine]] = [:]
        for line in after { if let press = line.press { others[press, default: []].append(line) } }
        var places: [UInt32: Int] = [:]
        for line in before {
            guard let press = line.press else { continue }
            let place = places[press, default: 0]
            places[press] = place + 1
            result.compared += 1
            let now = (others[press] ?? []).dropFirst(place).first
            let (was, becomes) = (WhatIfReplay.words(line), now.map(WhatIfReplay.words) ?? "nothing")
            guard was != becomes else { continue }
            result.changes.append(
                WhatIfResult.Change(
                    press: press, isRepeat: line.isRepeat, chord: line.chord?.text, before: was, after: becomes))
        }
        for (press, lines) in others.sorted(by: { $0.key < $1.key }) {
            for line in lines.dropFirst(places[press] ?? 0) {
                result.changes.append(
                    WhatIfResult.Change(
                        press: press, isRepeat: line.isRepeat, chord: line.chord?.text, before: "nothing",
                        after: WhatIfReplay.words(line)))
            }
        }
        result.changes.sort { a, b in a.press != b.press ? a.press < b.press : !a.isRepeat && b.isRepeat }
    }

    /// What a press came to, as `replay` compares it: `tabs.closeTab: of tabs`.
    private static func words(_ line: ReplayLine) -> String {
        if line.outcome == .unrecorded, let question = line.unrecorded.first {
            return "\(line.outcome.name): \(question.words)"
        }
        guard let action = line.action else {
            return line.outcome.name + (line.target.map { " at \($0)" } ?? "")
        }
        let done = line.target.map { "\($0).\(action)" } ?? action
        let supplier = line.supplier.map { $0 == line.target ? "" : " of \($0)" } ?? ""
        return line.outcome == .performed ? done + supplier : "\(line.outcome.name) \(done)\(supplier)"
    }
}
