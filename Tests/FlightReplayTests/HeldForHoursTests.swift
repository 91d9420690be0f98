import FlightReplay
import KeyModel
import Testing
import TraceFormat

/// A key that is held for hours, or for decades by a damaged time.
@Suite struct HeldForHoursTests {
    @Test func repeatsAreLimitedAndTheLastOneSaysSo() throws {
        var test = try TestReplay(chainOfFive(profile: "ios15"), "down LeftGUI\ndown g\nwait 900000s\nup g\npress x")
        test.replay.options.maximumRepeats = 500
        var lines = 0
        var last: ReplayLine?
        var times: [TraceTime] = []
        try test.replay.run(test.timeline) { row in
            guard case .resolution(let line) = row else { return }
            lines += 1
            if line.isRepeat { last = line }
            if lines <= 4 { times.append(line.time) }
        }
        // The down, its repeats, and x.
        let repeats = 504
        #expect(lines == repeats + 2)
        let recording = try test.replay.record(test.timeline)
        let losses = recording.records.compactMap { if case .loss(let loss) = $0.body { loss.detail } else { nil } }
        #expect(losses == ["repeats of press 1 after the first \(repeats)"])
        #expect(last?.isLastRepeat == true && last?.json.contains("\"more_repeats_left_out\":true") == true)
        #expect(times.map(\.nanoseconds) == [10_000_000, 410_000_000, 510_000_000, 610_000_000])
    }

    /// A replay has one number of repeats for all of its keys, whatever their times are.
    @Test func keysHeldForCenturiesShareTheRepeatsOfAReplay() throws {
        let keys = Array(repeating: "g", count: 10)
        let script = "down LeftGUI\n" + keys.map { "down \($0)\nwait 900000000s\nup \($0)" }.joined(separator: "\n")
        var test = try TestReplay(chainOfFive(profile: "ios15"), script)
        test.replay.options.maximumRepeats = 500
        var repeats: [UInt32: Int] = [:]
        var last: Set<UInt32> = []
        try test.replay.run(test.timeline) { row in
            guard case .resolution(let line) = row, line.isRepeat, let press = line.press else { return }
            repeats[press, default: 0] += 1
            if line.isLastRepeat { last.insert(press) }
        }
        #expect(repeats.values.reduce(0, +) == 500 + 4 * keys.count)
        #expect(repeats.count == keys.count && last.count == keys.count)
    }

    /// What waits for the release keeps its own time, state and effects.
    @Test func repeatsThatWaitForTheReleaseAreWhole() throws {
        let test = try TestReplay(fieldScene(), "hold a 1s\npress b")
        let lines = try test.lines()
        #expect(lines.map { $0.effects.first?.value } == (1...9).map { "\($0)" })
        let ticks = lines.filter(\.isRepeat).map(\.time.nanoseconds)
        #expect(ticks == (0...6).map { 400_000_000 + $0 * 100_000_000 })
        #expect(Set(lines.map(\.state)).count == lines.count)
    }
}
