/// A window: the top of a view tree. It stores its first responder.
open class Window: View {
    weak final var sceneLink: WindowScene?
    weak final var applicationLink: Application?
    /// The application whose key window this is.
    weak final var keyOfApplication: Application?
    /// One per window; the key window's gets key events (spec FR-2).
    public final var firstResponder: Responder? { keyTarget }
    final var keyTarget: Responder?

    public override init(id: String? = nil) { super.init(id: id) }

    public convenience init(windowScene: WindowScene) {
        self.init()
        windowScene.addWindow(self)
    }

    deinit {
        keyOfApplication?.keyWindowLink = nil
        keyOfApplication?.tree?.linkVersion &+= 1
    }

    /// The controller from which a press descends when there is no first responder (spec §6.3).
    public final var rootViewController: ViewController? {
        didSet {
            if let oldValue, oldValue !== rootViewController, oldValue.windowLink === self {
                FirstResponderChange.leave(oldValue)
                oldValue.windowLink = nil
            }
            rootViewController?.windowLink = self
            linksChanged()
            oldValue?.disappear(animated: false)
            if isShown { rootViewController?.appear(animated: false) }
        }
    }

    public final var windowScene: WindowScene? { sceneLink }

    /// The application this window belongs to, directly or through its scene.
    public final var application: Application? { applicationLink ?? sceneLink?.applicationLink }

    /// Its scene from iOS 13, else the application (spec §6.1).
    open override var defaultNext: Responder? {
        guard let application else { return sceneLink }
        return application.windowsBelongToScenes ? sceneLink ?? application : application
    }

    /// True when it may become key; asked from iOS 15 on (spec FR-2).
    open var canBecomeKey: Bool { true }

    public final var isKeyWindow: Bool {
        guard let application else { return false }
        return application.isKey(self)
    }

    /// It was key once: its controllers are seen.
    private final var isShown = false

    final func show() {
        guard !isShown else { return }
        isShown = true
        rootViewController?.appear(animated: false)
    }

    /// Makes this the key window and the application active, and shows its controllers. A window that can be first
    /// responder and whose window has none becomes it (spec FR-4).
    public final func makeKeyAndVisible() {
        application?.makeKey(self)
        show()
        becomeFirstIfItCan()
    }

    final func becomeFirstIfItCan() {
        if firstResponder == nil, answersCanBecomeFirst { becomeFirstResponder() }
    }
}

/// A scene of any kind (`UIScene`).
open class ConnectedScene: Responder {
    public struct ConnectionOptions: Sendable {}
}

public final class SceneSession: Sendable {}

/// Makes the window of a scene. It is not on the chain.
public protocol WindowSceneDelegate: AnyObject {
    /// The scene was connected to its application.
    func scene(
        _ scene: ConnectedScene, willConnectTo session: SceneSession,
        options connectionOptions: ConnectedScene.ConnectionOptions)
}

/// A scene with windows: the link between them and the application from iOS 13 (spec §6.1).
open class WindowScene: ConnectedScene {
    /// Set before the scene is connected.
    public final var delegate: (any WindowSceneDelegate)?
    public final private(set) var windows: [Window] = []
    weak final var applicationLink: Application?
    /// The user is asked before the scene closes, from iOS 27 on (`closureConfirmation`, spec I27-9).
    public final var asksBeforeClosing = false
    /// False for the scene of an external display, which takes no input (spec I27-13).
    public final var isInteractive = true
    /// The key window of this scene.
    public final internal(set) weak var keyWindow: Window?

    public override init(id: String? = nil) { super.init(id: id) }

    public final var application: Application? { applicationLink }
    open override var defaultNext: Responder? { applicationLink }

    /// ⌘W closes the scene, where no nearer responder closes something (spec I26-4). One that has the user asked first
    /// stays, and the effect is a presentation of `closeConfirmation`; `Application.disconnect` is the user's consent.
    open override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        guard action == StandardKey.close.action, !responds(to: action) else {
            return super.perform(action, sender: sender, event: event)
        }
        guard asksBeforeClosing, application?.asksBeforeClosing == true else {
            application?.disconnect(self)
            return
        }
        report(.present, .text("closeConfirmation"))
    }

    public final func addWindow(_ window: Window) {
        guard window.sceneLink !== self else { return }
        window.sceneLink?.removeWindow(window)
        windows.append(window)
        window.sceneLink = self
        window.linksChanged()
        linksChanged()
    }

    public final func removeWindow(_ window: Window) {
        guard window.sceneLink === self else { return }
        windows.removeAll { $0 === window }
        window.sceneLink = nil
        if keyWindow === window { keyWindow = nil }
        application?.windowRemoved(window)
        linksChanged()
    }
}
