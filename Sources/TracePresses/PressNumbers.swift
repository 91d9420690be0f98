/// A number for each press by its ordinal, 0 where there is none. Consecutive ordinals take no more memory than their
/// numbers.
package struct PressNumbers<Number: FixedWidthInteger & Sendable>: Sendable {
    /// Numbers from `first` on, with short gaps only.
    @usableFromInline var dense: [Number] = []
    @usableFromInline var first: UInt32 = 0
    /// Presses far from the others.
    @usableFromInline var others: [UInt32: Number] = [:]
    /// The most ordinals that may be left out.
    @inlinable static var longestGap: Int { 8 }

    @inlinable package init() {}

    @inlinable package subscript(press: UInt32) -> Number {
        get {
            let place = Int(press) - Int(first)
            return place >= 0 && place < dense.count ? dense[place] : others[press] ?? 0
        }
        set {
            if dense.isEmpty { first = press }
            let place = Int(press) - Int(first)
            if place >= dense.count, place < dense.count + Self.longestGap, others[press] == nil {
                dense.append(contentsOf: repeatElement(0, count: place - dense.count + 1))
            }
            if place >= 0, place < dense.count { dense[place] = newValue } else { others[press] = newValue }
        }
    }
}
