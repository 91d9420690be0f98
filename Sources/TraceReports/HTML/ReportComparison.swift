package import KeyModel
package import LatencyAnalysis
package import TraceFormat

/// The comparison of a page's two traces, in values and words.
package struct ReportComparison: Sendable {
    /// `3 changed · 0 added · 1 removed · 208 unchanged`
    package var summary: String
    /// Resolutions and counts are the same.
    package var isIdentical: Bool
    /// Responders that only changed their name, a line each.
    package var renames: [String]
    package var changes: [Change]
    /// Exact counts that differ; `nil` where one of the traces does not have them.
    package var counts: [Count]?
    /// `nil` where one of the traces has no times.
    package var times: [Time]?
    /// Every press and repeat of both, in order.
    package var pairs: [AlignedPress]

    /// A press whose result differs, or that only one of the two has.
    package struct Change: Sendable {
        package var base: PressTick?
        package var head: PressTick?
        package var key: String
        package var was: String
        package var now: String
        package var why: String

        package init(base: PressTick?, head: PressTick?, key: String, was: String, now: String, why: String) {
            (self.base, self.head, self.key) = (base, head, key)
            (self.was, self.now, self.why) = (was, now, why)
        }
    }

    /// A sum over all paired presses that differs.
    package struct Count: Hashable, Sendable {
        /// Such as `calls.keyCommands`, `keyCommands of tabs`, `cache.hits`.
        package var name: String
        package var base: UInt64
        package var head: UInt64
        /// Presses in which it differs.
        package var affected: Int
        /// The first of them, in the second trace.
        package var presses: [UInt32]

        package init(name: String, base: UInt64, head: UInt64, affected: Int, presses: [UInt32]) {
            (self.name, self.base, self.head) = (name, base, head)
            (self.affected, self.presses) = (affected, presses)
        }
    }

    package struct Time: Sendable {
        /// `nil`: the total.
        package var stage: LatencyStage?
        package var base: DurationStatistics
        package var head: DurationStatistics
        /// `+15.0 %`, of the medians; empty where there is nothing to compare with.
        package var difference: String
        /// The chance of such a difference, in words.
        package var probability: String
        package var isNotable: Bool

        package init(
            stage: LatencyStage?, base: DurationStatistics, head: DurationStatistics, difference: String,
            probability: String, isNotable: Bool
        ) {
            (self.stage, self.base, self.head) = (stage, base, head)
            (self.difference, self.probability, self.isNotable) = (difference, probability, isNotable)
        }
    }

    package init(
        summary: String, isIdentical: Bool, renames: [String], changes: [Change], counts: [Count]?, times: [Time]?,
        pairs: [AlignedPress]
    ) {
        (self.summary, self.isIdentical, self.renames) = (summary, isIdentical, renames)
        (self.changes, self.counts, self.times, self.pairs) = (changes, counts, times, pairs)
    }
}

extension ReportComparison {
    /// The most changes in a page; the number left out is reported.
    private static let changeLimit = 1000

    /// `shown`: the presses of both that the page shows.
    func write(to json: inout JSONText, shown: (base: PressChoice, head: PressChoice), _ room: ReportPage.Room) {
        let limit = room.rows(ReportComparison.changeLimit)
        json.object { json in
            json.member("summary", summary)
            json.member("identical", isIdentical)
            json.member("renames", HumanNumbers.first(limit, of: renames) { $0 })
            json.member("leftOut", max(0, changes.count - limit))
            json.member("changes", rows: changes.prefix(limit)) { json, change in
                json.value(ReportComparison.id(change.base))
                json.value(ReportComparison.id(change.head))
                for text in [change.key, change.was, change.now, change.why] { json.value(text) }
            }
            writeCounts(&json)
            writeTimes(&json)
            let kept = pairs.filter { pair in
                pair.base.map(shown.base.chosen.contains) ?? false || pair.head.map(shown.head.chosen.contains) ?? false
            }
            json.member("pairCount", pairs.count)
            json.member("pairs", rows: kept) { json, pair in
                json.value(ReportComparison.id(pair.base))
                json.value(ReportComparison.id(pair.head))
                json.value(pair.isChanged ? 1 : 0)
            }
        }
    }

    /// `118`, or `118.2` for its second repeat; `nil` for text without a key as well.
    private static func id(_ at: PressTick?) -> String? {
        guard let at, at.press > 0 else { return nil }
        return at.tick == 0 ? "\(at.press)" : "\(at.press).\(at.tick)"
    }

    private func writeCounts(_ json: inout JSONText) {
        json.member("counts", rows: counts) { json, count in
            json.value(count.name)
            json.value(count.base)
            json.value(count.head)
            json.value(count.affected)
            json.array(count.presses) { $0.value($1) }
        }
    }

    private func writeTimes(_ json: inout JSONText) {
        json.member("times", rows: times) { json, time in
            json.value(time.stage?.rawValue)
            for side in [time.base, time.head] {
                json.row { json in
                    json.value(side.count)
                    for duration in [side.p50, side.p90, side.p99, side.max] { json.value(duration?.nanoseconds) }
                }
            }
            json.value(time.difference)
            json.value(time.probability)
            json.value(time.isNotable)
        }
    }
}
