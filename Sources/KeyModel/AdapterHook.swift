/// One hook of an adapter that records an app from outside: a group of methods that it replaces, and whether it did.
public struct AdapterHook: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        case on
        /// Turned off on purpose.
        case off
        /// It cannot be installed: class, selector or encoding differ.
        case missing
    }

    /// Of the hook table: `arrival`, `keyCommands`, `keyEquivalent`, …
    public var name: String
    public var state: State
    /// Methods replaced.
    public var methods: Int
    /// Why it is not in, or not everywhere.
    public var reason: String?

    public init(_ name: String, _ state: State, methods: Int, reason: String? = nil) {
        self.name = name
        self.state = state
        self.methods = methods
        self.reason = reason
    }
}

/// The environment facts that describe an adapter.
public enum AdapterFact {
    public static let toolkit = "adapter.toolkit"
    public static let version = "adapter.version"
    /// Nanoseconds that installing the hooks took.
    public static let installTime = "adapter.install_ns"
    public static let hookPrefix = "adapter.hook."

    /// The fact of a hook: state, methods and reason, as in `missing 0: no class NSTextView`.
    public static func fact(_ hook: AdapterHook) -> (name: String, value: String) {
        (hookPrefix + hook.name, "\(hook.state.rawValue) \(hook.methods)" + (hook.reason.map { ": \($0)" } ?? ""))
    }

    /// The hook that a fact describes; `nil` for other facts.
    public static func hook(_ name: String, _ value: String) -> AdapterHook? {
        guard name.hasPrefix(hookPrefix) else { return nil }
        let parts = value.split(separator: ":", maxSplits: 1)
        let words = (parts.first ?? "").split(separator: " ")
        guard words.count == 2, let state = AdapterHook.State(rawValue: String(words[0])), let methods = Int(words[1])
        else { return nil }
        let reason = parts.count < 2 ? nil : String(parts[1].drop { $0 == " " })
        return AdapterHook(String(name.dropFirst(hookPrefix.count)), state, methods: methods, reason: reason)
    }
}
