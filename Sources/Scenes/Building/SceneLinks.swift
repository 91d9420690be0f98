/// The links between the responders of a scene: containment, and each `next`. Making it checks every reference of the
/// scene.
struct SceneLinks {
    /// The kind of containment of a responder in its owner.
    enum Holding {
        case subview, rootView, rootController, child, presented, sceneWindow, applicationWindow, connectedScene
        case delegate
    }

    /// A place in a scene, for messages.
    enum Place {
        case scene(key: String)
        /// An item counts entries of the key's list or map.
        case responder(Int, key: String, item: Int? = nil)
    }

    private(set) var index: [String: Int] = [:]
    /// The container of each responder, and the kind of containment.
    private(set) var owners: [(owner: Int, holding: Holding)?]
    /// The contained responders of each responder, in the order of the scene.
    private(set) var owned: [[Int]]
    /// The end of each explicit or implied `next`.
    private(set) var nexts: [Int?]

    private let scene: Scene
    private let lineOf: (Place) -> Int

    init(_ scene: Scene, lineOf: @escaping (Place) -> Int) throws(SourceTextError) {
        self.scene = scene
        self.lineOf = lineOf
        let count = scene.responders.count
        owners = Array(repeating: nil, count: count)
        owned = Array(repeating: [], count: count)
        nexts = Array(repeating: nil, count: count)
        index.reserveCapacity(count)
        for (at, responder) in scene.responders.enumerated() {
            if let first = index.updateValue(at, forKey: responder.id) {
                throw error(
                    .responder(at, key: "id"), expected: "an id of its own",
                    found: "\(SourceTextError.quoted(responder.id)), which line \(scene.responders[first].line) has")
            }
        }
        try hold()
        try link()
        try checkCircle(nexts, key: "next", what: "chain")
        try checkCircle(owners.map { $0?.owner }, key: "superview", what: "containment")
        try checkRest()
    }

    init(_ scene: Scene) throws(SourceTextError) {
        try self.init(scene) { place in
            if case .responder(let index, _, _) = place { scene.responders[index].line } else { 1 }
        }
    }

    /// Responders such that each comes after everything it contains.
    func deepestFirst() -> [Int] {
        var order: [Int] = []
        order.reserveCapacity(owners.count)
        var stack = owners.indices.filter { owners[$0] == nil }
        while let at = stack.popLast() {
            order.append(at)
            stack.append(contentsOf: owned[at])
        }
        return order.reversed()
    }

    // MARK: Containment

    private mutating func hold() throws(SourceTextError) {
        for at in scene.responders.indices { try holdDeclared(at) }
        for at in scene.responders.indices { try holdImplied(at) }
        for (at, owner) in owners.enumerated() { if let owner { owned[owner.owner].append(at) } }
        for (at, responder) in scene.responders.enumerated() {
            guard let order = responder.containment.viewControllers else { continue }
            let listed = order.compactMap { index[$0] }
            let isListed = Set(listed)
            owned[at] = owned[at].filter { !isListed.contains($0) } + listed
        }
    }

    private mutating func holdDeclared(_ at: Int) throws(SourceTextError) {
        let kind = scene.responders[at].kind.base
        let declared = scene.responders[at].containment
        try hold(at, in: declared.superview, .subview, "superview", "a view or window") {
            $0.isView || $0.base == .window
        }
        try hold(declared.view, by: at, .rootView, "view", "a view") { $0.isView }
        for (item, id) in (declared.viewControllers ?? []).enumerated() {
            try hold(id, by: at, .child, "viewControllers", item: item, "a controller") { $0.isController }
        }
        try hold(declared.presents, by: at, .presented, "presents", "a controller") { $0.isController }
        let root = declared.rootViewController
        try hold(root, by: at, .rootController, "rootViewController", "a controller") { $0.isController }
        try hold(at, in: declared.windowScene, .sceneWindow, "windowScene", "a windowScene") {
            $0.base == .windowScene
        }
        let holding: Holding = kind == .window ? .applicationWindow : .connectedScene
        try hold(at, in: declared.application, holding, "application", "an application") { $0.base == .application }
        try hold(declared.delegate, by: at, .delegate, "delegate", "an appDelegate") { $0 == .appDelegate }
    }

    /// Holds a responder in the one that its own key names.
    private mutating func hold(
        _ at: Int, in id: String?, _ holding: Holding, _ key: String, _ expected: String,
        _ fits: (ResponderDescription.Kind) -> Bool
    ) throws(SourceTextError) {
        if let id { try hold(at, by: try find(id, at, key, expected, fits), holding, at, key) }
    }

    /// Holds the responder that a key of its owner names.
    private mutating func hold(
        _ id: String?, by owner: Int, _ holding: Holding, _ key: String, item: Int? = nil, _ expected: String,
        _ fits: (ResponderDescription.Kind) -> Bool
    ) throws(SourceTextError) {
        guard let id else { return }
        try hold(try find(id, owner, key, item: item, expected, fits), by: owner, holding, owner, key, item: item)
    }

    /// Derives containment from an explicit `next` (spec §6.1): a controller whose next is a window is its root, a view
    /// whose next is a controller its root view, and so on. Windows and scenes without a `next` belong to the only
    /// scene or application there is.
    private mutating func holdImplied(_ at: Int) throws(SourceTextError) {
        guard owners[at] == nil else { return }
        let kind = scene.responders[at].kind.base
        let next = try scene.responders[at].next.map { id throws(SourceTextError) in
            try find(id, at, "next", "a responder") { _ in true }
        }
        let nextKind = next.map { scene.responders[$0].kind.base }
        if kind.isView, let next, let nextKind {
            if nextKind.isView || nextKind == .window {
                owners[at] = (next, .subview)
            } else if nextKind.isController, !isHolding(next, .rootView) {
                take(at, by: next, .rootView)
            }
        } else if kind.isController, let next, nextKind == .window, !isHolding(next, .rootController) {
            take(at, by: next, .rootController)
        } else if kind == .window {
            if let next, nextKind == .windowScene { owners[at] = (next, .sceneWindow) }
            if let next, nextKind == .application { owners[at] = (next, .applicationWindow) }
            if next == nil { belong(at, [(.windowScene, .sceneWindow), (.application, .applicationWindow)]) }
        } else if kind == .windowScene {
            if let next, nextKind == .application { owners[at] = (next, .connectedScene) }
            if next == nil { belong(at, [(.application, .connectedScene)]) }
        } else if kind == .appDelegate {
            belong(at, [(.application, .delegate)])
        }
    }

    private var singles: [ResponderDescription.Kind: Int] = [:]
    private var filled: Set<Int> = []

    private func isHolding(_ owner: Int, _ holding: Holding) -> Bool {
        let declared = scene.responders[owner].containment
        switch holding {
        case .rootView: return declared.view != nil || filled.contains(owner)
        case .rootController: return declared.rootViewController != nil || filled.contains(owner)
        default: return false
        }
    }

    private mutating func take(_ at: Int, by owner: Int, _ holding: Holding) {
        owners[at] = (owner, holding)
        filled.insert(owner)
    }

    /// Hangs a responder on the only one of the first kind that the scene has one of.
    private mutating func belong(_ at: Int, _ kinds: [(ResponderDescription.Kind, Holding)]) {
        if singles.isEmpty {
            for (at, responder) in scene.responders.enumerated() {
                let kind = responder.kind.base
                switch kind {
                case .windowScene, .application, .appDelegate:
                    singles[kind] = singles[kind] == nil ? at : -1
                default: break
                }
            }
            singles[.responder] = -1
        }
        for (kind, holding) in kinds {
            guard let owner = singles[kind], owner >= 0 else { continue }
            // Only the one delegate there is, of an application whose `next` is no other responder.
            if holding == .delegate {
                let next = scene.responders[owner].next
                guard singles[.appDelegate] == at, next == nil || next == scene.responders[at].id else { return }
            }
            owners[at] = (owner, holding)
            return
        }
    }

    private mutating func hold(
        _ at: Int, by owner: Int, _ holding: Holding, _ speaker: Int, _ key: String, item: Int? = nil
    ) throws(SourceTextError) {
        if let other = owners[at] {
            // Both sides may state the same fact.
            if other.owner == owner, other.holding == holding, key != "viewControllers" { return }
            throw error(
                .responder(speaker, key: key, item: item), expected: "a responder that nothing else contains",
                found: "\(name(at)), which \(name(other.owner)) contains")
        }
        owners[at] = (owner, holding)
    }

    // MARK: The chain

    private mutating func link() throws(SourceTextError) {
        for (at, responder) in scene.responders.enumerated() {
            if let id = responder.next {
                nexts[at] = try find(id, at, "next", "a responder") { _ in true }
            } else {
                nexts[at] = impliedNext(at)
            }
        }
    }

    /// Spec §6.1.
    private func impliedNext(_ at: Int) -> Int? {
        if scene.responders[at].kind.base == .application {
            return owned[at].first { owners[$0]?.holding == .delegate }
        }
        guard let (owner, holding) = owners[at], holding != .delegate else { return nil }
        guard holding == .child, let view = owned[at].first(where: { owners[$0]?.holding == .rootView }),
            let id = scene.responders[view].containment.superview
        else { return owner }
        return index[id]
    }

    /// Follows each chain once; a chain that comes back to itself is named.
    private func checkCircle(_ links: [Int?], key: String, what: String) throws(SourceTextError) {
        var visited = Array(repeating: 0, count: links.count)
        for start in links.indices where visited[start] == 0 {
            var at = start
            while visited[at] == 0 {
                visited[at] = start + 1
                guard let next = links[at] else { break }
                at = next
            }
            guard visited[at] == start + 1, links[at] != nil else { continue }
            var names = [scene.responders[at].id]
            var member = links[at]
            while let here = member, here != at, names.count < 20 {
                names.append(scene.responders[here].id)
                member = links[here]
            }
            if let here = member, here != at { names.append("…") }
            names.append(scene.responders[at].id)
            throw error(
                .responder(at, key: key), expected: "a \(what) that ends", found: names.joined(separator: " → "))
        }
    }

    // MARK: Everything else that refers to a responder

    private func checkRest() throws(SourceTextError) {
        if let id = scene.firstResponder, index[id] == nil {
            throw error(
                .scene(key: "firstResponder"), expected: "the id of a responder, or null",
                found: SourceTextError.quoted(id))
        }
        let applications = scene.responders.indices.filter { scene.responders[$0].kind.base == .application }
        if applications.count > 1 {
            throw error(
                .responder(applications[1], key: "kind"), expected: "one application", found: "a second one")
        }
        var keyWindows: Set<Int> = []
        for (at, responder) in scene.responders.enumerated() {
            if responder.containment.isKeyWindow == true, !keyWindows.insert(owners[at]?.owner ?? -1).inserted {
                throw error(.responder(at, key: "keyWindow"), expected: "one key window", found: "a second one")
            }
            for (item, action) in responder.actions.enumerated() {
                for step in action.value {
                    guard let problem = problem(in: step) else { continue }
                    throw error(
                        .responder(at, key: "actions", item: item), expected: problem.expected, found: problem.found)
                }
            }
        }
    }

    /// The problem of a step that refers to something that the scene does not have.
    func problem(in step: ContextStep) -> StepLexer.Problem? {
        func responder(_ id: String, _ expected: String, _ fits: (ResponderDescription) -> Bool) -> StepLexer.Problem? {
            guard let at = index[id] else {
                return StepLexer.Problem(
                    expected: expected, found: "\(SourceTextError.quoted(id)), which scene \(scene.name) does not have")
            }
            let found = scene.responders[at]
            guard !fits(found) else { return nil }
            return StepLexer.Problem(expected: expected, found: "\(name(at)), a \(found.kind.rawValue)")
        }
        switch step {
        case .focus(let id), .invalidate(let id), .setCanPerform(let id, _, _), .setSwallowsPresses(let id, _):
            return responder(id, "a responder of the scene") { _ in true }
        case .present(let id), .push(let id):
            return responder(id, "a controller of the scene") { $0.kind.isController }
        case .dismiss(let id):
            return responder(id, "a controller or a scene of it") { $0.kind.isController || $0.kind == .windowScene }
        case .activate(let id): return responder(id, "a window of the scene") { $0.kind.base == .window }
        case .click(let id, _, _):
            return responder(id, "a tableView or collectionView of the scene") { $0.kind.isList }
        case .setKeyCommands(let id, let variant):
            return responder(id, "a responder with the variant \(SourceTextError.quoted(variant))") {
                variant == "keyCommands" || $0.variants.value(named: variant) != nil
            }
        case .setNext(let id, let next):
            return responder(id, "a responder of the scene") { _ in true }
                ?? next.flatMap { responder($0, "a responder of the scene") { _ in true } }
        case .profile(let name):
            guard !Scene.mayName(profile: name) else { return nil }
            return StepLexer.Problem(expected: Scene.profileExpected, found: SourceTextError.quoted(name))
        case .call: return StepLexer.Problem(expected: "a step of a scene", found: ContextStepError.callInScene)
        case .setMenu(let variant):
            guard variant != "mainMenu", scene.mainMenuVariants.value(named: variant) == nil else { return nil }
            return StepLexer.Problem(expected: "one of the mainMenuVariants", found: SourceTextError.quoted(variant))
        default: return nil
        }
    }

    // MARK: Messages

    private func find(
        _ id: String, _ at: Int, _ key: String, item: Int? = nil, _ expected: String,
        _ fits: (ResponderDescription.Kind) -> Bool
    ) throws(SourceTextError) -> Int {
        guard let found = index[id] else {
            throw error(
                .responder(at, key: key, item: item), expected: "the id of \(expected)",
                found: "\(SourceTextError.quoted(id)), which no responder has")
        }
        guard fits(scene.responders[found].kind) else {
            throw error(
                .responder(at, key: key, item: item), expected: "the id of \(expected)",
                found: "\(name(found)), a \(scene.responders[found].kind.rawValue)")
        }
        return found
    }

    private func name(_ at: Int) -> String { SourceTextError.quoted(scene.responders[at].id) }

    private func error(_ place: Place, expected: String, found: String) -> SourceTextError {
        let subject: String
        switch place {
        case .scene(let key): subject = key
        case .responder(let at, let key, let item):
            subject = "responders[\(at)].\(key)" + (item.map { "[\($0)]" } ?? "")
        }
        return SourceTextError(
            file: scene.file, line: lineOf(place), subject: subject, expected: expected, found: found)
    }
}

extension Scene {
    /// Checks that what a script's steps refer to is in this scene.
    public func check(_ script: KeyScript) throws(SourceTextError) {
        let links = try SceneLinks(self)
        for line in script.steps {
            guard case .context(let step) = line.step, let problem = links.problem(in: step) else { continue }
            throw SourceTextError(
                file: script.file, line: line.number, subject: "do", expected: problem.expected, found: problem.found)
        }
    }
}
