import KeyModel
import ResponderEngine
import Scenes
import TraceFormat

/// A scene that grows with the presses of a session.
///
/// Each responder has what it answered at first; where it answers something else at a later press, that press needs a
/// step before it. Components are described by what they answered, and not as the components that they were.
struct SceneDraft {
    private(set) var members: [String: SceneMember] = [:]
    /// Ids in the order in which they came up.
    private(set) var order: [String] = []
    private(set) var windows: Set<String>
    private let kinds: [String: String]
    /// Targets that are on no chain, and so come after the end of all.
    private(set) var tail: [String] = []
    /// Different answers to `buildMenu`, the first one first.
    private(set) var menus: [[CommandDescription]] = []
    private var isMenuRebuilt = false
    private(set) var firstWindow: String?
    private(set) var firstResponder: String?
    private var hasBegun = false
    /// Actions that no responder performed at some press.
    private var refused: Set<String> = []

    /// State at the current place of the script.
    private(set) var route: Situation.Route?
    private var window: String?
    private var isActive = true
    private var first: String??
    private var isMarked = false
    private var menu = 0

    init(_ definitions: TraceDefinitions, windows: Set<String>) {
        kinds = Dictionary(definitions.responders.map { ($0.id, $0.kind) }) { first, _ in first }
        self.windows = windows
    }

    /// Makes a responder known; false for what a scene has no responder for.
    @discardableResult
    private mutating func add(_ id: String) -> Bool {
        guard !id.isEmpty, id != Resolution.mainMenuID else { return false }
        if members[id] == nil {
            members[id] = SceneMember(kind: kinds[id] ?? "")
            order.append(id)
        }
        return true
    }

    // MARK: A press

    /// The steps that make it so, before the press comes.
    mutating func enter(_ situation: Situation, _ outcome: RecordedOutcome?) -> [ContextStep] {
        var steps: [ContextStep] = []
        if !situation.route.isSame(as: route) {
            for id in situation.chain { add(id) }
            follow(situation.route.links, &steps)
            route = situation.route
        }
        enterWindow(situation, &steps)
        if situation.isMarked != isMarked {
            isMarked = situation.isMarked
            steps.append(isMarked ? .markText("\u{FFFD}") : .unmark)
        }
        follow(situation.swallowed, situation.lists, &steps)
        if let text = situation.text, add(text.id) {
            members[text.id]?.isText = true
            if text.isSecure { members[text.id]?.isSecure = true }
        }
        if let outcome { describe(outcome, situation) }
        followAbilities(situation, &steps)
        if let list = situation.menu { follow(menu: list, &steps) }
        hasBegun = true
        return steps
    }

    private mutating func follow(
        _ links: [(id: String, next: String?, window: String?)], _ steps: inout [ContextStep]
    ) {
        for (id, next, window) in links where add(id) {
            if let window, add(window) {
                windows.insert(window)
                if members[id]?.window == nil { members[id]?.window = window }
            }
            if let next { add(next) }
            guard let known = members[id]?.next else {
                members[id]?.firstNext = next
                members[id]?.next = .some(next)
                continue
            }
            guard known != next else { continue }
            members[id]?.next = .some(next)
            steps.append(.setNext(id, next))
        }
    }

    private mutating func enterWindow(_ situation: Situation, _ steps: inout [ContextStep]) {
        if let window = situation.window, add(window) {
            windows.insert(window)
            if !hasBegun { (firstWindow, self.window) = (window, window) }
            if self.window != window || !isActive && situation.isActive {
                steps.append(.activate(window))
                (self.window, isActive) = (window, true)
                // The window keeps a first responder of its own.
                first = nil
            }
        }
        if !situation.isActive, isActive, situation.first != nil {
            steps.append(.deactivate)
            isActive = false
        }
        var wanted = situation.first
        // Without a first responder a press begins at the window.
        if let id = wanted, !situation.isFirstRecorded, windows.contains(id) { wanted = nil }
        guard first != .some(wanted) else { return }
        if let id = wanted {
            guard add(id) else { return }
            members[id]?.isFirst = true
            // A chain may lead to another window than the one that the keys came from.
            if let window, id != window { members[id]?.window = window }
        }
        if hasBegun {
            steps.append(wanted.map { .focus($0) } ?? .resign)
        } else {
            firstResponder = wanted
        }
        first = .some(wanted)
        isMarked = false
    }

    private mutating func follow(
        _ swallowed: [(id: String, answer: Bool)], _ lists: [(id: String, commands: [CommandDescription])],
        _ steps: inout [ContextStep]
    ) {
        for (id, answer) in swallowed where add(id) {
            if let known = members[id]?.swallows {
                if known != answer { steps.append(.setSwallowsPresses(id, answer)) }
            } else {
                members[id]?.firstSwallows = answer
            }
            members[id]?.swallows = answer
        }
        for (id, commands) in lists where add(id) {
            let place = members[id]?.place(of: commands) ?? 0
            if let known = members[id]?.list, known != place {
                steps.append(.setKeyCommands(id, variant: SceneMember.variant(place)))
            }
            members[id]?.list = place
        }
    }

    private mutating func follow(menu list: [CommandDescription], _ steps: inout [ContextStep]) {
        // The menu of the launch is recorded unless it has no commands.
        if menus.isEmpty, isMenuRebuilt { menus.append([]) }
        let place = menus.firstIndex(of: list) ?? menus.count
        if place == menus.count { menus.append(list) }
        guard place != menu else { return }
        menu = place
        steps += [.setMenu(variant: SceneMember.menuVariant(place)), .setNeedsRebuild]
    }

    // MARK: Actions

    private mutating func followAbilities(_ situation: Situation, _ steps: inout [ContextStep]) {
        var asked: Set<String> = []
        for (id, action, answer) in situation.abilities where add(id) {
            if action == situation.action?.name { asked.insert(id) }
            set(id, action, answer, &steps)
        }
        guard let action = situation.action, Selector(action.name).isValid else { return }
        if let target = action.target, add(target), !situation.chain.contains(target), !tail.contains(target) {
            tail.append(target)
        }
        for id in [situation.chain, tail].joined() {
            if id == action.target { return set(id, action.name, true, &steps) }
            // It was not asked, and comes first.
            if !asked.contains(id), members[id]?.abilities[action.name] ?? true {
                set(id, action.name, false, &steps)
            }
        }
        refused.insert(action.name)
    }

    private mutating func set(_ id: String, _ action: String, _ answer: Bool, _ steps: inout [ContextStep]) {
        guard Selector(action).isValid else { return }
        if let known = members[id]?.abilities[action] {
            if known != answer { steps.append(.setCanPerform(id, action: action, answer)) }
        } else if answer, refused.contains(action), hasBegun {
            members[id]?.firstAbilities.append(Named(action, false))
            steps.append(.setCanPerform(id, action: action, true))
        } else {
            members[id]?.firstAbilities.append(Named(action, answer))
        }
        members[id]?.abilities[action] = answer
        if answer { members[id]?.everAble.insert(action) }
    }

    // MARK: What took the press

    private mutating func describe(_ outcome: RecordedOutcome, _ situation: Situation) {
        guard let taker = outcome.takenBy else { return }
        switch taker {
        case .text, .inputMethod, .builtinText, .keyBinding:
            guard let id = outcome.target ?? situation.first, add(id) else { return }
            members[id]?.isText = true
            if taker == .builtinText { members[id]?.hasAttributes = true }
        case .scroll: if let id = outcome.target, add(id) { members[id]?.scrolls = true }
        default: break
        }
    }

    /// A key equivalent of a view, or an item of the main menu, that an AppKit app had for a key.
    mutating func note(_ equivalent: CommandDescription, of supplier: String?, in window: String?) {
        guard let supplier, add(supplier) else {
            if menus.isEmpty { menus.append([]) }
            if !menus[0].contains(where: { $0.hasKey(of: equivalent) }) { menus[0].append(equivalent) }
            return
        }
        if members[supplier]?.next == nil, supplier != window { members[supplier]?.superview = window }
        guard members[supplier]?.keyEquivalents.contains(where: { $0.hasKey(of: equivalent) }) == false else { return }
        members[supplier]?.keyEquivalents.append(equivalent)
    }

    // MARK: Steps of the session

    /// Changes by a recorded step besides answers and the chain, which presses show; `nil` for those that they do show.
    mutating func pass(_ step: ContextStep) -> ContextStep? {
        switch step {
        case .deactivate:
            isActive = false
            return step
        case .activate(let id):
            guard add(id) else { return nil }
            windows.insert(id)
            if !hasBegun { firstWindow = id }
            (window, isActive, first) = (id, true, nil)
            return hasBegun ? step : nil
        case .mark, .profile: return step
        default: return nil
        }
    }

    mutating func menuIsRebuilt() { isMenuRebuilt = true }

    func knows(_ id: String) -> Bool { members[id] != nil }
}

extension CommandDescription {
    fileprivate func hasKey(of other: CommandDescription) -> Bool {
        input == other.input && modifiers == other.modifiers
    }
}

/// A responder of a scene that is being made, with what it answered at first and what it answers now.
struct SceneMember {
    /// Kind as recorded.
    let kind: String
    var firstNext: String?
    /// `nil` where no link of it is recorded.
    var next: String??
    /// Its place in the trace.
    var window: String?
    var superview: String?
    var lists: [[CommandDescription]] = []
    var list: Int?
    var firstSwallows = false
    var swallows: Bool?
    var firstAbilities: [Named<Bool>] = []
    var abilities: [String: Bool] = [:]
    var everAble: Set<String> = []
    var keyEquivalents: [CommandDescription] = []
    var isFirst = false
    var isText = false
    var isSecure = false
    var hasAttributes = false
    var scrolls = false

    init(kind: String) { self.kind = kind }

    mutating func place(of list: [CommandDescription]) -> Int {
        if let known = lists.firstIndex(of: list) { return known }
        lists.append(list)
        return lists.count - 1
    }

    static func variant(_ place: Int) -> String { place == 0 ? "keyCommands" : "list\(place + 1)" }
    static func menuVariant(_ place: Int) -> String { place == 0 ? "mainMenu" : "menu\(place + 1)" }
}
