/// A value of a closed set, which has a name in texts and JSON.
public protocol NamedValue: CaseIterable {
    var name: String { get }
}

extension NamedValue {
    /// The value with this name; `nil` for an unknown name.
    public init?(name: String) {
        guard let value = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = value
    }
}

/// A named value whose raw values count from 0.
public protocol NamedCase: NamedValue, RawRepresentable where RawValue == UInt8 {
    /// By raw value.
    static var names: [String] { get }
}

extension NamedCase {
    @inlinable public var name: String { Self.names[Int(rawValue)] }
}

/// Flags that have names in texts and JSON.
public protocol NamedFlags: OptionSet where Element == Self {
    /// Flags and their names, in the order in which they are written.
    static var named: [(flag: Self, name: String)] { get }
}

extension NamedFlags {
    /// Names of the set flags, in the order of `named`.
    public var names: [String] { Self.named.compactMap { contains($0.flag) ? $0.name : nil } }

    /// The flag with this name; `nil` for an unknown name.
    public init?(name: String) {
        guard let entry = Self.named.first(where: { $0.name == name }) else { return nil }
        self = entry.flag
    }
}

extension NamedFlags where RawValue: FixedWidthInteger {
    /// Names joined by `+`, then the bits without a name as `0x…`: exact for any value.
    public var exactText: String {
        let rest = subtracting(Self.named.reduce(Self()) { $0.union($1.flag) }).rawValue
        return (names + (rest == 0 ? [] : ["0x" + String(rest, radix: 16)])).joined(separator: "+")
    }

    public init?(exactText: String) {
        self.init()
        for part in exactText.split(separator: "+", omittingEmptySubsequences: false) {
            if let flag = Self(name: String(part)) {
                formUnion(flag)
            } else if part.hasPrefix("0x"), let bits = RawValue(part.dropFirst(2), radix: 16) {
                formUnion(Self(rawValue: bits))
            } else {
                return nil
            }
        }
    }
}
