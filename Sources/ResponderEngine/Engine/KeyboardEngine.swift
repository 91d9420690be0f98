public import KeyModel

/// Resolves key events against a responder tree, the way one version of the system does.
///
/// Give it key-downs, key-ups and repeat ticks in order of time; change focus, windows and presentation through
/// the responders or through its context operations. It reads no clock: what a repeat means is the caller's
/// business (`Profile.repeatDelay`, `Profile.repeatInterval`).
///
/// One thread uses an engine and its responders.
public final class KeyboardEngine {
    public let application: Application
    public var profile: Profile {
        get { rules.profile }
        set {
            guard newValue != rules.profile else { return }
            rules.profile = newValue
            // Another version has another default menu, and other rules for what goes in.
            if !isRecorded { menu.isBuilt = false }
            profileChanged()
        }
    }
    // Rules that each replayed key needs: another module that reads `profile` gets a copy of all of it.
    package var laterDownEndsRepeat: Bool { rules.profile.laterDownEndsRepeat }
    package var repeatDelay: TraceDuration { rules.profile.repeatDelay }
    package var repeatInterval: TraceDuration { rules.profile.repeatInterval }
    public var layout: Layout {
        get { rules.layout }
        set {
            guard newValue != rules.layout else { return }
            rules.layout = newValue
            layoutChanged()
        }
    }
    public enum LayoutDirection: String, CaseIterable, Sendable { case ltr, rtl }
    /// Direction of the interface (spec MT-8).
    public var layoutDirection = LayoutDirection.ltr { didSet { if oldValue != layoutDirection { dropCaches() } } }
    /// The device has a focus system, as an iPad does and an iPhone does not; it acts where the profile has one too.
    public var hasFocusSystem: Bool {
        get { focus.isOnDevice }
        set {
            guard newValue != focus.isOnDevice else { return }
            focus.isOnDevice = newValue
            menu.isBuilt = false
            dropCaches()
        }
    }
    /// The device is an iPad, whose menu has items for windows from iOS 26 on (spec I26-6). Unless it is set, a
    /// device with a focus system is one.
    public var isPad: Bool {
        get { declaredPad ?? hasFocusSystem }
        set {
            declaredPad = newValue
            menu.isBuilt = false
            dropCaches()
        }
    }
    private var declaredPad: Bool?
    /// A hardware keyboard is attached: it takes the keys of the software keyboard away (spec TX-3).
    public var isKeyboardAttached: Bool {
        get { keyboardControl.isHardwareAttached }
        set {
            guard newValue != keyboardControl.isHardwareAttached else { return }
            keyboardControl.isHardwareAttached = newValue
            hardwareKeyboardChanged()
        }
    }
    public var cachePolicy: CachePolicy {
        get { cache.policy }
        set {
            let former = cache.policy
            cache.policy = newValue
            if newValue != former { dropCaches() }
        }
    }
    /// Reads everything afresh at each cache hit and counts the answers that differ.
    public var shadowCheck: Bool {
        get { cache.shadowCheck }
        set { cache.shadowCheck = newValue }
    }
    public var probe: (any EngineProbe)? {
        get { listener }
        set { listener = newValue }
    }
    /// The source of answers for responders that are known from a recording alone.
    package weak var recordedAnswers: (any RecordedAnswerSource)? { didSet { isRecorded = recordedAnswers != nil } }
    /// Keeps the presses that the system cancels (deactivation, a keyboard that goes away) until `takeCancelled`.
    public var keepsCancelled = false { didSet { if !keepsCancelled { cancelled = [] } } }
    var cancelled: [(key: KeyIdentity, release: Release)] = []

    /// What came of the last pick of a menu item.
    public internal(set) var picked: Resolution?

    let tree = ResponderTree()
    // State that each press reads is internal: the compiler sees every access, and checks none of them at run time.
    var listener: (any EngineProbe)?
    let rules: KeyRules
    let heldKeys = HeldKeys()
    /// The flags that modifier keys give.
    public var modifierRoles: ModifierRoles {
        get { heldKeys.modifiers.roles }
        set { heldKeys.modifiers.roles = newValue }
    }
    let followed = FollowedChain()
    let cache: CommandCache
    let progress = PressProgress()
    let menu = MainMenuState()
    let keyboardControl = SoftwareKeyboardControl()
    /// There was a source of recorded answers when it was set: read at each press, which a weak reference would make
    /// slower.
    private(set) var isRecorded = false
    /// Dead keys that wait for the next one.
    var deadSequence: [Layout.Symbol] = []
    var applicationCommandsArmed = false
    /// Some command may have an empty input, so that key commands are looked at when a modifier goes down (spec EV-11).
    /// The first such command in a list that is read sets it; an app whose commands may come up at a modifier first
    /// sets it itself.
    public var hearsModifiers = false
    let focus = FocusState()
    let hosts = HostControllers()
    var tracked: [Responder] = []
    /// The beginning of the last state hash, which is made of names, and the link version it is good for.
    var hashedNames: (linkVersion: UInt64, hash: StableHash)?
    /// The delegate's answer at launch, for good (spec MT-7).
    lazy var delegateAllowsLocalisation: Bool =
        application.delegate?.applicationShouldAutomaticallyLocalizeKeyCommands(application) ?? true

    public init(
        application: Application, profile: Profile = Profile(), layout: Layout, cachePolicy: CachePolicy = .none
    ) {
        self.application = application
        rules = KeyRules(profile, layout)
        cache = CommandCache(cachePolicy)
        tree.observer = self
        application.tree = tree
        profileChanged()
    }

    deinit { tree.observer = nil }

    /// The responder that gets key events now: the key window's first responder (spec EV-1).
    public var firstResponder: Responder? {
        if !followed.isFirstCurrent(tree.linkVersion) {
            let window = application.keyWindow
            // Another first responder of it counts as a change of links from now on.
            if let window, window.tree !== tree { window.tree = tree }
            followed.noteFirst(
                window?.firstResponder ?? tree.firstResponderWithoutWindow, linkVersion: tree.linkVersion)
        }
        return followed.first
    }

    /// The responder where the last press or repeat entered the chain; `nil` when no responder got it.
    package var lastStart: Responder? { followed.hadStart ? followed.start : nil }

    /// Includes these in the state hash, in this order, and lets them report their effects to the engine.
    public func track(_ responders: [Responder]) {
        for responder in responders { responder.tree = tree }
        tracked = responders.filter(\.hasComponentState)
    }
}
