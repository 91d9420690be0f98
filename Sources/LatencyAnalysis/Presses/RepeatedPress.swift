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

    /// It was resolved and released by then, so that no more repeats come.
    func isOver(at time: TraceTime) -> Bool {
        guard let release = press.release?.time, let resolution = press.resolutionTime else { return false }
        return max(release, resolution) <= time
    }

    func explanation(
        search: PressExplanation.Search? = nil, _ definitions: TraceDefinitions
    ) -> PressExplanation {
        press.explanation(search: search, repeats: repeats, definitions: definitions)
    }
}

/// Presses with their repeats, out of presses and repeats in the order of arrival. They come in the order of their
/// downs, but for those that were not resolved and released when a later key went down: these come when they are, and
/// at the latest at the end.
struct RepeatedPresses: Sendable {
    private var waiting: [RepeatedPress] = []
    private var finished: [RepeatedPress] = []
    /// Presses that wait. Real ones overlap by a handful.
    private static let limit = 64

    mutating func add(_ tick: TracePress) {
        guard !tick.isRepeat else {
            for at in waiting.indices { waiting[at].add(tick) }
            return
        }
        guard tick.key != nil, !tick.isAbandoned else { return }
        finished += waiting.filter { $0.isOver(at: tick.time) }
        waiting.removeAll { $0.isOver(at: tick.time) }
        if waiting.count >= RepeatedPresses.limit { finished.append(waiting.removeFirst()) }
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
