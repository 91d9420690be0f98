import TraceFormat
import TracePresses
import KeyModel

/// A press with the outcomes of its repeats.
struct RepeatedPress: Sendable {
    let press: TracePress
    private(set) var repeats = PressExplanation.Repeats()

    init(press: TracePress) { self.press = press }

    /// Counts a repeat, where it is one of this press.
    mutating func add(_ tick: TracePress) {
        guard tick.at.press == press.at.press else { return }
        for resolution in tick.resolutions {
            repeats.count += 1
            if let at = repeats.outcomes.firstIndex(where: { $0.outcome == resolution.outcome }) {
                repeats.outcomes[at].count += 1
            } else {
                repeats.outcomes.append(TraceStatistics.OutcomeCount(outcome: resolution.outcome, count: 1))
            }
        }
    }

    func explanation(
        search: PressExplanation.Search? = nil, _ definitions: TraceDefinitions
    ) -> PressExplanation {
        press.explanation(search: search, repeats: repeats, definitions: definitions)
    }
}

/// Presses in the order of their downs, each with its repeats, out of presses and repeats in the order of arrival.
struct RepeatedPresses: Sendable {
    private var waiting: [RepeatedPress] = []
    private var finished: [RepeatedPress] = []
    /// Presses whose repeats may still come. Real ones overlap by a handful.
    private static let limit = 64

    mutating func add(_ tick: TracePress) {
        guard !tick.isRepeat else {
            for at in waiting.indices { waiting[at].add(tick) }
            return
        }
        guard tick.key != nil else { return }
        // Repeats come before the key is up.
        let isOver = { (press: RepeatedPress) in press.press.release.map { $0.time < tick.time } ?? false }
        while let first = waiting.first, isOver(first) || waiting.count >= RepeatedPresses.limit {
            finished.append(waiting.removeFirst())
        }
        waiting.append(RepeatedPress(press: tick))
    }

    mutating func finish() {
        finished += waiting
        waiting.removeAll()
    }

    /// Explains those that were over since the last call.
    mutating func takeExplanations(_ definitions: TraceDefinitions) -> [PressExplanation] {
        guard !finished.isEmpty else { return [] }
        defer { finished.removeAll(keepingCapacity: true) }
        return finished.map { $0.explanation(definitions) }
    }
}
