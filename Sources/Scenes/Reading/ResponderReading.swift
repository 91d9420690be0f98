import KeyModel
import ResponderEngine

extension ResponderDescription {
    static func read(_ value: YAMLValue) throws(SourceTextError) -> ResponderDescription {
        var map = try value.map("a responder such as {id: vc, kind: viewController}")
        let id = try map.take(required: "id", "the responder's name").name("the responder's name")
        let kind = try map.take(required: "kind", "one of \(kindNames)").choice(Kind.self)
        var responder = ResponderDescription(id: id, kind: kind)
        responder.line = value.line
        try responder.readChain(&map)
        try responder.readCommands(&map)
        try responder.readAnswers(&map)
        if kind.isController { try responder.readController(&map) }
        if kind.isText { try responder.readText(&map) }
        if kind.isScrolling { try responder.readContent(&map) }
        if kind.base == .datePicker { try responder.readDates(&map) }
        if kind == .keyboardMapView { try responder.readMap(&map) }
        try responder.readHosted(&map)
        try map.finish { ResponderDescription.explain($0, kind) }
        return responder
    }

    static var kindNames: String { Kind.allCases.map(\.rawValue).joined(separator: ", ") }

    /// The reason why a key does not belong to a responder of this kind.
    private static func explain(_ key: String, _ kind: Kind) -> String? {
        guard let owners = keyOwners.first(where: { $0.keys.contains(key) })?.owners else { return nil }
        return "\(key), a key of \(owners), on a \(kind.rawValue)"
    }

    private static let keyOwners: [(owners: String, keys: [String])] = [
        ("views", ["superview", "focusable", "focusGroup"]),
        (
            "controllers",
            [
                "view", "viewControllers", "presents", "presentationStyle", "performsActionsWhilePresentingModally",
                "transitionDuration", "isModalInPresentation", "leadingItems", "trailingItems", "toolbarItems",
                "hidesBackButton", "leadingItemsSupplementBackButton",
            ]
        ),
        ("all but the application, whose menu is the scene's mainMenu", ["buildMenu"]),
        ("tabBarController", ["selectedIndex"]),
        ("splitViewController", ["columns", "displayMode", "splitBehavior", "primaryEdge", "collapsed"]),
        ("window", ["rootViewController", "windowScene", "keyWindow"]),
        ("window and windowScene", ["application"]),
        ("application", ["delegate"]),
        ("keyboardApplication", ["supportsMultipleScenes", "hasSettings"]),
        (
            "textField, textView and keyboardTextView",
            [
                "text", "markedText", "secure", "editable", "singleLine", "allowsEditingTextAttributes",
                "enablesReturnKeyAutomatically", "smartQuotes", "smartDashes", "smartInsertDelete", "keyBindings",
            ]
        ),
        (
            "tableView and collectionView",
            [
                "rows", "sections", "selected", "unselectable", "allowsSelection", "allowsMultipleSelection",
                "allowsFocus", "movesRows", "diffable",
            ]
        ),
        ("keyboardTextView", ["selectable", "findInteraction"]),
        ("tableView", ["deletesRows", "rowHeight"]),
        ("collectionView", ["itemLayout"]),
        (
            "scrollView, textView, tableView and collectionView",
            ["contentSize", "viewport", "offset", "paging", "scrollEnabled", "zoom", "refresh"]
        ),
        ("datePicker", ["date", "minimumDate", "maximumDate"]),
        ("keyboardDatePicker", ["today", "style", "mode"]),
        ("keyboardMapView", ["rotateEnabled", "heading", "userLocation"]),
        ("hostingController", ["shortcuts", "onKeyPress"]),
        ("webView", ["preventsDefault"]),
    ]

    // MARK: Groups of keys

    private mutating func readChain(_ map: inout YAMLMap) throws(SourceTextError) {
        next = try ResponderDescription.readID(map.take("next"))
        if kind.isView {
            containment.superview = try ResponderDescription.readID(map.take("superview"))
            isFocusable = try map.take("focusable")?.bool()
            focusGroup = try map.take("focusGroup")?.name("a group's name")
        }
        if kind.base == .window {
            containment.rootViewController = try ResponderDescription.readID(map.take("rootViewController"))
            containment.windowScene = try ResponderDescription.readID(map.take("windowScene"))
            containment.isKeyWindow = try map.take("keyWindow")?.bool()
        }
        if kind.base == .window || kind.base == .windowScene {
            containment.application = try ResponderDescription.readID(map.take("application"))
        }
        if kind.base == .application {
            containment.delegate = try ResponderDescription.readID(map.take("delegate"))
        }
        if kind == .keyboardApplication {
            app.supportsMultipleScenes = try map.take("supportsMultipleScenes")?.bool()
            app.hasSettings = try map.take("hasSettings")?.bool()
        }
    }

    private mutating func readCommands(_ map: inout YAMLMap) throws(SourceTextError) {
        title = try map.take("title")?.string() ?? ""
        if let value = map.take("keyCommands") { keyCommands = try ResponderDescription.readCommandList(value) }
        if let value = map.take("variants") {
            variants = try value.variants(
                "key commands", besides: "keyCommands", "list", ResponderDescription.readCommandList)
        }
        if let value = map.take("keyCommandsPerRead") {
            for name in try value.list("a list of variants") {
                let variant = try name.name("a variant's name")
                guard variant == "keyCommands" || variants.value(named: variant) != nil else {
                    throw name.error("one of the responder's variants")
                }
                keyCommandsPerRead.append(variant)
            }
        }
    }

    private static func readCommandList(_ value: YAMLValue) throws(SourceTextError) -> [CommandDescription] {
        if value.isNull { return [] }
        return try value.list("a list of key commands") { command throws(SourceTextError) in
            try CommandDescription.read(command, needsInput: true)
        }
    }

    private mutating func readAnswers(_ map: inout YAMLMap) throws(SourceTextError) {
        if let value = map.take("actions") { actions = try ResponderDescription.readActions(value) }
        if let value = map.take("canPerform") {
            for (selector, answer) in try value.entries("a map from a selector to true or false") {
                canPerform.append(Named(try selector.selector(), try PerformAnswer.read(answer)))
            }
        }
        castsSender = try map.take("castsSender")?.list("a list of selectors") { entry throws(SourceTextError) in
            try entry.selector()
        } ?? []
        if kind.base != .application, let value = map.take("buildMenu") {
            buildMenu = try MenuDescription.readBar(value)
        }
        if let value = map.take("cost") {
            for (call, duration) in try value.entries("a map from a call to a duration") {
                cost.append(Named(try ResponderDescription.readCall(call), try duration.duration()))
            }
        }
        inputView = try ResponderDescription.readHeight(map.take("inputView"))
        inputAccessoryView = try ResponderDescription.readHeight(map.take("inputAccessoryView"))
        canBecomeFirstResponder = try map.take("canBecomeFirstResponder")?.bool()
        swallowsPresses = try map.take("swallowsPresses").map(ResponderDescription.readSwallowed) ?? .none
        if let value = map.take("keyEquivalents") { keyEquivalents = try ResponderDescription.readCommandList(value) }
        if let value = map.take("keyDown") {
            // The same answer under the name that it has in AppKit.
            guard swallowsPresses == .none else { throw value.error("keyDown or swallowsPresses, not both") }
            if try value.choice(KeyDownAnswer.self) == .handled { swallowsPresses = .all }
        }
    }

    private enum KeyDownAnswer: String, CaseIterable { case handled, forwarded }

    private static func readActions(_ value: YAMLValue) throws(SourceTextError) -> [Named<[ContextStep]>] {
        if case .sequence = value.node.content {
            var seen: Set<String> = []
            return try value.list().map { entry throws(SourceTextError) in
                let selector = try entry.selector()
                guard seen.insert(selector).inserted else { throw entry.error("each selector once") }
                return Named(selector, [])
            }
        }
        let entries = try value.entries("a list of selectors, or a map from selectors to steps")
        return try entries.map { selector, steps throws(SourceTextError) in
            let name = try selector.selector()
            return Named(name, steps.isNull ? [] : try steps.list("a list of steps", ContextStep.read))
        }
    }

    private static func readCall(_ value: YAMLValue) throws(SourceTextError) -> String {
        let expected = "keyCommands, canPerformAction, validate, buildMenu, presses or a selector"
        let name = try value.name(expected)
        guard DeclaredCall(name: name) != nil else { throw value.error(expected) }
        return name
    }

    private static func readHeight(_ value: YAMLValue?) throws(SourceTextError) -> Int? {
        try value?.integer(in: 0...InputView.maximumHeight, "a height in points")
    }

    private static func readSwallowed(_ value: YAMLValue) throws(SourceTextError) -> SwallowedPresses {
        guard case .sequence = value.node.content else {
            guard let scalar = value.node.scalar, let all = Bool(scalar.string) else {
                throw value.error("true, false or a list of keys")
            }
            return all ? .all : .none
        }
        return .keys(
            try value.list("a list of keys") { entry throws(SourceTextError) in
                guard let usage = KeyUsage(name: try entry.string("a key's name")) else {
                    throw entry.error("a key's name such as Escape")
                }
                return usage
            })
    }

    static func readID(_ value: YAMLValue?) throws(SourceTextError) -> String? {
        try value?.name("the id of a responder")
    }
}

extension ResponderDescription.PerformAnswer {
    /// `true`, `false`, or `[{sender: none, answer: true}, {sender: command, answer: false}]`.
    fileprivate static func read(_ value: YAMLValue) throws(SourceTextError) -> Self {
        guard case .sequence = value.node.content else { return Self(try value.bool()) }
        var answers = Self(toCommands: nil, toOthers: nil)
        for entry in try value.list() {
            var map = try entry.map("an answer such as {sender: command, answer: false}")
            let sender = try map.take(required: "sender", "none or command")
            let isCommand = try sender.choice(Sender.self) == .command
            let known = isCommand ? answers.toCommands : answers.toOthers
            guard known == nil else { throw sender.error("each sender once") }
            let answer = try map.take(required: "answer", "true or false").bool()
            if isCommand { answers.toCommands = answer } else { answers.toOthers = answer }
            try map.finish()
        }
        return answers
    }

    private enum Sender: String, CaseIterable { case none, command }
}
