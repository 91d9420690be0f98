import CObjCHooks
import FlightRecorder
import KeyModel

/// A key that went down, or its repeat, until it is known what became of it.
final class UIKitPress {
    let recorded: RecordedPress
    /// Where its way began, the focused item or the first responder, and the key window.
    let start: RecordedResponder?
    let keyWindow: RecordedResponder?
    /// True if one of the receivers of `pressesBegan` did not pass it on.
    var isSwallowed = false
    var hasMovedFocus = false
    /// The action that runs, or ran.
    var action: UIKitAction?
    /// The command that sent it. The action may free it.
    var command: NumberedCommand?
    /// Text took it: the outcome, and who.
    var text: (outcome: Outcome, takenBy: TakenBy, target: RecordedResponder)?
    /// Its resolution is in the trace.
    var isConcluded = false
    /// Nanoseconds in `keyCommands`, and in questions about an action.
    var collecting: UInt64 = 0
    var validating: UInt64 = 0

    init(start: RecordedResponder?, keyWindow: RecordedResponder?) {
        recorded = Keyflight.currentPress
        (self.start, self.keyWindow) = (start, keyWindow)
    }
}

/// An action that UIKit sends.
struct UIKitAction {
    var selector: keyflight_selector
    /// True where the sender is a command.
    var isOfCommand = false
    var takenBy: TakenBy?
    var supplier: RecordedResponder?
    var target: RecordedResponder?
    /// False where no target performed it.
    var isDone = true
}

/// A message that has not returned. It may free its receiver and its arguments: what is recorded of them is found
/// before.
struct UIKitOpenMessage {
    /// The record that it becomes, where that is an invocation.
    let kind: InvocationKind?
    let receiver: RecordedResponder
    let selector: RecordedName?
    /// The sender of an action, the controller that is presented, or the one that presented what is dismissed.
    let other: RecordedResponder?
    /// Marked text that is not empty.
    let marksText: Bool
    let began: UInt64
    let depth: UInt8

    /// Depth of the messages inside of it.
    var innerDepth: UInt8 { kind == nil ? depth : min(depth + 1, 254) }
}

/// An event that is being handled.
struct UIKitEvent {
    /// The press that it began or repeated; `nil` for releases, modifier keys and events without a key.
    var press: UIKitPress?
    /// The press that the thread handled around it.
    var outer: RecordedPress?
    var isKey = false
    var isModifier = false
    /// A cancel without an event, which ends with its climb.
    var isCancelAlone = false
    /// The climb of the press around it, which goes on when this event has been handled.
    var outerClimb = UIKitClimb()
}

/// The way of a raw press up the chain.
struct UIKitClimb {
    /// The responder that it reached last, until it is known whether it passes the press on.
    var receiver: RecordedResponder?
    /// There was a responder after that one. It is asked before it has the press, which may free it.
    var hasNext = false
    var depth = 0
}

/// Suppliers of the commands that were read last.
struct UIKitSuppliers {
    private var byCommand: [keyflight_object: (action: keyflight_selector?, supplier: RecordedResponder)] = [:]
    private var byAction: [keyflight_selector: RecordedResponder] = [:]
    /// The next list belongs to another press: commands that were read for this one may be gone, and others in their
    /// place.
    var isStale = false

    /// The first to supply a command keeps it.
    mutating func add(_ command: keyflight_object, _ action: keyflight_selector?, of supplier: RecordedResponder) {
        if byCommand[command] == nil { byCommand[command] = (action, supplier) }
        if let action, byAction[action] == nil { byAction[action] = supplier }
    }

    mutating func beginList() {
        guard isStale else { return }
        byCommand.removeAll(keepingCapacity: true)
        byAction.removeAll(keepingCapacity: true)
        isStale = false
    }

    /// The command itself, or the copy of one with the same action.
    func supplier(of command: keyflight_object, _ action: keyflight_selector) -> RecordedResponder? {
        if let known = byCommand[command], known.action == action { return known.supplier }
        return byAction[action]
    }
}
