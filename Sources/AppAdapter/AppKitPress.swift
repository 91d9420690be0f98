import CObjCHooks
import FlightRecorder
import KeyModel

/// A key event that `sendEvent:` handles.
struct AppKitPress {
    /// Its handling.
    let own: RecordedPress
    /// The press around it, whose handling goes on after this one.
    let outer: RecordedPress?
    let phase: KeyPhase
    let event: keyflight_object
    /// True for a modifier key, which resolves to nothing.
    let isModifier: Bool
    /// Start of the chain, and the event's window, before anything changed.
    let start, window: RecordedResponder
    /// What the key of a chord types, which is what menus match.
    let character: RecordedName?
    /// The stage that goes on; `nil` before the first, and while a modal loop waits.
    var span: StageSpan?
    var outcome: Outcome?
    var takenBy: TakenBy?
    var action: UnsafePointer<CChar>?
    var supplier: RecordedResponder?
    var target: RecordedResponder?
    var path: RecordedName?
    var hasMenuAnswer = false
    var isServices = false
    /// The innermost view or window whose `performKeyEquivalent:` returned true.
    var keyEquivalentTaker: RecordedResponder?
    var keyDownReceiver: RecordedResponder?
    var isWithoutResponder = false

    /// Down and repeats: what resolves to something.
    var isResolved: Bool { !isModifier && (phase == .down || phase == .repeat) }

    /// The first to take the press decides.
    mutating func take(
        _ outcome: Outcome, _ takenBy: TakenBy, _ action: UnsafePointer<CChar>? = nil,
        target: RecordedResponder? = nil
    ) {
        guard self.outcome == nil else { return }
        (self.outcome, self.takenBy, self.action, self.target) = (outcome, takenBy, action, target)
    }

    /// Sets the outcome of a press that was not taken.
    mutating func conclude() {
        guard outcome == nil else { return }
        if hasMenuAnswer {
            // A disabled item keeps its key.
            let action = action
            take(.blockedUnperformable, isServices ? .services : .mainMenu, action)
        } else if let taker = keyEquivalentTaker {
            take(.performed, .keyEquivalent, target: taker)
            supplier = taker
        } else if let keyDownReceiver, !isWithoutResponder {
            take(.performed, .keyDown, target: keyDownReceiver)
        } else {
            outcome = .unhandled
        }
    }

    /// Begins a stage, which lasts until the next one begins.
    mutating func enter(_ stage: LatencyStage) {
        guard isResolved, let span else { return }
        guard span.stage != stage else { return }
        self.span = Keyflight.next(span, stage)
        PressCosts.end(span)
    }
}

/// What is found out about the innermost press.
extension AppKitSession {
    /// An app that dies of the press has its resolution so far in its trace.
    func pend() {
        guard settling == nil, let last = presses.last, var press = last, press.isResolved else { return }
        press.conclude()
        record(press, isPending: true)
    }

    /// The action that took the press found no target.
    func actionRefused(_ call: Activation) {
        let last = presses.count - 1
        guard presses[last]?.outcome == .performed, presses[last]?.target == nil,
            let action = call.actionName, presses[last]?.action == action
        else { return }
        presses[last]?.outcome = .blockedUnperformable
    }

    /// An action without a target of its own found one.
    func targetFound(_ call: Activation, _ target: RecordedResponder) {
        guard settling == nil, let last = presses.indices.last, presses[last]?.outcome == .performed,
            presses[last]?.target == nil, let action = call.actionName, presses[last]?.action == action
        else { return }
        presses[last]?.target = target
        pend()
    }

    func viewAnswered(_ view: RecordedResponder) {
        let last = presses.count - 1
        guard presses[last]?.keyEquivalentTaker == nil else { return }
        presses[last]?.keyEquivalentTaker = view
    }

    /// The innermost menu that returned true has the item.
    func menuAnswered(_ menu: keyflight_object) {
        guard let last = presses.last, let press = last, !press.hasMenuAnswer else { return }
        itemFound(menu, menus.item(of: menu, for: press.event))
    }

    func itemFound(_ menu: keyflight_object, _ item: keyflight_object?) {
        let last = presses.count - 1
        guard let press = presses[last], !press.hasMenuAnswer else { return }
        presses[last]?.hasMenuAnswer = true
        let isService = menus.isService(menu, of: app)
        presses[last]?.isServices = isService
        if press.action == nil {
            let action = menus.action(of: item).flatMap { keyflight_selector_name($0) }
            presses[last]?.action = action
        }
        let path = menus.path(menu, item).map { RecordedName($0) }
        presses[last]?.path = path
    }
}
