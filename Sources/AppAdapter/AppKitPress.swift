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
    /// Start of the chain, and the key window, before anything changed.
    let start, window: RecordedResponder
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
    }
}
