package import TraceFormat
import KeyModel

/// The presses and repeats that a page of bounded size shows: all of them while there are few, else the slow ones,
/// those that findings name, and of the rest one in so many.
package struct PressChoice: Sendable {
    package private(set) var chosen: Set<PressTick>
    /// Presses of priority: slow, or named by a finding. Empty where all are shown.
    package private(set) var notable: Set<PressTick>
    /// Presses and repeats that there are.
    package private(set) var count: Int

    package var leftOut: Int { count - chosen.count }

    /// At most `limit` of the presses: the notable ones first, and of the others one in so many.
    package func presses(atMost limit: Int) -> Set<UInt32> {
        var some = Set(notable.sorted().prefix(limit).map(\.press))
        let rest = Set(chosen.map(\.press)).subtracting(some).sorted()
        let room = min(rest.count, max(0, limit - some.count))
        for place in 0..<room { some.insert(rest[place * rest.count / room]) }
        return some
    }

    /// `limit`: as many are shown at most.
    package init(_ facts: FlightFacts, limit: Int) {
        self.init(
            facts.ticks, limit: limit,
            notable: facts.findings.flatMap(\.evidence).map { PressTick(press: $0.press, tick: $0.tick) }
                + facts.top.policies.flatMap(\.stalePresses).map { PressTick(press: $0, tick: 0) }
                + facts.tail.slow.map { PressTick(press: $0.press, tick: 0) })
    }

    init(chosen: Set<PressTick>, notable: Set<PressTick>, count: Int) {
        (self.chosen, self.notable, self.count) = (chosen, notable, count)
    }

    init(_ ticks: [FlightSurvey.Timed], limit: Int, notable named: [PressTick]) {
        count = ticks.count
        let known = Set(ticks.map(\.at))
        guard known.count > limit else {
            chosen = known
            notable = []
            count = known.count
            return
        }
        // A quarter for what findings name and a quarter for what is slow at the most: half of the page is even.
        notable = Set(named.filter(known.contains).prefix(limit / 4))
        let slow = ticks.filter { $0.total != nil }.sorted { a, b in
            a.total != b.total ? (a.total ?? .zero) > (b.total ?? .zero) : a.at < b.at
        }
        for tick in slow.prefix(limit / 4) { notable.insert(tick.at) }
        chosen = notable
        let rest = ticks.map(\.at).filter { !notable.contains($0) }
        let room = max(1, limit - chosen.count)
        for place in 0..<min(room, rest.count) { chosen.insert(rest[place * rest.count / room]) }
        count = known.count
    }
}
