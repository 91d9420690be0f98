/// A place that the focus can be in (`UIFocusEnvironment`): any responder, where UIKit has views and controllers.
public protocol FocusEnvironment: AnyObject {
    /// Where the focus goes inside it, the best place first.
    var preferredFocusEnvironments: [any FocusEnvironment] { get }
}

/// A change of the focused item (`UIFocusUpdateContext`).
public final class FocusUpdateContext {
    public let previouslyFocusedItem: Responder?
    public let nextFocusedItem: Responder?
    public var previouslyFocusedView: View? { previouslyFocusedItem as? View }
    public var nextFocusedView: View? { nextFocusedItem as? View }

    init(from previous: Responder?, to next: Responder?) {
        (previouslyFocusedItem, nextFocusedItem) = (previous, next)
    }

    /// The responders up to the window of the previous item, then those of the next one, each once.
    var environments: [Responder] {
        var found: [Responder] = []
        var seen: Set<ObjectIdentifier> = []
        for item in [previouslyFocusedItem, nextFocusedItem].compactMap(\.self) {
            var walk = ChainWalk(from: item)
            while let responder = walk.step() {
                if seen.insert(ObjectIdentifier(responder)).inserted { found.append(responder) }
                if responder is Window { break }
            }
        }
        return found
    }
}

/// Runs at once what UIKit animates with the focus (`UIFocusAnimationCoordinator`).
public final class FocusAnimationCoordinator {
    public func addCoordinatedAnimations(_ animations: (() -> Void)?, completion: (() -> Void)? = nil) {
        animations?()
        completion?()
    }
}

extension Responder: FocusEnvironment {
    /// Asks that the focus, where it is inside, goes to the preferred place at `updateFocusIfNeeded`.
    public final func setNeedsFocusUpdate() { findTree()?.focusUpdate = self }

    public final func updateFocusIfNeeded() {
        guard let tree = findTree(), let environment = tree.focusUpdate else { return }
        tree.focusUpdate = nil
        tree.observer?.updateFocus(in: environment)
    }
}

extension KeyboardEngine {
    func updateFocus(in environment: Responder) {
        guard focusedItem?.isInside(environment) == true, let item = preferredItem(in: environment) else { return }
        moveFocus(to: item)
    }

    /// The item that the first Tab goes to, where the controller in sight prefers one.
    var preferredItemInSight: Responder? {
        guard let top = application.keyWindow?.rootViewController?.topmost else { return nil }
        return top.preferredFocusEnvironments.isEmpty ? nil : preferredItem(in: top)
    }

    private func preferredItem(in environment: Responder) -> Responder? {
        var pending = [environment]
        var seen: Set<ObjectIdentifier> = []
        while let place = pending.popLast() {
            guard seen.insert(ObjectIdentifier(place)).inserted else { continue }
            if place.answersCanBeFocused { return place }
            let preferred = place.preferredFocusEnvironments.compactMap { $0 as? Responder }
            if preferred.isEmpty, let item = KeyboardEngine.focusableItems(inside: [place]).first { return item }
            pending += preferred.reversed()
        }
        return nil
    }

    /// Calls `didUpdateFocus`, where another item has the focus than at the last call.
    func reportFocusUpdate() {
        guard usesFocus, !focus.isMoving else { return }
        let context = FocusUpdateContext(from: focus.reported, to: focusedItem)
        guard context.previouslyFocusedItem !== context.nextFocusedItem else { return }
        focus.reported = context.nextFocusedItem
        let coordinator = FocusAnimationCoordinator()
        for responder in context.environments { responder.didUpdateFocus(in: context, with: coordinator) }
    }
}
