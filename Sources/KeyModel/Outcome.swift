/// The outcome of a press (spec DS-9). Readers accept values they do not know: `name` is then `"outcome-N"`.
public struct Outcome: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let performed = Outcome(rawValue: 0)
    /// A command matched, no responder performs its action, and the match blocked the others (spec MT-10).
    public static let blockedUnperformable = Outcome(rawValue: 1)
    public static let consumedByText = Outcome(rawValue: 2)
    public static let consumedByInputMethod = Outcome(rawValue: 3)
    public static let consumedByFocus = Outcome(rawValue: 4)
    public static let consumedByScroll = Outcome(rawValue: 5)
    public static let consumedByKeyBinding = Outcome(rawValue: 6)
    /// A responder did not pass the press on (spec EV-4).
    public static let swallowedByPresses = Outcome(rawValue: 7)
    public static let unhandled = Outcome(rawValue: 8)
    /// No responder to start from (spec §6.3).
    public static let noStart = Outcome(rawValue: 9)
    /// The recording never answered the question that decides (replay of a `calls` trace).
    public static let unrecorded = Outcome(rawValue: 10)
    /// A masked key could match, depending on which key of its class it was.
    public static let undetermined = Outcome(rawValue: 11)
    public static let cancelled = Outcome(rawValue: 12)

    private static let names = [
        "performed", "blockedUnperformable", "consumedByText", "consumedByInputMethod", "consumedByFocus",
        "consumedByScroll", "consumedByKeyBinding", "swallowedByPresses", "unhandled", "noStart", "unrecorded",
        "undetermined", "cancelled",
    ]

    /// False where a replay cannot decide: a key is masked, or the recording lacks the answer.
    public var isDecided: Bool { self != .undetermined && self != .unrecorded }

    public var name: String {
        Int(rawValue) < Outcome.names.count ? Outcome.names[Int(rawValue)] : "outcome-\(rawValue)"
    }

    public init?(name: String) {
        guard let code = numberedName(name, in: Outcome.names, prefix: "outcome-") else { return nil }
        self.init(rawValue: code)
    }
}

/// The part of the system that took a press. (*Stage* means latency only.)
public struct TakenBy: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let presses = TakenBy(rawValue: 0)
    public static let priorityKeyCommands = TakenBy(rawValue: 1)
    public static let keyCommands = TakenBy(rawValue: 2)
    public static let mainMenu = TakenBy(rawValue: 3)
    public static let standardEdit = TakenBy(rawValue: 4)
    public static let builtinText = TakenBy(rawValue: 5)
    public static let inputMethod = TakenBy(rawValue: 6)
    public static let text = TakenBy(rawValue: 7)
    public static let focus = TakenBy(rawValue: 8)
    public static let scroll = TakenBy(rawValue: 9)
    public static let keyBinding = TakenBy(rawValue: 10)
    /// The system kept the key to itself: no responder got it (parameter `reservedChords`).
    public static let system = TakenBy(rawValue: 11)
    /// `performKeyEquivalent:` of a view or window.
    public static let keyEquivalent = TakenBy(rawValue: 12)
    /// `keyDown:` of a responder, which handled the press itself.
    public static let keyDown = TakenBy(rawValue: 13)
    /// The Services menu.
    public static let services = TakenBy(rawValue: 14)

    private static let names = [
        "presses", "priorityKeyCommands", "keyCommands", "mainMenu", "standardEdit", "builtinText", "inputMethod",
        "text", "focus", "scroll", "keyBinding", "system", "keyEquivalent", "keyDown", "services",
    ]

    public var name: String {
        Int(rawValue) < TakenBy.names.count ? TakenBy.names[Int(rawValue)] : "takenBy-\(rawValue)"
    }

    public init?(name: String) {
        guard let code = numberedName(name, in: TakenBy.names, prefix: "takenBy-") else { return nil }
        self.init(rawValue: code)
    }
}

private func numberedName(_ name: String, in names: [String], prefix: String) -> UInt8? {
    if let index = names.firstIndex(of: name) { return UInt8(index) }
    guard name.hasPrefix(prefix), let code = UInt8(name.dropFirst(prefix.count)), code >= names.count else {
        return nil
    }
    return code
}
