import FlightReplay
import KeyModel
import ResponderEngine
import Testing

/// How often responders are asked, under each profile and cache policy.
@Suite struct CallCountTests {
    private let twice = "press cmd+g\npress cmd+g\n"

    private func reads(_ scene: String, _ script: String, _ options: SceneReplay.Options = .init()) throws -> [Int] {
        try TestReplay(scene, script, options).lines().map(\.calls.keyCommands)
    }

    /// Spec KC-4: three passes on iOS 7, one later.
    @Test func aChainOfFiveIsAskedFifteenTimesOnIOS7AndFiveTimesOnIOS15() throws {
        #expect(try reads(chainOfFive(profile: "ios7"), twice) == [15, 15])
        #expect(try reads(chainOfFive(profile: "ios15"), twice) == [5, 5])
    }

    @Test(arguments: ["ios7", "ios15"]) func policyChainAsksNobodyAfterTheFirstPress(_ profile: String) throws {
        let script = twice + "do mark later\npress cmd+w\ndo invalidate vc\npress cmd+g\npress cmd+g\n"
        let lines = try TestReplay(chainOfFive(profile: profile), script, .policy(.chain)).lines()
        #expect(lines.map(\.calls.keyCommands) == [5, 0, 0, 5, 0])
        #expect(lines.map(\.cache.lookups) == [1, 1, 1, 1, 1])
        #expect(lines.map(\.cache.hits) == [0, 1, 1, 0, 1])
        #expect(lines.map(\.cache.invalidations) == [0, 0, 0, 1, 0])
        #expect(lines.allSatisfy { $0.outcome == .performed })
    }

    @Test func policyPressReadsOnceAPressAndPolicyResponderOncePerResponder() throws {
        let press = try TestReplay(chainOfFive(profile: "ios7"), twice, .policy(.press)).lines()
        #expect(press.map(\.calls.keyCommands) == [5, 5])
        #expect(press.map(\.cache.lookups) == [1, 1])
        let responder = try TestReplay(chainOfFive(profile: "ios7"), twice, .policy(.responder)).lines()
        #expect(responder.map(\.calls.keyCommands) == [5, 0])
        #expect(responder.map(\.cache.lookups) == [15, 15])
        #expect(responder.map(\.cache.hits) == [10, 15])
    }

    @Test(arguments: ["ios7", "ios9", "ios13", "ios134", "ios15", "ios26"])
    func policyNoneMissesOncePerRead(_ profile: String) throws {
        let lines = try TestReplay(chainOfFive(profile: profile), twice).lines()
        #expect(lines.count == 2)
        for line in lines {
            #expect(line.cache.misses == line.calls.keyCommands + line.keyCommandsOnRelease)
            #expect(line.cache.hits == 0)
        }
    }

    /// A responder that answers differently without saying so: the cache serves the old answer, and says so.
    @Test(arguments: ["chain", "responder"]) func aSilentChangeIsACountedStaleHit(_ policy: String) throws {
        let script = "press cmd+g\ndo set vc keyCommands busy\npress cmd+g\ndo invalidate vc\npress cmd+g\n"
        let scene = chainOfFive(profile: "ios15")
        let chosen = try #require(SceneReplay.Options.named(policy))
        let lines = try TestReplay(scene, script, chosen).lines()
        #expect(lines.map(\.cache.stale) == [0, 1, 0])
        #expect(lines.map(\.action) == ["go:", "go:", "other:"])
        #expect(lines.map(\.calls.keyCommands) == [5, 0, policy == "chain" ? 5 : 1])
        #expect(lines[1].shadowReads == 5)
        let fresh = try TestReplay(scene, script).lines()
        #expect(fresh.map(\.action) == ["go:", "other:", "other:"])
    }

    /// Where every change is announced, no policy changes what a press resolves to.
    @Test(arguments: ["ios7", "ios9", "ios13", "ios134", "ios15", "ios26"])
    func allPoliciesResolveAlikeWhenChangesAreAnnounced(_ profile: String) throws {
        let script = """
            press cmd+g
            hold cmd+g 600ms
            do set vc keyCommands busy
            do invalidate vc
            press cmd+g
            press cmd+w
            do focus parent
            press cmd+w
            do resign
            press cmd+w
            do set view next app
            do invalidate view
            do focus view
            press cmd+g
            press cmd+w
            """
        let scene = chainOfFive(profile: profile)
        let expected = try TestReplay(scene, script).lines().map(Resolved.init)
        for policy in ["press", "responder", "chain"] {
            let options = try #require(SceneReplay.Options.named(policy))
            let found = try TestReplay(scene, script, options).lines()
            #expect(found.map(Resolved.init) == expected, "policy \(policy)")
            #expect(found.allSatisfy { $0.cache.stale == 0 })
        }
    }
}

/// What a press resolved to, without what it cost.
struct Resolved: Equatable {
    var press: UInt32?
    var outcome: Outcome
    var takenBy: TakenBy?
    var action: String?
    var supplier: String?
    var target: String?
    var text: String?
    var state: UInt64

    init(_ line: ReplayLine) {
        press = line.press
        outcome = line.outcome
        takenBy = line.takenBy
        action = line.action
        supplier = line.supplier
        target = line.target
        text = line.text
        state = line.state
    }
}
