import KeyModel

/// The name of an action, such as `"closeTab:"`; the number of colons is the number of arguments (spec DS-6).
///
/// Two selectors are equal when their names are. The hash kept beside the name makes a comparison of different
/// selectors one integer comparison.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let name: String
    @usableFromInline let hash: UInt64

    public init(_ name: String) {
        self.name = name
        var hash = StableHash()
        hash.combine(name)
        self.hash = hash.value
    }

    public init(stringLiteral name: String) { self.init(name) }

    public var description: String { name }

    /// One of 64 bits, by the hash.
    var bit: UInt64 { 1 << (hash >> 58) }

    /// By the hash, then by name.
    static func < (a: Selector, b: Selector) -> Bool { a.hash == b.hash ? a.name < b.name : a.hash < b.hash }

    /// 0, 1 (the sender) or 2 (the sender and the event) for a selector that can be performed (spec DS-6).
    public var arity: Int { name.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: ":") ? 1 : 0) } }

    /// True for a name of letters, digits and underscores that begins with no digit, with at most two arguments
    /// and, where it has any, a colon at its end.
    public var isValid: Bool {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard arity <= 2, let first = parts.first, Selector.isIdentifier(first) else { return false }
        guard arity > 0 else { return true }
        return parts.last?.isEmpty == true && parts.dropFirst().dropLast().allSatisfy(Selector.isIdentifier)
    }

    private static func isIdentifier(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !(first >= 0x30 && first <= 0x39) else { return false }
        return text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
        }
    }

    @inlinable public static func == (a: Selector, b: Selector) -> Bool { a.hash == b.hash && a.name == b.name }
    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// One action that a class of responders implements: a selector and the method it runs.
///
///     override class var actions: [Action] { super.actions + [Action("closeTab:", closeTab)] }
///     func closeTab(_ sender: Any?) { … }
public struct Action {
    public let selector: Selector
    @usableFromInline let run: (Responder, Any?, PressesEvent?) -> Void

    /// A method without arguments. It runs only on responders of the class that declares it.
    @inlinable
    public init<R: Responder>(_ selector: Selector, _ method: @escaping (R) -> () -> Void) {
        self.selector = selector
        run = { responder, _, _ in if let responder = responder as? R { method(responder)() } }
    }

    /// A method that takes the sender: the `KeyCommand` for a key press, a `Command` from a menu (spec DS-5). It runs
    /// only for a sender of its type.
    @inlinable
    public init<R: Responder, Sender>(_ selector: Selector, _ method: @escaping (R) -> (Sender) -> Void) {
        self.selector = selector
        run = { responder, sender, _ in
            if let responder = responder as? R, let sender = sender as? Sender { method(responder)(sender) }
        }
    }

    /// A method that takes the sender and the event.
    @inlinable
    public init<R: Responder>(_ selector: Selector, _ method: @escaping (R) -> (Any?, PressesEvent?) -> Void) {
        self.selector = selector
        run = { responder, sender, event in if let responder = responder as? R { method(responder)(sender, event) } }
    }

    /// A closure that is given the responder and the sender. It performs without the bound method that the other forms
    /// make each time.
    @inlinable
    public init<R: Responder>(_ selector: Selector, performing body: @escaping (R, Any?) -> Void) {
        self.selector = selector
        run = { responder, sender, _ in if let responder = responder as? R { body(responder, sender) } }
    }
}

/// The actions of one responder, found by their selector: each press looks for one on many responders, which may have a
/// thousand.
struct ActionTable {
    /// In the order of their selectors.
    private var actions: [Action] = []

    /// Of several with one name, the last.
    init(_ actions: [Action]) {
        for action in actions { add(action) }
    }

    subscript(selector: Selector) -> Action? {
        let (place, isThere) = find(selector)
        return isThere ? actions[place] : nil
    }

    func contains(_ selector: Selector) -> Bool { find(selector).isThere }

    /// Replaces the action of that name, if there is one.
    mutating func add(_ action: Action) {
        let (place, isThere) = find(action.selector)
        if isThere { actions[place] = action } else { actions.insert(action, at: place) }
    }

    /// Its place, or the one where it would be.
    private func find(_ selector: Selector) -> (place: Int, isThere: Bool) {
        let place = actions.indices.partitionPoint { actions[$0].selector < selector }
        return (place, place < actions.count && actions[place].selector == selector)
    }
}
