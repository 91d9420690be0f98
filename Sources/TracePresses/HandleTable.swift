package import TraceFormat

/// Values by handle, in pages: a copy that changes copies one page, not all values. A reading gives handles in the
/// order of definitions, so nearly all of them are small numbers; those of damaged traces may be any.
package struct HandleTable<Definition, Value: Sendable>: Sendable {
    @usableFromInline var pages: [[Value?]] = []
    @usableFromInline var far: [UInt32: Value] = [:]
    @inlinable static var pageSize: Int { 64 }
    @inlinable static var nearLimit: Int { 1 << 22 }

    package init() {}

    @inlinable package subscript(_ handle: TraceHandle<Definition>) -> Value? {
        get {
            let (page, place) = Int(handle.rawValue).quotientAndRemainder(dividingBy: HandleTable.pageSize)
            return page < pages.count ? pages[page][place] : far.isEmpty ? nil : far[handle.rawValue]
        }
        set {
            let number = Int(handle.rawValue)
            guard number < HandleTable.nearLimit else { return far[handle.rawValue] = newValue }
            let (page, place) = number.quotientAndRemainder(dividingBy: HandleTable.pageSize)
            if pages.count <= page {
                // One page, which each place shares until it has a value.
                let empty = [Value?](repeating: nil, count: HandleTable.pageSize)
                while pages.count <= page { pages.append(empty) }
            }
            pages[page][place] = newValue
        }
    }

    package mutating func removeAll() { self = HandleTable() }

    /// Bytes that a change copies where the pages are shared.
    var copiedBytes: UInt64 {
        UInt64(pages.count * 8 + HandleTable.pageSize * MemoryLayout<Value?>.stride) + far.storedBytes
    }
}

extension Dictionary {
    /// Bytes that a changed copy takes; at most three quarters of the capacity are filled.
    var storedBytes: UInt64 {
        UInt64(capacity * 4 / 3 * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride))
    }
}
