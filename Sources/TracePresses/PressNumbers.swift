/// A number for each press by its ordinal, 0 where there is none. Ordinals that follow each other take no more room
/// than their numbers.
public struct PressNumbers<Number: FixedWidthInteger & Sendable>: Sendable {
    /// From `first` on, without gaps worth mentioning.
    @usableFromInline var dense: [Number] = []
    @usableFromInline var first: UInt32 = 0
    /// Presses that do not go on where the others are.
    @usableFromInline var others: [UInt32: Number] = [:]
    /// So many ordinals may be left out.
    @inlinable static var longestGap: Int { 8 }

    @inlinable public init() {}

    @inlinable public subscript(press: UInt32) -> Number {
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
