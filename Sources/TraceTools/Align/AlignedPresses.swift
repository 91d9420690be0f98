import KeyModel
import TraceFormat

/// The matched presses of two traces, and the results of the alignment.
struct AlignedPresses {
    private let earlier: PressTimes
    private let later: PressTimes
    private let matching: PressMatching
    /// Shift of the earlier clock onto the later one, in nanoseconds, by wall-clock time; `nil` where it cannot be
    /// used.
    private let known: Int64?
    /// Residual of the fastest press of the fit.
    private let least: Double
    private var lostRuns: [(time: Int64, count: UInt64)] = []
    private var inCommon = (earlier: 0, later: 0)
    var earlierIndex = 0

    init(_ earlier: PressTimes, _ later: PressTimes) throws(TraceAlignment.Refusal) {
        self.earlier = earlier
        self.later = later
        let found = PressMatching.best(earlier.presses, later.presses)
        let pairs = found?.pairs ?? []
        guard let found, pairs.count >= TraceAlignment.fewestPresses, let first = pairs.first, let last = pairs.last
        else {
            throw TraceAlignment.Refusal(
                common: pairs.count, earlier: earlier.presses.count, later: later.presses.count)
        }
        inCommon = (last.first - first.first + 1, last.second - first.second + 1)
        // Where presses lie widely around the line, many are near it by chance.
        let share = found.fit.residual < 3_000_000 ? 0.5 : 0.75
        guard Double(pairs.count) >= share * Double(min(inCommon.earlier, inCommon.later)) else {
            throw TraceAlignment.Refusal(common: pairs.count, earlier: inCommon.earlier, later: inCommon.later)
        }
        matching = found
        let rests = pairs.map { found.fit.residual(earlier.presses[$0.first].down, later.presses[$0.second].down) }
        // A press far before all others is an outlier and has no information about the clocks.
        let bound = -max(12 * found.fit.residual, 1)
        least = rests.filter { $0 >= bound }.min() ?? 0
        known = AlignedPresses.knownShift(earlier, later, found)
        findLost()
    }

    /// The shift by wall-clock time; `nil` unless both clocks have it, do not drift apart, and no press is received
    /// before it was sent.
    private static func knownShift(_ earlier: PressTimes, _ later: PressTimes, _ found: PressMatching) -> Int64? {
        guard let begin = earlier.clock?.unixTime, let other = later.clock?.unixTime, later.place != .switch
        else { return nil }
        let known = begin.saturatingSubtracting(other)
        guard abs(found.fit.drift) <= max(3 * found.fit.driftError, 1e-6) else { return nil }
        let delays = found.pairs.map { pair in
            later.presses[pair.second].down.saturatingSubtracting(earlier.presses[pair.first].down)
                .saturatingSubtracting(known)
        }
        guard delays.allSatisfy({ $0 >= 0 }), let middle = delays.sorted().dropFirst(delays.count / 2).first
        else { return nil }
        return middle <= longestTransport ? known : nil
    }

    /// Half of the presses cannot take longer than this from the bus to an app.
    private static let longestTransport: Int64 = 250_000_000

    private func delay(_ from: Int64, _ to: Int64) -> TraceDuration {
        let delay =
            known.map { to.saturatingSubtracting(from).saturatingSubtracting($0) }
            ?? Int64(nearest: matching.fit.residual(from, to) - least)
        return TraceDuration(nanoseconds: max(0, delay))
    }

    /// Collects runs of presses that are in the earlier trace alone.
    private mutating func findLost() {
        var before: Int?
        for pair in matching.pairs {
            defer { before = pair.first }
            guard let last = before, last + 1 < pair.first else { continue }
            let times = earlier.presses[(last + 1)..<pair.first].map { press in
                press.down.saturatingAdding(matching.fit.shift(at: press.down))
            }.filter { !later.secureGaps.contains($0) }
            if let first = times.first { lostRuns.append((max(0, first), UInt64(times.count))) }
        }
    }

    // MARK: Results

    var line: TimeLine {
        let offset = known ?? matching.fit.shift(at: 0)
        return TimeLine(
            offset: TraceDuration(nanoseconds: offset), drift: known == nil ? matching.fit.drift : 0)
    }

    private var stage: LatencyStage { earlier.place == .switch ? .hid : .transport }

    private var relation: ClockRelationRecord {
        let fit = matching.fit
        var relation = ClockRelationRecord(
            source: earlier.clockName, reference: later.clockName, offset: fit.shift(at: 0),
            matches: UInt64(matching.pairs.count))
        relation.drift = fit.drift == 0 ? nil : Int64(nearest: fit.drift * 1e9)
        relation.residual = TraceDuration(nanoseconds: Int64(nearest: fit.residual))
        if let first = matching.pairs.first, let last = matching.pairs.last {
            relation.first = TraceDuration(nanoseconds: max(0, later.presses[first.second].down))
            relation.last = TraceDuration(nanoseconds: max(0, later.presses[last.second].down))
        }
        return relation
    }

    private var releases: [TraceDuration] {
        matching.pairs.compactMap { pair in
            guard let from = earlier.presses[pair.first].up, let to = later.presses[pair.second].up else { return nil }
            return delay(from, to)
        }
    }

    private var delays: [TraceDuration] {
        matching.pairs.map { delay(earlier.presses[$0.first].down, later.presses[$0.second].down) }
    }

    private var poll: PollFacts? {
        guard stage == .hid else { return nil }
        let times = later.presses.map(\.down) + later.presses.compactMap(\.up)
        return PollFacts(times: times.sorted(), delays: delays.map(\.nanoseconds), interval: later.pollInterval)
    }

    var summary: TraceAlignment.Summary {
        TraceAlignment.Summary(
            relation: relation, stage: stage, earlier: inCommon.earlier, later: inCommon.later,
            lost: lostRuns.reduce(0) { $0 + Int($1.count) }, isOneClock: known != nil,
            delays: DurationStatistics(delays), releaseDelays: DurationStatistics(releases), poll: poll,
            earlierIndex: earlierIndex)
    }

    var fold: AlignmentResult {
        var fold = AlignmentResult(stage: stage, relation: relation)
        for pair in matching.pairs {
            guard let press = later.presses[pair.second].ordinal else { continue }
            fold.durations[press] = delay(earlier.presses[pair.first].down, later.presses[pair.second].down)
            if let own = earlier.presses[pair.first].ordinal { fold.stages[press] = earlier.stages[own] }
        }
        let seen = "seen by \(earlier.clockName), not by \(later.clockName)"
        fold.losses = lostRuns.map { run in
            let loss = LossRecord(cause: .dropped, count: run.count, duration: nil, detail: seen)
            return (TraceTime(nanoseconds: run.time), loss)
        }
        fold.environment = environment
        return fold
    }

    /// Results of the alignment for which no record kind has a field.
    private var environment: [EnvironmentRecord] {
        let name = stage.name
        var facts = [EnvironmentRecord(name: "\(name).from", value: known == nil ? "fastest press" : "one clock")]
        func add(_ fact: String, _ durations: [TraceDuration]) {
            guard let delays = DurationStatistics(durations) else { return }
            let values: [(part: String, value: String?)] = [
                ("n", "\(delays.count)"), ("p50", delays.p50?.text), ("p99", delays.p99?.text),
                ("max", delays.max.text),
            ]
            for case let (part, value?) in values {
                facts.append(EnvironmentRecord(name: "\(name).\(fact).\(part)", value: value))
            }
        }
        add("down", delays)
        add("up", releases)
        return facts + (poll?.environment ?? [])
    }
}
