import ResponderEngine

/// A change around the keyboard that a script (`do …`), an action's effects in a scene, or a trace's context
/// records carry: focus, presentation, navigation, windows, input method, caches, layout, and the answers of
/// responders.
///
/// `text` and `init(text:)` are inverse: a trace stores steps as their text.
public indirect enum ContextStep: Hashable, Sendable {
    /// The responder asks to become first responder (spec FR-3).
    case focus(String)
    /// The first responder resigns.
    case resign
    /// The controller is presented by the topmost controller.
    case present(String)
    case dismiss(String)
    /// The controller is pushed on the nearest navigation controller.
    case push(String)
    case pop
    /// The nearest tab bar controller selects its tab, counted from 0.
    case select(Int)
    /// The window becomes key.
    case activate(String)
    /// The app deactivates: held keys are cancelled, modifier state is cleared (spec EV-17).
    case deactivate
    /// A hardware keyboard comes or goes.
    case attach
    case detach
    /// The candidate bar over the software keyboard's keys is this high, in points; 0 takes it away (spec TX-2).
    case candidateBar(Int)
    /// The software keyboard is docked, lifted off the edge, split, or its halves are joined where they are.
    case dock
    case undock
    case split
    case join
    /// The responder, if it is first, looks its input views up again (spec TX-4).
    case reloadInputViews(String)
    /// The responder's input view, or accessory, has this height in points; `nil` is none.
    case setInputView(String, Int?)
    case setInputAccessoryView(String, Int?)
    /// The input method marks this text in the first responder (spec EV-10).
    case markText(String)
    /// The marked text is committed.
    case unmark
    /// The responder reports that its key commands changed.
    case invalidate(String)
    /// The main menu is rebuilt before the next key event (spec MM-2).
    case setNeedsRebuild
    /// The main menu's commands are validated anew.
    case setNeedsRevalidate
    case layout(String)
    case profile(String)
    /// A row of a table or collection is clicked: row counted from 0 over all sections.
    case click(String, index: Int, modifiers: ClickModifiers)
    /// A name for this moment.
    case mark(String)
    /// The responder answers `keyCommands` with another of its `variants`; `keyCommands` names the first list.
    case setKeyCommands(String, variant: String)
    case setCanPerform(String, action: String, Bool)
    /// The responder's explicit `next`; `nil` leaves it to containment again.
    case setNext(String, String?)
    case setSwallowsPresses(String, Bool)
    /// The application answers `buildMenu` with another of `mainMenuVariants`; `mainMenu` names the first.
    case setMenu(variant: String)

    /// An item of the main menu is picked, by its action or its title.
    case pick(String)
    /// A step that a Swift test brings, by the name that it has there.
    case call(String)

    /// The modifiers held while clicking.
    public enum ClickModifiers: String, CaseIterable, Hashable, Sendable {
        case none = ""
        case shift
        case command = "cmd"
    }
}

extension ContextStep {
    /// Reads one step; the error contains what was expected and found in it.
    public init(text: String) throws(ContextStepError) {
        do {
            var words = StepLexer(text)
            self = try ContextStep.parse(&words)
        } catch {
            throw ContextStepError(step: text, expected: error.expected, found: error.found)
        }
    }

    /// The step as a script writes it after `do`.
    public var text: String {
        switch self {
        case .resign: "resign"
        case .pop: "pop"
        case .deactivate: "deactivate"
        case .attach: "attach"
        case .detach: "detach"
        case .dock: "dock"
        case .undock: "undock"
        case .split: "split"
        case .join: "join"
        case .unmark: "unmark"
        case .setNeedsRebuild: "setNeedsRebuild"
        case .setNeedsRevalidate: "setNeedsRevalidate"
        case .focus(let id): line("focus", id)
        case .present(let id): line("present", id)
        case .dismiss(let id): line("dismiss", id)
        case .push(let id): line("push", id)
        case .select(let index): line("select", String(index))
        case .activate(let id): line("activate", id)
        case .candidateBar(let height): line("candidateBar", String(height))
        case .reloadInputViews(let id): line("reloadInputViews", id)
        case .setInputView(let id, let height): line("set", id, "inputView", height.map(String.init) ?? "null")
        case .setInputAccessoryView(let id, let height):
            line("set", id, "inputAccessoryView", height.map(String.init) ?? "null")
        case .markText(let text): "marktext " + JSONString.word(text)
        case .invalidate(let id): line("invalidate", id)
        case .layout(let name): line("layout", name)
        case .profile(let name): line("profile", name)
        case .click(let id, let index, .none): line("click", id, String(index))
        case .click(let id, let index, let modifiers): line("click", id, String(index), modifiers.rawValue)
        case .mark(let name): line("mark", name)
        case .setKeyCommands(let id, let variant): line("set", id, "keyCommands", variant)
        case .setCanPerform(let id, let action, let answer): line("set", id, "canPerform", action, String(answer))
        case .setNext(let id, let next): "set \(JSONString.word(id)) next " + (next.map(ContextStep.idWord) ?? "null")
        case .setSwallowsPresses(let id, let answer): line("set", id, "swallowsPresses", String(answer))
        case .setMenu(let variant): line("menu", "set", variant)
        case .pick(let item): line("pick", item)
        case .call(let name): line("call", name)
        }
    }

    private func line(_ words: String...) -> String { words.map(JSONString.word).joined(separator: " ") }

    /// An id that is spelt `null` is quoted, since the bare word means none.
    private static func idWord(_ id: String) -> String { id == "null" ? "\"null\"" : JSONString.word(id) }

    /// The first words of all steps, in the order in which they are documented.
    public static let verbs = [
        "focus", "resign", "present", "dismiss", "push", "pop", "select", "activate", "deactivate", "attach",
        "detach", "candidateBar", "dock", "undock", "split", "join", "reloadInputViews", "marktext", "unmark",
        "invalidate", "setNeedsRebuild", "setNeedsRevalidate", "layout", "profile", "click", "mark", "set", "menu",
        "pick", "call",
    ]
}

/// The reason why a context step could not be read.
public struct ContextStepError: Error, Hashable, Sendable, CustomStringConvertible {
    public var step: String
    public var expected: String
    public var found: String

    public var description: String {
        "step \(SourceTextError.quoted(step)): expected \(expected), found \(found)"
    }
}

extension ContextStep {
    typealias Problem = StepLexer.Problem

    /// Reads the words of one step up to the end of the line.
    static func parse(_ words: inout StepLexer) throws(Problem) -> ContextStep {
        let verb = try words.next("a context step such as focus ID")
        let step = try parse(verb, &words)
        try words.end()
        return step
    }

    private static func parse(_ verb: String, _ words: inout StepLexer) throws(Problem) -> ContextStep {
        if let step = ofOneWord[verb] { return step }
        switch verb {
        case "focus": return .focus(try id(&words, "responder", as: "do focus field"))
        case "present": return .present(try id(&words, "controller", as: "do present sheet"))
        case "dismiss": return .dismiss(try id(&words, "controller", as: "do dismiss sheet"))
        case "push": return .push(try id(&words, "controller", as: "do push details"))
        case "select": return .select(try index(&words))
        case "activate": return .activate(try id(&words, "window", as: "do activate win"))
        case "candidateBar": return .candidateBar(try points(&words))
        case "reloadInputViews": return .reloadInputViews(try id(&words, "responder", as: "do reloadInputViews field"))
        case "marktext": return .markText(try words.remainder("the text to mark"))
        case "invalidate": return .invalidate(try id(&words, "responder", as: "do invalidate tabs"))
        case "layout": return .layout(try name("a layout such as us or us:dvorak", &words))
        case "profile": return .profile(try name("a profile such as ios15", &words))
        case "click": return try click(&words)
        case "mark": return .mark(try name("a name for the mark", &words))
        case "set": return try set(&words)
        case "menu": return try menu(&words)
        case "call": return .call(try name("the name of a step that the test brings, as in do call open", &words))
        case "pick": return .pick(try name("the action or title of a menu item, as in do pick closeTab:", &words))
        default:
            throw Problem(expected: "one of " + verbs.joined(separator: ", "), found: SourceTextError.quoted(verb))
        }
    }

    private static let ofOneWord: [String: ContextStep] = {
        let steps: [ContextStep] = [
            .resign, .pop, .deactivate, .attach, .detach, .dock, .undock, .split, .join, .unmark, .setNeedsRebuild,
            .setNeedsRevalidate,
        ]
        return Dictionary(uniqueKeysWithValues: steps.map { ($0.text, $0) })
    }()

    private static func id(
        _ words: inout StepLexer, _ kind: String = "responder", as example: String? = nil
    ) throws(Problem) -> String {
        try name("the id of a \(kind)" + (example.map { ", as in \($0)" } ?? ""), &words)
    }

    private static func name(_ expected: String, _ words: inout StepLexer) throws(Problem) -> String {
        let word = try words.next(expected)
        guard !word.isEmpty else { throw Problem(expected: expected, found: "an empty string") }
        return word
    }

    private static func index(_ words: inout StepLexer) throws(Problem) -> Int {
        try number("an index from 0", &words)
    }

    /// A number of digits alone.
    private static func number(
        _ expected: String, upTo most: Int = .max, _ words: inout StepLexer
    ) throws(Problem) -> Int {
        let word = try words.next(expected)
        guard word.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(word), number <= most else {
            throw Problem(expected: expected, found: SourceTextError.quoted(word))
        }
        return number
    }

    private static func answer(_ words: inout StepLexer) throws(Problem) -> Bool {
        try words.next("true or false") { Bool($0) }
    }

    private static func click(_ words: inout StepLexer) throws(Problem) -> ContextStep {
        let target = try id(&words)
        let row = try index(&words)
        guard let word = try words.next() else { return .click(target, index: row, modifiers: .none) }
        guard !word.isEmpty, let modifiers = ClickModifiers(rawValue: word) else {
            throw Problem(expected: "shift, cmd or the end of the line", found: SourceTextError.quoted(word))
        }
        return .click(target, index: row, modifiers: modifiers)
    }

    private static func set(_ words: inout StepLexer) throws(Problem) -> ContextStep {
        let responder = try id(&words)
        let property = try words.next(settable)
        switch property {
        case "keyCommands":
            return .setKeyCommands(responder, variant: try name("the name of a variant", &words))
        case "canPerform":
            let action = try name("a selector such as closeTab:", &words)
            return .setCanPerform(responder, action: action, try answer(&words))
        case "next":
            // Bare `null` is no explicit next; `"null"` in quotes would be an id.
            let isBare = words.rest.first != UInt8(ascii: "\"")
            let next = try id(&words)
            return .setNext(responder, isBare && next == "null" ? nil : next)
        case "inputView": return .setInputView(responder, try optionalPoints(&words))
        case "inputAccessoryView": return .setInputAccessoryView(responder, try optionalPoints(&words))
        case "swallowsPresses":
            return .setSwallowsPresses(responder, try answer(&words))
        default: throw Problem(expected: settable, found: SourceTextError.quoted(property))
        }
    }

    private static let settable = "keyCommands, canPerform, next, swallowsPresses, inputView or inputAccessoryView"

    private static func points(_ words: inout StepLexer) throws(Problem) -> Int {
        try number("a height in points", upTo: InputView.maximumHeight, &words)
    }

    private static func optionalPoints(_ words: inout StepLexer) throws(Problem) -> Int? {
        var ahead = words
        if try ahead.next("a height in points, or null") == "null" {
            words = ahead
            return nil
        }
        return try points(&words)
    }

    private static func menu(_ words: inout StepLexer) throws(Problem) -> ContextStep {
        _ = try words.next("set VARIANT") { $0 == "set" ? $0 : nil }
        return .setMenu(variant: try name("the name of a menu variant", &words))
    }
}
