import FlightReplay
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Scenes
import Testing
import TraceFormat
import WhatIf

/// What-ifs of several changes at once, and caches against brute force.
@Suite struct WhatIfCombinationTests {
    /// A small generator: the same numbers everywhere.
    struct Numbers {
        var state: UInt64
        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    /// A chain whose members change what they offer, with and without a word to the cache, and the presses at which a
    /// kept answer is wrong: counted by hand, without any cache.
    struct Generated {
        var scene: String
        var script: String
        var wrong: [UInt32] = []

        init(seed: Int) {
            var numbers = Numbers(state: UInt64(seed) &* 7919 &+ 1)
            let count = 2 + numbers.next(3)
            let ids = (0..<count).map { "vc\($0)" }
            var text = "scene: 1\nname: generated\nprofile: ios15\nresponders:\n"
            text += "  - {id: app, kind: application}\n  - {id: win, kind: window, keyWindow: true, next: app}\n"
            for (place, id) in ids.enumerated() {
                let next = place + 1 < count ? ids[place + 1] : "win"
                text += "  - id: \(id)\n    kind: viewController\n    next: \(next)\n"
                text += "    canBecomeFirstResponder: \(place == 0)\n    actions: [\"one:\", \"two:\"]\n"
                text += "    keyCommands:\n      - {input: a, modifiers: [command], action: \"one:\"}\n"
                text += "    variants:\n      v1: [{input: b, modifiers: [command], action: \"two:\"}]\n      v2: []\n"
                text += "    cost: {keyCommands: \(1 + numbers.next(9))ms}\n"
            }
            scene = text + "firstResponder: vc0\n"
            var script = "keys 1\n"
            var now = [Int](repeating: 0, count: count)
            var kept = [Int?](repeating: nil, count: count)
            var presses: UInt32 = 0
            for _ in 0..<24 {
                if numbers.next(3) == 0 {
                    let (member, variant) = (numbers.next(count), 1 + numbers.next(2))
                    script += "do set \(ids[member]) keyCommands v\(variant)\n"
                    now[member] = variant
                    if numbers.next(2) == 0 {
                        script += "do invalidate \(ids[member])\n"
                        kept[member] = nil
                    }
                } else {
                    script += "press cmd+\(["a", "b", "c"][numbers.next(3)])\n"
                    presses += 1
                    var isWrong = false
                    for member in 0..<count {
                        if let old = kept[member] {
                            if old != now[member] { isWrong = true }
                        } else {
                            kept[member] = now[member]
                        }
                    }
                    if isWrong { wrong.append(presses) }
                }
            }
            self.script = script
        }

        func plan() throws -> (SceneReplay, ReplayTimeline) {
            let made = try Scene(Array(scene.utf8), file: "generated.scene.yaml")
            let plan = SceneReplay(made, resources: RecordedStory.resources)
            return (plan, try plan.timeline(of: try KeyScript(Array(script.utf8), file: "generated.keys")))
        }
    }

    @Test("In place of none, policy responder is wrong exactly where brute force says", arguments: 1...40)
    func bruteForce(_ seed: Int) throws {
        let generated = Generated(seed: seed)
        let (plan, timeline) = try generated.plan()
        let recording = try plan.record(timeline, showsKeys: true)
        var whatIf = WhatIfReplay(question: "cache=responder")
        WhatIfReplayTests.keep(.responder)(&whatIf)
        let otherwise = try WhatIfReplayTests.otherwise()
        let result = try #require(try whatIf.answer(by: plan, timeline, otherwise: otherwise))
        #expect(result.stalePresses == generated.wrong, "\(generated.script)")
        // No press comes to something else but where an answer was wrong.
        #expect(Set(result.changes.map(\.press)).isSubset(of: generated.wrong))
        var cached = plan
        cached.options.cachePolicy = .responder
        let (fresh, kept) = (try plan.lines(of: timeline), try cached.lines(of: timeline))
        let different = zip(fresh, kept).compactMap { a, b in
            a.outcome == b.outcome && a.action == b.action && a.target == b.target && a.supplier == b.supplier
                ? nil : a.press
        }
        #expect(result.changes.map(\.press) == different, "\(generated.script)")
        // Without the responders the same presses are wrong, and what they would come to is known or an open question.
        let alone = try WhatIfReplayTests.answer(recording, WhatIfReplayTests.keep(.responder))
        #expect(alone.stalePresses == generated.wrong)
        #expect(Set(alone.changes.map(\.press)).isSuperset(of: different))
        #expect(Set(alone.changes.filter { !$0.after.hasPrefix("unrecorded") }.map(\.press)).isSubset(of: different))
    }

    static let overrun = RecordedStory("scenes/lint/repeat-overrun")
    static func duration(_ milliseconds: Int64) -> TraceDuration {
        TraceDuration(nanoseconds: milliseconds * 1_000_000)
    }

    @Test("A cost and a repeat rate together: the queue is that of both")
    func costAndRepeatRate() throws {
        let recording = try Self.overrun.recording()
        let place = CostChanges.Place(responder: "list", call: "nextMessage:")
        let slower = try WhatIfReplayTests.answer(recording) { $0.repeats = (Self.duration(33), Self.duration(100)) }
        let both = try WhatIfReplayTests.answer(recording) {
            $0.repeats = (Self.duration(33), Self.duration(100))
            $0.costs.costs[place] = Self.duration(5)
        }
        #expect(both.isReplayed && slower.isReplayed)
        #expect(both.changes == slower.changes, "a cost changes no resolution")
        #expect(slower.after?.max == Self.duration(41))
        #expect(both.after?.max == Self.duration(5))
        #expect(both.before == slower.before)
    }

    @Test("A cache and a profile together: resolutions are those of the rules, wrong answers those of the cache")
    func cacheAndProfile() throws {
        let recording = try WhatIfReplayTests.stale("input")
        let rules = try WhatIfReplayTests.answer(recording) { $0.profile = Profile.named("ios7") }
        let both = try WhatIfReplayTests.answer(recording) {
            $0.profile = Profile.named("ios7")
            $0.costs.kept = ["mail"]
        }
        #expect(rules.stalePresses == nil)
        #expect(both.stalePresses == [3, 4])
        // Three reads a press, of which the first of the recording alone is made.
        #expect(both.callsSaved == 11)
        #expect(rules.after?.sum == Self.duration(36))
        #expect(both.after?.sum == Self.duration(3))
        #expect(both.before?.sum == Self.duration(12))
    }

    @Test("Of a scene, other rules are asked of its own responders")
    func theSceneAnswers() throws {
        let story = RecordedStory("golden/command-left-tab-or-back")
        let plan = try story.plan()
        let timeline = try plan.timeline(of: try story.keyScript())
        var whatIf = WhatIfReplay(question: "profile=ios134")
        whatIf.profile = Profile.named("ios134")
        let recording = try plan.record(timeline, showsKeys: true)
        let otherwise = try WhatIfReplayTests.otherwise()
        let live = try #require(try whatIf.answer(by: plan, timeline, otherwise: otherwise))
        let recorded = try #require(try whatIf.answer(RecordedTrace(recording), otherwise: otherwise))
        #expect(live.changes.contains { $0.press == 2 && $0.after == "tabs.previousTab:" })
        #expect(recorded.changes.contains { $0.press == 2 && $0.after.hasPrefix("unrecorded: shelf was not asked") })
    }
}
