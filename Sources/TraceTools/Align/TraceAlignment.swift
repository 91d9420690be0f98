package import KeyModel
package import TraceFormat

/// Two traces of the same typing as one, on one time base.
///
/// One of them recorded the presses earlier on their way: a bus capture, or the log of a switch. Its presses are
/// matched with those of the other – the presses of an app or of evdev – by key, or by class where text is masked, and
/// by time. Each matched press stays one press, that of the later trace with the same ordinal, and gets the stage that
/// lies between: `hid` after a switch, else `transport`. Presses that are in the earlier trace alone become losses in
/// their place. The relation of the clocks is stored as a `clock_relation`.
///
/// Where both clocks are wall-clock time of one machine, stages are differences of timestamps. Otherwise a constant
/// delay cannot be distinguished from a difference of clocks: stages are then counted from the press that was fastest.
package struct TraceAlignment: Sendable {
    /// The fewest presses in common for a meaningful alignment.
    package static let fewestPresses = 8

    package struct Summary: Sendable {
        package var join = TraceMerge.Summary()
        /// Names of clocks are those of the traces by themselves.
        package var relation: ClockRelationRecord
        package var stage: LatencyStage
        /// Presses of the earlier and of the later trace while both were recorded.
        package var earlier: Int
        package var later: Int
        /// Presses that only the earlier trace has, without those during a secure entry.
        package var lost: Int
        /// Stages are differences of timestamps of one clock.
        package var isOneClock: Bool
        /// Delays of the downs.
        package var delays: DurationStatistics?
        /// Delays of the ups of the same presses; `nil` where neither trace has any.
        package var releaseDelays: DurationStatistics?
        /// The polling interval of the later trace's presses; only after a switch.
        package var poll: PollFacts?
        /// Index of the argument whose trace recorded the presses earlier.
        package var earlierIndex: Int
    }

    /// The reason why two traces cannot be aligned.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package var common: Int
        package var earlier: Int
        package var later: Int
        package var description: String {
            common < TraceAlignment.fewestPresses
                ? "alignment: expected at least \(TraceAlignment.fewestPresses) presses in common, found \(common) of "
                    + "\(earlier) and \(later)"
                : "alignment: expected half of the presses in common, found \(common) of \(earlier) and \(later); "
                    + "are they of the same typing?"
        }
    }

    private let traces: [TraceBytes]
    private let showsKeys: Bool

    /// In any order; the first is the earlier where their sources do not determine it.
    package init(_ first: TraceBytes, _ second: TraceBytes, showsKeys: Bool = false) {
        traces = [first, second]
        self.showsKeys = showsKeys
    }

    /// Throws `Refusal`, and what reading and the sink throw.
    package func run(to sink: @escaping TraceWriter.Sink) throws -> Summary {
        let all = try traces.map { try PressTimes($0) }
        let earlierIndex = all[1].place < all[0].place ? 1 : 0
        let (earlier, later) = (all[earlierIndex], all[1 - earlierIndex])
        var matched = try AlignedPresses(earlier, later)
        matched.earlierIndex = earlierIndex
        var join = try TraceJoin(
            [traces[1 - earlierIndex], traces[earlierIndex]], showsKeys ? .shown : .masked,
            lines: [TimeLine(), matched.line], fold: matched.fold, to: sink)
        var summary = matched.summary
        summary.join = try join.write()
        return summary
    }
}
