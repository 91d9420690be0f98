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
        let some = Set(notable.sorted().prefix(limit).map(\.press))
        let rest = Set(chosen.map(\.press)).subtracting(some).sorted()
        let room = min(rest.count, max(0, limit - some.count))
        return some.union(rest.evenly(room))
    }

    /// `limit`: as many are shown at most.
    package init(_ facts: TimelineFacts, limit: Int) {
        self.init(
            facts.ticks, limit: limit,
            notable: facts.findings.flatMap(\.evidence).map { PressTick(press: $0.press, tick: $0.tick) }
                + facts.top.policies.flatMap(\.stalePresses).map { PressTick(press: $0, tick: 0) }
                + facts.tail.slow.map { PressTick(press: $0.press, tick: 0) })
    }

    init(chosen: Set<PressTick>, notable: Set<PressTick>, count: Int) {
        (self.chosen, self.notable, self.count) = (chosen, notable, count)
    }

    init(_ ticks: [TimelineSurvey.Timed], limit: Int, notable named: [PressTick]) {
        let known = Set(ticks.map(\.at))
        count = known.count
        guard known.count > limit else {
            chosen = known
            notable = []
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
        chosen.formUnion(rest.evenly(max(1, limit - chosen.count)))
    }
}

extension Array {
    /// One in so many elements: `count` of them, where there are more.
    func evenly(_ count: Int) -> [Element] {
        (0..<Swift.min(count, self.count)).map { self[$0 * self.count / count] }
    }
}
