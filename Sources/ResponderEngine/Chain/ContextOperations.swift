public import KeyModel

/// Events of an app besides keys.
extension KeyboardEngine {
    /// Virtual time comes to this: transitions that end by then are over (spec FR-3).
    public func advance(to time: TraceTime) {
        tree.now = time
        settleKeyboardClient()
        tree.runDue()
    }

    /// Makes a responder first, or none. `asking` follows the rules of spec FR-2 and FR-3 and may be refused; otherwise
    /// it is a recorded fact.
    @discardableResult
    public func focus(_ responder: Responder?, asking: Bool = false) -> Bool {
        guard asking else {
            if let responder, responder.tree == nil { responder.tree = tree }
            FirstResponderChange.install(responder, tree: tree, keyWindow: application.keyWindow)
            return true
        }
        guard let responder else { return firstResponder?.resignFirstResponder() ?? true }
        if responder.tree == nil { responder.tree = tree }
        return responder.becomeFirstResponder()
    }

    /// The first responder resigns.
    @discardableResult
    public func resign() -> Bool { focus(nil, asking: true) }

    /// Makes a window key and the application active. A window that can be first responder, and contains none, becomes
    /// it (spec FR-4).
    public func activate(_ window: Window) {
        if window.tree == nil { window.tree = tree }
        application.makeKey(window)
        window.becomeFirstIfItCan()
        settleKeyboardClient()
    }

    /// The application becomes inactive: held keys are cancelled and modifiers forgotten, unless the profile leaves
    /// them down (spec EV-17).
    @discardableResult
    public func deactivate(at time: TraceTime = .zero) -> [Release] {
        application.receivesKeys = false
        return profile.deactivationCancelsKeys ? cancelHeldKeys(at: time) : []
    }

    /// The application becomes active again with the key window it had.
    public func activate() { application.receivesKeys = true }

    public var hasCancelled: Bool { !cancelled.isEmpty }

    /// The presses that were cancelled since this was asked last, in order; see `keepsCancelled`.
    public func takeCancelled() -> [(key: KeyIdentity, release: Release)] {
        defer { cancelled = [] }
        return cancelled
    }

    public func attachKeyboard() { isKeyboardAttached = true }

    /// Held keys are cancelled with their keyboard.
    @discardableResult
    public func detachKeyboard(at time: TraceTime = .zero) -> [Release] {
        isKeyboardAttached = false
        return cancelHeldKeys(at: time)
    }

    /// Sets, replaces or (with `nil`) commits marked text of the first responder. False when it takes no text.
    @discardableResult
    public func markText(_ text: String?) -> Bool {
        guard let input = firstResponder?.textInput, input.isEditable else { return false }
        if let text { input.setMarkedText(text) } else { input.unmarkText() }
        return true
    }

    /// Reports that the responder's key commands changed.
    public func invalidate(_ responder: Responder) { keyCommandsChanged(of: responder) }

    public func setNeedsRebuild() { menuNeedsRebuild() }
    public func setNeedsRevalidate() { menuNeedsRevalidate() }
}
