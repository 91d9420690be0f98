public import KeyModel

/// Something of a view that sees presses before any responder gets them (spec EV-3). A subclass overrides what it
/// needs and sets `state`; what it recognises keeps no press from the responders.
open class GestureRecognizer {
    /// Raw values as `UIGestureRecognizer.State`.
    public enum State: Int, Sendable { case possible = 0, began, changed, ended, cancelled, failed }

    /// `possible` again when the last of its presses is over.
    public final var state = State.possible
    public final var isEnabled = true
    /// The modifiers held when it last got a press or its end.
    public final internal(set) var modifierFlags: KeyModifiers = []
    public final internal(set) weak var view: View?
    /// The number of presses whose began it got and whose end it did not.
    final var pressCount = 0
    /// Set by the engine from its profile.
    final var failsOnPresses = false

    public init() {}

    /// Up to iOS 16 the default implementation fails the recogniser: an override that calls `super` recognises
    /// nothing there. From iOS 17 it does nothing.
    open func pressesBegan(_ presses: Set<Press>, with event: PressesEvent) {
        if failsOnPresses { state = .failed }
    }
    open func pressesEnded(_ presses: Set<Press>, with event: PressesEvent) {}
    open func pressesCancelled(_ presses: Set<Press>, with event: PressesEvent) {}

    final func end(_ presses: Set<Press>, _ event: PressesEvent, isCancelled: Bool) {
        modifierFlags = event.modifierFlags
        if isCancelled { pressesCancelled(presses, with: event) } else { pressesEnded(presses, with: event) }
        pressCount -= 1
        if pressCount == 0 { state = .possible }
    }
}

extension View {
    /// A recogniser belongs to one view at a time.
    public final func addGestureRecognizer(_ recognizer: GestureRecognizer) {
        guard recognizer.view !== self else { return }
        recognizer.view?.removeGestureRecognizer(recognizer)
        recognizer.view = self
        gestureRecognizers.append(recognizer)
        recognizersChanged()
    }

    public final func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
        guard recognizer.view === self else { return }
        recognizer.view = nil
        gestureRecognizers.removeAll { $0 === recognizer }
        recognizersChanged()
    }

    private func recognizersChanged() {
        hasGestureRecognizers = !gestureRecognizers.isEmpty
        linksChanged()
    }
}

extension KeyboardEngine {
    /// Offers a press to the recognisers of the views on the chain, the nearest view's first.
    func offerToGestureRecognizers(_ held: PressesEvent) {
        held.recognizers = followed.members.array.filter(\.hasGestureRecognizers)
            .flatMap { ($0 as? View)?.gestureRecognizers.filter(\.isEnabled) ?? [] }
        for recognizer in held.recognizers {
            recognizer.failsOnPresses = profile.gestureRecognizersFailOnPresses
            recognizer.modifierFlags = held.modifierFlags
            recognizer.pressCount += 1
            recognizer.pressesBegan(held.allPresses, with: held)
        }
    }

    /// The end of a press goes to the recognisers that got its began.
    func endAtGestureRecognizers(_ held: PressesEvent, isCancelled: Bool) {
        let recognizers = held.recognizers
        held.recognizers = []
        for recognizer in recognizers { recognizer.end(held.allPresses, held, isCancelled: isCancelled) }
    }
}
