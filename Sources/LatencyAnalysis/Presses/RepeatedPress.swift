import TraceFormat
import TracePresses
import KeyModel

/// A press with the outcomes of its repeats.
struct RepeatedPress: Sendable {
    private(set) var press: TracePress
    private(set) var repeats = PressExplanation.Repeats()
    /// Another press has its number.
    private var isReplaced = false
    private let keysStop: String?
    private let departures: ChainDepartures?

    init(press: TracePress, keysStop: String? = nil, departures: ChainDepartures? = nil) {
        (self.press, self.keysStop, self.departures) = (press, keysStop, departures)
    }

    /// Counts a repeat, where it is one of this press.
    mutating func add(_ tick: TracePress) {
        guard tick.isRepeat, tick.at.press == press.at.press, !isReplaced else { return }
        repeats.count += 1
        if let resolution = tick.resolution { repeats.outcomes.add(resolution.outcome) }
    }

    /// Notes what comes of the press after it was delivered.
    mutating func noteLate(_ record: TraceRecord) {
        if case .key(let key) = record.body, key.phase == .down, key.press == press.at.press { isReplaced = true }
        if !isReplaced { press.noteLate(record) }
    }

    /// Returns true if it was resolved and released by then, so that no more repeats come.
    func isOver(at time: TraceTime) -> Bool {
        guard let release = press.release?.time, let resolution = press.resolutionTime else { return false }
        return max(release, resolution) <= time
    }

    func explanation(
        search: PressExplanation.Search? = nil, _ definitions: TraceDefinitions
    ) -> PressExplanation {
        var found = press.explanation(search: search, repeats: repeats, definitions: definitions)
        found.keysStop = keysStop
        for (responder, left) in departures?.departed ?? [:] where left.change.press ?? 0 < press.at.press {
            guard let id = definitions.id(of: responder), let first = definitions.id(of: left.first) else { continue }
            found.departures[id] = UnaskedOffer.Departure(firstResponder: first, change: left.change)
        }
        return found
    }
}
