package import FlightReplay
import KeyLayout
import KeyModel
package import ResponderEngine
import Scenes

/// What every generated case must show: a cache changes how often responders are asked, not what a press comes to; and
/// where a change was not announced, what is served differently is counted as stale.
package enum CacheProperty {
    package static let profiles = ["ios7", "ios9", "ios13", "ios134", "ios15", "ios26"]

    /// What a press came to: whatever a cache must not change.
    struct Resolved: Hashable {
        var press: UInt32?
        var time: TraceTime
        var outcome: Outcome
        var takenBy: TakenBy?
        var action: String?
        var supplier: String?
        var target: String?
        var text: String?
        var receivers: [String]
        var shadowed: [ReplayLine.Candidate]
        var effects: [ReplayLine.Effect]
        var state: UInt64

        init(_ line: ReplayLine) {
            (press, time, outcome, takenBy) = (line.press, line.time, line.outcome, line.takenBy)
            (action, supplier, target) = (line.action, line.supplier, line.target)
            (text, receivers, shadowed) = (line.text, line.receivers, line.shadowed)
            (effects, state) = (line.effects, line.state)
        }
    }

    struct UnknownLayout: Error {}

    private static let resources = SceneResources(layoutNamed: { name in
        guard let layout = ShippedLayouts.named(name) else { throw UnknownLayout() }
        return layout
    })

    static func replay(of generated: GeneratedCase, profile: String) throws -> SceneReplay {
        var options = ReplayRunOptions()
        options.profile = Profile.named(profile)
        return SceneReplay(
            try Scene(text: generated.scene, file: "generated.scene.yaml"), resources: resources, options: options)
    }

    package static func lines(
        of generated: GeneratedCase, profile: String, policy: CachePolicy, shadowCheck: Bool = false
    ) throws -> [ReplayLine] {
        var plan = try replay(of: generated, profile: profile)
        plan.options.cachePolicy = policy
        plan.options.shadowCheck = shadowCheck
        return try plan.lines(of: plan.timeline(of: try KeyScript(text: generated.script, file: "generated.keys")))
    }

    /// What is wrong with a case whose changes are announced; `nil` when nothing is. `lines` gets every line.
    package static func failure(
        of generated: GeneratedCase, profile: String, _ visit: (ReplayLine) -> Void = { _ in }
    ) throws -> String? {
        let expected = try lines(of: generated, profile: profile, policy: .none)
        expected.forEach(visit)
        for policy in [CachePolicy.press, .responder, .chain] {
            let found = try lines(of: generated, profile: profile, policy: policy, shadowCheck: true)
            found.forEach(visit)
            if let place = difference(expected, found) { return "policy \(policy) under \(profile): line \(place)" }
            if let stale = found.firstIndex(where: { $0.cache.stale > 0 }) {
                return "policy \(policy) under \(profile): line \(stale + 1) counts a stale hit"
            }
        }
        return nil
    }

    /// What is wrong with a case whose changes are not announced: a press that differs before a stale hit is counted.
    package static func uncountedDifference(of generated: GeneratedCase, profile: String) throws -> String? {
        var silent = generated
        silent.announces = false
        let fresh = try lines(of: silent, profile: profile, policy: .none)
        for policy in [CachePolicy.responder, .chain] {
            let cached = try lines(of: silent, profile: profile, policy: policy, shadowCheck: true)
            // From the first stale answer on the two may be in different states, and repeat differently.
            let trusted = cached.firstIndex { $0.cache.stale > 0 } ?? cached.count
            if let place = difference(Array(fresh.prefix(trusted)), Array(cached.prefix(trusted))) {
                return "policy \(policy) under \(profile), nothing announced: line \(place) differs, uncounted"
            }
        }
        return nil
    }

    /// 1-based.
    package static func difference(_ a: [ReplayLine], _ b: [ReplayLine]) -> Int? {
        for (place, pair) in zip(a, b).enumerated() where Resolved(pair.0) != Resolved(pair.1) { return place + 1 }
        return a.count == b.count ? nil : min(a.count, b.count) + 1
    }
}
