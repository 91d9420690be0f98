/// The outcome of a press (spec DS-9). Readers accept values they do not know: `name` is then `"outcome-N"`.
public struct Outcome: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var performed: Outcome { Outcome(rawValue: 0) }
    /// A command matched, no responder performs its action, and the match blocked the others (spec MT-10).
    @inlinable public static var blockedUnperformable: Outcome { Outcome(rawValue: 1) }
    @inlinable public static var consumedByText: Outcome { Outcome(rawValue: 2) }
    @inlinable public static var consumedByInputMethod: Outcome { Outcome(rawValue: 3) }
    @inlinable public static var consumedByFocus: Outcome { Outcome(rawValue: 4) }
    @inlinable public static var consumedByScroll: Outcome { Outcome(rawValue: 5) }
    @inlinable public static var consumedByKeyBinding: Outcome { Outcome(rawValue: 6) }
    /// A responder did not pass the press on (spec EV-4).
    @inlinable public static var swallowedByPresses: Outcome { Outcome(rawValue: 7) }
    @inlinable public static var unhandled: Outcome { Outcome(rawValue: 8) }
    /// No responder to start from (spec §6.3).
    @inlinable public static var noStart: Outcome { Outcome(rawValue: 9) }
    /// The recording never answered the question that decides (replay of a `calls` trace).
    @inlinable public static var unrecorded: Outcome { Outcome(rawValue: 10) }
    /// A masked key could match, depending on which key of its class it was.
    @inlinable public static var undetermined: Outcome { Outcome(rawValue: 11) }
    @inlinable public static var cancelled: Outcome { Outcome(rawValue: 12) }
    /// A handler of SwiftUI's `onKeyPress` returned `.handled`.
    @inlinable public static var handledByKeyPress: Outcome { Outcome(rawValue: 13) }

    /// The app took the key's event from its queue and sent it nowhere.
    @inlinable public static var discarded: Outcome { Outcome(rawValue: 14) }

    private static let names = [
        "performed", "blockedUnperformable", "consumedByText", "consumedByInputMethod", "consumedByFocus",
        "consumedByScroll", "consumedByKeyBinding", "swallowedByPresses", "unhandled", "noStart", "unrecorded",
        "undetermined", "cancelled", "handledByKeyPress", "discarded",
    ]

    /// False where a replay cannot decide: a key is masked, or the recording lacks the answer.
    public var isDecided: Bool { self != .undetermined && self != .unrecorded }

    /// The press ended at a responder that did not pass it on.
    public var isSwallowed: Bool { self == .swallowedByPresses || self == .handledByKeyPress }

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
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var presses: TakenBy { TakenBy(rawValue: 0) }
    @inlinable public static var priorityKeyCommands: TakenBy { TakenBy(rawValue: 1) }
    @inlinable public static var keyCommands: TakenBy { TakenBy(rawValue: 2) }
    @inlinable public static var mainMenu: TakenBy { TakenBy(rawValue: 3) }
    @inlinable public static var standardEdit: TakenBy { TakenBy(rawValue: 4) }
    @inlinable public static var builtinText: TakenBy { TakenBy(rawValue: 5) }
    @inlinable public static var inputMethod: TakenBy { TakenBy(rawValue: 6) }
    @inlinable public static var text: TakenBy { TakenBy(rawValue: 7) }
    @inlinable public static var focus: TakenBy { TakenBy(rawValue: 8) }
    @inlinable public static var scroll: TakenBy { TakenBy(rawValue: 9) }
    @inlinable public static var keyBinding: TakenBy { TakenBy(rawValue: 10) }
    /// The system kept the key to itself: no responder got it (parameter `reservedChords`).
    @inlinable public static var system: TakenBy { TakenBy(rawValue: 11) }
    /// `performKeyEquivalent:` of a view or window.
    @inlinable public static var keyEquivalent: TakenBy { TakenBy(rawValue: 12) }
    /// `keyDown:` of a responder, which handled the press itself.
    @inlinable public static var keyDown: TakenBy { TakenBy(rawValue: 13) }
    /// The Services menu.
    @inlinable public static var services: TakenBy { TakenBy(rawValue: 14) }
    /// A loop that takes events from the app's queue and sends only some of them on: of a modal window, of a list.
    @inlinable public static var eventLoop: TakenBy { TakenBy(rawValue: 15) }

    private static let names = [
        "presses", "priorityKeyCommands", "keyCommands", "mainMenu", "standardEdit", "builtinText", "inputMethod",
        "text", "focus", "scroll", "keyBinding", "system", "keyEquivalent", "keyDown", "services",
        "eventLoop",
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
