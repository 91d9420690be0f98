public import KeyModel

/// Resolves key events against a responder tree, the way one version of the system does.
///
/// Give it key-downs, key-ups and repeat ticks in order of time; change focus, windows and presentation through
/// the responders or through its context operations. It reads no clock: what a tick means is the caller's
/// business (`Profile.repeatDelay`, `Profile.repeatInterval`).
public final class KeyboardEngine {
    public let application: Application
    public var profile: Profile { didSet { profileChanged() } }
    public var layout: Layout { didSet { layoutChanged() } }
    public enum LayoutDirection: String, CaseIterable, Sendable { case ltr, rtl }
    /// Direction of the interface (spec MT-8).
    public var layoutDirection = LayoutDirection.ltr { didSet { if oldValue != layoutDirection { dropCaches() } } }
    /// The device has a focus system; it acts where the profile has one too.
    public var hasFocusSystem = false
    public var isKeyboardAttached = true
    public var cachePolicy: CachePolicy { didSet { if oldValue != cachePolicy { dropCaches() } } }
    /// Reads everything afresh at each cache hit and counts the answers that differ.
    public var shadowCheck = false
    public var probe: (any EngineProbe)?

    let tree = ResponderTree()
    var keyboards: [(device: UInt16, modifiers: ModifierState)] = []
    var isCapsLockOn = false
    var held: [HeldPress] = []
    var spareHeld: [HeldPress] = []
    var heldFlags: KeyModifiers = []
    var keyTable: KeyTable
    var stages: [DeliveryStage] = []
    var matching: Matching
    var deadSequence: [Layout.Symbol] = []
    var chain = ResponderChain()
    var chainIsAnnounced = false
    var chainStart: Responder?
    /// What `chain` policy serves; dropped by any announced change.
    var index: CommandIndex?
    /// What `responder` policy serves.
    var lists: [ObjectIdentifier: CachedList] = [:]
    /// A link changed since the index was made: its chain must be compared before it is used again.
    var indexNeedsCheck = false
    var account = CacheCounts()
    var calls = CallCounts()
    var shadowReads = 0
    var pendingEffects: [Effect] = []
    var isResolving = false
    var menu = MainMenuState()
    var applicationCommandsArmed = false
    var tracked: [Responder] = []
    var localisation: CommandLocalisation
    /// All commands of the press, kept for a probe.
    var collected: [CollectedCommand] = []
    /// Commands that were considered and did not take the press, by their place among the candidates.
    var fates: [(entry: Int, verdict: CandidateVerdict)] = []

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

    /// Includes these in the state hash, in this order, and tells the engine about their effects.
    public func track(_ responders: [Responder]) {
        for responder in responders { responder.tree = tree }
        tracked = responders.filter(\.hasComponentState)
    }
}
