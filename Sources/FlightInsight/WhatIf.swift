public import FlightReplay
public import KeyModel
public import LatencyAnalysis
public import ResponderEngine
import Scenes
public import TraceFormat

/// A change to a recorded app or its keyboard, and what would have come of it.
public struct WhatIf {
    /// As it was asked for.
    public var question: String
    /// Caches and costs: recorded times stand, and the queue of presses is run again with what is saved.
    public var costs = CostChanges()
    public var policy: CachePolicy?
    /// Rules, layout and repeat rate: both sides are replayed.
    public var profile: Profile?
    public var layout: Layout?
    public var repeats: (delay: TraceDuration, interval: TraceDuration)?

    public init(question: String) { self.question = question }

    /// Rules and costs cannot change at once: recorded times say nothing about calls that were never made.
    public var isMixed: Bool { !costs.isEmpty && changesRules }

    private var changesRules: Bool { profile != nil || layout != nil || repeats != nil }

    /// The answer for a recording at level `calls`; `nil` for one that does not tell what responders answered.
    /// `otherwise` is what to replay under where the recording does not say.
    public func answer(
        _ recording: Recording, otherwise: (profile: Profile, layout: Layout)
    ) throws -> WhatIfResult? {
        guard let base = RecordedReplay(recording, otherwise: otherwise),
            var other = RecordedReplay(
                costs.kept.isEmpty ? recording : recording.keepingAnswers(of: costs.kept), otherwise: otherwise)
        else { return nil }
        var result = WhatIfResult(question: question)
        if let policy { other.options.cachePolicy = policy }
        other.options.profile = profile
        other.options.layout = layout
        if let repeats {
            var own = profile ?? base.environment.profile ?? otherwise.profile
            own.repeatDelay = repeats.delay
            own.repeatInterval = repeats.interval
            other.options.profile = own
        }
        let timeline = try base.timeline()
        let before = try base.lines(of: timeline)
        let after = try other.lines(of: timeline)
        compare(before, after, &result)
        guard !changesRules else {
            result.isReplayed = true
            result.before = totals(of: try base.record(timeline, showsKeys: true))
            result.after = totals(of: try other.record(timeline, showsKeys: true))
            return result
        }
        var times = WhatIfTimes(costs)
        times.begin(recording.initialContext)
        times.consume(recording)
        times.finish(&result, definitions: recording.definitions)
        return result
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
            let (was, becomes) = (WhatIf.words(line), now.map(WhatIf.words) ?? "nothing")
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
                        after: WhatIf.words(line)))
            }
        }
        result.changes.sort { a, b in a.press != b.press ? a.press < b.press : !a.isRepeat && b.isRepeat }
    }

    /// What a press came to, as `replay` compares it: `tabs.closeTab: of tabs`.
    private static func words(_ line: ReplayLine) -> String {
        guard let action = line.action else {
            return line.outcome.name + (line.target.map { " at \($0)" } ?? "")
        }
        let done = line.target.map { "\($0).\(action)" } ?? action
        let supplier = line.supplier.map { $0 == line.target ? "" : " of \($0)" } ?? ""
        return line.outcome == .performed ? done + supplier : "\(line.outcome.name) \(done)\(supplier)"
    }
}
