public import KeyModel
public import TraceFormat
public import TracePresses

/// One press, explained: what came, who was asked, who won, and why not the others.
public struct PressExplanation: Hashable, Sendable {
    public var press: UInt32
    /// What was recorded of presses when it came.
    public var level: TraceLevel
    /// How the press was found; `nil` when it was named by its ordinal.
    public var search: Search?
    public var key: KeyFacts?
    public var context: ContextFacts
    /// Who was asked, first responder first; then suppliers that are not on the chain, then the main menu.
    public var ladder: [LadderRung]
    /// `nil` in a trace of level `keys`.
    public var resolution: ResolutionFacts?
    public var stages: StageSplit
    /// What the cache did; `nil` where it is not recorded.
    public var cache: CacheEffectiveness?
    public var effects: [Effect]
    public var repeats: Repeats
    /// Calls of each kind for this press, by `CallKind.rawValue`, those at its release included; `nil` where calls were
    /// not recorded.
    public var calls: [UInt64]?
    /// The part of `keyCommands` calls made at the release.
    public var callsOnRelease: UInt64
    /// The press has more records than are kept of one (`TracePress.recordLimit` of each kind), or its chain more
    /// responders than are shown.
    public var isShortened: Bool
    /// Messages that hooks saw, in the order in which they began; none where an app was not recorded by an adapter.
    public var messages: [AskedMessage] = []
    /// How many there were at the down; `nil` where an app was not recorded by an adapter.
    public var messageCounts: InvocationCounts?
    /// Hooks of the adapter that were not in, so that their messages are missing.
    public var blindHooks: [AdapterHook] = []
    /// Why `ladder` has no candidates though there may have been some; `nil` where those that it has are all.
    public var missingCandidates: MissingCandidates?

    public enum MissingCandidates: Hashable, Sendable {
        /// Neither they nor what they could be derived from is recorded.
        case notRecorded
        /// Under the profile and layout that they are derived under, the press comes to something else.
        case contradicted
        /// Undecided there: the key is masked, or an answer is not recorded.
        case undetermined
        /// An app did not record where the chain begins.
        case firstResponder
        /// Or which responders follow on it.
        case links
        /// The key is masked, and a command was offered that some key alone has.
        case masked
    }

    public struct Search: Hashable, Sendable {
        public var query: ChordQuery
        public var match: ChordQuery.Match
        /// Presses that match in this way.
        public var count: UInt64
        public var isLast: Bool
    }

    /// The key as it was recorded.
    public struct KeyFacts: Hashable, Sendable {
        public var time: TraceTime
        public var device: UInt16
        public var key: KeyIdentity
        /// Held after the down.
        public var modifiers: KeyModifiers
        /// From the down to the up; `nil` when the key never came up.
        public var held: TraceDuration?
        /// The up was made up because the source never sent it.
        public var isReleaseSynthetic: Bool
        /// The press was taken away from its receivers instead of ending.
        public var isCancelled: Bool

        /// By position; `nil` for a masked key.
        public var chord: Chord? { key.usage.map { Chord(modifiers: modifiers, usage: $0) } }
    }

    /// The surroundings in which the press was decided.
    public struct ContextFacts: Hashable, Sendable {
        public var profile: String?
        public var layout: String?
        /// False for a layout that is known by its name only.
        public var isLayoutStored: Bool
        public var cachePolicy: String?
        public var scene: String?
        /// `nil`: nobody was, or nothing is recorded (`firstResponderSince` is then `nil` as well).
        public var firstResponder: String?
        public var firstResponderSince: ContextChange?
        public var keyWindow: String?
        public var keyWindowSince: ContextChange?
        /// `nil` where there was none, or nothing is recorded of it.
        public var mainWindow: String?
        /// The item that has the focus without being first responder, where there is one.
        public var focusedItem: String?
        public var isTextMarked: Bool
        /// Where the software keyboard was; `nil` where nothing is recorded of it.
        public var keyboard: KeyboardFrameRecord?
        public var keyboardSince: ContextChange?
        /// Pairs of presenter and presented, by presenter.
        public var presentations: [Presentation]
    }

    public struct Presentation: Hashable, Sendable {
        public var presenter: String
        public var presented: String
    }

    /// How it ended.
    public struct ResolutionFacts: Hashable, Sendable {
        public var time: TraceTime
        public var outcome: Outcome
        public var takenBy: TakenBy?
        /// `charactersIgnoringModifiers`; `nil` when masked.
        public var character: String?
        /// Where the chain started; `nil` when there was nowhere to start.
        public var start: String?
        /// The window that the chain starts in: the `window` of the event, as far as the responder that got it tells.
        public var eventWindow: String?
        public var keyWindow: String?
        public var command: CommandDefinition?
        /// Who supplied the command; `"mainMenu"` for the menu.
        public var supplier: String?
        public var supplierWindow: String?
        public var target: String?
        public var targetWindow: String?
        public var action: String?
        /// The path of the menu item, titles from the menu bar on; `nil` where it is not recorded.
        public var path: String?
        public var text: String?
        public var state: UInt64?
        /// How often an action ran for this press.
        public var runs: UInt64

        /// The window of the target is not the one that was key.
        public var leavesKeyWindow: Bool {
            guard let keyWindow, let targetWindow else { return false }
            return keyWindow != targetWindow
        }
    }

    public struct Effect: Hashable, Sendable {
        /// `nil` for the system.
        public var responder: String?
        public var kind: String
        /// JSON; `nil` where there is none or it is masked.
        public var value: String?
    }

    /// What came of the repeats while the key was held.
    public struct Repeats: Hashable, Sendable {
        public var count: UInt64 = 0
        /// In order of first appearance.
        public var outcomes: [TraceStatistics.OutcomeCount] = []
    }
}

/// One line of the ladder: a responder, or the main menu, and what came of asking it.
public struct LadderRung: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        /// 1-based position on the chain.
        case chain(Int)
        /// It supplied a command, or was called, without being on the chain.
        case offChain
        case mainMenu
    }
    public var place: Place
    public var id: String
    /// Kind or class name; empty where unknown.
    public var kind: String
    public var window: String?
    /// Its link of the chain is like this since then; `nil` where it is not recorded.
    public var since: ContextChange?
    public var isFirstResponder: Bool
    public var isTarget: Bool
    /// It got the raw press.
    public var isReceiver: Bool
    /// It did not pass the press on.
    public var isSwallower: Bool
    /// It presents this controller and performs no actions meanwhile, so that it was not asked about the action;
    /// `nil` where it was not passed over.
    public var isPassedOverFor: String?
    /// `keyCommands` calls for this press, its release included; `nil` where calls were not recorded.
    public var calls: UInt64?
    /// Time in its own `keyCommands`; `nil` where nobody measured or declared it.
    public var cost: TraceDuration?
    /// Commands in its last answer; `nil` when it was not asked.
    public var offered: Int?
    public var candidates: [LadderCandidate]
    /// Commands of its last answer with these modifiers whose input this layout has elsewhere, or nowhere.
    public var misplaced: [MisplacedCommand]
    /// Answers to `canPerformAction` and `validate`, in order.
    public var answers: [LadderAnswer]
}

/// A key command that had to do with the press.
public struct LadderCandidate: Hashable, Sendable {
    public var command: CommandDefinition
    public var verdict: CandidateVerdict
    public var reason: String
    /// A replay of what was recorded found it; no such record is in the trace.
    public var isDerived: Bool
}

/// A command that asks for what a US keyboard has on the pressed key, while the layout types something else there.
public struct MisplacedCommand: Hashable, Sendable {
    public var command: CommandDefinition
    /// What the pressed key types on this layout.
    public var typed: String
    public var layout: String
    /// The key that types the command's input alone; `nil` where it takes more than one key.
    public var usage: KeyUsage?
    /// What has to be held with that key; `nil` where no key types the input.
    public var modifiers: KeyModifiers?
}

/// A question about an action and its answer.
public struct LadderAnswer: Hashable, Sendable {
    public var kind: CallKind
    public var action: String
    /// `nil` where there was none.
    public var isYes: Bool?
    public var duration: TraceDuration?
}
