/// A text that is compared, hashed and ordered by its bytes, as the trace format has it: é in one scalar and in two are
/// two names. `String` takes canonically equivalent texts for the same, and pays for it with the square of a run of
/// combining marks at each comparison.
public struct ByteName: Hashable, Comparable, Sendable {
    public let text: String
    public init(_ text: String) { self.text = text }

    public static func == (one: ByteName, other: ByteName) -> Bool {
        guard one.text.utf8.count == other.text.utf8.count else { return false }
        // Nearly all strings have their bytes in one piece.
        let isSame = one.text.utf8.withContiguousStorageIfAvailable { own in
            other.text.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(own) }
        }
        return (isSame ?? nil) ?? one.text.utf8.elementsEqual(other.text.utf8)
    }

    public static func < (one: ByteName, other: ByteName) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        if text.utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            for byte in text.utf8 { hasher.combine(byte) }
        }
        hasher.combine(0xFF as UInt8)
    }
}

/// Texts that are compared as `ByteName` does.
public protocol BytewiseHashable: Sendable {
    static func isSame(_ one: Self, _ other: Self) -> Bool
    func hashBytes(into hasher: inout Hasher)
}

extension String: BytewiseHashable {
    public static func isSame(_ one: String, _ other: String) -> Bool { ByteName(one) == ByteName(other) }
    public func hashBytes(into hasher: inout Hasher) { ByteName(self).hash(into: &hasher) }
}

extension Optional: BytewiseHashable where Wrapped: BytewiseHashable {
    public static func isSame(_ one: Wrapped?, _ other: Wrapped?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return Wrapped.isSame(one, other)
    }
    public func hashBytes(into hasher: inout Hasher) {
        hasher.combine(self != nil)
        self?.hashBytes(into: &hasher)
    }
}

extension Array: BytewiseHashable where Element: BytewiseHashable {
    public static func isSame(_ one: [Element], _ other: [Element]) -> Bool {
        one.elementsEqual(other, by: Element.isSame)
    }
    public func hashBytes(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { element.hashBytes(into: &hasher) }
    }
}

/// A text of a value, or several, that the value is compared and hashed by as bytes.
@propertyWrapper public struct Bytewise<Value: BytewiseHashable>: Hashable, Sendable {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public static func == (one: Bytewise, other: Bytewise) -> Bool {
        Value.isSame(one.wrappedValue, other.wrappedValue)
    }
    public func hash(into hasher: inout Hasher) { wrappedValue.hashBytes(into: &hasher) }
}

extension String {
    /// Marks on one character that the stream-safe format of Unicode allows (UAX 15, §13). To sort more of them, as
    /// `String` does where it compares, takes the square of their number.
    package static let mostMarks = 30

    /// More marks in a row than `mostMarks`: no text of any language.
    package var hasEndlessMarks: Bool {
        // A mark takes two bytes.
        guard utf8.count > 2 * String.mostMarks, !utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        var marks = 0
        return unicodeScalars.contains { scalar in
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            return marks > String.mostMarks
        }
    }
}
