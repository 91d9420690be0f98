import KeyModel
import ResponderEngine
import Scenes

extension SceneDraft {
    /// The scene as its responders were met.
    func scene(named name: String, of engine: KeyboardEngine) -> Scene {
        var scene = Scene(file: "scene.yaml", name: name)
        let isOfAppKit = engine.profile.appKit != nil
        setRules(of: engine, &scene)
        let application = order.first { SceneDraft.applications.contains(members[$0]?.kind ?? "") }
        let top = application ?? (members["application"] == nil ? "application" : "application of the scene")
        var nexts: [String: String] = [:]
        for id in order { nexts[id] = members[id]?.firstNext }
        let targets = tail.filter { nexts[$0] == nil && !windows.contains($0) }
        hang(targets, behind: application ?? chainEnd(nexts) ?? top, &nexts)
        let inWindows = belowWindows(nexts)
        for id in order {
            guard let member = members[id] else { continue }
            let kind = kind(of: id, member, isBelowWindow: inWindows.contains(id), application: application)
            var made = ResponderDescription(id: id, kind: kind, next: nexts[id])
            if kind == .window {
                if id == firstWindow { made.containment.isKeyWindow = true }
                let next = made.next.flatMap { members[$0]?.kind }
                if !SceneDraft.windowScenes.contains(next ?? "") { made.containment.application = top }
            }
            let superview = made.next == nil ? member.superview : nil
            made.containment.superview = superview ?? otherWindow(of: id, member, nexts, kind)
            member.describe(&made, isOfAppKit: isOfAppKit)
            scene.responders.append(made)
        }
        if application == nil {
            scene.responders.append(ResponderDescription(id: top, kind: .application, next: nexts[top]))
        }
        scene.firstResponder = firstResponder
        scene.mainMenu = SceneDraft.bar(menus.first ?? [], engine.profile)
        scene.mainMenuVariants = menus.enumerated().dropFirst().map {
            Named(SceneMember.menuVariant($0), SceneDraft.bar($1, engine.profile))
        }
        return scene
    }

    private func setRules(of engine: KeyboardEngine, _ scene: inout Scene) {
        let shipped = Profile.named(engine.profile.name)
        let base = shipped ?? (engine.profile.appKit == nil ? Profile() : Profile.named("appkit") ?? Profile())
        scene.profile = shipped != nil ? engine.profile.name : engine.profile.appKit == nil ? "ios15" : "appkit"
        let others = engine.profile.parameters.filter { $0.name != "toolkit" && base.value(of: $0.name) != $0.value }
            .filter { $0.name != "pressesSeenForMatchedCommands" }
        scene.parameters = others.map { ParameterSetting(name: $0.name, value: $0.value) }
        scene.layout = engine.layout.name
        scene.direction = engine.layoutDirection
        if engine.profile.appKit == nil { scene.focusSystem = engine.hasFocusSystem }
        if !engine.isPad, !engine.profile.windowMenuKeys.chords.isEmpty { scene.device = .iphone }
    }

    private static let applications: Set<String> = [
        "application", "UIApplication", "NSApplication", "keyboardApplication",
    ]
    static let windowScenes: Set<String> = ["windowScene", "UIWindowScene", "keyboardWindowScene"]

    /// The last responder, where that is one outside of windows.
    private func chainEnd(_ nexts: [String: String]) -> String? {
        guard var here = firstWindow else { return nil }
        var met: Set<String> = []
        while met.insert(here).inserted, let next = nexts[here] { here = next }
        return windows.contains(here) ? nil : here
    }

    /// Targets that no chain has come after the end of every chain.
    private func hang(_ targets: [String], behind top: String, _ nexts: inout [String: String]) {
        var end = top
        var met: Set<String> = [end]
        while let next = nexts[end], met.insert(next).inserted { end = next }
        for target in targets where met.insert(target).inserted {
            nexts[end] = target
            end = target
        }
    }

    /// The window that a view is in, where its chain leads to another one or to none.
    private func otherWindow(
        of id: String, _ member: SceneMember, _ nexts: [String: String], _ kind: ResponderDescription.Kind
    ) -> String? {
        guard kind.isView, let window = member.window, window != id else { return nil }
        var here = id
        var met: Set<String> = []
        while met.insert(here).inserted, let next = nexts[here] {
            if windows.contains(next) { return next == window ? nil : window }
            here = next
        }
        return window
    }

    private func belowWindows(_ nexts: [String: String]) -> Set<String> {
        var found: Set<String> = []
        for id in order {
            if members[id]?.superview != nil || members[id]?.window != nil { found.insert(id) }
            var here = id
            var met: Set<String> = []
            while met.insert(here).inserted, let next = nexts[here] {
                if windows.contains(next) || found.contains(next) {
                    found.formUnion(met)
                    break
                }
                here = next
            }
        }
        return found.subtracting(windows).subtracting(aboveWindows(nexts))
    }

    private func kind(
        of id: String, _ member: SceneMember, isBelowWindow: Bool, application: String?
    ) -> ResponderDescription.Kind {
        if id == application { return .application }
        if windows.contains(id) { return .window }
        if SceneDraft.windowScenes.contains(member.kind) { return .windowScene }
        if member.isText, member.kind == "webView" { return .webView }
        if member.isText, member.kind == "keyInputView" { return .keyInputView }
        if member.isText { return ["textField", "UITextField"].contains(member.kind) ? .textField : .textView }
        guard isBelowWindow else { return .responder }
        return member.scrolls ? .scrollView : .view
    }

    private func aboveWindows(_ nexts: [String: String]) -> Set<String> {
        var found: Set<String> = []
        for window in windows {
            var here = window
            while let next = nexts[here], found.insert(next).inserted { here = next }
        }
        return found
    }

    /// Menus of the system that have the same keys are gone, else the app's commands would not be in the menu.
    private static func bar(_ commands: [CommandDescription], _ profile: Profile) -> [MenuDescription] {
        guard !commands.isEmpty else { return [] }
        let removed = profile.defaultMenus(having: commands.map { ($0.input, $0.modifiers) })
        return removed.map { .remove($0) }
            + [.menu(identifier: "recorded", title: "", children: commands.map { .command($0) })]
    }

    /// The kind of a responder in the trace, where its description has another one.
    func remarks(of scene: Scene) -> [String: String] {
        var remarks: [String: String] = [:]
        for responder in scene.responders {
            guard let kind = members[responder.id]?.kind, !kind.isEmpty, kind != responder.kind.rawValue else {
                continue
            }
            remarks[responder.id] = kind
        }
        return remarks
    }
}

extension SceneMember {
    fileprivate func describe(_ made: inout ResponderDescription, isOfAppKit: Bool) {
        if isFirst { made.canBecomeFirstResponder = true }
        if firstSwallows { made.swallowsPresses = .all }
        if let list = lists.first, !list.isEmpty || lists.count > 1 || made.kind.isText { made.keyCommands = list }
        made.variants = lists.enumerated().dropFirst().map { Named(SceneMember.variant($0), $1) }
        made.keyEquivalents = keyEquivalents
        made.actions = everAble.sorted().map { Named($0, []) }
        made.canPerform = firstAbilities.filter { !$0.value && (everAble.contains($0.name) || made.kind.isText) }
            .map { Named($0.name, ResponderDescription.PerformAnswer(false)) }
        if made.kind == .scrollView { made.content = .scrollingEveryWay }
        guard made.kind.isText else { return }
        made.text.text = "text"
        if isSecure { made.text.isSecure = true }
        if made.kind == .webView { made.text.isEditable = true }
        if hasAttributes { made.text.allowsEditingTextAttributes = true }
        if isOfAppKit { made.text.keyBindings = Scene.textKeyBindings }
    }
}
