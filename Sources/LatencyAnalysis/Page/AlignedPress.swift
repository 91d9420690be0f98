package import TraceFormat

/// A press or repeat in two traces that were aligned; in one of them it may be missing.
package struct AlignedPress: Hashable, Sendable {
    package var base: PressTick?
    package var head: PressTick?
    /// Its outcome changed, or it is in one of the two alone.
    package var isChanged: Bool

    package init(base: PressTick?, head: PressTick?, isChanged: Bool) {
        self.base = base
        self.head = head
        self.isChanged = isChanged
    }
}

extension PressChoice {
    /// The same presses of two traces: those that changed first, then as of one trace. `limit`: most pairs that
    /// are shown.
    package static func pairs(
        _ pairs: [AlignedPress], base: TimelineFacts, head: TimelineFacts, limit: Int
    ) -> (base: PressChoice, head: PressChoice) {
        func all(_ at: [PressTick], of facts: TimelineFacts, notable: Set<PressTick>) -> PressChoice {
            PressChoice(
                chosen: Set(at).intersection(Set(facts.ticks.map(\.at))), notable: notable, count: facts.ticks.count)
        }
        guard pairs.count > limit else {
            return (
                all(pairs.compactMap(\.base), of: base, notable: []),
                all(pairs.compactMap(\.head), of: head, notable: [])
            )
        }
        let (ofBase, ofHead) = (PressChoice(base, limit: limit), PressChoice(head, limit: limit))
        var kept: Set<AlignedPress> = Set(pairs.filter(\.isChanged).prefix(limit / 4))
        for pair in pairs where kept.count < limit / 2 {
            let isNotable = pair.base.map(ofBase.notable.contains) ?? false
                || pair.head.map(ofHead.notable.contains) ?? false
            if isNotable { kept.insert(pair) }
        }
        let notable = kept
        let rest = pairs.filter { !kept.contains($0) }
        kept.formUnion(rest.evenly(max(1, limit - kept.count)))
        return (
            all(kept.compactMap(\.base), of: base, notable: Set(notable.compactMap(\.base))),
            all(kept.compactMap(\.head), of: head, notable: Set(notable.compactMap(\.head)))
        )
    }
}
