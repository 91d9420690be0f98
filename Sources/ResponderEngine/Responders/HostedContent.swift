import KeyModel

/// SwiftUI's keyboard shortcuts: they belong to the active scene, not to the chain.
extension KeyboardEngine {
    /// The chain's commands with those of the active scene's hosting controllers, in search order: leading to trailing,
    /// depth first; the main menu (SwiftUI's command groups) comes after them.
    func withHostedShortcuts(_ chain: [CollectedCommand]) -> [CollectedCommand] {
        guard profile.hostedShortcuts != .none else { return chain }
        var hosted: [CollectedCommand] = []
        for (host, shortcuts) in hostedShortcuts() {
            // No getter of the app's is read, so it counts apart from those.
            progress.shadowReads += 1
            probe?.engine(self, reports: .keyCommands(of: host, pass: -1, commands: shortcuts, source: .shadow))
            hosted.append(shortcuts, supplier: host, engine: self)
        }
        guard !hosted.isEmpty else { return chain }
        for shortcut in hosted {
            shortcut.isHosted = true
            if profile.hostedShortcuts == .beforeText { shortcut.isPriority = true }
        }
        return profile.hostedShortcuts == .afterChain ? chain + hosted : hosted + chain
    }

    private func hostedShortcuts() -> [(host: Responder, shortcuts: [KeyCommand])] {
        if let recordedAnswers { return recordedAnswers.hostedShortcuts() }
        return hostControllers().compactMap { host in
            let shortcuts = host.hostedShortcuts
            guard !shortcuts.isEmpty else { return nil }
            let behavior = repeatBehavior(in: host)
            for shortcut in shortcuts where shortcut.hostedRepeatBehavior != behavior {
                shortcut.hostedRepeatBehavior = behavior
            }
            return (host, shortcuts)
        }
    }

    /// What the views of a controller set, else what those set that present it, up to iOS 26 (spec I27-7).
    private func repeatBehavior(in host: ViewController) -> MenuElement.RepeatBehavior {
        var controller = host
        var visited: Set<ObjectIdentifier> = []
        while controller.hostedRepeatBehavior == .automatic, !profile.sheetResetsRepeatBehavior,
            let presenter = controller.presentingViewController, visited.insert(ObjectIdentifier(presenter)).inserted
        {
            controller = presenter
        }
        return controller.hostedRepeatBehavior
    }

    /// The active scene's controllers that may host shortcuts; none in a recording, which has lists alone.
    func hostControllers() -> [ViewController] {
        guard profile.hostedShortcuts != .none, !isRecorded, let window = application.keyWindow else {
            return []
        }
        hosts.update(window, tree)
        return hosts.controllers
    }

    /// Text does something other than typing with this key.
    func isTextCommand(_ stroke: Stroke) -> Bool {
        if case .command? = TextKeys.edit(stroke, layout: layout) { true } else { false }
    }

    /// True when editable text would take this key.
    func textTakes(_ key: Key) -> Bool {
        guard editableText != nil, let usage = key.keyCode else { return false }
        return textKeysEdit(rules.stroke(.clear(usage), flags: key.modifierFlags)) != nil
    }
}

/// The controllers of the key window's scene that host shortcuts, found again when a link changed.
final class HostControllers {
    private(set) var controllers: [ViewController] = []
    private var window: ObjectIdentifier?
    private var linkVersion: UInt64 = 0

    func update(_ window: Window, _ tree: ResponderTree) {
        guard self.window != ObjectIdentifier(window) || linkVersion != tree.linkVersion else { return }
        self.window = ObjectIdentifier(window)
        linkVersion = tree.linkVersion
        controllers = []
        var visited: Set<ObjectIdentifier> = []
        // A stack of our own: the depth of containment in a scene file is not limited.
        var pending = window.rootViewController.map { [$0] } ?? []
        while let controller = pending.popLast() {
            guard visited.insert(ObjectIdentifier(controller)).inserted else { continue }
            // A change inside a container that no chain goes by must count.
            if controller.tree !== tree { controller.tree = tree }
            if controller.hostsShortcuts { controllers.append(controller) }
            if let presented = controller.presentedViewController { pending.append(presented) }
            pending += controller.visibleChildren.reversed()
        }
    }
}
