/// The menu system that is being built (spec MM-1).
public enum MenuSystem: Hashable, Sendable {
    /// The main menu: one root, and only the application and its delegate are asked.
    case main
    /// A menu for one place, with a root of its own each time; the responders of the chain there are asked.
    case context
}

/// A menu of commands and menus (spec §1.5): a value, changed by putting another in its place.
open class Menu: MenuElement {
    /// `com.apple.menu.<kebab-case>` for the system's menus.
    public struct Identifier: Hashable, Sendable, ExpressibleByStringLiteral {
        public let name: String
        public init(_ name: String) { self.name = name }
        public init(stringLiteral name: String) { self.init(name) }

        /// No identifier: such a menu cannot be named, and any number of them may be in one menu.
        public static let none = Identifier("")

        /// The name without the system's prefix.
        var shortName: String {
            for prefix in ["com.apple.menu.", "com.apple.command."] where name.hasPrefix(prefix) {
                return String(name.dropFirst(prefix.count))
            }
            return name
        }
    }

    /// Raw values as `UIMenu.Options`.
    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Its children are shown among those of the menu around it.
        public static let displayInline = Options(rawValue: 1 << 0)
        public static let destructive = Options(rawValue: 1 << 1)
        public static let singleSelection = Options(rawValue: 1 << 5)
        public static let displayAsPalette = Options(rawValue: 1 << 7)
    }

    /// Raw values as `UIMenu.ElementSize`.
    public enum ElementSize: Int, Sendable { case small = 0, medium, large, automatic = -1 }

    public final let identifier: Identifier
    public final let options: Options
    public final let preferredElementSize: ElementSize
    public final let children: [MenuElement]

    public init(
        title: String = "", subtitle: String? = nil, image: Image? = nil, identifier: Identifier? = nil,
        options: Options = [], preferredElementSize: ElementSize = .automatic, children: [MenuElement] = []
    ) {
        self.identifier = identifier ?? Identifier.none
        self.options = options
        self.preferredElementSize = preferredElementSize
        self.children = children
        super.init(title: title, image: image)
        self.subtitle = subtitle
    }

    /// The same menu with other children.
    public final func replacingChildren(_ children: [MenuElement]) -> Menu {
        Menu(
            title: title, subtitle: subtitle, image: image, identifier: identifier, options: options,
            preferredElementSize: preferredElementSize, children: children)
    }
}

extension Menu.Identifier {
    /// The identifier of a system menu by its short name, such as `edit` or `standard-edit`.
    public static func system(_ name: String) -> Menu.Identifier {
        name == "speech" ? speech : Menu.Identifier("com.apple.menu.\(name)")
    }

    public static let root = system("root")
    public static let application = system("application")
    public static let file = system("file")
    public static let edit = system("edit")
    public static let format = system("format")
    public static let view = system("view")
    public static let window = system("window")
    public static let help = system("help")
    public static let about = system("about")
    public static let preferences = system("preferences")
    public static let services = system("services")
    public static let hide = system("hide")
    public static let quit = system("quit")
    public static let newScene = system("new-scene")
    public static let newItem = system("new-item")
    public static let open = system("open")
    public static let autoFill = system("auto-fill")
    public static let findPanel = system("find-panel")
    public static let openRecent = system("open-recent")
    public static let close = system("close")
    public static let print = system("print")
    public static let document = system("document")
    public static let undoRedo = system("undo-redo")
    public static let standardEdit = system("standard-edit")
    public static let find = system("find")
    public static let replace = system("replace")
    public static let share = system("share")
    public static let textStyle = system("text-style")
    public static let spelling = system("spelling")
    public static let spellingPanel = system("spelling-panel")
    public static let spellingOptions = system("spelling-options")
    public static let substitutions = system("substitutions")
    public static let substitutionsPanel = system("substitutions-panel")
    public static let substitutionOptions = system("substitutions-options")
    public static let transformations = system("transformations")
    public static let speech = Menu.Identifier("com.apple.command.speech")
    public static let lookup = system("lookup")
    public static let learn = system("learn")
    public static let font = system("font")
    public static let textSize = system("text-size")
    public static let textColor = system("text-color")
    public static let textStylePasteboard = system("text-style-pasteboard")
    public static let text = system("text")
    public static let writingDirection = system("writing-direction")
    public static let alignment = system("alignment")
    public static let toolbar = system("toolbar")
    public static let sidebar = system("sidebar")
    public static let fullscreen = system("fullscreen")
    public static let minimizeAndZoom = system("minimize-and-zoom")
    public static let bringAllToFront = system("bring-all-to-front")
}
