package import KeyModel
package import TraceFormat
import TracePresses

/// Statistics of some presses, and of groups of them.
package struct PressGroups: Hashable, Sendable {
    /// Properties by which presses are grouped.
    package enum Key: String, CaseIterable, Sendable {
        case responder, chord, outcome, window
        /// The stage that took the longest.
        case stage
    }

    package struct Group: Hashable, Sendable {
        /// Empty where a press has no such thing.
        package var name: String
        package var presses: UInt64
        package var repeats: UInt64
        /// Totals of first presses; `nil` where none has one.
        package var total: DurationStatistics?
    }

    package var key: Key
    /// The groups with the most time first, then those with the most presses, then by name.
    package var groups: [Group]
}

/// A held key: what came of its repeats, and whether they came faster than they were served.
package struct HeldKey: Hashable, Sendable {
    package var press: UInt32
    package var chord: PressChord
    /// `nil` where nothing ran.
    package var action: String?
    /// With those that were never decided.
    package var repeats: UInt64
    package var performed: UInt64
    /// Mean time from one decided repeat to the next.
    package var interval: TraceDuration
    /// Mean time that serving one took; `nil` where nothing was recorded or declared.
    package var service: TraceDuration?
    /// The longest that a repeat had to wait for those before it.
    package var longestWait: TraceDuration?
    /// Time that repeats were still being served after the key came up; `nil` where it is not known.
    package var runsOn: TraceDuration?

    /// Growth of the backlog per repeat; `nil` where repeats are served in time, or nothing is known.
    package var overrun: TraceDuration? {
        guard let service, service > interval else { return nil }
        return TraceDuration(nanoseconds: service.nanoseconds - interval.nanoseconds)
    }
}

/// Times and durations of presses, for a scatter plot.
package struct LatencyCloud: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
        package var time: TraceTime
        package var total: TraceDuration
    }
    package private(set) var points: [Point] = []
    /// One in `stride` presses is kept.
    package private(set) var stride: UInt64 = 1
    private var seen: UInt64 = 0
    private static let limit = 65_536

    /// Keeps every press until there are too many, then every other one, and so on.
    mutating func add(_ time: TraceTime, _ total: TraceDuration) {
        defer { seen &+= 1 }
        guard seen % stride == 0 else { return }
        if points.count == LatencyCloud.limit {
            points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            stride *= 2
            guard seen % stride == 0 else { return }
        }
        points.append(Point(time: time, total: total))
    }
}

/// Collects the presses that a filter lets through, groups of them, and held keys; without a filter, the statistics of
/// the whole trace as well.
package struct PressSurvey: TraceConsumer, Sendable {
    private var filter: PressFilter?
    private var key: PressGroups.Key?
    /// The field of filters that has the groups' names; `nil` for stages.
    private let field: PressField?
    private var assembler = PressAssembler(.decision, .decided)
    /// The presses and repeats that the filter let through; empty without one.
    package private(set) var chosen: Set<PressTick> = []
    /// Of the whole trace; not used with a filter, whose statistics take another reading (`ChosenStatistics`).
    private var statistics = TraceStatisticsBuilder()
    private var groups: [ByteName: Samples] = [:]
    private var spans: StageSpanSamples?
    private var held: [HeldKey] = []
    /// Release of the key of `hold`.
    private var release: (press: UInt32, time: TraceTime)?
    private var hold: Hold?
    /// Repeats of each key that came, decided or not.
    private var repeats = PressNumbers<UInt32>()
    package private(set) var cloud = LatencyCloud()
    /// Most groups that are kept apart; the rest are together in one without a name.
    private static let groupLimit = 4096
    private static let heldLimit = 4096

    private struct Samples: Sendable {
        var presses: UInt64 = 0
        var repeats: UInt64 = 0
        var total = DurationPercentiles()
    }

    private struct Hold: Sendable {
        var key: HeldKey
        var first: TraceTime
        var last: TraceTime
        var service = TraceDuration.zero
        var served: Int64 = 0
        /// End of the last service.
        var idleFrom: TraceTime?
    }

    package init(where filter: PressFilter? = nil, by key: PressGroups.Key? = nil, span: StageRange? = nil) {
        self.filter = filter
        self.key = key
        field = key.flatMap { PressField(name: $0.rawValue) }
        spans = span.map(StageSpanSamples.init)
    }

    package mutating func begin(_ entries: [ContextEntry]) {
        statistics.begin(entries)
        assembler = PressAssembler(.decision, .decided, context: entries)
    }

    package mutating func consume(_ record: TraceRecord, definitions: TraceDefinitions) {
        if filter == nil { statistics.consume(record, definitions: definitions) }
        assembler.consume(record)
        takeClosed(definitions)
        guard case .key(let key) = record.body, let press = key.press else { return }
        if key.phase == .repeat { repeats[press] &+= 1 }
        if key.phase == .up || key.phase == .cancel { release = (press, record.time) }
    }

    private mutating func takeClosed(_ definitions: TraceDefinitions) {
        while let tick = assembler.next() {
            guard tick.isPressOrRepeat, filter.map({ $0.matches(tick, definitions) }) ?? true else { continue }
            if filter != nil { chosen.insert(tick.at) }
            if !tick.isRepeat { spans?.add(tick.stages) }
            note(tick, definitions)
        }
    }

    private mutating func note(_ tick: TracePress, _ names: TraceDefinitions) {
        if !tick.isRepeat, let total = tick.stages.total { cloud.add(tick.time, total) }
        noteHold(tick, names)
        guard let key else { return }
        var name = ByteName((key == .stage ? tick.stages.longest?.name : field?.text(of: tick, names)) ?? "")
        if groups[name] == nil, groups.count >= PressSurvey.groupLimit { name = ByteName("") }
        if tick.isRepeat {
            groups[name, default: Samples()].repeats += 1
        } else {
            groups[name, default: Samples()].presses += 1
            if let total = tick.stages.total { groups[name, default: Samples()].total.add(total) }
        }
    }

    private mutating func noteHold(_ tick: TracePress, _ names: TraceDefinitions) {
        guard tick.isRepeat else {
            endHold()
            let resolution = tick.resolution
            let action = resolution?.outcome == .performed ? resolution.map { names.actionName($0) } : nil
            let key = HeldKey(
                press: tick.at.press, chord: tick.chord(names), action: action, repeats: 0, performed: 0,
                interval: .zero, service: nil, longestWait: nil)
            hold = Hold(key: key, first: tick.time, last: tick.time)
            return
        }
        guard var now = hold, now.key.press == tick.at.press else { return }
        // From the first repeat on: what comes before it is the delay.
        if now.key.repeats == 0 { now.first = tick.time }
        now.last = tick.time
        now.key.repeats += 1
        now.key.performed += UInt64(tick.resolutions.count { $0.outcome == .performed })
        if let service = tick.stages.service {
            now.service = now.service + service
            now.served += 1
        }
        if let total = tick.stages.total { now.idleFrom = tick.time.advanced(by: total) }
        if let wait = tick.stages[.inputDelay] { now.key.longestWait = max(now.key.longestWait ?? .zero, wait) }
        hold = now
    }

    private mutating func endHold() {
        guard var ended = hold else { return }
        hold = nil
        guard ended.key.repeats > 0, held.count < PressSurvey.heldLimit else { return }
        let gaps = Int64(clamping: max(1, ended.key.repeats - 1))
        ended.key.interval = TraceDuration(nanoseconds: ended.last.since(ended.first).nanoseconds / gaps)
        ended.key.repeats = max(ended.key.repeats, UInt64(repeats[ended.key.press]))
        if ended.served > 0 {
            ended.key.service = TraceDuration(nanoseconds: ended.service.nanoseconds / ended.served)
        }
        if let release, release.press == ended.key.press, let idleFrom = ended.idleFrom {
            ended.key.runsOn = max(idleFrom.since(release.time), .zero)
        }
        held.append(ended.key)
    }

    /// Durations of the span of stages; `nil` without one.
    package mutating func spanStatistics() -> StageSpanStatistics? { spans?.statistics() }

    /// Ends the reading: everything consumed is counted.
    package mutating func finish(definitions: TraceDefinitions) {
        assembler.finish()
        takeClosed(definitions)
        endHold()
    }

    /// The statistics of the whole trace, where there is no filter.
    package mutating func statistics(of file: TraceFileFacts = TraceFileFacts()) -> TraceStatistics {
        statistics.statistics(of: file)
    }

    package mutating func grouped() -> PressGroups? {
        guard let key else { return nil }
        let all = groups.map { name, samples -> PressGroups.Group in
            var samples = samples
            return PressGroups.Group(
                name: name.text, presses: samples.presses, repeats: samples.repeats, total: samples.total.statistics())
        }
        let sorted = all.sorted { a, b in
            let (timeA, timeB) = (a.total?.sum ?? .zero, b.total?.sum ?? .zero)
            if timeA != timeB { return timeA > timeB }
            return a.presses != b.presses ? a.presses > b.presses : ByteName(a.name) < ByteName(b.name)
        }
        return PressGroups(key: key, groups: sorted)
    }

    /// Held keys: those whose backlog grows the most first, then those with the most repeats.
    package var heldKeys: [HeldKey] {
        held.sorted { a, b in
            let (growthA, growthB) = (a.overrun ?? .zero, b.overrun ?? .zero)
            if growthA != growthB { return growthA > growthB }
            return a.repeats != b.repeats ? a.repeats > b.repeats : a.press < b.press
        }
    }
}
