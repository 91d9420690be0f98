import KeyModel

/// Things that belong to places in a trace, taken from the front.
struct RecordQueue<Element> {
    private var entries: [(place: UInt64, element: Element)] = []
    private var start = 0

    /// Places must not descend.
    mutating func append(_ element: Element, at place: UInt64) { entries.append((place, element)) }

    var first: UInt64? { start < entries.count ? entries[start].place : nil }
    var last: UInt64? { start < entries.count ? entries[entries.count - 1].place : nil }

    var count: Int { entries.count - start }

    /// Number of elements at this place and behind it.
    func count(from place: UInt64) -> Int { entries.count - index(of: place) }

    /// The first element of a place.
    subscript(place: UInt64) -> Element? {
        let index = index(of: place)
        return index < entries.count && entries[index].place == place ? entries[index].element : nil
    }

    /// Index of the first element at this place or behind it.
    private func index(of place: UInt64) -> Int {
        (start..<entries.count).partitionPoint { entries[$0].place < place }
    }

    mutating func removeAll(where isUnwanted: (UInt64, Element) -> Bool) {
        entries.removeFirst(start)
        start = 0
        entries.removeAll { isUnwanted($0.place, $0.element) }
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
