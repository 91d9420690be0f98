public import KeyModel

/// Rules of one version of the system for keys: every behaviour that versions differ in, or that is not known for
/// certain, as a named parameter (spec §0.1, §12).
///
/// The shipped profiles are data files in the same form that `init(text:)` reads.
public struct Profile: Hashable, Sendable {
    /// The shipped name, or the name in the file.
    public var name = ""

    public enum StageOrder: String, CaseIterable, Sendable { case commandsFirst, textFirst }
    public enum Overlay: String, CaseIterable, Sendable { case none, hud, menus, menuBar }
    public enum StartRule: String, CaseIterable, Sendable { case none, windowTail, deepest }
    public enum KeyWindowScope: String, CaseIterable, Sendable { case app, scene }
    public enum CommandsBeforePresses: String, CaseIterable, Sendable { case never, unlessKeyInput, always }
    public enum SystemMenuBeforePriority: String, CaseIterable, Sendable { case never, unlessKeyInput }
    public enum MenuPickStart: String, CaseIterable, Sendable { case firstResponder, application }
    public enum InsertionDuplicate: String, CaseIterable, Sendable { case drop, exception }
    public enum CloseConfirmation: String, CaseIterable, Sendable { case none, perScene }
    public enum OverlayDisabled: String, CaseIterable, Sendable { case omit, dim }
    public enum OverlayKeyless: String, CaseIterable, Sendable { case omit, shown }
    public enum OverlayUnplaced: String, CaseIterable, Sendable { case applicationMenu, helpMenu }
    public enum Precedence: String, CaseIterable, Sendable { case nearestFirst, farthestFirst }
    public enum MainMenuPosition: String, CaseIterable, Sendable { case afterChain, beforeChain }
    public enum AlternatePrecedence: String, CaseIterable, Sendable { case afterParent, beforeParent }
    public enum FocusActivation: String, CaseIterable, Sendable { case returnKey = "return", space }
    public enum SystemBackCommand: String, CaseIterable, Sendable { case none, nearest, outermost }
    public enum HostedShortcuts: String, CaseIterable, Sendable { case none, afterChain, beforeChain, beforeText }
    public enum KeyPressHandlers: String, CaseIterable, Sendable { case none, beforeText, afterText }
    public enum ChildChoice: String, CaseIterable, Sendable { case unambiguous, last }

    /// The order of text and commands (spec EV-8).
    public var stageOrder = StageOrder.textFirst
    /// Responders get `pressesBegan` and its siblings (spec EV-4).
    public var rawPresses = true
    /// A held key command fires again (spec EV-13).
    public var repeats = true
    public var overlay = Overlay.menus
    /// Spec MT-7.
    public var localises = true
    /// Spec MT-8.
    public var mirrors = true
    /// A match without a target keeps the key from other commands (spec MT-10).
    public var blocksUnperformable = true
    /// The number of times that every responder's commands are read for one key-down (spec KC-4).
    public var passesPerKeyDown = 1
    public var queryOnKeyUp = false
    public var queryOnRepeatTick = true
    /// Spec §6.3.
    public var startWithoutFirstResponder = StartRule.deepest
    /// Caps Lock is part of the modifiers to match (spec MT-1).
    public var matchAlphaShift = false
    public var keyWindowScope = KeyWindowScope.scene
    /// A swallowed press reaches no later stage (spec EV-5).
    public var swallowBlocksSystem = true
    /// Where a key that a command matches goes to the command, and no responder gets `pressesBegan` of it: where the
    /// first responder takes no key input, or everywhere; with the menus of the Mac that is so for chords with Control
    /// or Command, and text types before it (spec I26-1, I27-5).
    public var commandsBeforePresses = CommandsBeforePresses.never
    /// The same as older profile files and traces have it: true is `never`, false `always`.
    public var pressesSeenForMatchedCommands: Bool {
        get { commandsBeforePresses == .never }
        set { commandsBeforePresses = newValue ? .never : .always }
    }
    /// Keys of the system's own menu items come before an app's commands, on an iPad and where commands come before
    /// presses (spec I26-2).
    public var systemMenuBeforePriority = SystemMenuBeforePriority.never
    /// Keys of the system's menu that go no further where no responder performs their action, on an iPad (spec I26-3).
    public var systemMenuKeysBlock = ReservedChords([])
    /// Keys of the menu that the system has for windows, on an iPad (spec I26-6).
    public var windowMenuKeys = ReservedChords([])
    /// The window scene answers ⌘W by closing, where no nearer responder does, on an iPad (spec I26-4).
    public var closeActionAtScene = true
    /// The application answers ⌘, where no nearer responder does, on an iPad (spec I26-5).
    public var settingsCommand = false
    /// A window without a scene is an error of the app: it does not start (spec I27-1).
    public var requiresWindowScene = false
    /// A window that belongs to no scene can be key where the app has scenes (spec I27-2).
    public var windowWithoutSceneGetsKeys = true
    /// Where an item that is picked from a menu looks for its target: the bar may have taken first responder from the
    /// app's window (spec I27-3).
    public var menuPickStart = MenuPickStart.firstResponder
    /// First responder stays while the menu bar is navigated (spec I27-3).
    public var menuBarKeepsFirstResponder = true
    /// Where it does not: it comes back by itself when the bar closes, which is not known.
    public var menuBarRestoresFirstResponder = true
    /// The end of a menu whose elements repeat each other: it is dropped, or the exception ends the app (spec I26-9).
    public var insertionDuplicate = InsertionDuplicate.drop
    /// Keys of which a command with the repeat behaviour `automatic` does not repeat (spec I26-12).
    public var automaticRepeatExceptions = ReservedChords([])
    /// SwiftUI's `buttonRepeatBehavior` begins at its default inside what is presented (spec I27-7).
    public var sheetResetsRepeatBehavior = false
    /// A window scene may have the user asked before ⌘W closes it (spec I27-9).
    public var closeConfirmation = CloseConfirmation.none
    /// A window of a scene that takes no input, such as that of an external display, can be key (spec I27-13).
    public var nonInteractiveSceneCanBeKey = true
    /// An app has several window scenes on an iPhone as well (spec I27-16).
    public var multipleScenes = false
    /// Commands of a menu that are disabled or have no target (spec I26-13).
    public var overlayDisabled = OverlayDisabled.omit
    /// Commands of a menu that have no key (spec I26-13).
    public var overlayKeyless = OverlayKeyless.omit
    /// The section of key commands that no menu has (spec I26-14).
    public var overlayUnplaced = OverlayUnplaced.applicationMenu
    public var precedence = Precedence.nearestFirst
    public var mainMenuPosition = MainMenuPosition.afterChain
    /// Third line of spec MT-3.
    public var shiftedWithShift = true
    public var priorityBeforeIME = true
    public var imeBeforeCommandsLegacy = true
    public var modalFilterAffectsCollection = false
    public var repeatDelay = TraceDuration(nanoseconds: 400_000_000)
    public var repeatInterval = TraceDuration(nanoseconds: 100_000_000)
    /// Spec EV-2.
    public var commandDotIsEscape = true
    public var alternatePrecedence = AlternatePrecedence.afterParent
    /// Four glyphs in the order the overlay prints them (spec HUD-4).
    public var hudModifierOrder = "⌃⌥⇧⌘"
    public var laterDownEndsRepeat = true
    /// Spec KC-7.
    public var splitViewQueriesPrimary = false
    /// Spec DS-10.
    public var applicationCommandsNeedSecondPress = false
    /// Spec §11 T-27.
    public var verticalArrowsDeadInTextView = false
    /// A command with an empty input and one modifier hears that modifier's own press (spec EV-11).
    public var emptyInputMatchesModifier = true
    /// The focus system keeps its keys where nothing can have the focus (spec EV-14).
    public var emptyFocusConsumes = true
    /// Escape and ⇧Escape go to editable text (spec §2.3).
    public var escapeTakenByText = true
    /// Spec §6.3, the child that a start descends to in a container without a rule of its own.
    public var deepestResponderChildChoice = ChildChoice.unambiguous
    /// Order of the keyboard frame notifications (spec §12).
    public var notificationOrder = "willChangeFrame willShowHide didChangeFrame didShowHide"
    /// Commands moved to keys that a layout has: `layout:from=to`, blank-separated (spec MT-7).
    public var localisationTable = "de:[=ö de:]=ä"
    /// The modal filter of spec DS-7 exists.
    public var filtersActionsOfPresenters = true
    /// There is a main menu whose commands are matched (spec MM-1).
    public var mainMenu = true
    /// ⌘B, ⌘I and ⌘U act on text before an app's commands (spec EV-8).
    public var builtinTextBeforeCommands = false
    /// Chords that never reach the app: input sources, app switcher, Home Screen, screenshots (spec §12).
    public var reservedChords = ReservedChords(
        text: "cmd+space ctrl+space ctrl+shift+space cmd+tab shift+cmd+tab ctrl+opt+shift+cmd+tab cmd+h "
            + "shift+cmd+3 shift+cmd+4") ?? ReservedChords([])
    /// `KeyCommand.repeatBehavior` counts: iOS 26 (spec EV-13).
    public var honoursRepeatBehavior = false
    /// There is a focus system, where the device has one (spec EV-14).
    public var focusSystem = true
    /// Scroll views scroll by keys of their own accord (spec EV-15).
    public var keyboardScrolling = false
    /// A window's `next` is its scene (spec §6.1).
    public var windowScenes = true
    /// Spec FR-7.
    public var applicationHandsBackFirstResponder = false
    /// The standard keys of iOS 15 are there: ⌥⇧⌘V, ⌘P, ⌃⌘S, ⌘` (spec §1.6).
    public var pasteAndMatchStyle = true
    /// Held keys are cancelled and modifiers forgotten when the application becomes inactive (spec EV-17). False
    /// reproduces keys that stay down because their release went elsewhere (spec §11 T-8).
    public var deactivationCancelsKeys = true
    /// ⌘F, ⌥⌘F, ⌘G, ⇧⌘G and ⌘E are standard keys (spec §1.6, iOS 16).
    public var findKeys = false
    /// ⌘[ of a navigation controller with something to go back to (spec KC-3), and which of several goes back.
    public var systemBackCommand = SystemBackCommand.nearest
    /// The default implementation of a gesture recogniser fails on presses (spec EV-3).
    public var gestureRecognizersFailOnPresses = true
    /// The keys of the main menu act before text and before the chain's commands (spec §15, Mac).
    public var menuBeforeText = false
    /// Arrow keys carry the numericPad flag (spec §11 T-23).
    public var arrowsCarryNumericPad = false
    /// Menus are those of a desktop, with its default menu (spec §15, Mac).
    public var macMenus = false
    /// The key that activates what has the focus (spec EV-14).
    public var focusActivation = FocusActivation.returnKey
    /// The place of SwiftUI's keyboard shortcuts among UIKit's commands: the main menu's follow (documented); the
    /// chain's are before or after; text is before them or, as with priority, after.
    public var hostedShortcuts = HostedShortcuts.afterChain
    /// The rule by which SwiftUI's `onKeyPress` gets keys of UIKit's text, where such text has the keyboard.
    public var keyPressHandlers = KeyPressHandlers.beforeText
    /// The application's key commands are React Native's developer commands, which observe presses: while there is no
    /// first responder, all that match run, and a press without modifiers matches those for its key whatever modifiers
    /// they ask for. No responder is asked for them, and the press goes on to the system as if they were not there.
    public var observesApplicationCommands = false
    /// The path of a key in an AppKit app; `nil` for UIKit's.
    public var appKit: AppKitRules?

    /// Every parameter with the values of `ios15`.
    public init() {}

    /// The names of the shipped profiles: versions of iOS, then others.
    public static let shippedNames = uiKitNames + appKitNames

    /// The shipped profiles of UIKit.
    public static let uiKitNames = versionNames + ["catalyst", "react-native-dev"]

    /// The shipped profiles of AppKit, as Apple documents it and as GNUstep does it.
    public static let appKitNames = ["appkit", "gnustep"]

    /// The shipped profiles that are versions of iOS, oldest first.
    public static let versionNames = ["ios7", "ios9", "ios13", "ios134", "ios15", "ios16", "ios26", "ios27"]

    /// A shipped profile, or `ios17` or `ios18`: `ios16` as of apps linked against 17 (spec EV-3, EV-15).
    public static func named(_ name: String) -> Profile? { shipped[name] }

    private static let shipped: [String: Profile] = {
        var table: [String: Profile] = [:]
        for (name, text) in shippedTexts {
            guard var profile = try? Profile(text: text) else { continue }
            profile.name = name
            table[name] = profile
        }
        for name in ["ios17", "ios18"] {
            table[name] = table["ios16"]
            table[name]?.name = name
            table[name]?.keyboardScrolling = true
            table[name]?.gestureRecognizersFailOnPresses = false
        }
        return table
    }()
}
