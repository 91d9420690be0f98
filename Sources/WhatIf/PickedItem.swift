package import FlightReplay
import KeyModel
package import LatencyAnalysis
import ResponderEngine
import Scenes

extension PickExplanation {
    /// The items that the steps of a timeline pick, in order.
    package static func items(of timeline: ReplayTimeline) -> [String] {
        timeline.arrivals.compactMap { if case .step(.pick(let item)) = $0.input { item } else { nil } }
    }

    /// The first pick of an item by a step, under its own rules and those of the other profiles: nothing of a pick is
    /// in a recording. `nil` where no step picks it; a step that a replay refuses is the same error here.
    package init?(of item: String, by plan: any ReplayPlan, _ timeline: ReplayTimeline) throws {
        let arrivals = timeline.arrivals
        guard let at = arrivals.firstIndex(where: { $0.input == .step(.pick(item)) }) else { return nil }
        let before = ReplayTimeline(arrivals: Array(arrivals[..<at]), end: arrivals[at].time)
        func subject(_ profile: Profile?) throws -> any ReplaySubject {
            try ReplayCheckpoint.subject(of: plan, after: before, under: profile)
        }
        let own = try subject(nil)
        let engine = own.engine
        let (first, lost) = (engine.firstResponder, engine.itemsLostToMenuBar)
        guard let picked = engine.pickMenuItem(item, at: arrivals[at].time) else {
            // A replay of the step refuses it, with its place.
            let refused = ReplayTimeline(arrivals: Array(arrivals[...at]), end: arrivals[at].time)
            _ = try ReplayCheckpoint.subject(of: plan, after: refused, under: nil)
            return nil
        }
        self.init(item: item, time: arrivals[at].time, profile: engine.profile.name, outcome: PressOutcome(picked))
        let isLeft = picked.effects.contains { $0.id == first?.id && $0.kind == .firstResponder }
        resigned = isLeft ? first?.id : nil
        start = engine.profile.menuPickStart == .application ? engine.application.id : first?.id
        if picked.outcome != .performed, picked.takenBy != .system {
            failure = engine.hasEndedApp ? .ended : picked.target == nil ? .noTarget : .disabled
        }
        notAsked = lost.first { $0.action == picked.action }?.responder.id
        for name in OtherProfiles.comparableNames where name != profile {
            guard var other = Profile.named(name) else { continue }
            other.requiresWindowScene = false
            let found = try subject(other)
            guard found.engine.hasMenuBar, let picked = found.engine.pickMenuItem(item, at: time) else { continue }
            others.add(PressOutcome(picked), under: name, instead: outcome, openQuestion: nil)
        }
    }
}

extension PressOutcome {
    fileprivate init(_ picked: Resolution) {
        self.init(
            outcome: picked.outcome, action: picked.action?.name, supplier: Resolution.mainMenuID,
            target: picked.target?.id, takenBy: picked.takenBy)
    }
}
