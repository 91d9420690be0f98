public import KeyModel

/// Resolves key events against a responder tree, the way one version of the system does.
///
/// Give it key-downs, key-ups and repeat ticks in order of time; change focus, windows and presentation through
/// the responders or through its context operations. It reads no clock: what a tick means is the caller's
/// business (`Profile.repeatDelay`, `Profile.repeatInterval`).
///
/// One thread uses an engine and its responders. Stored properties on the way of every press are not checked for
/// overlapping access at run time, which costs more than the access itself: each of them is read or written in one
/// go, and none is under access while code of a responder or a probe runs.
public final class KeyboardEngine {
    public let application: Application
    @exclusivity(unchecked) public var profile: Profile { didSet { profileChanged() } }
    @exclusivity(unchecked) public var layout: Layout { didSet { layoutChanged() } }
    public enum LayoutDirection: String, CaseIterable, Sendable { case ltr, rtl }
    /// Direction of the interface (spec MT-8).
    public var layoutDirection = LayoutDirection.ltr { didSet { if oldValue != layoutDirection { dropCaches() } } }
    /// The device has a focus system; it acts where the profile has one too.
    @exclusivity(unchecked) public var hasFocusSystem = false {
        didSet { if oldValue != hasFocusSystem { dropCaches() } }
    }
    /// A hardware keyboard is attached: it takes the keys of the software keyboard away (spec TX-3).
    @exclusivity(unchecked) public var isKeyboardAttached = true {
        didSet { if oldValue != isKeyboardAttached { hardwareKeyboardChanged() } }
    }
    let keyboardControl = SoftwareKeyboardControl()
    @exclusivity(unchecked) public var cachePolicy: CachePolicy {
        didSet { if oldValue != cachePolicy { dropCaches() } }
    }
    /// Reads everything afresh at each cache hit and counts the answers that differ.
    @exclusivity(unchecked) public var shadowCheck = false
    @exclusivity(unchecked) public var probe: (any EngineProbe)?
    /// Who answers for responders that are known from a recording alone. Its owner keeps it alive.
    @exclusivity(unchecked) package unowned(unsafe) var recordedAnswers: (any RecordedAnswerSource)?

    /// Keeps the presses that the system cancels (deactivation, a keyboard that goes away) until `takeCancelled`.
    @exclusivity(unchecked) public var keepsCancelled = false { didSet { if !keepsCancelled { cancelled = [] } } }
    @exclusivity(unchecked) var cancelled: [(key: KeyIdentity, release: Release)] = []

    let tree = ResponderTree()
    @exclusivity(unchecked) var modifierState = ModifierState()
    @exclusivity(unchecked) var held: [HeldPress] = []
    @exclusivity(unchecked) var spareHeld: [HeldPress] = []
    /// Counts the times that a press left `held`.
    @exclusivity(unchecked) var heldRemovals: UInt64 = 0
    var heldFlags: KeyModifiers { modifierState.flags }
    @exclusivity(unchecked) var keyTable: KeyTable
    /// Counts the tables.
    @exclusivity(unchecked) var tableNumber = 0
    @exclusivity(unchecked) var stages: [DeliveryStage] = []
    @exclusivity(unchecked) var matching: Matching
    @exclusivity(unchecked) var deadSequence: [Layout.Symbol] = []
    @exclusivity(unchecked) var chain = ResponderChain()
    @exclusivity(unchecked) var chainIsAnnounced = false
    @exclusivity(unchecked) var chainStart: Responder?
    /// The last press or repeat got a start responder.
    @exclusivity(unchecked) var hadStart = false
    /// What `chain` policy serves; dropped by any announced change.
    @exclusivity(unchecked) var index: CommandIndex?
    /// The index before, whose storage the next one takes.
    @exclusivity(unchecked) var formerIndex: CommandIndex?
    /// The chain of the index, once it was found to be steady; kept from one index to the next, since most often only
    /// commands changed.
    @exclusivity(unchecked) var ownedSteady: SteadyChain?
    /// The same while its plans are those of the index.
    @exclusivity(unchecked) var steady: Unmanaged<SteadyChain>?
    /// The same while its members are those of the chain.
    @exclusivity(unchecked) var members: Unmanaged<SteadyChain>?
    /// What `responder` policy serves.
    @exclusivity(unchecked) var lists: [ObjectIdentifier: CachedList] = [:]
    /// A link changed since the index was made: its chain must be compared before it is used again.
    @exclusivity(unchecked) var indexNeedsCheck = false
    @exclusivity(unchecked) var account = CacheCounts()
    @exclusivity(unchecked) var calls = CallCounts()
    @exclusivity(unchecked) var shadowReads = 0
    @exclusivity(unchecked) var pendingEffects: [Effect] = []
    @exclusivity(unchecked) var isResolving = false
    /// A press is on its way up the chain, and what left its window meanwhile (spec EV-6).
    @exclusivity(unchecked) var isClimbing = false
    @exclusivity(unchecked) var leftWhileClimbing: [Responder]?
    /// The system's keys under this profile (spec §1.6).
    @exclusivity(unchecked) var earlyStandardKeys: [StandardKey] = []
    @exclusivity(unchecked) var lateStandardKeys: [StandardKey] = []
    @exclusivity(unchecked) var menu = MainMenuState()
    @exclusivity(unchecked) var applicationCommandsArmed = false
    @exclusivity(unchecked) var tracked: [Responder] = []
    @exclusivity(unchecked) var hashedNames: HashedNames?
    @exclusivity(unchecked) var localisation: CommandLocalisation
    /// What the delegate said at launch, for good (spec MT-7).
    lazy var delegateAllowsLocalisation: Bool =
        application.delegate?.applicationShouldAutomaticallyLocalizeKeyCommands ?? true
    /// All commands of the press, kept for a probe.
    @exclusivity(unchecked) var collected: [CollectedCommand] = []
    /// Commands that were considered and did not take the press, by their place among the candidates.
    @exclusivity(unchecked) var fates: [(entry: Int, verdict: CandidateVerdict)] = []

    public init(
        application: Application, profile: Profile = Profile(), layout: Layout, cachePolicy: CachePolicy = .none
    ) {
        self.application = application
        self.profile = profile
        self.layout = layout
        self.cachePolicy = cachePolicy
        keyTable = KeyTable(layout)
        matching = Matching(profile)
        localisation = CommandLocalisation(table: profile.localisationTable, layout: layout)
        tree.observer = self
        application.tree = tree
        profileChanged()
        account = CacheCounts()
    }

    /// The responder that gets key events now: the key window's first responder (spec EV-1).
    public var firstResponder: Responder? {
        application.keyWindow?.firstResponder ?? tree.firstResponderWithoutWindow
    }

    /// Where the last press or repeat entered the chain; `nil` when no responder got it.
    package var lastStart: Responder? { hadStart ? chainStart : nil }

    /// Includes these in the state hash, in this order, and tells the engine about their effects.
    public func track(_ responders: [Responder]) {
        for responder in responders { responder.tree = tree }
        tracked = responders.filter(\.hasComponentState)
    }
}
