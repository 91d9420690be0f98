/// A text that is compared, hashed and ordered by its bytes, as the trace format has it: é in one scalar and in two are
/// two names. `String` takes canonically equivalent texts for the same, and pays for it with the square of a run of
/// combining marks at each comparison.
public struct ByteName: Hashable, Comparable, Sendable {
    public let text: String
    public init(_ text: String) { self.text = text }

    public static func == (one: ByteName, other: ByteName) -> Bool {
        guard one.text.utf8.count == other.text.utf8.count else { return false }
        // Nearly all strings have their bytes in one piece, and copies of a long one have the same.
        let isSame = one.text.utf8.withContiguousStorageIfAvailable { own in
            other.text.utf8.withContiguousStorageIfAvailable {
                $0.baseAddress == own.baseAddress || $0.elementsEqual(own)
            }
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

/// A text, or several, that `Bytewise` compares as `ByteName` does.
package protocol BytewiseComparable: Sendable {
    associatedtype Names: Hashable
    var byteNames: Names { get }
}

extension String: BytewiseComparable { package var byteNames: ByteName { ByteName(self) } }
extension Optional: BytewiseComparable where Wrapped: BytewiseComparable {
    package var byteNames: Wrapped.Names? { map(\.byteNames) }
}
extension Array: BytewiseComparable where Element: BytewiseComparable {
    package var byteNames: [Element.Names] { map(\.byteNames) }
}

/// A text of a value, or several, that the value is compared and hashed by as bytes.
@propertyWrapper package struct Bytewise<Value: BytewiseComparable>: Hashable, Sendable {
    package var wrappedValue: Value
    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package static func == (one: Bytewise, other: Bytewise) -> Bool {
        one.wrappedValue.byteNames == other.wrappedValue.byteNames
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue.byteNames) }
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
