import TraceFormat
import TracePresses
import KeyModel

/// A press with the outcomes of its repeats.
struct RepeatedPress: Sendable {
    private(set) var press: TracePress
    private(set) var repeats = PressExplanation.Repeats()
    private let keysStop: String?
    private let departures: ChainDepartures?

    init(press: TracePress, keysStop: String? = nil, departures: ChainDepartures? = nil) {
        (self.press, self.keysStop, self.departures) = (press, keysStop, departures)
    }

    /// Counts a repeat, where it is one of this press.
    mutating func add(_ tick: TracePress) {
        guard tick.at.press == press.at.press else { return }
        repeats.count += 1
        if let resolution = tick.resolution { repeats.outcomes.add(resolution.outcome) }
    }

    /// Notes the release of a press that was held for longer than its assembler waits.
    mutating func noteRelease(_ record: TraceRecord) { press.noteLateRelease(record) }

    /// Notes samples that came after the press was delivered.
    mutating func append(_ samples: SamplesRecord, at time: TraceTime) { press.append(samples, at: time) }

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
