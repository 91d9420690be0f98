@testable import FlightReplay
import KeyModel
import Testing
import TraceFormat
import TracePresses

/// Recordings in which a second key goes down before the first press was decided, as those of apps with several
/// threads: `verify` compares each press with its own records.
@Suite struct OverlappingPressesTests {
    private func record(_ scene: String) throws -> Recording {
        let test = try TestReplay(scene, "press x\npress y\n")
        return try test.replay.record(test.timeline, showsKeys: true)
    }

    /// The same records in another order: both keys go down, what was decided about them comes by turns, and then
    /// both resolutions.
    private func overlapping(
        _ recording: Recording, isSwapped: Bool = false, keeping isKept: (TraceRecord.Body) -> Bool = { _ in true }
    ) throws -> Recording {
        let records = recording.records
        func index(_ isIt: (TraceRecord.Body) -> Bool) throws -> Int {
            try #require(records.firstIndex { isIt($0.body) })
        }
        func down(_ press: UInt32) throws -> Int {
            try index { if case .key(let key) = $0 { key.press == press && key.phase == .down } else { false } }
        }
        func resolution(_ press: UInt32) throws -> Int {
            try index { if case .resolution(let resolution) = $0 { resolution.at.press == press } else { false } }
        }
        let (downs, ends) = ([try down(1), try down(2)], [try resolution(1), try resolution(2)])
        let decisions = [records[(downs[0] + 1)..<ends[0]], records[(downs[1] + 1)..<ends[1]]]
        try #require(decisions.allSatisfy { $0.count > 4 })
        var turns: [TraceRecord] = []
        for place in 0..<max(decisions[0].count, decisions[1].count) {
            for press in decisions where place < press.count { turns.append(press[press.startIndex + place]) }
        }
        var result = Recording()
        result.definitions = recording.definitions
        let order =
            Array(records[..<downs[0]]) + downs.map { records[$0] } + turns
            + (isSwapped ? ends.reversed() : ends).map { records[$0] }
            + records[(ends[0] + 1)..<downs[1]] + records[(ends[1] + 1)...]
        for record in order where isKept(record.body) {
            result.append(record.body, at: max(record.time, result.records.last?.time ?? .zero))
        }
        return result
    }

    @Test func eachPressHasItsOwnRecords() throws {
        let scene = chainOfFive(profile: "ios15")
        let replayed = try record(scene)
        let verification = Verification(recorded: try overlapping(replayed), first: replayed, second: replayed)
        #expect(verification.isIdentical, "\(verification.text(name: "overlap"))")
        #expect(verification.lines == 2)
    }

    /// As an app records it.
    private func isOfApp(_ body: TraceRecord.Body) -> Bool {
        switch body {
        case .environment(let fact): !EnvironmentRecord.isProfileParameter(fact.name)
        case .candidate, .effect, .cache: false
        default: true
        }
    }

    /// Which press an app's threads are done with first is no difference.
    @Test func anotherOrderInAnAppIsTheSame() throws {
        let replayed = try record(chainOfFive(profile: "ios15"))
        let recorded = try overlapping(replayed, isSwapped: true, keeping: isOfApp)
        let verification = Verification(recorded: recorded, first: replayed, second: replayed)
        #expect(verification.isIdentical && verification.lines == 2, "\(verification.text(name: "overlap"))")
    }

    /// A replay decides it by its rules.
    @Test func anotherOrderInAReplayIsADivergence() throws {
        let replayed = try record(chainOfFive(profile: "ios15"))
        let recorded = try overlapping(replayed, isSwapped: true)
        let divergence = try #require(Verification(recorded: recorded, first: replayed, second: replayed).divergence)
        #expect(divergence.field == "order" && divergence.at == PressTick(press: 2, tick: 0))
        #expect(divergence.text.contains("another press"), "\(divergence.text)")
    }

    /// A press that only one of the two has is that, whatever overlaps behind it.
    @Test(arguments: [1, 2] as [UInt32]) func aPressThatIsMissingIsNamed(_ press: UInt32) throws {
        func isKept(_ body: TraceRecord.Body) -> Bool {
            if case .resolution(let resolution) = body { resolution.at.press != press } else { true }
        }
        let replayed = try record(chainOfFive(profile: "ios15"))
        let recorded = try overlapping(replayed, keeping: isKept)
        let divergence = try #require(Verification(recorded: recorded, first: replayed, second: replayed).divergence)
        #expect(divergence.field == "line" && divergence.at.press == press && divergence.expected == "none")
    }

    @Test func theirReceiversAreToldApart() throws {
        let recorded = RecordedTrace(try overlapping(try record(chainOfFive(profile: "ios15"))))
        var presses = ResolvedPresses(recorded.records())
        for number in 1...2 as ClosedRange<UInt32> {
            let next = presses.next()
            let press = try #require(next)
            let named = NamedPress(press: press, definitions: presses.definitions)
            #expect(press.at == PressTick(press: number, tick: 0))
            #expect(named.receivers == ["view", "vc", "parent", "win", "app"])
            #expect(named.members == ["view", "vc", "parent", "win", "app"])
            #expect(press.run.callCounts[Int(CallKind.keyCommands.rawValue)] == 5)
        }
        let rest = presses.next()
        #expect(rest == nil)
    }

    /// Of the press that differs, and not of the one whose records come between.
    @Test func aDivergenceIsThatOfItsPress() throws {
        let scene = chainOfFive(profile: "ios15")
        let changed = scene.replacing(
            "input: w, modifiers: [command], action: \"close:\"", with: "input: y, action: \"close:\"")
        try #require(changed != scene)
        let replayed = try record(changed)
        let recorded = try overlapping(try record(scene))
        let divergence = try #require(
            Verification(recorded: recorded, first: replayed, second: replayed).divergence)
        #expect(divergence.at == PressTick(press: 2, tick: 0))
        #expect(divergence.field == "outcome")
        #expect(divergence.explanation == "key command 1 of parent is y close:, not command+w close:")
    }
}
