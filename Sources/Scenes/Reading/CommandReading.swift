import KeyModel
import ResponderEngine

/// Input strings as scenes name them.
enum InputName {
    /// One character, or the name of a special key; `nil` for anything else.
    static func input(_ text: String) -> String? {
        if let special = special[text] { return special }
        return text.count == 1 ? text : nil
    }

    /// The name that `input` reads as this string; `nil` where a scene has none.
    static func name(of input: String) -> String? { names[input] ?? (input.count == 1 ? input : nil) }

    private static let names = Dictionary(special.map { ($1, $0) }) { first, _ in first }

    static let expected = "one character or one of return, tab, space, escape, delete, up, down, left, right, "
        + "pageUp, pageDown, home, end, f1 to f12"

    private static let special: [String: String] = {
        var table = [
            "return": "\r", "tab": "\t", "space": " ", "escape": KeyCommand.inputEscape,
            "delete": KeyCommand.inputDelete, "up": KeyCommand.inputUpArrow, "down": KeyCommand.inputDownArrow,
            "left": KeyCommand.inputLeftArrow, "right": KeyCommand.inputRightArrow,
            "pageUp": KeyCommand.inputPageUp, "pageDown": KeyCommand.inputPageDown, "home": KeyCommand.inputHome,
            "end": KeyCommand.inputEnd,
        ]
        for number in 1...12 { table["f\(number)"] = "UIKeyInputF\(number)" }
        return table
    }()
}

extension CommandDescription {
    enum Attribute: String, CaseIterable, Equatable { case disabled, hidden }

    private var attributes: [Attribute] {
        get { (isDisabled ? [.disabled] : []) + (isHidden ? [.hidden] : []) }
        set { (isDisabled, isHidden) = (newValue.contains(.disabled), newValue.contains(.hidden)) }
    }

    private static let keys: [SceneKey<CommandDescription>] = [
        SceneKey("input", \.input, .input),
        SceneKey("modifiers", \.modifiers, .modifiers, unless: []),
        SceneKey("action", \.action, .selector, required: "a selector such as closeTab:"),
        SceneKey("title", \.title, .text, unless: ""),
        SceneKey("discoverabilityTitle", \.discoverabilityTitle, .text),
        SceneKey("attributes", \.attributes, .list("a list of disabled, hidden", of: .choice()), unless: []),
        SceneKey("alternates", \.alternates, .list("a list of alternates", of: Alternate.codec), unless: []),
        SceneKey("wantsPriority", \.wantsPriority, .flag, unless: false),
        // As UIKit calls it.
        SceneKey("wantsPriorityOverSystemBehavior") { value, _, command throws(SourceTextError) in
            command.wantsPriority = try SceneCodec.flag.read(value)
        },
        SceneKey("allowsAutomaticLocalization", \.allowsAutomaticLocalization, .flag, unless: true),
        SceneKey("allowsAutomaticMirroring", \.allowsAutomaticMirroring, .flag, unless: true),
        SceneKey("repeatBehavior", \.repeatBehavior, .choice(), unless: .automatic),
        SceneKey("propertyList", \.propertyList, .text),
    ]

    /// Reads one key command; `needsInput` is false in menus, where a command may have no key.
    static func read(_ value: YAMLValue, needsInput: Bool) throws(SourceTextError) -> CommandDescription {
        var map = try value.map("a key command such as {input: w, modifiers: [command], action: \"closeTab:\"}")
        var command = CommandDescription(input: nil, action: "")
        if needsInput, map["input"] == nil { _ = try map.take(required: "input", InputName.expected) }
        try map.read(keys, into: &command)
        try map.finish()
        return command
    }

    static func read(_ value: YAMLValue) throws(SourceTextError) -> CommandDescription {
        try read(value, needsInput: true)
    }

    /// An entry of a list.
    var line: String { "- " + CommandDescription.keys.text(of: self) }
}

extension CommandDescription.Alternate {
    private static let keys: [SceneKey<Self>] = [
        SceneKey("modifiers", \.modifiers, .modifiers, required: "a list of modifiers"),
        SceneKey("action", \.action, .selector, required: "a selector such as closeTab:"),
        SceneKey("title", \.title, .text, unless: ""),
    ]

    fileprivate static let codec = SceneCodec<Self>({ value throws(SourceTextError) in
        var map = try value.map("an alternate such as {modifiers: [option], action: \"x:\"}")
        var alternate = Self(modifiers: [], action: "")
        try map.read(keys, into: &alternate)
        try map.finish()
        return alternate
    }, write: { keys.text(of: $0) })
}

extension MenuDescription {
    /// Menus inside menus: more would only be an attack on the stack.
    private static let maximumDepth = 16

    static func readBar(_ value: YAMLValue) throws(SourceTextError) -> [MenuDescription] {
        try value.list("a list of menus") { value throws(SourceTextError) in try readChange(value) }
    }

    /// An entry of the menu bar: a menu, perhaps with a place, or another change of the default menu.
    private static func readChange(_ value: YAMLValue) throws(SourceTextError) -> MenuDescription {
        guard case .mapping(let mapping) = value.node.content else { return try readMenu(value, depth: 1) }
        let keys = Set(mapping.compactMap { $0.key.scalar?.string })
        guard keys.contains("remove") || keys.contains("replaceChildren") else {
            return try readMenu(value, depth: 1)
        }
        var map = try value.map("a change such as {remove: text-size}")
        if let removed = map.take("remove") {
            let identifier = try removed.name("the identifier of a menu, such as text-size")
            try map.finish()
            return .remove(identifier)
        }
        let parent = try map.take(required: "replaceChildren", "the identifier of a menu").name()
        let children = try readChildren(&map, depth: 2)
        try map.finish()
        return .replaceChildren(of: parent, with: children)
    }

    private static func readChildren(_ map: inout YAMLMap, depth: Int) throws(SourceTextError) -> [MenuDescription] {
        try map.take("children")?.list("a list of commands and menus") { child throws(SourceTextError) in
            try read(child, depth: depth)
        } ?? []
    }

    private static func readPlace(_ map: inout YAMLMap) throws(SourceTextError) -> MenuPlace? {
        var place: MenuPlace?
        for relation in MenuPlace.Relation.allCases {
            guard let value = map.take(relation.rawValue) else { continue }
            guard place == nil else {
                throw value.error("one place for a menu", found: "\(relation.rawValue) as well")
            }
            place = MenuPlace(relation, try value.name("the identifier of a menu, such as edit"))
        }
        return place
    }

    private static func read(_ value: YAMLValue, depth: Int) throws(SourceTextError) -> MenuDescription {
        guard case .mapping(let mapping) = value.node.content,
            mapping.contains(where: { $0.key.scalar?.string == "menu" })
        else { return .command(try CommandDescription.read(value, needsInput: false)) }
        return try readMenu(value, depth: depth)
    }

    private static func readMenu(_ value: YAMLValue, depth: Int) throws(SourceTextError) -> MenuDescription {
        guard depth <= maximumDepth else {
            throw value.error("at most \(maximumDepth) menus inside each other", found: "one more")
        }
        var map = try value.map("a menu such as {menu: edit, children: [...]}")
        let identifier = try map.take(required: "menu", "the identifier of a menu, such as edit").name()
        let title = try map.take("title")?.string()
        let children = try readChildren(&map, depth: depth + 1)
        let place = depth == 1 ? try readPlace(&map) : nil
        try map.finish()
        let menu = MenuDescription.menu(identifier: identifier, title: title ?? "", children: children)
        return place.map { .placed(menu, $0) } ?? menu
    }
}

extension ContextStep {
    /// Reads a step of an action's effects: `{focus: field}`, `{set: "vc keyCommands busy"}`,
    /// `{click: [table, 2, shift]}`, `pop` or a whole step as a text.
    static func read(_ value: YAMLValue) throws(SourceTextError) -> ContextStep {
        let text = try stepText(value)
        do { return try ContextStep(text: text) } catch {
            throw value.error(error.expected, found: "\(error.found) in the step \(SourceTextError.quoted(text))")
        }
    }

    private static func stepText(_ value: YAMLValue) throws(SourceTextError) -> String {
        let expected = "a context step such as {focus: field}"
        guard case .mapping = value.node.content else { return try value.name(expected) }
        let entries = try value.entries(expected)
        guard entries.count == 1, let (key, argument) = entries.first else {
            throw value.error(expected, found: "\(entries.count) keys")
        }
        let verb = try key.name(expected)
        if argument.isNull { return verb }
        if case .sequence = argument.node.content {
            let words = try argument.list("the words of the step") { word throws(SourceTextError) in
                JSONString.word(try word.string())
            }
            return ([verb] + words).joined(separator: " ")
        }
        let text = try argument.string("the words of the step")
        // One word may hold blanks and quotes; the steps of several words are split as in a script.
        let isSeveralWords = ["set", "menu", "click"].contains(verb)
        return "\(verb) \(isSeveralWords ? text : JSONString.word(text))"
    }
}
