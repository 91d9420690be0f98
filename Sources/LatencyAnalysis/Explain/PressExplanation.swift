package import KeyModel
package import TraceFormat
package import TracePresses

/// One press, explained: the key, the questions and their order, the winner, and why the others lost.
package struct PressExplanation: Hashable, Sendable {
    package var press: UInt32
    /// Recording level of presses when it came.
    package var level: TraceLevel
    /// How the press was found; `nil` when it was named by its ordinal.
    package var search: Search?
    package var key: KeyFacts?
    package var context: ContextFacts
    /// The responders asked, first responder first; then suppliers that are not on the chain, then the main menu.
    package var ladder: [LadderRung]
    /// The rules that it was decided by.
    package var rules: PressRules
    /// Those who offer the pressed chord besides, and were not asked.
    package var notAsked: [UnaskedOffer] = []
    /// By id: the changes of first responder that took responders off the chain before the press.
    package var departures: [String: UnaskedOffer.Departure] = [:]
    /// `nil` in a trace of level `keys`.
    package var resolution: ResolutionFacts?
    package var stages: StageSplit
    /// Functions by samples of the stack; `nil` where none are recorded.
    package var samples: [StageFunctions]?
    /// Exact counts of its thread; `nil` where none were made.
    package var costs: StageCosts?
    /// Effect of the cache; `nil` where it is not recorded.
    package var cache: CacheEffectiveness?
    package var effects: [Effect]
    /// Modifiers of the press that no finger held.
    package var stuckModifiers: [StuckModifier] = []
    /// Why there was no responder to start from, where one is first responder.
    package var keysStop: String?
    /// Parts of the main menu that were left out when it was built for an earlier press, or that ended the app.
    package var menuDrops: [Effect] = []
    package var repeats: Repeats
    /// Calls of each kind for this press, by `CallKind.rawValue`, those at its release included; `nil` where calls were
    /// not recorded.
    package var calls: [UInt64]?
    /// The part of `keyCommands` calls made at the release.
    package var callsOnRelease: UInt64
    /// The press has more records than are kept of one (`TracePress.recordLimit` of each kind), or its chain more
    /// responders than are shown.
    package var isShortened: Bool
    /// Messages that hooks saw, in the order in which they began; none where an app was not recorded by an adapter.
    package var messages: [MessageSummary] = []
    /// Number of messages at the down; `nil` for an app that was not recorded by an adapter.
    package var messageCounts: InvocationCounts?
    /// Hooks of the adapter that were not in, so that their messages are missing.
    package var blindHooks: [AdapterHook] = []
    /// Reason for which `ladder` lacks candidates that there may have been; `nil` where it has all of them.
    package var missingCandidates: MissingCandidates?

    package enum MissingCandidates: Hashable, Sendable {
        /// Neither they nor what they could be derived from is recorded.
        case notRecorded
        /// The press has another outcome under the profile and layout that they are derived under.
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

    package struct Search: Hashable, Sendable {
        package var query: ChordQuery
        package var match: ChordQuery.Match
        /// Of the presses that match in this way.
        package var results: ChordResults
        /// Of those of the same key that typed another character, as under another layout.
        package var others: ChordResults
        package var isLast: Bool
    }

    /// What the presses of a chord came to.
    package struct ChordResults: Hashable, Sendable {
        package struct Result: Hashable, Sendable {
            /// `nil` where nothing was decided.
            package var outcome: PressOutcome?
            package var count: UInt64
            /// The first of them.
            package var presses: [UInt32]
            /// By bytes: names that only look alike are two, and long ones are quick to tell apart.
            fileprivate var key: Key
        }

        fileprivate struct Key: Hashable, Sendable {
            var outcome: Outcome?
            var takenBy: TakenBy?
            var names: [ByteName?]

            init(_ found: PressOutcome?) {
                (outcome, takenBy) = (found?.outcome, found?.takenBy)
                names = [found?.action, found?.supplier, found?.target].map { $0.map(ByteName.init) }
            }
        }

        package private(set) var count: UInt64 = 0
        /// In the order in which they came; the rest of `limit` different ones is not there.
        package private(set) var results: [Result] = []
        private static let limit = 32
        private static let named = 4

        mutating func add(_ press: TracePress, _ names: TraceDefinitions) {
            count += 1
            var outcome = press.resolution.map { PressOutcome($0, names) }
            // What it typed is no other result.
            outcome?.text = nil
            let key = Key(outcome)
            if let place = results.firstIndex(where: { $0.key == key }) {
                results[place].count += 1
                if results[place].presses.count < ChordResults.named { results[place].presses.append(press.at.press) }
            } else if results.count < ChordResults.limit {
                results.append(Result(outcome: outcome, count: 1, presses: [press.at.press], key: key))
            }
        }
    }

    /// The key as it was recorded.
    package struct KeyFacts: Hashable, Sendable {
        package var time: TraceTime
        package var device: UInt16
        package var key: KeyIdentity
        /// Held after the down.
        package var modifiers: KeyModifiers
        /// From the down to the up; `nil` when the key never came up.
        package var held: TraceDuration?
        /// The up is synthetic: the source never sent it.
        package var isReleaseSynthetic: Bool
        /// The press was taken away from its receivers instead of ending.
        package var isCancelled: Bool

        /// By position; `nil` for a masked key.
        package var chord: Chord? { key.usage.map { Chord(modifiers: modifiers, usage: $0) } }
    }

    /// Environment in which the press was decided.
    package struct ContextFacts: Hashable, Sendable {
        package var profile: String?
        package var layout: String?
        /// False for a layout that is known by its name only.
        package var isLayoutStored: Bool
        package var cachePolicy: String?
        package var scene: String?
        /// `nil` without a first responder, or where none is recorded (`firstResponderSince` is then `nil` as well).
        package var firstResponder: String?
        package var firstResponderSince: ContextChange?
        package var keyWindow: String?
        package var keyWindowSince: ContextChange?
        /// `nil` where there was none, or nothing is recorded of it.
        package var mainWindow: String?
        /// The item that has the focus without being first responder, where there is one.
        package var focusedItem: String?
        package var isTextMarked: Bool
        /// Commands come before presses, where no responder takes key input: the rules of iOS 26 and 27.
        package var commandsMayGoFirst = false
        /// Frame of the software keyboard; `nil` where it is not recorded.
        package var keyboard: KeyboardFrameRecord?
        package var keyboardSince: ContextChange?
        /// Pairs of presenter and presented, by presenter.
        package var presentations: [Presentation]
    }

    package struct Presentation: Hashable, Sendable {
        package var presenter: String
        package var presented: String
    }

    /// End of the decision.
    package struct ResolutionFacts: Hashable, Sendable {
        package var time: TraceTime
        package var outcome: Outcome
        package var takenBy: TakenBy?
        /// `charactersIgnoringModifiers`; `nil` when masked.
        package var character: String?
        /// Start of the chain; `nil` without one.
        package var start: String?
        /// The window that the chain starts in: the `window` of the event, as far as the responder that got it shows.
        package var eventWindow: String?
        package var keyWindow: String?
        package var command: CommandDefinition?
        /// Supplier of the command; `"mainMenu"` for the menu.
        package var supplier: String?
        package var supplierWindow: String?
        package var target: String?
        package var targetWindow: String?
        package var action: String?
        /// The path of the menu item, titles from the menu bar on; `nil` where it is not recorded.
        package var path: String?
        package var text: String?
        package var state: UInt64?
        /// Number of actions run for this press.
        package var runs: UInt64

        /// The window of the target is not the one that was key.
        package var leavesKeyWindow: Bool {
            guard let keyWindow, let targetWindow else { return false }
            return keyWindow != targetWindow
        }
    }

    package struct Effect: Hashable, Sendable {
        /// `nil` for the system.
        package var responder: String?
        package var kind: String
        /// JSON; `nil` where there is none or it is masked.
        package var value: String?
    }

    /// Outcomes of the repeats while the key was held.
    package struct Repeats: Hashable, Sendable {
        /// With those that were never decided.
        package var count: UInt64 = 0
        /// In order of first appearance.
        package var outcomes: [TraceStatistics.OutcomeCount] = []
        package var decided: UInt64 { outcomes.reduce(0) { $0 + $1.count } }
    }
}

/// One line of the ladder: a responder, or the main menu, and the results of its questions.
package struct LadderRung: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// 1-based position on the chain.
        case chain(Int)
        /// A responder that supplied a command, or was called, without being on the chain.
        case offChain
        case mainMenu
    }
    package var place: Place
    package var id: String
    /// Kind or class name; empty where unknown.
    package var kind: String
    package var window: String?
    /// Time since which its link of the chain is like this; `nil` where it is not recorded.
    package var since: ContextChange?
    package var isFirstResponder = false
    package var isTarget = false
    /// True if it got the raw press.
    package var isReceiver = false
    /// True if it did not pass the press on.
    package var isSwallower = false
    /// The controller that it presents, performing no actions meanwhile, so that it was not asked about the action;
    /// `nil` where it was not passed over.
    package var isPassedOverFor: String?
    /// `keyCommands` calls for this press, its release included; `nil` where calls were not recorded.
    package var calls: UInt64?
    /// Time in its own `keyCommands`; `nil` where it was neither measured nor declared.
    package var cost: TraceDuration?
    /// Commands in its last answer; `nil` when it was not asked.
    package var offered: Int?
    package var candidates: [LadderCandidate]
    /// Commands of its last answer with these modifiers whose input this layout has elsewhere, or nowhere.
    package var misplaced: [MisplacedCommand] = []
    /// Answers to `canPerformAction` and `validate`, in order.
    package var answers: [LadderAnswer] = []

    /// Something is known of it besides its place, such as a call, its cost or a command.
    package var hasFindings: Bool {
        calls != nil || cost != nil || offered != nil || !candidates.isEmpty || !misplaced.isEmpty
            || isPassedOverFor != nil
    }
}

/// A key command that had to do with the press.
package struct LadderCandidate: Hashable, Sendable {
    package var command: CommandDefinition
    package var verdict: CandidateVerdict
    package var reason: String
    /// A replay of what was recorded found it; no such record is in the trace.
    package var isDerived: Bool
}

/// A command whose input a US keyboard has on the pressed key, while the layout has another character there.
package struct MisplacedCommand: Hashable, Sendable {
    package var command: CommandDefinition
    /// Character of the pressed key on this layout.
    package var typed: String
    package var layout: String
    /// The key that types the command's input alone; `nil` where it takes more than one key.
    package var usage: KeyUsage?
    /// Modifiers to hold with that key; `nil` where no key types the input.
    package var modifiers: KeyModifiers?
    /// The input under which the command is searched on this layout instead (spec MT-7).
    package var localised: String?
}

/// A question about an action and its answer.
package struct LadderAnswer: Hashable, Sendable {
    package var kind: CallKind
    package var action: String
    /// `nil` where there was none.
    package var isYes: Bool?
    package var duration: TraceDuration?
}
