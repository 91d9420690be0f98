import GeneratedTraces
import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

@Suite struct TraceStatisticsTests {
    static func statistics(_ recording: Recording, _ file: TraceFileFacts = TraceFileFacts()) -> TraceStatistics {
        var builder = TraceStatisticsBuilder()
        builder.consume(recording)
        return builder.statistics(of: file)
    }

    static let closeTab = statistics(CloseTabFlight.recording())

    @Test func pressesAndRepeatsAreApart() {
        #expect(Self.closeTab.presses == 4)
        #expect(Self.closeTab.repeats == 2)
        #expect(Self.closeTab.stages[.collect]?.count == 4)
        #expect(Self.closeTab.repeatStages[.collect]?.count == 2)
        #expect(Self.closeTab.repeatStages.total?.sum.nanoseconds == 4_000_000)
    }

    @Test func absentStagesAreAbsentAndZeroIsZero() {
        #expect(Self.closeTab.stages[.hid] == nil)
        #expect(Self.closeTab.stages[.validate]?.count == 1)
        #expect(Self.closeTab.stages.isPartial)
        // The letter's collection took no time at all, which is known.
        #expect(Self.closeTab.stages.total?.count == 4)
        #expect(Self.closeTab.stages.total?.sum.nanoseconds == 7_410_000)
    }

    @Test func allStagesPresentIsNotPartial() {
        var flight = RecordingBuilder()
        let at = flight.down(.tab)
        for stage in LatencyStage.allCases { flight.stage(at, stage, 1) }
        flight.resolve(at, .unhandled)
        let found = Self.statistics(flight.recording)
        #expect(!found.stages.isPartial)
        #expect(found.stages.total?.max.nanoseconds == 10)
    }

    @Test func callsAreCountedPerKindAndOccasion() throws {
        let calls = try #require(Self.closeTab.calls)
        #expect(calls[.keyCommands].total == 26)
        #expect(calls[.keyCommands].onRepeat == 10)
        #expect(calls[.keyCommands].onRelease == 1)
        #expect(calls[.keyCommands].perPressMax == 5)
        #expect(calls[.canPerformAction].total == 2)
        #expect(calls[.buildMenu].total == 0)
    }

    @Test func shadowReadsCountNowhereElse() throws {
        let calls = try #require(Self.closeTab.calls)
        #expect(calls.shadowReads == 1)
        #expect(calls.responders.first { $0.id == "pdf" }?.calls == 5)
    }

    @Test func timeInsideOthersIsNotOnesOwn() throws {
        let calls = try #require(Self.closeTab.calls)
        let tabs = try #require(calls.responders.first { $0.id == "tabs" })
        #expect(tabs.totalTime?.nanoseconds == 4_500_000)
        #expect(tabs.selfTime?.nanoseconds == 3_500_000)
        let document = try #require(calls.responders.first { $0.id == "doc" })
        #expect(document.calls == 10)
        #expect(document.selfTime?.nanoseconds == 1_250_000)
    }

    @Test func nestingGoesAsDeepAsTheCallsDo() throws {
        var flight = RecordingBuilder()
        let at = flight.down(.tab)
        // c inside b inside a, twice in a row, and between them a question that is not keyCommands.
        for _ in 0..<2 {
            flight.keyCommands(at, of: "c", cost: 10, depth: 2)
            flight.keyCommands(at, of: "c", cost: 10, depth: 2)
            flight.keyCommands(at, of: "b", cost: 100, depth: 1)
            flight.canPerform(at, "b", "x:", true, cost: 30, depth: 1)
            flight.keyCommands(at, of: "a", cost: 1000)
        }
        flight.keyCommands(at, of: "d", cost: 7)
        flight.resolve(at, .unhandled)
        let calls = try #require(Self.statistics(flight.recording).calls)
        #expect(calls.responders.map(\.id) == ["a", "b", "c", "d"])
        #expect(calls.responders.map { $0.selfTime?.nanoseconds } == [1740, 160, 40, 7])
        #expect(calls.responders.map { $0.totalTime?.nanoseconds } == [2000, 200, 40, 7])
        #expect(calls.responders.compactMap { $0.selfTime?.nanoseconds }.reduce(0, +) + 60 == 2007)
    }

    @Test func nestedTimeNeverMakesOwnTimeNegative() throws {
        var flight = RecordingBuilder()
        let at = flight.down(.tab)
        flight.keyCommands(at, of: "inner", cost: 50, depth: 1)
        flight.keyCommands(at, of: "outer", cost: 20)
        flight.keyCommands(at, of: "far", cost: 5, depth: .max)
        let calls = try #require(Self.statistics(flight.recording).calls)
        #expect(calls.responders.first { $0.id == "outer" }?.selfTime == .zero)
    }

    @Test func listsAreComparedByContent() throws {
        var flight = RecordingBuilder()
        let one = flight.command("a", .command, "a:")
        let two = flight.command("b", .command, "b:")
        for commands in [[one], [one], [one, two], [one], []] {
            let at = flight.down(.tab)
            flight.keyCommands(at, of: "vc", answers: commands)
            flight.resolve(at, .unhandled)
        }
        let responder = try #require(Self.statistics(flight.recording).calls?.responders.first)
        #expect(responder.distinctResults == 3)
        #expect(responder.unchangedResults == 1)
        #expect(responder.selfTime == nil)
        #expect(responder.timedCalls == 0)
    }

    @Test func callsPerPressCountOverlappingPressesApart() throws {
        var flight = RecordingBuilder()
        let (first, second) = (flight.down(.tab), flight.down(.escape))
        for at in [first, second, first] { flight.keyCommands(at, of: "vc") }
        flight.resolve(first, .unhandled)
        flight.keyCommands(second, of: "vc")
        flight.resolve(second, .unhandled)
        let calls = try #require(Self.statistics(flight.recording).calls)
        #expect(calls[.keyCommands].total == 4)
        #expect(calls[.keyCommands].perPressMax == 2)
    }

    @Test func aPressWhoseActionRunsTwiceIsOnePress() {
        var flight = RecordingBuilder()
        let at = flight.down(.tab)
        flight.stage(at, .action, 5)
        flight.resolve(at, .performed)
        flight.stage(at, .action, 6)
        flight.resolve(at, .performed)
        let found = Self.statistics(flight.recording)
        #expect(found.presses == 1)
        #expect(found.stages.total?.sum.nanoseconds == 11)
        #expect(found.outcomes.map(\.count) == [1])
    }

    @Test func cacheCountsAddUp() throws {
        var flight = RecordingBuilder()
        flight.add(.environment(EnvironmentRecord(name: "cache", value: "chain")))
        for hits in UInt32(1)...3 {
            let at = flight.down(.tab)
            flight.cache(
                at, hits: hits, misses: 1, stale: 1, invalidations: 2, shadowReads: hits, callsSaved: 16,
                timeSaved: 500)
            flight.resolve(at, .unhandled)
        }
        let cache = try #require(Self.statistics(flight.recording).cache)
        #expect(cache.policy == "chain")
        #expect((cache.lookups, cache.hits, cache.misses) == (9, 6, 3))
        #expect((cache.stale, cache.invalidations, cache.shadowReads) == (3, 6, 6))
        #expect(cache.callsSaved == 48)
        #expect(cache.timeSaved.nanoseconds == 1500)
    }

    @Test func whatWasInvalidatedIsCountedByResponder() {
        var flight = RecordingBuilder()
        for id in ["tabs", "nav", "tabs"] {
            let responder = flight.responder(id)
            flight.add(.invalidation(InvalidationRecord(scope: .responder, responder: responder)))
        }
        flight.add(.invalidation(InvalidationRecord(scope: .menuRebuild, responder: nil)))
        let found = Self.statistics(flight.recording).invalidated
        #expect(found.map(\.responder) == ["tabs", "nav", nil])
        #expect(found.map(\.count) == [2, 1, 1])
        #expect(found.last?.scope == .menuRebuild)
    }

    @Test func outcomesComeTheMostFrequentFirst() {
        #expect(Self.closeTab.outcomes.map(\.outcome) == [.performed, .consumedByText, .unhandled])
        #expect(Self.closeTab.outcomes.map(\.count) == [4, 1, 1])
    }

    @Test func anEmptyTraceHasNoFactsAndNoZeros() {
        let found = Self.statistics(Recording())
        #expect(found.presses == 0)
        #expect(found.stages.total == nil)
        #expect(found.calls == nil)
        #expect(found.cache == nil)
        #expect(found.info.duration == .zero)
    }

    @Test func aTraceOfLevelKeysKnowsPressesAndNothingElse() {
        var flight = RecordingBuilder()
        flight.down(.leftGUI, .command)
        flight.down(.keyboard(0x1A), .command)
        flight.down(.tab)
        let found = Self.statistics(flight.recording)
        #expect(found.info.level == .keys)
        #expect(found.presses == 2)
        #expect(found.calls == nil)
        #expect(found.stages.total == nil)
    }

    @Test func aTraceOfLevelCallsWithoutCallsHasNone() {
        let found = Self.statistics(Recording(), TraceFileFacts(level: .calls))
        #expect(found.calls?[.keyCommands].total == 0)
    }

    @Test func pressesThatAreNeverResolvedDoNotPileUp() {
        var flight = RecordingBuilder()
        for _ in 0..<5000 { flight.stage(flight.down(.tab), .collect, 1) }
        let found = Self.statistics(flight.recording)
        #expect(found.stages.total?.count == 5000)
    }

    @Test func `a trace read by the reader's fastest way has the statistics of its records`() throws {
        var recordings = [CloseTabFlight.recording()]
        recordings += (0..<30).map { RecordingGenerator.recording(seed: $0, records: 300) }
        for recording in recordings {
            let bytes = try recording.bytes(header: TraceHeader(level: .calls, isMasked: false))
            var whole = try TraceReader(bytes)
            var visited = TraceStatisticsBuilder()
            whole.feed(&visited)
            var reader = try TraceReader(bytes)
            var consumed = TraceStatisticsBuilder()
            while let record = reader.next() { consumed.consume(record, definitions: reader.definitions) }
            #expect(visited.statistics() == consumed.statistics())
        }
    }
}
