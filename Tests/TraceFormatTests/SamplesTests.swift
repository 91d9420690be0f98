import KeyModel
import Testing

@testable import TraceFormat

@Suite struct SamplesTests {
    static let stacks = """
        m own 0123abcd Notes
        m system - libc.so.6
        f 0 2400 main
        f 0 2f10 -[Notes save:]
        f 1 d3e40 fsync
        f - 0
        n 0 0
        n 1 1
        n 2 2
        n 2 3
        s 8000000 29 3 fsync
        t 37000000 1 4
        l 2

        """

    static func record(_ at: PressTick) -> SamplesRecord {
        SamplesRecord(
            at: at, age: TraceDuration(nanoseconds: 41_000_000), interval: TraceDuration(nanoseconds: 1_000_000),
            stacks: stacks)
    }

    @Test func `stacks are a tree of functions with samples at its nodes`() throws {
        let stacks = try SampledStacks(Self.stacks)
        #expect(stacks.modules.map(\.isOwn) == [true, false] && stacks.modules.map(\.buildID) == ["0123abcd", nil])
        #expect(stacks.functions.map(\.name) == ["main", "-[Notes save:]", "fsync", nil])
        #expect(stacks.functions.map(\.module) == [0, 0, 1, nil] && stacks.functions[1].offset == 0x2f10)
        #expect(stacks.nodes.map(\.parent) == [nil, 0, 1, 1])
        #expect(stacks.samples.map(\.node) == [2, 3] && stacks.samples.map(\.count) == [29, 1])
        #expect(stacks.samples.map(\.call) == ["fsync", nil] && stacks.samples.map(\.isWhole) == [true, false])
        #expect(stacks.skipped == 2)
    }

    @Test(arguments: [
        "x", "m own", "m other - a", "f 0 1 a", "f - g a", "f -1 0 a", "n 0 0", "m own - a\nf 0 1\nn 1 0",
        "m own - a\nf 0 1\nn 0 1", "s 1 1 1", "m own - a\nf 0 1\nn 0 0\ns 1 1 0", "m own - a\nf 0 1\nn 0 0\ns -1 1 1",
        "m own - a\nf 0 1\nn 0 0\ns 1 4294967296 1", "m own - a\nf 0 1\nn 0 0\ns 9223372036854775808 1 1", "l -1",
        "n 0 99999999999999999999", "s 1 1 ",
    ])
    func `a damaged line is refused`(text: String) {
        #expect(throws: TraceError.self) { try SampledStacks(text) }
    }

    @Test func `the names of the app go, those of the system stay`() throws {
        let rest = try #require(SampledStacks.withoutOwnNames(Self.stacks))
        let stacks = try SampledStacks(rest)
        #expect(stacks.modules.map(\.name) == ["app", "libc.so.6"] && stacks.modules[0].buildID == nil)
        #expect(stacks.functions.map(\.name) == [nil, nil, "fsync", nil])
        #expect(try stacks.samples == SampledStacks(Self.stacks).samples)
        #expect(SampledStacks.withoutOwnNames(rest) == nil)
        #expect(SampledStacks.withoutOwnNames("f 0 -[Secret name]") == "")
    }

    @Test func `of masked presses the samples of text are kept, and those of commands are not`() {
        var decisions = MaskedDecisions()
        let definitions = TraceDefinitions()
        let press = PressTick(press: 1, tick: 0)
        let samples = TraceRecord.Body.samples(Self.record(press))
        func decide(_ outcome: Outcome) {
            let record = ResolutionRecord(at: press, outcome: outcome, takenBy: nil, state: nil)
            decisions.follow(.resolution(record), definitions)
        }
        decisions.follow(1, isMasked: true)
        #expect(decisions.kept(samples, definitions) == nil)
        decide(.consumedByText)
        #expect(decisions.kept(samples, definitions) == samples)
        decide(.performed)
        #expect(decisions.kept(samples, definitions) == nil)
        decisions.follow(1, isMasked: false)
        #expect(decisions.kept(samples, definitions) == samples)
    }

    @Test func `more bytes of stacks than allowed are refused`() throws {
        var recording = Recording()
        var record = Self.record(PressTick(press: 1, tick: 0))
        record.stacks = String(repeating: "l 0\n", count: TraceLimits.stacksBytes / 4)
        recording.append(.samples(record), at: .zero)
        _ = try recording.bytes(header: TraceHeader(level: .calls, isMasked: false))
        record.stacks += "l"
        recording.append(.samples(record), at: .zero)
        #expect(throws: TraceError.self) { try recording.bytes(header: TraceHeader(level: .calls, isMasked: false)) }
    }
}
