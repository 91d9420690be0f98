public import ResponderEngine

/// A scroll view that keys scroll, zoom and refresh (spec KK-11 to KK-14).
open class KeyboardScrollView: ScrollView {
    public override init(id: String? = nil) {
        super.init(id: id)
        addScrollKeys(to: self)
    }
}

extension ScrollView {
    /// Gives this view's keys to `owner`, which is the view itself or a controller around it: they work while the owner
    /// is on the chain (spec KK-1).
    public final func addScrollKeys(to owner: Responder) {
        // The system's own scrolling would take the keys first (spec EV-15).
        allowsKeyboardScrolling = false
        keyHandlers = [ScrollKeyHandler(owner: owner.id, scrolling: self)]
        owner.inject(keyHandlers)
    }
}
