public import KeyModel

/// A command that a press concerned: its supplier, and its action.
public struct CommandReference {
    /// `nil` for the main menu.
    public let supplier: Responder?
    public let action: Selector
    public let command: KeyCommand
    /// The supplier's id, or `"mainMenu"`.
    public var supplierID: String { supplier?.id ?? Resolution.mainMenuID }
}

/// The resolution of one press or repeat, which prints as `⌘W → tabs.closeTab:`.
public struct Resolution: CustomStringConvertible {
    public var description: String {
        let isPrinted = character.count == 1 && character != " " && character.allSatisfy { !$0.isASCII || $0 > " " }
        let typed = isPrinted ? character.uppercased()
            : isSentByMenu && key == nil ? "picked" : key?.usage.map(Chord.keyGlyph) ?? text ?? "masked"
        let press = Chord.glyphs(modifiers.intersection(.matchMask)) + typed
        guard outcome == .performed, let action else {
            return "\(press) → \(outcome.name)" + (action.map { " (\($0.name))" } ?? "")
        }
        return "\(press) → " + (target.map { "\($0.id)." } ?? "") + action.name
    }

    public static let mainMenuID = "mainMenu"

    public var time: TraceTime
    /// `nil` for text that came from no key.
    public var key: KeyIdentity?
    public var device: UInt16
    /// The modifiers held, before system translation.
    public var modifiers: KeyModifiers
    /// A repeat of a held key.
    public var isRepeat: Bool
    /// `charactersIgnoringModifiers` after system translation; empty for a masked key.
    public var character = ""
    public var outcome = Outcome.unhandled
    public var takenBy: TakenBy?
    public var action: Selector?
    /// The command that decided: performed, or blocked.
    public var command: KeyCommand? { decided?.command }
    /// That command as the press found it.
    package internal(set) var decided: CollectedCommand?
    /// The responder whose key command matched; `nil` when none did or the main menu's did.
    public var supplier: Responder? { decided?.supplier ?? sender }
    /// The matching command is the main menu's.
    public var isFromMainMenu: Bool { decided.map { $0.supplier == nil } ?? isSentByMenu }
    /// On AppKit's path, the view that a key equivalent is of, and whether it is the main menu's.
    var sender: Responder?
    var isSentByMenu = false
    public var target: Responder?
    /// The text inserted; `nil` for a masked key, which inserts U+FFFD.
    public var text: String?
    /// The time that the strokes before this one waited for it: it ended a sequence of key bindings, whole or not
    /// (`LatencyStage.chordWait`). `nil` for a press that ended none.
    public var chordWait: TraceDuration?
    /// The receivers of `pressesBegan`, in order. Empty for repeats.
    public var receivers: [Responder] { receiverList?.array ?? [] }
    var receiverList: ResponderList?
    /// Commands that a key of the masked class would have matched; empty unless `undetermined`.
    public var possible: [CommandReference] = []
    public var effects: [Effect] = []
    /// The chain came back to itself; it was followed as far as the first repetition.
    public var cycle: ChainCycle?
    /// The key, while held, resolves again at the profile's repeat rate.
    public var repeatsWhileHeld = false
    public var calls = CallCounts()
    /// The messages sent on AppKit's path, in the order of the answers; `nil` in UIKit.
    public var messages: [InvocationKind]?
    /// Counted since the press or repeat before, so that what a context step dropped shows in the next line.
    public var cache = CacheCounts()
    public var shadowReads = 0
    var candidates: CandidateList?
    /// Index in `candidates` of the deciding one; −1 when a stage without commands decided.
    var decidedIndex = -1

    package init(
        time: TraceTime, key: KeyIdentity?, device: UInt16, modifiers: KeyModifiers = [], isRepeat: Bool = false
    ) {
        self.time = time
        self.key = key
        self.device = device
        self.modifiers = modifiers
        self.isRepeat = isRepeat
    }

    /// Raw, before system translation, positional; `nil` when masked.
    public var chord: Chord? { key?.usage.map { Chord(modifiers: modifiers, usage: $0) } }

    /// The id of the responder whose command matched, `"mainMenu"`, or `nil`.
    public var supplierID: String? { isFromMainMenu ? Resolution.mainMenuID : supplier?.id }

    /// Commands that match the press but were not considered, because another one or another stage decided first.
    public var shadowed: [CommandReference] {
        guard let candidates else { return [] }
        let byPriority = takenBy == .priorityKeyCommands
        return candidates.entries.enumerated().compactMap { index, entry in
            guard !entry.isDisabled, index != decidedIndex else { return nil }
            if index < decidedIndex, !byPriority || entry.isPriority { return nil }
            return entry.reference
        }
    }
}

/// The effect of a key-up.
public struct Release {
    /// The receivers of `pressesEnded` or `pressesCancelled`, in order.
    public var receivers: [Responder] { receiverList?.array ?? [] }
    let receiverList: ResponderList?
    public var effects: [Effect] = []
    public var isCancelled = false
    /// Reads of the pass that a profile makes at key-up; they are printed in the line of the key's down.
    public var calls = CallCounts()
    public var cache = CacheCounts()
    public var shadowReads = 0

    /// The release of a key that the engine did not hold.
    public init() { self.init(receivers: nil, isCancelled: false) }

    init(receivers: ResponderList?, isCancelled: Bool) {
        receiverList = receivers
        self.isCancelled = isCancelled
    }
}
