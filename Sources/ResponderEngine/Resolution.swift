public import KeyModel

/// A command that a press concerned: who offered it, and its action.
public struct CommandReference {
    /// `nil` for the main menu.
    public let supplier: Responder?
    public let action: Selector
    public let command: KeyCommand
    /// The supplier's id, or `"mainMenu"`.
    public var supplierID: String { supplier?.id ?? Resolution.mainMenuID }
}

/// What became of one press or repeat.
public struct Resolution {
    public static let mainMenuID = "mainMenu"

    // What is small stands together: a resolution is handed on several times for each press.

    public var time: TraceTime
    /// `nil` for text that came from no key.
    public var key: KeyIdentity?
    public var device: UInt16
    /// The modifiers held, before system translation.
    public var modifiers: KeyModifiers
    /// A repeat of a held key.
    public var isRepeat: Bool
    public var outcome: Outcome
    public var takenBy: TakenBy?
    /// The key, while held, resolves again at the profile's repeat rate.
    public var repeatsWhileHeld = false
    /// The profile runs all matching commands, so that none of them is shadowed.
    var ranAllMatches = false
    public var calls = CallCounts()
    /// Counted since the press or repeat before, so that what a context step dropped shows in the next line.
    public var cache = CacheCounts()
    public var shadowReads = 0
    /// Everything that is an object; shared by presses that come to the same, and copied before a change.
    var decision: Decision?

    /// Of no press, to be filled by `KeyboardEngine.keyDown(_:device:at:into:)`.
    public init() { self.init(time: .zero, key: nil, device: 0, modifiers: [], isRepeat: false) }

    init(time: TraceTime, key: KeyIdentity?, device: UInt16, modifiers: KeyModifiers, isRepeat: Bool) {
        self.time = time
        self.key = key
        self.device = device
        self.modifiers = modifiers
        self.isRepeat = isRepeat
        outcome = .unhandled
    }

    /// Becomes that of a press that comes to `decided`.
    @inline(__always)
    mutating func begin(
        time: TraceTime, key: KeyIdentity, device: UInt16, modifiers: KeyModifiers, _ decided: Unmanaged<Decision>
    ) {
        self.time = time
        self.key = key
        self.device = device
        self.modifiers = modifiers
        isRepeat = false
        ranAllMatches = false
        decided._withUnsafeGuaranteedRef {
            outcome = $0.outcome
            takenBy = $0.takenBy
            // A key that is pressed again: no reference to count.
            if decision !== $0 { decision = $0 }
        }
    }

    /// `charactersIgnoringModifiers` after system translation; empty for a masked key.
    public var character: String {
        get { decision?.character ?? "" }
        set { if decision != nil || !newValue.isEmpty { changeable().character = newValue } }
    }

    /// What this came to as an object, where it was worked out once for every press of a chord: all of them have the
    /// same start, character, responders, command and action. `nil` where a press was decided on its own.
    package var sharedDecision: AnyObject? { decision.flatMap { $0.isShared ? $0 : nil } }

    private mutating func changeable() -> Decision {
        // Asked before it is bound: a binding is one more reference.
        if isKnownUniquelyReferenced(&decision), let decision { return decision }
        let own = Decision(copying: decision)
        decision = own
        return own
    }

    /// Without a copy of them, whose references would be counted.
    package var hasAction: Bool { decision?.action != nil }
    package var hasEffects: Bool { decision?.effects.isEmpty == false }

    public var action: Selector? {
        get { decision?.action }
        set { changeable().action = newValue }
    }

    /// The command that decided: performed, or blocked.
    public var command: KeyCommand? {
        get { decision?.command }
        set { changeable().command = newValue }
    }

    /// The responder whose key command matched; `nil` when none did or the main menu's did.
    public var supplier: Responder? {
        get { decision?.supplier }
        set { changeable().supplier = newValue }
    }

    /// The matching command is the main menu's.
    public var isFromMainMenu: Bool {
        get { decision?.isFromMainMenu ?? false }
        set { changeable().isFromMainMenu = newValue }
    }

    public var target: Responder? {
        get { decision?.target }
        set { changeable().target = newValue }
    }

    /// The text inserted; `nil` for a masked key, which inserts U+FFFD.
    public var text: String? {
        get { decision?.text }
        set { changeable().text = newValue }
    }

    /// How long the strokes before this one waited for it: it ended a sequence of key bindings, whole or not
    /// (`LatencyStage.chordWait`). `nil` for a press that ended none.
    public var chordWait: TraceDuration? {
        get { decision?.chordWait }
        set { if decision != nil || newValue != nil { changeable().chordWait = newValue } }
    }

    /// Who got `pressesBegan`, in order. Empty for repeats.
    public var receivers: [Responder] {
        get { decision?.receivers ?? [] }
        set { if decision != nil || !newValue.isEmpty { changeable().receivers = newValue } }
    }

    /// Commands that a key of the masked class would have matched; empty unless `undetermined`.
    public var possible: [CommandReference] {
        get { decision?.possible ?? [] }
        set { if decision != nil || !newValue.isEmpty { changeable().possible = newValue } }
    }

    public var effects: [Effect] {
        get { decision?.effects ?? [] }
        set { if decision != nil || !newValue.isEmpty { changeable().effects = newValue } }
    }

    /// The chain came back to itself; it was followed as far as the first repetition.
    public var cycle: ChainCycle? {
        get { decision?.cycle }
        set { if decision != nil || newValue != nil { changeable().cycle = newValue } }
    }

    var candidates: CandidateList? {
        get { decision?.candidates }
        set { changeable().candidates = newValue }
    }

    /// Index in `candidates` of the deciding one; −1 when a stage without commands decided.
    var decidedIndex: Int {
        get { decision?.decidedIndex ?? -1 }
        set { changeable().decidedIndex = newValue }
    }

    /// Raw, before system translation, positional; `nil` when masked.
    public var chord: Chord? { key?.usage.map { Chord(modifiers: modifiers, usage: $0) } }

    /// The id of the responder whose command matched, `"mainMenu"`, or `nil`.
    public var supplierID: String? { isFromMainMenu ? Resolution.mainMenuID : supplier?.id }

    /// Commands that match the press but were not considered, because another one or another stage decided first.
    public var shadowed: [CommandReference] {
        guard let candidates, !ranAllMatches else { return [] }
        let byPriority = takenBy == .priorityKeyCommands
        return candidates.entries.enumerated().compactMap { index, entry in
            guard !entry.isDisabled, index != decidedIndex else { return nil }
            if index < decidedIndex, !byPriority || entry.isPriority { return nil }
            return entry.reference
        }
    }
}

/// What a key-up did.
public struct Release {
    /// Who got `pressesEnded` or `pressesCancelled`, in order.
    public var receivers: [Responder] = []
    /// `nil` for none.
    private var effectList: [Effect]?
    public var isCancelled = false
    /// Reads of the pass that a profile makes at key-up; they stand in the line of the key's down.
    public var calls = CallCounts()
    public var cache = CacheCounts()
    public var shadowReads = 0

    public var effects: [Effect] {
        get { effectList ?? [] }
        set { effectList = newValue.isEmpty ? nil : newValue }
    }

    /// Of no key, to be filled by `KeyboardEngine.keyUp(_:device:at:cancelled:into:)`.
    public init() {}

    init(receivers: [Responder], isCancelled: Bool = false) {
        self.receivers = receivers
        self.isCancelled = isCancelled
    }

    /// Becomes that of a key of whose receivers none had to be told.
    @inline(__always)
    mutating func begin(_ told: [Responder], cache: CacheCounts) {
        // Most keys come up where the one before did: no reference to count then.
        if !receivers.isSameArray(as: told) { receivers = told }
        if effectList != nil { effectList = nil }
        isCancelled = false
        calls = CallCounts()
        shadowReads = 0
        self.cache = cache
    }
}
