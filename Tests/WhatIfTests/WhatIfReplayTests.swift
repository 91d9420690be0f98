import FlightReplay
import KeyLayout
import KeyModel
import LatencyAnalysis
import ResponderEngine
import Testing
import TraceFormat
import WhatIf

/// What would have come of other caches, costs and rules.
@Suite struct WhatIfReplayTests {
    static func answer(_ recording: Recording, _ change: (inout WhatIfReplay) -> Void) throws -> WhatIfResult {
        var whatIf = WhatIfReplay(question: "test")
        change(&whatIf)
        let otherwise = try Self.otherwise()
        return try #require(try whatIf.answer(RecordedTrace(recording), otherwise: otherwise))
    }

    static func otherwise() throws -> (profile: Profile, layout: Layout) {
        (try #require(Profile.named("ios15")), try #require(ShippedLayouts.named("us")))
    }

    static func keep(_ policy: CachePolicy) -> (inout WhatIfReplay) -> Void {
        {
            $0.policy = policy
            $0.costs.policy = policy.rawValue
        }
    }

    static func stale(_ script: String) throws -> Recording {
        var story = RecordedStory("scenes/lint/stale-answer")
        story.script = script
        return try story.recording()
    }

    @Test("In place of none, policy responder is wrong exactly at the presses whose answers changed")
    func namesTheWrongPresses() throws {
        let result = try Self.answer(try Self.stale("input"), Self.keep(.responder))
        #expect(result.stalePresses == [3, 4])
        #expect(result.changes.map(\.press) == [3, 4])
        #expect(result.changes.allSatisfy { $0.before == "unhandled" && $0.after.hasPrefix("unrecorded: ") })
        let described = try Self.answer(try Self.stale("near-miss"), Self.keep(.responder))
        #expect(described.stalePresses == [])
        #expect(described.changes == [])
    }

    @Test("Keeping one responder's answers saves its time alone, and is wrong where that one changed")
    func keepsOne() throws {
        let recording = try Self.stale("input")
        let result = try Self.answer(recording) { $0.costs.kept = ["mail"] }
        #expect(result.stalePresses == [3, 4])
        #expect(result.changes.map(\.press) == [3, 4])
        #expect(result.callsSaved == 3)
        let (before, after) = (try #require(result.before), try #require(result.after))
        #expect(before.sum.nanoseconds - after.sum.nanoseconds == 9_000_000)
        let other = try Self.answer(recording) { $0.costs.kept = ["win"] }
        #expect(other.stalePresses == [] && other.changes == [])
        #expect(other.before == other.after)
    }

    /// The engine's own shadow check and the arithmetic on records must name the same presses.
    @Test(arguments: RecordedStory.goldens.map(\.folder) + ["scenes/lint/stale-answer"])
    func engineAndRecordsAgreeOnStaleAnswers(_ folder: String) throws {
        let recording = try RecordedStory(folder).recording()
        let result = try Self.answer(recording, Self.keep(.responder))
        let otherwise = try Self.otherwise()
        var plan = try #require(RecordedReplay(recording, otherwise: otherwise))
        plan.options.cachePolicy = .responder
        plan.options.shadowCheck = true
        let lines = try plan.lines(of: try plan.timeline())
        let stale = Set(lines.filter { $0.cache.stale > 0 }.compactMap(\.press)).sorted()
        #expect(result.stalePresses == stale)
    }

    @Test("A change that changes nothing leaves every resolution and every time", arguments: RecordedStory.goldens)
    func nothingChanges(_ story: RecordedStory) throws {
        let result = try Self.answer(try story.recording()) { _ in }
        #expect(result.changes == [])
        #expect(result.before == result.after)
        #expect(result.stalePresses == nil)
    }

    @Test("A cheaper action also spares those that waited behind it")
    func queueIsRunAgain() throws {
        let recording = try RecordedStory("scenes/lint/repeat-overrun").recording()
        let place = CostChanges.Place(responder: "list", call: "nextMessage:")
        var story = RecordedStory("scenes/lint/repeat-overrun")
        story.script = "near-miss"
        let calm = try Self.answer(try story.recording()) {
            $0.costs.costs[place] = TraceDuration(nanoseconds: 1_000_000)
        }
        #expect(calm.before?.max == TraceDuration(nanoseconds: 41_000_000))
        #expect(calm.after?.max == TraceDuration(nanoseconds: 1_000_000))
        #expect(try Self.answer(recording) { $0.costs.costs[place] = .zero }.changes == [])
    }

    @Test("Under another profile the recorded answers decide, and the difference is named")
    func otherProfile() throws {
        let recording = try RecordedStory("golden/g08-unperformable-blocks-on-ios15").recording()
        let result = try Self.answer(recording) { $0.profile = Profile.named("ios134") }
        #expect(result.isReplayed)
        #expect(result.changes.count == 1)
        #expect(result.changes.first?.before.hasPrefix("blockedUnperformable") == true)
    }

    @Test("A slower repeat rate gives fewer repeats of a held key")
    func repeatRate() throws {
        let recording = try RecordedStory("golden/held-close-closes-everything").recording()
        let result = try Self.answer(recording) {
            $0.repeats = (TraceDuration(nanoseconds: 10_000_000_000), TraceDuration(nanoseconds: 100_000_000))
        }
        #expect(!result.changes.isEmpty)
        #expect(result.changes.allSatisfy { $0.isRepeat && $0.after == "nothing" })
    }
}
