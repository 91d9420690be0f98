import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

@Suite struct TraceInfoTests {
    static func info(_ recording: Recording, _ file: TraceFileFacts = TraceFileFacts()) -> TraceInfo {
        var builder = TraceInfoBuilder()
        builder.consume(recording)
        return builder.info(of: file)
    }

    @Test func keyEventsPressesRepeatsAndSyntheticReleasesAreApart() {
        let info = Self.info(CloseTabFlight.recording())
        #expect(info.presses == 5)
        #expect(info.keyEvents == 9)
        #expect(info.repeats == 2)
        #expect(info.loss.synthetic == 1)
        #expect(info.resolutions == 6)
    }

    @Test func lossIsCountedByCause() {
        var flight = RecordingBuilder()
        func loss(_ cause: LossCause, _ count: UInt64?, _ duration: Int64?) -> TraceRecord.Body {
            .loss(
                LossRecord(
                    cause: cause, count: count, duration: duration.map { TraceDuration(nanoseconds: $0) }, detail: ""))
        }
        flight.add(loss(.dropped, 3, nil))
        flight.add(loss(.dropped, nil, nil))
        flight.add(loss(.dropped, .max, 10))
        flight.add(loss(.secureEntry, nil, 5))
        flight.add(loss(.truncated, nil, nil))
        let loss = Self.info(flight.recording).loss
        #expect(loss.dropped == .max)
        #expect(loss.uncountedDrops == 1)
        #expect(loss.gaps.map(\.cause) == [.dropped, .secureEntry, .truncated])
        #expect(!loss.isNone)
        #expect(LossSummary().isNone)
    }

    @Test func aGapThatIsToldWhenItBeginsAndWhenItEndsIsOne() {
        var flight = RecordingBuilder()
        func gap(_ cause: LossCause, _ duration: Int64?) -> TraceRecord.Body {
            .loss(
                LossRecord(
                    cause: cause, count: nil, duration: duration.map { TraceDuration(nanoseconds: $0) }, detail: ""))
        }
        flight.add(gap(.secureEntry, nil))
        flight.add(gap(.secureEntry, 5))
        flight.add(gap(.paused, nil))
        flight.wait(1)
        flight.add(gap(.paused, 5))
        let gaps = Self.info(flight.recording).loss.gaps
        #expect(gaps.map(\.cause) == [.secureEntry, .paused, .paused])
        #expect(gaps.map(\.duration?.nanoseconds) == [5, nil, 5])
    }

    @Test func ofManyGapsTheFirstAreListedAndAllAreCounted() {
        var flight = RecordingBuilder()
        for number in 0..<1_500 {
            flight.wait(1)
            let duration = number % 3 == 0 ? TraceDuration(nanoseconds: 10) : nil
            let cause = number < 1_200 ? LossCause.paused : .clockStep
            flight.add(.loss(LossRecord(cause: cause, count: nil, duration: duration, detail: "\(number)")))
        }
        // The last one ends.
        let end = TraceDuration(nanoseconds: 7)
        flight.add(.loss(LossRecord(cause: .clockStep, count: nil, duration: end, detail: "")))
        let loss = Self.info(flight.recording).loss
        #expect(loss.gaps.map(\.detail) == (0..<LossSummary.gapLimit).map { "\($0)" })
        #expect(loss.gapCount == 1_500 && loss.gapsLeftOut == 476)
        #expect(loss.gapTime == TraceDuration(nanoseconds: 5_007))
        #expect(loss.gapCauses.map(\.cause) == [.paused, .clockStep] && loss.gapCauses.map(\.count) == [1_200, 300])
    }

    @Test func levelsAreSpansOnlyWhenTheyChange() {
        var flight = RecordingBuilder()
        flight.down(.tab)
        #expect(Self.info(flight.recording, TraceFileFacts(level: .stages)).level == .stages)
        #expect(Self.info(flight.recording, TraceFileFacts(level: .stages)).levels.isEmpty)
        flight.wait(5)
        flight.add(.level(LevelRecord(level: .calls)))
        flight.add(.level(LevelRecord(level: .calls)))
        flight.wait(5)
        flight.add(.level(LevelRecord(level: .keys)))
        flight.wait(5)
        flight.down(.tab)
        let info = Self.info(flight.recording, TraceFileFacts(level: .stages))
        #expect(info.level == .keys)
        #expect(info.levels.map(\.level) == [.stages, .calls, .keys])
        #expect(info.levels.map(\.from.nanoseconds) == [0, 5, 10])
        #expect(info.levels.map(\.to.nanoseconds) == [5, 10, 15])
        #expect(info.levels.map(\.sequence) == [0, 1, 3])
    }

    @Test func withoutAHeaderATraceIsMaskedUnlessItShowsText() {
        var flight = RecordingBuilder()
        flight.down(.leftGUI, .command)
        flight.down(.keyboard(0x1A), .command)
        flight.down(.keyboard(0x04), masked: .letter)
        #expect(Self.info(flight.recording).isMasked)
        flight.down(.keyboard(0x04))
        #expect(!Self.info(flight.recording).isMasked)
        #expect(Self.info(flight.recording, TraceFileFacts(isMasked: true)).isMasked)
    }

    @Test func theLastValueOfAFactCountsAndTheOrderIsTheFirst() {
        var flight = RecordingBuilder()
        for (name, value) in [("profile", "ios7"), ("cache", "none"), ("profile", "ios15")] {
            flight.add(.environment(EnvironmentRecord(name: name, value: value)))
        }
        let info = Self.info(flight.recording)
        #expect(info.environment.map(\.name) == ["profile", "cache"])
        #expect(info.environment("profile") == "ios15")
    }

    @Test func idleReportsAndUnknownRecordsAreCounted() {
        var flight = RecordingBuilder()
        flight.add(.idle(IdleRecord(device: 1, reports: .max)))
        flight.add(.idle(IdleRecord(device: 1, reports: 2)))
        flight.add(.unknown(UnknownRecord(kind: 200, payload: [1])))
        let info = Self.info(flight.recording)
        #expect(info.idleReports == .max)
        #expect(info.unknownRecords == 1)
        #expect(info.records == 3)
    }
}
