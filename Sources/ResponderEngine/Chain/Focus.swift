/// Where the focus is, as far as keys move it (spec EV-14, FR-5).
extension KeyboardEngine {
    /// The item that has the focus: the first responder, where there is a focus system and it can have it.
    public var focusedItem: Responder? {
        guard usesFocus, let first = firstResponder, first.canBecomeFocused else { return nil }
        return first
    }

    /// Tab and ⇧Tab go round the focusable items of the key window in the order of their containment. Moving focus
    /// moves the first responder (spec FR-5); where there is no other item, the key does nothing.
    func moveFocus(backwards: Bool) {
        if let recordedAnswers { return recordedAnswers.focusMoves() }
        guard let window = application.keyWindow else { return }
        let items = KeyboardEngine.focusableItems(in: window)
        guard let last = items.indices.last else { return }
        let present = items.firstIndex { $0 === firstResponder }
        let next: Int
        if let present {
            next = backwards ? (present == 0 ? last : present - 1) : (present == last ? 0 : present + 1)
        } else {
            next = backwards ? last : 0
        }
        guard next != present, focus(items[next], asking: true) else { return }
        report(Effect(id: items[next].id, kind: .focus, value: .text(items[next].id)))
    }

    /// Of what a window shows: what is presented on top, else the tree of its root controller and its own subviews.
    private static func focusableItems(in window: Window) -> [Responder] {
        var items: [Responder] = []
        var seen: Set<ObjectIdentifier> = []
        var pending: [Responder] = [window]
        if var top = window.rootViewController {
            while let presented = top.presentedViewController { top = presented }
            pending = top === window.rootViewController ? [top, window] : [top]
        }
        while let responder = pending.popLast() {
            guard seen.insert(ObjectIdentifier(responder)).inserted else { continue }
            if responder.canBecomeFocused { items.append(responder) }
            var inside: [Responder] = []
            if let view = responder as? View { inside = view.subviews }
            if let controller = responder as? ViewController {
                inside = (controller.view.map { [$0] } ?? []) + controller.children
            }
            pending += inside.reversed()
        }
        return items
    }
}
