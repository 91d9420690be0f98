/// A set of actions that is searched by the hash each selector carries: a question costs a few nanoseconds, which
/// matters because every press asks responders up the chain whether they perform its action.
public struct SelectorSet: Sendable {
    /// Open addressing; half of the places are free at least.
    private var places: [Selector?] = []

    public init(_ selectors: some Collection<Selector>) {
        var capacity = 2
        while capacity < selectors.count * 2 { capacity *= 2 }
        places = Array(repeating: nil, count: selectors.isEmpty ? 0 : capacity)
        for selector in selectors {
            let place = place(of: selector)
            places[place] = selector
        }
    }

    public func contains(_ selector: Selector) -> Bool { !places.isEmpty && places[place(of: selector)] != nil }

    /// Where the selector is, or the free place where it belongs.
    private func place(of selector: Selector) -> Int {
        let mask = places.count - 1
        // The low bits of an FNV hash depend on the low bits of each character only; the high ones on all.
        var place = Int(truncatingIfNeeded: selector.hash ^ selector.hash >> 32) & mask
        while let other = places[place], other != selector { place = (place + 1) & mask }
        return place
    }
}
