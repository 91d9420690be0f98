public import KeyModel
public import TraceFormat

/// Two traces of the same typing as one, on one time base.
///
/// One of them saw the presses earlier on their way: a bus capture, or the log of a switch. Its presses are matched
/// with those of the other – the presses of an app or of evdev – by key, or by class where text is masked, and by time.
/// Each matched press stays one press, that of the later trace with the same ordinal, and gets the stage that lies
/// between: `hid` after a switch, else `transport`. Presses that only the earlier trace saw become losses in their
/// place. How the clocks stand to each other is a `clock_relation`.
///
/// Where both clocks are wall-clock time of one machine, stages are differences of stamps. Otherwise nobody can tell a
/// constant delay from a difference of clocks: stages are then counted from the press that was fastest.
public struct TraceAlignment: Sendable {
    /// The fewest presses in common that say something.
    public static let fewestPresses = 8

    public struct Summary: Sendable {
        public var join = TraceMerge.Summary()
        /// Names of clocks are those of the traces by themselves.
        public var relation: ClockRelationRecord
        public var stage: LatencyStage
        /// Presses of the earlier and of the later trace while both were recorded.
        public var earlier: Int
        public var later: Int
        /// Presses that only the earlier trace has, without those during a secure entry.
        public var lost: Int
        /// Stages are differences of stamps of one clock.
        public var isOneClock: Bool
        /// Of the downs.
        public var delays: DelayFacts
        /// Of the ups of the same presses; `nil` where neither trace has any.
        public var releaseDelays: DelayFacts?
        /// The rhythm in which the later trace's presses came; only after a switch.
        public var poll: PollFacts?
        /// Which of the two arguments saw the presses earlier.
        public var earlierIndex: Int
    }

    /// Why two traces cannot be aligned.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        public var common: Int
        public var earlier: Int
        public var later: Int
        public var description: String {
            common < TraceAlignment.fewestPresses
                ? "alignment: expected at least \(TraceAlignment.fewestPresses) presses in common, found \(common) of "
                    + "\(earlier) and \(later)"
                : "alignment: expected half of the presses in common, found \(common) of \(earlier) and \(later); "
                    + "are they of the same typing?"
        }
    }

    private let traces: [TraceBytes]
    private let showsKeys: Bool

    /// In any order; the one that stands first is the earlier where their sources do not tell.
    public init(_ first: TraceBytes, _ second: TraceBytes, showsKeys: Bool = false) {
        traces = [first, second]
        self.showsKeys = showsKeys
    }

    /// Throws `Refusal`, and what reading and the sink throw.
    public func run(to sink: @escaping TraceWriter.Sink) throws -> Summary {
        let all = try traces.map { try PressTimes($0) }
        let earlierIndex = all[1].place < all[0].place ? 1 : 0
        let (earlier, later) = (all[earlierIndex], all[1 - earlierIndex])
        var matched = try AlignedPresses(earlier, later)
        matched.earlierIndex = earlierIndex
        let sources = [traces[1 - earlierIndex], traces[earlierIndex]].map { TraceMerge.Source($0) }
        var join = try TraceJoin(
            sources, showsKeys ? .shown : .masked, lines: [TimeLine(), matched.line], fold: matched.fold)
        var summary = matched.summary
        summary.join = try join.write(to: sink)
        return summary
    }
}

/// Order statistics of how long presses took.
public struct DelayFacts: Hashable, Sendable {
    public var count: Int
    public var median: TraceDuration
    /// `nil` below 100.
    public var p99: TraceDuration?
    public var shortest: TraceDuration
    public var longest: TraceDuration

    init(_ delays: [Int64]) {
        let sorted = delays.sorted()
        count = sorted.count
        median = TraceDuration(nanoseconds: sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 2])
        p99 = sorted.count < 100 ? nil : TraceDuration(nanoseconds: sorted[(sorted.count * 99 + 99) / 100 - 1])
        shortest = TraceDuration(nanoseconds: sorted.first ?? 0)
        longest = TraceDuration(nanoseconds: sorted.last ?? 0)
    }
}
