/// Elements in the order in which each was appended first.
struct UniqueList<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var known: Set<Element> = []

    var isEmpty: Bool { elements.isEmpty }

    mutating func append(_ element: Element) {
        if known.insert(element).inserted { elements.append(element) }
    }

    mutating func removeAll() {
        elements.removeAll()
        known.removeAll()
    }
}
