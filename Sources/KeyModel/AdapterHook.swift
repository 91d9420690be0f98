/// One hook of an adapter that records an app from outside: a group of methods that it replaces, and its state.
public struct AdapterHook: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        case on
        /// Turned off on purpose.
        case off
        /// It cannot be installed: class, selector or encoding differ.
        case missing
    }

    /// Name in the hook table: `arrival`, `keyCommands`, `keyEquivalent`, …
    public var name: String
    public var state: State
    /// Methods replaced.
    public var methods: Int
    /// The reason why it is not installed, or not everywhere.
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
    /// Calls of hooked methods on other threads than the main one, which pass through; written at the end.
    public static let offThreadCalls = "adapter.off_thread_calls"
    /// Nanoseconds in the handlers of hooks, with what they recorded; written at the end.
    public static let hookTime = "adapter.hooks_ns"
    /// Calls of hooked methods on the main thread, those of super included; written at the end.
    public static let hookCalls = "adapter.hook_calls"
    /// What ended the process, where it did not end by itself with status 0: `signal 6 (SIGABRT)`.
    public static let end = "process.end"
    /// Samples of slow presses, where they were asked for: threshold and interval in nanoseconds, or `missing` with the
    /// reason.
    public static let samples = "adapter.samples"
    /// The adapter was brought into an app that ran already.
    public static let attached = "adapter.attached"
    /// `end` of a recording that was ended while its app went on.
    public static let detached = "detach; the app went on"
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

/// The environment variables that start an adapter.
public enum AdapterVariable {
    /// The trace to write; it must not exist.
    public static let trace = "KEYFLIGHT_TRACE"
    public static let level = "KEYFLIGHT_LEVEL"
    /// `1`: text keys in clear.
    public static let showsKeys = "KEYFLIGHT_SHOW_KEYS"
    /// The number of the one process to act in; without it, the first that has the library acts, and none that it
    /// starts.
    public static let process = "KEYFLIGHT_PROCESS"
    /// Hooks to leave out: `-NAME`, separated by commas.
    public static let hooks = "KEYFLIGHT_HOOKS"
    /// More facts for the trace, `NAME=VALUE` a line.
    public static let facts = "KEYFLIGHT_FACTS"
    /// A file of `TypedStep` lines, which the adapter types into the app. It adds a byte to the file for each key that
    /// it has typed, and one more when it asks the app to quit.
    public static let keys = "KEYFLIGHT_KEYS"
    /// `recorded`: keys at their times in the script, and not each once the one before has settled.
    public static let pace = "KEYFLIGHT_PACE"
    /// The memory that the process shares with its launcher, which writes the trace.
    public static let memory = "KEYFLIGHT_MEMORY"
    /// The variables of one launch alone. An app's children inherit them.
    public static let ofOneLaunch = [trace, level, showsKeys, process, facts, keys, pace, memory]
    public static let all = ofOneLaunch + [hooks]
    /// An adapter that cannot type into its app, or record it, ends it with this status before it has begun.
    public static let refused: Int32 = 64
}

/// What an adapter finds where it cannot record, for the launcher that shares its memory.
public enum AdapterObstacle: UInt64, Sendable {
    /// No Objective-C runtime. A program that starts others runs on: the app may come in its place.
    case noRuntime = 1
    /// A program of Objective-C that has not loaded AppKit or UIKit, so far.
    case noToolkit
    /// UIKit, into which no keys can be typed.
    case noTyping
    /// The app is started by the program that `launch` started, as a process of its own.
    case otherProcess
    /// The app was recorded, and has lost its display server: keys that were on their way are not recorded.
    case noDisplay
    /// The process is recorded already.
    case recorded
    /// The memory of the process that attaches cannot be mapped, or the recorder refuses.
    case noRecorder
}

/// The adapter that recorded an app from outside, as the facts of the trace describe it.
public struct AdapterDescription: Hashable, Sendable {
    public var toolkit: String?
    public var version: String?
    /// In the order of the facts.
    public var hooks: [AdapterHook] = []
    /// Nanoseconds.
    public var installTime: UInt64?
    /// It was brought into a running app.
    public var isAttached = false

    /// `nil` where none of the facts is about an adapter.
    public init?(_ facts: some Sequence<(name: String, value: String)>) {
        for (name, value) in facts {
            switch name {
            case AdapterFact.toolkit: toolkit = value
            case AdapterFact.version: version = value
            case AdapterFact.installTime: installTime = UInt64(value)
            case AdapterFact.attached: isAttached = true
            default: if let hook = AdapterFact.hook(name, value) { hooks.append(hook) }
            }
        }
        if toolkit == nil, version == nil, hooks.isEmpty, installTime == nil { return nil }
    }

    /// The hooks that recorded nothing.
    public var blindHooks: [AdapterHook] { hooks.filter { $0.state != .on } }
}
