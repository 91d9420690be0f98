/// Memory for keys in clear: pages of their own, which Linux leaves out of core dumps.
package enum SecretMemory {
    /// Zeroed pages for so many elements, which need no initialisation where zero is a valid value.
    package static func allocate<T>(_ count: Int, of type: T.Type) -> UnsafeMutablePointer<T> {
        let size = max(1, count * MemoryLayout<T>.stride)
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("out of memory: \(size) bytes") }
        #if os(Linux)
            madvise(memory, size, MADV_DONTDUMP)
        #endif
        return memory.bindMemory(to: T.self, capacity: count)
    }

    /// Gives the pages back. The system overwrites them before anybody gets them.
    package static func free<T>(_ memory: UnsafeMutablePointer<T>, _ count: Int) {
        munmap(memory, max(1, count * MemoryLayout<T>.stride))
    }

    /// Overwrites elements with zeros, which the compiler cannot leave out.
    package static func wipe<T>(_ memory: UnsafeMutablePointer<T>, _ count: Int) {
        #if canImport(Darwin)
            memset_s(memory, count * MemoryLayout<T>.stride, 0, count * MemoryLayout<T>.stride)
        #else
            explicit_bzero(memory, count * MemoryLayout<T>.stride)
        #endif
    }
}

/// An array of keys in clear, in `SecretMemory`: what is removed is overwritten at once.
package final class WipedArray<Element>: RandomAccessCollection {
    package private(set) var count = 0
    private var memory: UnsafeMutablePointer<Element>
    private var capacity: Int

    package init() {
        capacity = 4096 / MemoryLayout<Element>.stride
        memory = SecretMemory.allocate(capacity, of: Element.self)
    }

    deinit {
        memory.deinitialize(count: count)
        SecretMemory.free(memory, capacity)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }
    package subscript(place: Int) -> Element {
        get { elements[place] }
        set { UnsafeMutableBufferPointer(start: memory, count: count)[place] = newValue }
    }

    /// Valid until something is added or removed.
    package var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: memory, count: count) }

    private func makeRoom(_ more: Int) {
        guard count + more > capacity else { return }
        let larger = Swift.max(count + more, 2 * capacity)
        let new = SecretMemory.allocate(larger, of: Element.self)
        new.moveInitialize(from: memory, count: count)
        SecretMemory.free(memory, capacity)
        (memory, capacity) = (new, larger)
    }

    package func append(_ element: Element) { insert(element, at: count) }

    package func append(_ more: UnsafeBufferPointer<Element>) {
        guard let start = more.baseAddress else { return }
        makeRoom(more.count)
        (memory + count).initialize(from: start, count: more.count)
        count += more.count
    }

    /// Adds the elements that `fill` puts into the room for so many, whose number it returns.
    package func append(upTo most: Int, _ fill: (UnsafeMutablePointer<Element>) -> Int) {
        makeRoom(most)
        count += Swift.min(Swift.max(0, fill(memory + count)), most)
    }

    package func insert(_ element: Element, at place: Int) {
        precondition((0...count).contains(place))
        makeRoom(1)
        (memory + place + 1).moveInitialize(from: memory + place, count: count - place)
        (memory + place).initialize(to: element)
        count += 1
    }

    package func removeSubrange(_ places: Range<Int>) {
        precondition(places.lowerBound >= 0 && places.upperBound <= count)
        let start = memory + places.lowerBound
        start.deinitialize(count: places.count)
        start.moveInitialize(from: memory + places.upperBound, count: count - places.upperBound)
        count -= places.count
        SecretMemory.wipe(memory + count, places.count)
    }

    package func removeFirst(_ number: Int) { removeSubrange(0..<number) }
    package func remove(at place: Int) { removeSubrange(place..<place + 1) }
    package func removeAll() { removeSubrange(0..<count) }
}

/// A dictionary of a few elements, such as the keys that are down.
extension WipedArray {
    package func value<K: Equatable, V>(of key: K) -> V? where Element == (key: K, value: V) {
        first { $0.key == key }?.value
    }

    package func set<K: Equatable, V>(_ value: V?, of key: K) where Element == (key: K, value: V) {
        if let place = firstIndex(where: { $0.key == key }) { remove(at: place) }
        if let value { append((key, value)) }
    }
}
