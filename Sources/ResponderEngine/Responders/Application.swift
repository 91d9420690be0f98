/// The application: the end of the chain, unless its delegate is a responder too (spec §6.1).
open class Application: Responder {
    public final private(set) var windows: [Window] = []
    public final private(set) var connectedScenes: [WindowScene] = []
    /// The window that gets key events.
    public final var keyWindow: Window? { keyWindowLink }
    // Not weak, as `View.superviewLink`. The window clears it when it is let go.
    unowned final var keyWindowLink: Window?
    public final var isActive: Bool { receivesKeys }
    final var receivesKeys = true
    /// Set by the engine from its profile.
    final var windowsBelongToScenes = true
    final var keyWindowScope = Profile.KeyWindowScope.scene
    final var asksBeforeClosing = false
    final var nonInteractiveSceneCanBeKey = true
    final var handsBackFirstResponder = false
    final var filtersActionsOfPresenters = true
    /// ⌘P prints from iOS 15 on (`UIApplicationSupportsPrintCommand`).
    public final var supportsPrintCommand = false

    /// The text that ⌘E stored for ⌘G to find. It belongs to the app, not to other apps (spec §8.3).
    public final var findText: String?

    /// The delegate, a responder that is in the chain when set (spec §6.1).
    public final var delegate: (any ApplicationDelegate)? { didSet { linksChanged() } }

    /// The changes that `buildMenu` makes to the default main menu, in order. A change of this is not seen before
    /// `setNeedsRebuild` (spec MM-2).
    public final var menuChanges: [MenuChange] = []

    /// The menus that `buildMenu` adds, where it does nothing else.
    public final var mainMenu: [Menu] {
        get { menuChanges.compactMap { if case .extend(let menu) = $0 { menu } else { nil } } }
        set { menuChanges = newValue.map(MenuChange.extend) }
    }

    final var mainMenuBuildHandler: ((any MenuBuilder) -> Void)?

    public override init(id: String? = nil) { super.init(id: id) }

    open override var defaultNext: Responder? { delegate }

    open override func buildMenu(with builder: any MenuBuilder) {
        super.buildMenu(with: builder)
        guard builder.system == .main else { return }
        for change in menuChanges { builder.apply(change) }
    }

    /// Replaces `buildMenu` for the main menu from iOS 26 on, and asks for a new one (spec MM-8).
    public final func setMainMenuBuildHandler(_ handler: ((any MenuBuilder) -> Void)?) {
        mainMenuBuildHandler = handler
        setNeedsRebuild()
    }

    /// Sends an action to a target, or with `nil` to the first one up the chain from the first responder that can
    /// perform it. True when it was performed. Without a first responder a send to `nil` finds no target, although keys
    /// start at the deepest responder then (spec DS-6).
    @discardableResult
    public final func sendAction(
        _ action: Selector, to target: Responder?, from sender: Any?, for event: PressesEvent? = nil
    ) -> Bool {
        if let target {
            guard target.answersResponds(to: action) else { return false }
            target.answersPerform(action, sender: sender, event: event)
            return true
        }
        let first = keyWindow?.firstResponder ?? findTree()?.firstResponderWithoutWindow
        let found = TargetSearch.firstTarget(
            from: first, action: action, sender: sender, skipsPresenters: filtersActionsOfPresenters)
        found?.answersPerform(action, sender: sender, event: event)
        return found != nil
    }

    public final func connect(_ scene: WindowScene) {
        guard scene.applicationLink !== self else { return }
        connectedScenes.append(scene)
        scene.applicationLink = self
        scene.linksChanged()
        scene.delegate?.scene(scene, willConnectTo: SceneSession(), options: ConnectedScene.ConnectionOptions())
    }

    /// Ends a scene: its windows are the application's no longer, and the key window is one of another scene.
    public final func disconnect(_ scene: WindowScene) {
        guard scene.applicationLink === self else { return }
        connectedScenes.removeAll { $0 === scene }
        if let keyWindow, keyWindow.sceneLink === scene { windowRemoved(keyWindow) }
        scene.applicationLink = nil
        scene.linksChanged()
        report(.dismiss, .text(scene.id))
        let scenes = connectedScenes.filter { nonInteractiveSceneCanBeKey || $0.isInteractive }
        if keyWindow == nil, let next = scenes.last?.windows.last(where: \.canBecomeKey) { makeKey(next) }
    }

    /// False for a window of a scene that takes no input, where such a one cannot be key (spec I27-13).
    final func takesInput(_ window: Window) -> Bool {
        nonInteractiveSceneCanBeKey || window.sceneLink?.isInteractive != false
    }

    /// Adds a window without a scene, as apps before iOS 13 have.
    public final func addWindow(_ window: Window) {
        guard window.applicationLink !== self else { return }
        windows.append(window)
        window.applicationLink = self
        window.linksChanged()
    }

    public final func makeKey(_ window: Window) {
        guard keyWindowScope == .app || window.canBecomeKey, takesInput(window) else { return }
        window.sceneLink?.keyWindow = window
        receivesKeys = true
        guard keyWindow !== window else { return }
        setKeyWindow(window)
        linksChanged()
        window.show()
    }

    /// All windows, those of scenes too, in the order in which they came.
    private var allWindows: [Window] {
        (windows + connectedScenes.flatMap(\.windows)).filter { $0.canBecomeKey && takesInput($0) }
    }

    /// ⌘` goes to the next of two or more windows (spec §1.6).
    open override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        if action == Window.cycleAction { return allWindows.count > 1 }
        return super.canPerformAction(action, withSender: sender)
    }

    open override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        guard action == Window.cycleAction, !responds(to: action) else {
            return super.perform(action, sender: sender, event: event)
        }
        let all = allWindows
        guard let next = all.firstIndex(where: { $0 === keyWindow }).map({ all[($0 + 1) % all.count] }) ?? all.first
        else { return }
        makeKey(next)
    }

    final func windowRemoved(_ window: Window) {
        guard keyWindow === window else { return }
        setKeyWindow(nil)
        linksChanged()
    }

    private func setKeyWindow(_ window: Window?) {
        keyWindow?.keyOfApplication = nil
        window?.keyOfApplication?.keyWindowLink = nil
        window?.keyOfApplication?.tree?.linkVersion &+= 1
        keyWindowLink = window
        window?.keyOfApplication = self
    }

    /// Per scene from iOS 15, per application before (spec §0.1).
    final func isKey(_ window: Window) -> Bool {
        switch keyWindowScope {
        case .app: keyWindow === window
        case .scene: window.sceneLink.map { $0.keyWindow === window } ?? (keyWindow === window)
        }
    }

    /// Asks for a new main menu before the next key event (spec MM-2).
    public final func setNeedsRebuild() { findTree()?.observer?.menuNeedsRebuild() }

    /// Asks to validate the main menu's commands again before the next key event (spec MM-2).
    public final func setNeedsRevalidate() { findTree()?.observer?.menuNeedsRevalidate() }
}

/// The application's delegate: a responder, as nearly every app's is.
public protocol ApplicationDelegate: Responder {
    /// False: no command is moved to another key on any layout. Asked once, when commands are first read
    /// (spec MT-7).
    func applicationShouldAutomaticallyLocalizeKeyCommands(_ application: Application) -> Bool
}

extension ApplicationDelegate {
    public func applicationShouldAutomaticallyLocalizeKeyCommands(_ application: Application) -> Bool { true }
}

/// A delegate of which all is declared.
package final class DeclaredApplicationDelegate: Responder, ApplicationDelegate {}
