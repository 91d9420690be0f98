import KeyModel

/// State shared by the responders of one engine: the observer of changed links, first responders and command lists.
///
/// A responder joins the tree the first time the engine walks over it. It belongs to one engine at a time.
final class ResponderTree {
    /// Counts every change of a link, silent ones too: a walked chain is good for one value of it.
    var linkVersion: UInt64 = 0
    /// The time of the latest event: transitions last in virtual time (spec FR-3).
    var now = TraceTime.zero
    /// Set by the engine from its profile.
    var systemBackCommand = Profile.SystemBackCommand.none
    /// Set by the engine from its profile, as the one above.
    var keyPressHandlers = Profile.KeyPressHandlers.none
    /// The engine, which takes itself out of it at its end. A weak reference would make each use of the engine slower.
    unowned var observer: (any ResponderTreeObserver)?
    /// First responder of chains that have no window: a bare chain, or the application itself (spec FR-7).
    var firstResponderWithoutWindow: Responder?

    /// Work that waits for its time, the earliest first.
    private(set) var due: [(time: TraceTime, run: () -> Void)] = []

    /// Does it when the time of events comes to this, at once where it has; after what waits for the same time.
    func run(at time: TraceTime, _ work: @escaping () -> Void) {
        guard time > now else { return work() }
        due.insert((time, work), at: due.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0)
    }

    /// Does the work whose time has come.
    func runDue() {
        while let first = due.first, first.time <= now {
            due.removeFirst()
            first.run()
        }
    }

    /// The responder that asked for an update of the focus last.
    weak var focusUpdate: Responder?

    /// One responder is to be first after another: what is so between them does not last.
    var handsOverKeyboard = false

    func linksChanged(announced: Bool) {
        linkVersion &+= 1
        if announced { observer?.structureChanged() }
    }
}

protocol ResponderTreeObserver: AnyObject {
    /// A link, a first responder or a presentation changed through the API: a chain's index is no longer valid.
    func structureChanged()
    /// This responder reported that its key commands changed.
    func keyCommandsChanged(of responder: Responder)
    func firstResponderChanged(from old: Responder?, to new: Responder?)
    func report(_ effect: Effect)
    /// The responder left its window: its presses are cancelled (spec EV-6).
    func leftWindow(_ responder: Responder)
    /// The responder's input views may be others than before (spec TX-4).
    func inputViewsChanged(of responder: Responder)
    func updateFocus(in environment: Responder)
    func menuNeedsRebuild()
    func menuNeedsRevalidate()
    /// The first responder is text that would take this key.
    func textTakes(_ key: Key) -> Bool
    var firstResponder: Responder? { get }
    var keyboardEnvironment: KeyboardEnvironment { get }
}

extension KeyboardEngine {
    /// True when changes of this responder's links count in `linkVersion`: it was tracked, or a chain came by it.
    public func countsLinks(of responder: Responder) -> Bool { responder.tree === tree }

    /// Counts the changes of links between responders of this engine: containment and `explicitNext`, announced or
    /// silent. What an overridden `next` answers is not counted.
    public var linkVersion: UInt64 { tree.linkVersion }
}
