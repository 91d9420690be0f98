import FlightReplay
import KeyModel
import Testing

@Suite struct CadenceTests {
    private let script = "press cmd+g\nhold cmd+g 700ms\nwait 2s\npress cmd+w\n"

    private func lines(_ cadence: ReplayCadence, cost: String = "") throws -> [ReplayLine] {
        var options = SceneReplay.Options.profile("ios15")
        options.cadence = cadence
        return try TestReplay(chainOfFive(profile: "ios15", extra: cost), script, options).lines()
    }

    /// A clock that is always a microsecond late, and remembers what it was asked to wait for.
    private final class LateClock: ReplayPacer, @unchecked Sendable {
        var offsets: [Int64] = []
        func wait(until offset: TraceDuration) -> TraceDuration {
            offsets.append(offset.nanoseconds)
            return TraceDuration(nanoseconds: 1_000)
        }
    }

    @Test func recordedTimesAreWaitedForAndChangeNothing() throws {
        let clock = LateClock()
        let paced = try lines(.recorded { clock })
        let virtual = try lines(.virtual)
        #expect(paced.allSatisfy { $0.pacingError?.nanoseconds == 1_000 })
        #expect(paced.allSatisfy { $0.json.hasSuffix(#","pacing_error_ns":1000}"#) })
        #expect(virtual.allSatisfy { $0.pacingError == nil && !$0.json.contains("pacing") })
        var stripped = paced
        for index in stripped.indices { stripped[index].pacingError = nil }
        #expect(stripped.map(\.json) == virtual.map(\.json))
        #expect(clock.offsets == clock.offsets.sorted())
        #expect(clock.offsets.first == 0)
        #expect(virtual.allSatisfy { clock.offsets.contains($0.time.nanoseconds) })
    }

    @Test func theDigestOfAGoldenLeavesPacingOut() throws {
        var options = SceneReplay.Options.profile("ios15")
        let virtual = try TestReplay(chainOfFive(profile: "ios15"), script, options)
        let golden = try virtual.replay.golden(of: virtual.timeline).text
        options.cadence = .recorded { LateClock() }
        let paced = try TestReplay(chainOfFive(profile: "ios15"), script, options)
        #expect(try paced.replay.golden(of: paced.timeline).text == golden)
    }

    /// A handler of 250 ms: every event comes when the one before is served, and resolves as it would have.
    @Test func saturatedTimesAreSumsOfServiceTimes() throws {
        let cost = #"cost: {"go:": 250ms}"#
        let found = try lines(.saturated, cost: cost)
        let virtual = try lines(.virtual, cost: cost)
        #expect(found.map { $0.time.nanoseconds / 1_000_000 } == [0, 250, 500, 750, 1000, 1250, 1500])
        #expect(found.map(\.press) == virtual.map(\.press))
        #expect(found.map(\.isRepeat) == virtual.map(\.isRepeat))
        #expect(found.map(\.outcome) == virtual.map(\.outcome))
        #expect(try lines(.saturated, cost: cost).map(\.json) == found.map(\.json))
    }

    @Test func withoutCostsNothingTakesTime() throws {
        #expect(try lines(.saturated).allSatisfy { $0.time == .zero })
    }
}
