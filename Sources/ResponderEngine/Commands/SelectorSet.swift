/// A set of actions that is searched by the hash each selector carries: a question costs a few nanoseconds, which
/// matters because every press asks responders up the chain whether they perform its action.
public struct SelectorSet: Sendable {
    /// Open addressing; half of the places are free at least. 0 marks a free place.
    private var hashes: [UInt64]
    /// The selector of each place.
    private var selectors: [Selector?]

    public init(_ members: some Collection<Selector>) {
        var capacity = 2
        while capacity < members.count * 2 { capacity *= 2 }
        hashes = Array(repeating: 0, count: capacity)
        selectors = Array(repeating: nil, count: capacity)
        for selector in members {
            let place = place(of: selector)
            hashes[place] = SelectorSet.mark(selector)
            selectors[place] = selector
        }
    }

    public func contains(_ selector: Selector) -> Bool { hashes[place(of: selector)] != 0 }

    private static func mark(_ selector: Selector) -> UInt64 { selector.hash | 1 }

    /// The place of the selector, or the free place where it belongs.
    private func place(of selector: Selector) -> Int {
        let mask = hashes.count - 1
        let mark = SelectorSet.mark(selector)
        // The low bits of an FNV hash depend on the low bits of each character only; the high ones on all.
        var place = Int(truncatingIfNeeded: mark >> 1 ^ mark >> 32) & mask
        while hashes[place] != 0 {
            if hashes[place] == mark, selectors[place] == selector { return place }
            place = (place + 1) & mask
        }
        return place
    }
}
