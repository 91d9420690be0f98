public import KeyModel

/// UIKit's name for the modifiers of commands and events.
public typealias KeyModifierFlags = KeyModifiers

extension KeyModifiers {
    /// UIKit's name of `option`.
    public static let alternate = KeyModifiers.option
    /// UIKit's name of `capsLock`.
    public static let alphaShift = KeyModifiers.capsLock
}

/// The name of a picture; its pixels are not modelled.
public struct Image: Hashable, Sendable {
    public let name: String
    public init?(systemName name: String) { self.name = name }
    public init?(named name: String) { self.name = name }
}

/// An entry of a menu (spec §1.5).
open class MenuElement {
    public final var title: String { didSet { changes &+= 1 } }
    public final var subtitle: String?
    public final var image: Image?
    /// Counts the changes of what recordings contain of it: its handle in one is good for one count.
    final var changes: UInt32 = 0

    public init(title: String, image: Image? = nil) {
        self.title = title
        self.image = image
    }

    /// Raw values as `UIMenuElement.Attributes`.
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Cannot be chosen, by key neither (spec MT-11).
        public static let disabled = Attributes(rawValue: 1)
        public static let destructive = Attributes(rawValue: 2)
        /// Not shown; its key still works (spec MT-11).
        public static let hidden = Attributes(rawValue: 4)
        public static let keepsMenuPresented = Attributes(rawValue: 8)
    }

    public enum State: UInt8, Sendable { case off, on, mixed }

    /// The effect of a held key on a command (`UIMenuLeaf.repeatBehavior`).
    public enum RepeatBehavior: String, CaseIterable, Sendable { case automatic, repeatable, nonRepeatable }
}

/// A menu entry with an action.
open class Command: MenuElement {
    public final var action: Selector { didSet { changes &+= 1 } }
    public final var attributes: Attributes = [] { didSet { changes &+= 1 } }
    public final var state: State = .off
    public final var discoverabilityTitle: String?
    /// Distinguishes commands with the same action (spec MM-4).
    public final var propertyList: String?
    public final var alternates: [CommandAlternate] = [] {
        didSet {
            hasNoAlternates = alternates.isEmpty
            changes &+= 1
        }
    }
    /// Read for every command of a chain that is read anew.
    final private(set) var hasNoAlternates = true

    public init(
        title: String = "", image: Image? = nil, action: Selector, propertyList: String? = nil,
        alternates: [CommandAlternate] = [], discoverabilityTitle: String? = nil, attributes: Attributes = [],
        state: State = .off
    ) {
        self.action = action
        self.propertyList = propertyList
        self.alternates = alternates
        hasNoAlternates = alternates.isEmpty
        self.discoverabilityTitle = discoverabilityTitle
        self.attributes = attributes
        self.state = state
        super.init(title: title, image: image)
    }
}

/// Another action of the same command when more modifiers are held (spec MT-12). Two are equal when their
/// modifiers are.
public struct CommandAlternate: Hashable, Sendable {
    public var title: String
    public var action: Selector
    public var modifierFlags: KeyModifiers

    public init(title: String = "", action: Selector, modifierFlags: KeyModifiers) {
        self.title = title
        self.action = action
        self.modifierFlags = modifierFlags
    }

    public static func == (a: CommandAlternate, b: CommandAlternate) -> Bool { a.modifierFlags == b.modifierFlags }
    public func hash(into hasher: inout Hasher) { hasher.combine(modifierFlags) }
}

/// A key equivalent: the input and the modifiers that trigger an action (spec §1.5).
open class KeyCommand: Command {
    /// One character, or one of the `input…` constants; `nil` matches no key. The empty input with one modifier matches
    /// the press of that modifier (spec EV-11).
    public final var input: String? {
        didSet {
            commandInput = CommandInput(ofCommand: input)
            changes &+= 1
        }
    }
    public final var modifierFlags: KeyModifiers { didSet { changes &+= 1 } }
    /// Tried before text input and focus, from iOS 15 (spec EV-8).
    public final var wantsPriorityOverSystemBehavior = false { didSet { changes &+= 1 } }
    /// Spec MT-7; off, it turns mirroring off too.
    public final var allowsAutomaticLocalization = true { didSet { changes &+= 1 } }
    /// Spec MT-8.
    public final var allowsAutomaticMirroring = true { didSet { changes &+= 1 } }
    public final var repeatBehavior: RepeatBehavior = .automatic { didSet { changes &+= 1 } }
    /// That of the SwiftUI views that have the command, as the engine found it.
    final var hostedRepeatBehavior: RepeatBehavior = .automatic { didSet { changes &+= 1 } }
    /// Its own behavior, where it has one, else that of the views around it.
    package final var effectiveRepeatBehavior: RepeatBehavior {
        repeatBehavior == .automatic ? hostedRepeatBehavior : repeatBehavior
    }

    final var commandInput: CommandInput

    /// A command that no overlay shows without a discoverability title.
    public convenience init(
        input: String, modifierFlags: KeyModifiers, action: Selector, discoverabilityTitle: String? = nil
    ) {
        self.init(
            action: action, input: input, modifierFlags: modifierFlags, discoverabilityTitle: discoverabilityTitle)
    }

    public init(
        title: String = "", image: Image? = nil, action: Selector, input: String?, modifierFlags: KeyModifiers = [],
        propertyList: String? = nil, alternates: [CommandAlternate] = [], discoverabilityTitle: String? = nil,
        attributes: Attributes = [], state: State = .off
    ) {
        self.input = input
        self.modifierFlags = modifierFlags
        commandInput = CommandInput(ofCommand: input)
        super.init(
            title: title, image: image, action: action, propertyList: propertyList, alternates: alternates,
            discoverabilityTitle: discoverabilityTitle, attributes: attributes, state: state)
    }

    public static let inputUpArrow = "UIKeyInputUpArrow"
    public static let inputDownArrow = "UIKeyInputDownArrow"
    public static let inputLeftArrow = "UIKeyInputLeftArrow"
    public static let inputRightArrow = "UIKeyInputRightArrow"
    public static let inputEscape = "UIKeyInputEscape"
    public static let inputPageUp = "UIKeyInputPageUp"
    public static let inputPageDown = "UIKeyInputPageDown"
    public static let inputHome = "UIKeyInputHome"
    public static let inputEnd = "UIKeyInputEnd"
    public static let inputDelete = "\u{8}"
    public static let f1 = "UIKeyInputF1"
    public static let f2 = "UIKeyInputF2"
    public static let f3 = "UIKeyInputF3"
    public static let f4 = "UIKeyInputF4"
    public static let f5 = "UIKeyInputF5"
    public static let f6 = "UIKeyInputF6"
    public static let f7 = "UIKeyInputF7"
    public static let f8 = "UIKeyInputF8"
    public static let f9 = "UIKeyInputF9"
    public static let f10 = "UIKeyInputF10"
    public static let f11 = "UIKeyInputF11"
    public static let f12 = "UIKeyInputF12"
}
