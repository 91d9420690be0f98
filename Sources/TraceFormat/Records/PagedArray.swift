/// Values one after the other, in pages: growing copies no more than the first page, and leaves room for one at most. A
/// trace may define hundreds of thousands of responders, of which an array would keep two or three times the bytes
/// while it grows.
public struct PagedArray<Element> {
    /// A short one is an array, and nothing more.
    @usableFromInline var first: [Element] = []
    @usableFromInline var pages: [[Element]] = []
    @inlinable static var pageSize: Int { 1024 }

    @inlinable public init() {}

    @inlinable public mutating func append(_ element: Element) {
        guard first.count == PagedArray.pageSize else { return first.append(element) }
        if pages.last.map({ $0.count == PagedArray.pageSize }) ?? true {
            var page: [Element] = []
            page.reserveCapacity(PagedArray.pageSize)
            pages.append(page)
        }
        pages[pages.count - 1].append(element)
    }
}

extension PagedArray {
    /// Keeps the first page, for what is filled again and again.
    public mutating func removeAll() {
        first.removeAll(keepingCapacity: true)
        pages = []
    }
}

extension PagedArray: RandomAccessCollection, MutableCollection {
    @inlinable public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int {
        guard let last = pages.last else { return first.count }
        return pages.count * PagedArray.pageSize + last.count
    }
    /// The collection's own goes by the distance of indices, which costs a third of a verification.
    @inlinable public var count: Int { endIndex }

    @inlinable public subscript(place: Int) -> Element {
        get {
            guard place >= PagedArray.pageSize else { return first[place] }
            let (page, rest) = place.quotientAndRemainder(dividingBy: PagedArray.pageSize)
            return pages[page - 1][rest]
        }
        set {
            guard place >= PagedArray.pageSize else { return first[place] = newValue }
            let (page, rest) = place.quotientAndRemainder(dividingBy: PagedArray.pageSize)
            pages[page - 1][rest] = newValue
        }
    }
}

extension PagedArray: Sendable where Element: Sendable {}
