import KeyModel

/// Rules for a key's way through an AppKit app: where GNUstep, as it was observed, differs from what Apple documents,
/// as named parameters.
public struct AppKitRules: Hashable, Sendable {
    /// The keys that are asked for as key equivalents.
    public enum KeyEquivalents: String, CaseIterable, Sendable { case commandKeys, everyKey }
    /// The moment when a window moves its focus.
    public enum InterfaceControl: String, CaseIterable, Sendable { case beforeKeyDown, afterKeyDown }

    /// The keys for which views, windows and menus are asked `performKeyEquivalent:`.
    public var keyEquivalents = KeyEquivalents.commandKeys
    /// A menu keeps the key of an item that is disabled; else the key goes on to `keyDown:`.
    public var disabledItemsKeepKeys = false
    /// Text types the character of a key with Command that nothing took; else the key is unhandled.
    public var typesWithCommand = false
    /// Tab moves the focus before the first responder gets a `keyDown:`, or after the chain has passed it on.
    public var interfaceControl = InterfaceControl.beforeKeyDown

    /// Apple's.
    public init() {}

    /// A key that is a modifier and no press. On Apple's keyboards Num Lock is Clear, which is a key; GNUstep, which
    /// asks for every key, has it as a lock.
    func isLock(_ usage: KeyUsage?) -> Bool {
        usage == .capsLock || usage == .keypadNumLock && keyEquivalents == .everyKey
    }

    /// False for a key that text leaves alone because of its Command.
    func types(_ stroke: Stroke) -> Bool { typesWithCommand || !stroke.flags.contains(.command) }
}

extension Profile {
    enum Toolkit: String, CaseIterable, Sendable { case uikit, appkit }

    /// The toolkit whose path keys take.
    var toolkit: Toolkit {
        get { appKit == nil ? .uikit : .appkit }
        set {
            guard newValue != toolkit else { return }
            let former = self
            self = Profile()
            name = former.name
            guard newValue == .appkit else { return }
            appKit = AppKitRules()
            reservedChords = ReservedChords([])
            commandDotIsEscape = false
            focusSystem = false
            emptyInputMatchesModifier = false
            mainMenu = true
        }
    }

    /// The rules of an AppKit app, as parameters read and set them.
    private var ownAppKit: AppKitRules {
        get { appKit ?? AppKitRules() }
        set { appKit = newValue }
    }

    /// The parameters that count in an AppKit app.
    static let appKitParameters: [ProfileParameter] = [
        toolkitParameter, choice("keyEquivalents", \.ownAppKit.keyEquivalents),
        flag("disabledItemsKeepKeys", \.ownAppKit.disabledItemsKeepKeys),
        flag("typesWithCommand", \.ownAppKit.typesWithCommand),
        choice("interfaceControl", \.ownAppKit.interfaceControl),
        duration("repeatDelay", \.repeatDelay), duration("repeatInterval", \.repeatInterval),
    ]

    static let toolkitParameter = ProfileParameter(name: "toolkit", expected: "uikit or appkit") {
        $0.toolkit.rawValue
    } set: {
        guard let toolkit = Toolkit(rawValue: $1) else { return false }
        $0.toolkit = toolkit
        return true
    }
}
