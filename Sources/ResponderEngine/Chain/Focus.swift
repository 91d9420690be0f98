/// The focus, as far as keys move it (spec EV-14, FR-5).
final class FocusState {
    /// The item that has the focus without being first responder; `nil` where the first responder has it.
    weak var item: Responder? { didSet { isSet = item != nil } }
    /// The device has a focus system.
    var isOnDevice = true
    /// There was an item when it was set: read at each press, which a weak reference would make slower.
    private(set) var isSet = false
    /// The item of each named group that had the focus last: the one that Tab goes back to.
    var lastItems: [String: WeakResponder] = [:]
    /// The item of the last call of `didUpdateFocus`.
    weak var reported: Responder?
    /// The first responder follows the focus just now.
    var isMoving = false

    struct WeakResponder { weak var responder: Responder? }
}

/// The direction in which an arrow moves the focus inside a group.
public enum FocusHeading: Sendable { case up, down, left, right }

/// The focus system: Tab between groups, arrows inside one, and a key that activates. Items are in the order of their
/// containment, since a responder tree has no geometry.
extension KeyboardEngine {
    /// The item that has the focus: one that the focus went to, else the first responder where it can have it.
    public var focusedItem: Responder? {
        guard usesFocus else { return nil }
        if focus.isSet, let item = focus.item { return item }
        guard let first = firstResponder, first.answersCanBeFocused else { return nil }
        return first
    }

    /// Gives an item the focus. The first responder moves with it: the item itself, else the next one up its chain that
    /// can be first, so that the focused item is the first responder or inside it (spec FR-5). False where there is no
    /// focus system, the item cannot have the focus, or the present first responder does not resign.
    @discardableResult
    public func moveFocus(to item: Responder) -> Bool {
        guard usesFocus, item.answersCanBeFocused else { return false }
        if item.tree == nil { item.tree = tree }
        let update = FocusUpdateContext(from: focusedItem, to: item)
        guard update.environments.allSatisfy({ $0.shouldUpdateFocus(in: update) }) else { return false }
        focus.isMoving = true
        let follows = firstResponderFollows(item)
        if follows { focus.item = firstResponder === item ? nil : item }
        focus.isMoving = false
        guard follows else { return false }
        tree.linksChanged(announced: true)
        if let group = item.focusGroup { focus.lastItems[group] = FocusState.WeakResponder(responder: item) }
        report(Effect(id: item.id, kind: .focus, value: .text(item.id)))
        reportFocusUpdate()
        return true
    }

    private func firstResponderFollows(_ item: Responder) -> Bool {
        if item.answersCanBecomeFirst { return item.becomeFirstResponder() }
        var walk = ChainWalk(from: item)
        while let responder = walk.step(), !(responder is Window) {
            if responder === firstResponder || responder.answersCanBecomeFirst && responder.becomeFirstResponder() {
                return true
            }
        }
        return firstResponder?.resignFirstResponder() ?? true
    }

    /// A recorded focus: no one is asked, and nothing is reported.
    package func recordedFocus(_ item: Responder?) {
        guard focus.item !== item else { return }
        focus.item = item
        tree.linksChanged(announced: true)
    }

    /// The first responder changed otherwise: it has the focus, or no item has (spec FR-5).
    func focusFollowsFirstResponder() {
        guard !focus.isMoving else { return }
        focus.item = nil
        if !tree.handsOverKeyboard { reportFocusUpdate() }
    }

    func focusLeaves(_ leaving: Responder) {
        guard let item = focus.item, item.isInside(leaving) else { return }
        focus.item = nil
        reportFocusUpdate()
    }

    // MARK: Keys

    /// Tab and ⇧Tab go round the groups of the key window, each time to the item that had the focus there last, else to
    /// the first one. Where there is no other group, the key does nothing.
    func moveFocusToGroup(backwards: Bool) {
        let groups = focusGroups()
        guard let last = groups.indices.last else { return }
        let present = focusedItem.flatMap { item in groups.firstIndex { $0.items.contains { $0 === item } } }
        let next: Int
        if present == nil, !backwards, let preferred = preferredItemInSight {
            moveFocus(to: preferred)
            return
        }
        if let present {
            next = backwards ? (present == 0 ? last : present - 1) : (present == last ? 0 : present + 1)
        } else {
            next = backwards ? last : 0
        }
        guard next != present, let first = groups[next].items.first else { return }
        let former = groups[next].name.flatMap { focus.lastItems[$0]?.responder }
        moveFocus(to: groups[next].items.first { $0 === former } ?? first)
    }

    /// Arrows move inside the focused item, where it has places of its own, else along the items of its group, and
    /// stop at its ends.
    func moveFocusInGroup(_ heading: FocusHeading) {
        guard let item = focusedItem, !item.moveFocusInside(heading),
            let group = focusGroups().first(where: { $0.items.contains { $0 === item } }),
            let place = group.items.firstIndex(where: { $0 === item })
        else { return }
        let next = place + (heading == .up || heading == .left ? -1 : 1)
        if group.items.indices.contains(next) { moveFocus(to: group.items[next]) }
    }

    /// True when it declares that it can have the focus, which there is on this device and under this profile.
    package func isDeclaredFocusable(_ responder: Responder) -> Bool {
        usesFocus && (responder as? View)?.isFocusable == true
    }

    /// The focused item, where it is not first responder itself.
    package var focusedItemInside: Responder? { usesFocus ? focus.item : nil }

    var hasFocusableItems: Bool { !focusGroups().isEmpty }

    // MARK: Items

    private struct FocusGroup {
        /// `nil` for an item that is in no group but its own.
        let name: String?
        var items: [Responder]
    }

    /// The groups of the key window in the order of their first items.
    private func focusGroups() -> [FocusGroup] {
        guard let window = application.keyWindow else { return [] }
        var groups: [FocusGroup] = []
        var places: [String: Int] = [:]
        for item in KeyboardEngine.focusableItems(in: window) {
            guard let name = item.focusGroup else {
                groups.append(FocusGroup(name: nil, items: [item]))
                continue
            }
            if let place = places[name] {
                groups[place].items.append(item)
            } else {
                places[name] = groups.count
                groups.append(FocusGroup(name: name, items: [item]))
            }
        }
        return groups
    }

    /// The focusable items that a window shows: what is presented on top, else the tree of its root controller and its
    /// own subviews.
    static func focusableItems(in window: Window) -> [Responder] {
        guard let top = window.rootViewController?.topmost else { return focusableItems(inside: [window]) }
        return focusableItems(inside: top === window.rootViewController ? [top, window] : [top])
    }

    static func focusableItems(inside places: [Responder]) -> [Responder] {
        var items: [Responder] = []
        var seen: Set<ObjectIdentifier> = []
        var pending = places
        while let responder = pending.popLast() {
            guard seen.insert(ObjectIdentifier(responder)).inserted else { continue }
            if responder.answersCanBeFocused { items.append(responder) }
            var inside: [Responder] = []
            if let view = responder as? View { inside = view.subviews }
            if let controller = responder as? ViewController {
                inside = (controller.viewIfLoaded.map { [$0] } ?? []) + controller.children
            }
            pending += inside.reversed()
        }
        return items
    }
}

extension Responder {
    final var answersCanBeFocused: Bool { (self as? View)?.isFocusable ?? canBecomeFocused }

    /// The name of the group that it is in: its own, else that of the nearest view around it.
    final var focusGroup: String? {
        var view = self as? View
        while let here = view {
            if let name = here.focusGroupIdentifier { return name }
            view = here.superviewLink
        }
        return nil
    }
}
