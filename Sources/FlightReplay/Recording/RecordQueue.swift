/// Things that belong to places in a trace, taken from the front.
struct RecordQueue<Element> {
    private var entries: [(place: UInt64, element: Element)] = []
    private var start = 0

    /// Places must not descend.
    mutating func append(_ element: Element, at place: UInt64) { entries.append((place, element)) }

    var first: UInt64? { start < entries.count ? entries[start].place : nil }
    var last: UInt64? { start < entries.count ? entries[entries.count - 1].place : nil }

    /// The first element of a place.
    subscript(place: UInt64) -> Element? {
        var (low, high) = (start, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].place < place { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].place == place ? entries[low].element : nil
    }

    /// Removes from the front what is no longer wanted.
    mutating func drop(while isBehind: (UInt64, Element) -> Bool) {
        while start < entries.count, isBehind(entries[start].place, entries[start].element) { start += 1 }
        guard start > 256, start * 2 > entries.count else { return }
        entries.removeFirst(start)
        start = 0
    }

    mutating func drop(while isBehind: (UInt64) -> Bool) { drop { place, _ in isBehind(place) } }
}
