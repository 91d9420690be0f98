import KeyModel
import LatencyAnalysis
import Testing
import TraceFormat

@Suite struct StageFunctionsTests {
    /// A sleep of the menu in `match`, and a slow command in `action`, which a press alone would not tell apart.
    private static let stacks = """
        m system - libgnustep-gui.so.0.29
        m own - Notes
        m system - libc.so.6
        f 1 10 main
        f 0 20 -[NSApplication sendEvent:]
        f 0 30 -[NSMenu performKeyEquivalent:]
        f 2 40 nanosleep
        f 1 50 -[Notes save:]
        f 1 60
        f 2 70 fsync
        n 0 0
        n 1 1
        n 2 2
        n 3 3
        n 2 4
        n 5 5
        n 5 6
        s 8000000 10 4 clock_nanosleep
        s 21000000 20 7 fsync
        s 41000000 5 6
        s 46000000 2 5

        """

    private func recording(_ stacks: String, isLate: Bool = false) -> Recording {
        var builder = RecordingBuilder()
        let at = builder.down(.keyboard(0x16), .command)
        func stage(_ stage: LatencyStage, _ milliseconds: Int64) {
            builder.wait(milliseconds * 1_000_000)
            let duration = TraceDuration(nanoseconds: milliseconds * 1_000_000)
            builder.add(.stage(StageRecord(at: at, stage: stage, duration: duration)))
        }
        stage(.match, 20)
        stage(.action, 30)
        builder.add(.resolution(ResolutionRecord(at: at, outcome: .performed, takenBy: .mainMenu, state: nil)))
        builder.up(.keyboard(0x16), .command, of: at)
        if isLate {
            let next = builder.down(.keyboard(0x17), .command)
            builder.add(.resolution(ResolutionRecord(at: next, outcome: .unhandled, takenBy: nil, state: nil)))
        }
        builder.wait(1_000_000)
        builder.add(
            .samples(
                SamplesRecord(
                    at: at, age: TraceDuration(nanoseconds: 51_000_000),
                    interval: TraceDuration(nanoseconds: 1_000_000), stacks: stacks)))
        return builder.recording
    }

    @Test(arguments: [false, true])
    func `functions are those of a stage`(isLate: Bool) throws {
        let recording = recording(Self.stacks, isLate: isLate)
        let stages = try #require(PressExplanationTests.explanation(.press(1), in: recording)?.samples)
        #expect(stages.map(\.stage) == [.match, .action] && stages.map(\.count) == [10, 27])
        #expect(stages[0].functions.map(\.name) == ["-[NSMenu performKeyEquivalent:]"])
        #expect(stages[0].functions[0].blocked == ["clock_nanosleep": 10] && !stages[0].functions[0].isOwn)
        #expect(stages[1].functions.map(\.name) == ["-[Notes save:]", "Notes+0x60"])
        #expect(stages[1].functions.map(\.count) == [22, 5])
        #expect(stages[1].functions[0].blocked == ["fsync": 20])
        #expect(stages[1].functions.map(\.caller) == ["-[NSApplication sendEvent:]", "-[Notes save:]"])
    }

    @Test func `nothing is known of damaged samples, and of none`() throws {
        let damaged = try #require(PressExplanationTests.explanation(.press(1), in: recording(Self.stacks + "x\n")))
        #expect(damaged.samples == nil)
        let other = try #require(
            PressExplanationTests.explanation(.press(2), in: recording(Self.stacks, isLate: true)))
        #expect(other.samples == nil)
    }

    @Test func `slow presses have their function in common`() throws {
        var builder = RecordingBuilder()
        for number in 0..<12 {
            let at = builder.down(.keyboard(0x16), .command)
            let duration = TraceDuration(nanoseconds: number % 4 == 0 ? 50_000_000 : 1_000_000)
            builder.wait(duration.nanoseconds)
            builder.add(.stage(StageRecord(at: at, stage: .action, duration: duration)))
            builder.add(.resolution(ResolutionRecord(at: at, outcome: .performed, takenBy: .mainMenu, state: nil)))
            builder.up(.keyboard(0x16), .command, of: at)
            guard number % 4 == 0 else { continue }
            let interval = TraceDuration(nanoseconds: 1_000_000)
            builder.add(.samples(SamplesRecord(at: at, age: duration, interval: interval, stacks: Self.stacks)))
        }
        var analyzer = TailAnalyzer()
        let definitions = builder.recording.definitions
        for record in builder.recording.records { analyzer.consume(record, definitions: definitions) }
        let limit = TraceDuration(nanoseconds: 20_000_000)
        let analysis = analyzer.analysis(above: .duration(limit), definitions: definitions)
        let function = try #require(analysis.common.first { $0.kind == .function })
        #expect(function.value == "-[Notes save:]" && function.slow == 3 && function.all == 3)
    }
}
