import KeyModel
public import ResponderEngine

/// A controller of SwiftUI views: their keyboard shortcuts, and their `onKeyPress` handlers along the focus path.
open class HostingController: ViewController {
    /// A handler of `onKeyPress` on a view.
    public struct KeyPressHandler {
        /// The UIKit view in place of the handler's view: it hears keys while the first responder is in it; `nil`
        /// for the controller's root view.
        public weak var view: View?
        private let isOfView: Bool
        /// Inputs as in key commands, with any modifiers; empty for every key.
        public var keys: [String]
        /// The phases in which it is asked. What it returns for a key that comes up decides nothing here.
        public var phases: Set<Phase>
        /// It returns `.handled`: the press goes no further.
        public var isHandled: Bool

        /// Phases of a key press.
        public enum Phase: String, CaseIterable, Sendable { case down, `repeat`, up }

        /// A handler is asked at downs and repeats unless `phases` is given, as on Apple's page of
        /// `onKeyPress(_:action:)`.
        public init(
            view: View? = nil, keys: [String] = [], phases: Set<Phase> = [.down, .repeat], isHandled: Bool
        ) {
            self.view = view
            isOfView = view != nil
            self.keys = keys
            self.phases = phases
            self.isHandled = isHandled
        }

        fileprivate func hears(_ key: Key, _ phase: Phase, at place: Responder?) -> Bool {
            guard phases.contains(phase), isOfView ? view != nil && place === view : place == nil else { return false }
            return keys.isEmpty || keys.contains(key.charactersIgnoringModifiers)
        }
    }

    /// Leading to trailing, depth first: the first one found has the key. Disabled ones are passed over, which is not
    /// documented.
    public final var shortcuts: [KeyCommand] = [] { didSet { setNeedsKeyCommandsUpdate() } }
    /// Whether its controls, and their shortcuts, repeat while they are held (`buttonRepeatBehavior`).
    public final var buttonRepeatBehavior = MenuElement.RepeatBehavior.automatic
    /// The handlers of one view, in the order in which they are asked.
    public final var keyPressHandlers: [KeyPressHandler] = []

    open override var hostsShortcuts: Bool { true }
    open override var hostedShortcuts: [KeyCommand] { shortcuts }
    open override var hostedRepeatBehavior: MenuElement.RepeatBehavior { buttonRepeatBehavior }

    open override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if presses.contains(where: { isHandled($0, .down) }) { return }
        super.pressesBegan(presses, with: event)
    }

    open override func handlesKeyPress(_ press: Press, isRepeat: Bool) -> Bool {
        isHandled(press, isRepeat ? .repeat : .down)
    }

    /// Asks the handlers from the first responder outwards until one handles the key.
    private func isHandled(_ press: Press, _ phase: KeyPressHandler.Phase) -> Bool {
        guard !keyPressHandlers.isEmpty, keyPressRule != .none, let key = press.key, key.keyCode?.isModifier == false,
            keyPressRule == .beforeText || !textTakes(key)
        else { return false }
        func handles(at place: Responder?) -> Bool {
            keyPressHandlers.contains { $0.isHandled && $0.hears(key, phase, at: place) }
        }
        var here = press.responder
        var steps = 0
        // A chain of overridden nexts may never come here.
        while let place = here, place !== self, steps < 10_000 {
            if handles(at: place) { return true }
            here = place.next
            steps += 1
        }
        return handles(at: nil)
    }
}
