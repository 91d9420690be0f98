import KeyModel
public import ResponderEngine

/// Escape and ⌘W dismiss what is presented on top (spec §8.3). Never first responder itself: the chain would be short.
open class KeyboardWindow: Window {
    public static let dismissAction: Selector = "dismissTopmostPresented:"

    private final let commands = [
        KeyCommand(input: KeyCommand.inputEscape, modifierFlags: [], action: KeyboardWindow.dismissAction),
        DiscoverableKeyCommand(
            title: "Close", action: KeyboardWindow.dismissAction, input: "w", modifierFlags: .command),
    ]

    public final override var canBecomeFirstResponder: Bool { false }

    /// Always there: without anything to dismiss they are performed and come to nothing.
    open override var keyCommands: [KeyCommand]? { (super.keyCommands ?? []) + commands.ofTheChain }

    /// The delegate of a presentation may refuse.
    open func shouldDismiss(_ controller: ViewController) -> Bool {
        !controller.refuses(KeyboardWindow.shouldDismissQuestion)
    }

    /// Called in this order, and on the presented controller where it implements these selectors:
    /// `presentationWillDismiss:`, `presentationDidDismiss:`, `presentationDidAttemptToDismiss:`.
    open func willDismiss(_ controller: ViewController) { controller.notify("presentationWillDismiss:") }
    open func didDismiss(_ controller: ViewController) { controller.notify("presentationDidDismiss:") }
    open func didAttemptToDismiss(_ controller: ViewController) {
        controller.notify("presentationDidAttemptToDismiss:")
    }

    /// Asked of the presented controller by `canPerformAction`: no refuses.
    public static let shouldDismissQuestion: Selector = "presentationShouldDismiss:"

    open override class var actions: [Action] {
        super.actions + [
            Action(dismissAction, performing: { (window: KeyboardWindow, _) in window.dismissTopmost() })
        ]
    }

    private final func dismissTopmost() {
        guard let top = rootViewController?.topmost else { return }
        guard top.presentingViewController != nil, isDismissible(top), !top.isInTransition else { return }
        guard !top.isModalInPresentation, shouldDismiss(top) else { return didAttemptToDismiss(top) }
        willDismiss(top)
        top.presentingViewController?.dismiss()
        didDismiss(top)
    }

    /// A sheet or a popover; automatic is a sheet where there are sheets.
    private final func isDismissible(_ controller: ViewController) -> Bool {
        switch controller.modalPresentationStyle {
        case .popover, .pageSheet, .formSheet: true
        case .automatic: keyboardEnvironment.hasScenes
        case .fullScreen, .overFullScreen, .currentContext, .custom: false
        }
    }
}

/// New windows and settings (spec §8.3).
open class KeyboardApplication: Application {
    public final var supportsMultipleScenes = false
    /// There is a settings bundle.
    public final var hasSettings = false

    private final let newWindow = DiscoverableKeyCommand(
        title: "New Window", action: "requestNewWindow:", input: "n", modifierFlags: [.option, .command])
    private final let settings = DiscoverableKeyCommand(
        title: "Settings", action: "openSettings:", input: ",", modifierFlags: .command)

    open override var canBecomeFirstResponder: Bool { true }

    /// A window was asked for. Performs `didRequestNewWindow:` where this object implements it.
    open func didRequestNewWindow() { notify("didRequestNewWindow:") }
    open func didOpenSettings() { notify("didOpenSettings:") }

    open override var keyCommands: [KeyCommand]? {
        var commands = super.keyCommands ?? []
        if supportsMultipleScenes { commands.append(newWindow) }
        if hasSettings { commands.append(settings) }
        return commands.ofTheChain
    }

    open override class var actions: [Action] {
        super.actions + [
            Action("requestNewWindow:", performing: { (app: KeyboardApplication, _) in app.didRequestNewWindow() }),
            Action("openSettings:", performing: { (app: KeyboardApplication, _) in app.didOpenSettings() }),
        ]
    }
}

/// The next window, and an end to this one (spec §8.3).
open class KeyboardWindowScene: WindowScene {
    public static let cycleAction: Selector = "cycleWindows:"
    public static let closeAction: Selector = "closeWindow:"

    private final let cycle = DiscoverableKeyCommand(
        title: "Cycle Windows", action: KeyboardWindowScene.cycleAction, input: "`", modifierFlags: .command)
    private final let close = DiscoverableKeyCommand(
        title: "Close Window", action: KeyboardWindowScene.closeAction, input: "w", modifierFlags: [.shift, .command])

    public override init(id: String? = nil) {
        super.init(id: id)
        followsStructure = true
    }

    open override var canBecomeFirstResponder: Bool { true }

    private final var isOneOfSeveral: Bool {
        (application as? KeyboardApplication)?.supportsMultipleScenes ?? ((application?.connectedScenes.count ?? 0) > 1)
    }

    /// Scenes in the foreground, as far as there are windows to make key.
    private final var scenes: [WindowScene] { application?.connectedScenes.filter { !$0.windows.isEmpty } ?? [] }

    open override var keyCommands: [KeyCommand]? {
        let inherited = super.keyCommands
        guard isOneOfSeveral else { return inherited }
        var commands = inherited ?? []
        // From iOS 15 on the system has it.
        if !keyboardEnvironment.systemCyclesWindows, scenes.count > 1 { commands.append(cycle) }
        commands.append(close)
        return commands.ofTheChain
    }

    open override class var actions: [Action] {
        super.actions + [
            Action(cycleAction, performing: { (scene: KeyboardWindowScene, _) in scene.cycleWindows() }),
            Action(closeAction, performing: { (scene: KeyboardWindowScene, _) in
                scene.application?.disconnect(scene)
            }),
        ]
    }

    private final func cycleWindows() {
        let scenes = scenes
        guard let place = scenes.firstIndex(where: { $0 === self }) else { return }
        let next = scenes[(place + 1) % scenes.count]
        if let window = next.keyWindow ?? next.windows.first { window.makeKeyAndVisible() }
    }
}
