public import KeyModel
public import ResponderEngine

/// A responder tree as a value: a `*.scene.yaml`, read and checked.
public struct Scene: Hashable, Sendable {
    /// The path as it was given, for messages and for files named relative to it.
    public var file: String
    public var name: String
    /// A shipped profile's name, or the path of a profile file relative to the scene; `nil` leaves the choice to
    /// the caller.
    public var profile: String?
    public var parameters: [ParameterSetting] = []
    /// The XKB layout, or `layout:variant`.
    public var layout = "us"
    /// 1-based lines of `profile` and `layout`, for messages; 1 where the scene leaves them out.
    var profileLine = 1
    var layoutLine = 1
    public var direction = KeyboardEngine.LayoutDirection.ltr
    /// The device that the app runs on: an iPad has a focus system from iOS 15 on, an iPhone none (spec EV-14).
    public var device = Device.ipad
    /// Overrides what the device has.
    public var focusSystem: Bool?
    /// The software keyboard as the scene begins.
    public var softwareKeyboard = SoftwareKeyboardDescription()
    /// The responders in the order of the file.
    public var responders: [ResponderDescription] = []
    public var firstResponder: String?
    public var mainMenu: [MenuDescription] = []
    /// Other answers to `buildMenu`, switched by `menu set VARIANT`.
    public var mainMenuVariants: [Named<[MenuDescription]>] = []

    public enum Device: String, CaseIterable, Hashable, Sendable { case ipad, iphone }

    public var hasFocusSystem: Bool { focusSystem ?? (device == .ipad) }

    public init(file: String, name: String) {
        self.file = file
        self.name = name
    }

    /// A scene file has at most 1 MiB.
    public static let maximumBytes = 1 << 20
}

/// Something with the name under which a scene lists it.
public struct Named<Value: Hashable & Sendable>: Hashable, Sendable {
    public var name: String
    public var value: Value

    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}

extension Array {
    func value<Value>(named name: String) -> Value? where Element == Named<Value> {
        first { $0.name == name }?.value
    }
}

/// A profile parameter that the scene overrides, as text.
public struct ParameterSetting: Hashable, Sendable {
    public var name: String
    public var value: String
    /// 1-based, for messages.
    public var line: Int

    public init(name: String, value: String, line: Int = 0) {
        self.name = name
        self.value = value
        self.line = line
    }
}

/// One entry of the main menu.
public indirect enum MenuDescription: Hashable, Sendable {
    /// A menu: its identifier's short name (`edit`) or full name, and what it holds.
    case menu(identifier: String, title: String, children: [MenuDescription])
    case command(CommandDescription)
    /// A menu of the menu bar that goes to a place of its own; without one it extends the menu with its
    /// identifier, or goes to the end.
    case placed(MenuDescription, MenuPlace)
    case replaceChildren(of: String, with: [MenuDescription])
    case remove(String)
}

/// The place of a menu of a scene: an operation of the menu builder and the identifier of the menu it is about.
public struct MenuPlace: Hashable, Sendable {
    public enum Relation: String, CaseIterable, Hashable, Sendable {
        case before, after, atStartOf, atEndOf, replaces
    }

    public var relation: Relation
    public var identifier: String

    public init(_ relation: Relation, _ identifier: String) {
        self.relation = relation
        self.identifier = identifier
    }
}

/// A key command, or a command without a key.
public struct CommandDescription: Hashable, Sendable {
    /// One character, or a constant of spec §1.4; `nil` matches no key.
    public var input: String?
    public var modifiers: KeyModifiers
    public var action: String
    public var title = ""
    public var discoverabilityTitle: String?
    public var isDisabled = false
    public var isHidden = false
    public var alternates: [Alternate] = []
    public var wantsPriority = false
    public var allowsAutomaticLocalization = true
    public var allowsAutomaticMirroring = true
    public var repeatBehavior = MenuElement.RepeatBehavior.automatic
    public var propertyList: String?

    public struct Alternate: Hashable, Sendable {
        public var modifiers: KeyModifiers
        public var action: String
        public var title: String

        public init(modifiers: KeyModifiers, action: String, title: String = "") {
            self.modifiers = modifiers
            self.action = action
            self.title = title
        }
    }

    public init(input: String?, modifiers: KeyModifiers = [], action: String) {
        self.input = input
        self.modifiers = modifiers
        self.action = action
    }
}

extension Scene {
    /// Some list, menus and other answers included, has a command with an empty input, which hears a modifier's own
    /// press (spec EV-11).
    var hasEmptyInput: Bool { (listedCommands + menuCommands).contains { $0.input?.isEmpty == true } }

    /// The commands of all lists, other answers included.
    var listedCommands: [CommandDescription] {
        responders.flatMap { ($0.keyCommands ?? []) + $0.hosted.shortcuts + $0.variants.flatMap(\.value) }
    }

    /// The commands of all menus, other answers included.
    var menuCommands: [CommandDescription] {
        (responders.flatMap(\.buildMenu) + mainMenu + mainMenuVariants.flatMap(\.value)).flatMap(\.commands)
    }
}

extension MenuDescription {
    fileprivate var commands: [CommandDescription] {
        switch self {
        case .menu(_, _, let children), .replaceChildren(_, let children): children.flatMap(\.commands)
        case .command(let command): [command]
        case .placed(let menu, _): menu.commands
        case .remove: []
        }
    }
}
