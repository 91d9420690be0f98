import CObjCHooks
import FlightRecorder
import KeyModel
import Libc

/// Turns the messages that UIKit's hooks observe into records. On the observed thread alone.
///
/// A press is open from its arrival until an action or text has taken it, the next key arrives, or the main run loop is
/// about to wait: text is queued and may come after `sendEvent:` returned.
final class UIKitSession {
    let messages = Messages()
    let names = ObjectNames()
    /// Events that are being handled, the innermost last: frameworks run event loops inside `presses…`.
    var events: [UIKitEvent] = []
    /// The last key that went down or repeated.
    var open: UIKitPress?
    /// Keys that are down, with their last press or repeat.
    let held = WipedArray<(key: KeyUsage, value: UIKitPress)>()
    var heldModifiers: Set<KeyUsage> = []
    /// Times at which the keys that are down went down, by the clock of their events.
    let downTimes = WipedArray<(key: KeyUsage, value: Double)>()
    /// The last key event that arrived: `sendEvent:` may bring what `handleKeyUIEvent:` brought before.
    var lastArrival: (usage: KeyUsage, phase: KeyPhase, time: Double)?
    /// An action that was sent before its key arrived.
    var earlyAction: UIKitAction?
    var suppliers = UIKitSuppliers()
    var focus = UIKitFocus()
    var settling: StageSpan?
    /// Messages that have not returned, the innermost last.
    private var unanswered: [UIKitOpenMessage] = []
    private var calls: [CallSpan] = []
    private var stages: [StageSpan] = []
    /// Actions that are being sent, with the press that each is of.
    private var running: [(press: UIKitPress?, span: StageSpan?)] = []
    private var becomeDepth = 0
    var climb = UIKitClimb()
    let responderClass = ToolkitClass("UIResponder")
    private let commandClass = ToolkitClass("UICommand")
    private let keyCommandClass = ToolkitClass("UIKeyCommand")

    /// Methods that were replaced, and the facts about them, when those were written last.
    var methodCount = 0
    var hookFacts: [String: String] = [:]

    // MARK: Handlers

    func before(_ call: Activation, _ message: UIKitMessage) {
        guard !call.pointee.is_super, let object = call.pointee.object else { return }
        switch message {
        case .sendEvent, .handleKeyEvent: arrive(call.argument(0), isEarly: message == .handleKeyEvent)
        case .keyCommands: return beginCall(.keyCommands, call, object, action: nil)
        case .canPerformAction:
            return beginCall(.canPerformAction, call, object, action: call.actionName)
        case .validate: return beginCall(.validate, call, object, action: messages.actionName(call.argument(0)))
        case .buildMenu: return beginCall(.buildMenu, call, object, action: nil)
        case .pressesBegan, .pressesEnded: beginPresses(message, object)
        case .pressesCancelled:
            arriveCancel(of: call.argument(0))
            beginPresses(message, object)
        case .sendAction: beginAction(call)
        case .insertText, .deleteBackward: beginText()
        case .become: becomeDepth += 1
        default: break
        }
        guard isRecorded(message) else { return }
        call.pointee.user.0 = UInt64(unanswered.count) + 1
        unanswered.append(
            UIKitOpenMessage(
                kind: message.kind, receiver: names.name(object), selector: selector(call, message),
                other: other(call, message, object),
                marksText: message == .setMarkedText && messages.word(call.argument(0), messages.length) > 0,
                began: Keyflight.now(), depth: unanswered.last?.innerDepth ?? 0))
    }

    func after(_ call: Activation, _ message: UIKitMessage) {
        guard !call.pointee.is_super, let object = call.pointee.object else { return }
        switch message {
        case .keyCommands, .canPerformAction, .validate, .buildMenu: return endCall(call, message)
        case .become: becomeDepth -= 1
        default: break
        }
        let known = closeMessage(call)
        if let known { record(call, message, known) }
        switch message {
        case .sendEvent, .handleKeyEvent: leave()
        case .pressesBegan, .pressesEnded, .pressesCancelled: endPresses(message)
        case .sendAction: endAction(call.isYes)
        case .insertText, .deleteBackward: textTaken(.consumedByText, .text, by: known?.receiver)
        case .setMarkedText:
            Keyflight.markedText(known?.marksText == true)
            textTaken(.consumedByInputMethod, .inputMethod, by: known?.receiver)
        case .unmarkText: Keyflight.markedText(false)
        case .become: if call.isYes, names.isKnown(object) { focusMoved(to: object, .become) }
        case .resign: if becomeDepth == 0, call.isYes, focus.responder == object { focusMoved(to: nil, .resign) }
        case .updateFocus: itemFocusMoved(to: messages.object(call.argument(0), messages.nextFocusedItem))
        case .becomeKeyWindow: if names.isKnown(object) { keyWindowChanged(to: object) }
        case .resignKeyWindow: if focus.window == object { keyWindowChanged(to: nil) }
        case .present: presented(known?.other, by: known?.receiver)
        case .dismiss: presented(nil, by: known?.other)
        case .rebuildMenu: Keyflight.invalidation(.menuRebuild, of: nil)
        case .revalidateMenu: Keyflight.invalidation(.menuRevalidate, of: nil)
        case .dealloc: forget(object)
        default: break
        }
    }

    // MARK: Invocations

    /// Touches and the buttons of remotes are no keys, and the climb of a modifier's own press is of no press.
    private var climbsWithKey: Bool { events.last.map { $0.isKey && !$0.isModifier } ?? false }

    private func isRecorded(_ message: UIKitMessage) -> Bool {
        switch message {
        case .sendEvent, .handleKeyEvent: events.last?.isKey == true
        case .pressesBegan, .pressesChanged, .pressesEnded, .pressesCancelled: climbsWithKey
        case .resignKeyWindow, .rebuildMenu, .revalidateMenu, .dealloc: false
        default: true
        }
    }

    private func selector(_ call: Activation, _ message: UIKitMessage) -> RecordedName? {
        guard let kind = message.kind else { return nil }
        let selector = kind.isAboutSelector ? call.selectorArgument : call.pointee.selector
        return selector.map { RecordedName(selector: $0) }
    }

    private func other(
        _ call: Activation, _ message: UIKitMessage, _ object: keyflight_object
    ) -> RecordedResponder? {
        switch message {
        case .sendAction: call.argument(2).flatMap { responderClass.isKind($0) ? names.name($0) : nil }
        case .present: call.argument(0).map { names.name($0) }
        case .dismiss: presenter(object).map { names.name($0) }
        default: nil
        }
    }

    private func closeMessage(_ call: Activation) -> UIKitOpenMessage? {
        let place = Int(call.pointee.user.0) - 1
        guard unanswered.indices.contains(place) else { return nil }
        defer { unanswered.removeSubrange(place...) }
        return unanswered[place]
    }

    private func record(_ call: Activation, _ message: UIKitMessage, _ known: UIKitOpenMessage) {
        guard let kind = known.kind else { return }
        var answer = Keyflight.InvocationAnswer.nothing
        if !call.pointee.is_unwound {
            switch message {
            case .sendAction, .become, .resign: answer = call.isYes ? .yes : .no
            case .targetForAction:
                let found = call.resultObject
                if let found { answer = .responder(names.name(found)) }
            default: break
            }
        }
        Keyflight.invocation(
            kind, of: known.receiver, selector: known.selector, sender: known.other, answer: answer,
            began: known.began, depth: known.depth)
    }

    // MARK: Calls

    private func beginCall(
        _ kind: CallKind, _ call: Activation, _ object: keyflight_object, action: UnsafePointer<CChar>?
    ) {
        let receiver = names.name(object)
        (call.pointee.user.0, call.pointee.user.1) = (Adapter.clock(), UInt64(receiver.number))
        calls.append(Keyflight.beginCall(kind, of: receiver, cAction: action, pass: 0))
    }

    private func endCall(_ call: Activation, _ message: UIKitMessage) {
        let taken = Adapter.clock() - call.pointee.user.0
        guard let span = calls.popLast() else { return }
        switch message {
        case .keyCommands:
            let list = call.pointee.is_unwound ? nil : call.resultObject
            let supplier = RecordedResponder(number: UInt32(truncatingIfNeeded: call.pointee.user.1))
            Keyflight.end(span, reading: { commands(list, of: supplier) })
        case .canPerformAction: Keyflight.end(span, call.isYes)
        // A disabled command stays one that cannot be chosen.
        case .validate: Keyflight.end(span, messages.word(call.argument(0), messages.attributes) & 1 == 0)
        default: Keyflight.end(span)
        }
        guard calls.isEmpty, let open, !open.isConcluded, open.action == nil else { return }
        if message == .keyCommands { open.collecting += taken } else { open.validating += taken }
    }

    private func commands(_ list: keyflight_object?, of supplier: RecordedResponder) -> [CommandStrings] {
        var commands: [CommandStrings] = []
        suppliers.beginList()
        messages.forEach(in: list) { command in
            guard keyCommandClass.isKind(command) else { return }
            commands.append(messages.strings(command))
            let action = keyflight_selector(bitPattern: messages.word(command, messages.action))
            suppliers.add(command, action, of: supplier)
            messages.forEach(in: messages.object(command, messages.alternates)) { alternate in
                commands.append(messages.strings(alternate, of: command))
                let action = keyflight_selector(bitPattern: messages.word(alternate, messages.action))
                suppliers.add(alternate, action, of: supplier)
            }
        }
        return commands
    }

    // MARK: Raw presses

    private func beginPresses(_ message: UIKitMessage, _ object: keyflight_object) {
        if climb.depth == 0, message == .pressesBegan { stages.append(Keyflight.begin(.presses)) }
        received(message, isSwallowed: false)
        climb.receiver = names.name(object)
        climb.hasNext = messages.object(object, messages.nextResponder) != nil
        climb.depth += 1
    }

    /// The climb ends at the responder that is the innermost: it has nothing after it, or does not pass the press on.
    private func endPresses(_ message: UIKitMessage) {
        let isSwallowed = climb.receiver != nil && climb.hasNext
        if isSwallowed, message == .pressesBegan { events.last?.press?.isSwallowed = true }
        received(message, isSwallowed: isSwallowed)
        climb.depth -= 1
        guard climb.depth == 0 else { return }
        if message == .pressesBegan, let span = stages.popLast() { Keyflight.end(span) }
        if events.last?.isCancelAlone == true { leave() }
    }

    private func received(_ message: UIKitMessage, isSwallowed: Bool) {
        if let receiver = climb.receiver, climbsWithKey, let phase = message.pressPhase {
            Keyflight.received(receiver, phase, isSwallowed: isSwallowed)
        }
        climb.receiver = nil
    }

    // MARK: Actions

    private func beginAction(_ call: Activation) {
        earlyAction = nil
        var press: UIKitPress?
        if let selector = call.selectorArgument {
            let sender = call.argument(2)
            let action = action(selector, call.argument(1), sender: sender)
            if open == nil, events.isEmpty, action.isOfCommand { beginRepeat(of: action) }
            if let open, !open.isConcluded, open.action == nil {
                open.action = action
                if action.isOfCommand, let sender, open.recorded.number != 0 {
                    open.command = NumberedCommand(messages.strings(sender))
                }
                press = open
            } else if open == nil, events.isEmpty, action.isOfCommand {
                earlyAction = action
            }
        }
        running.append((press, press == nil ? nil : Keyflight.begin(.action)))
    }

    private func endAction(_ isDone: Bool) {
        guard let (press, span) = running.popLast() else { return }
        earlyAction?.isDone = isDone
        press?.action?.isDone = isDone
        if let span { Keyflight.end(span) }
        if let press { conclude(press) }
    }

    private func action(
        _ selector: keyflight_selector, _ target: keyflight_object?, sender: keyflight_object?
    ) -> UIKitAction {
        var action = UIKitAction(selector: selector, target: target.map { names.name($0) })
        if let sender, keyCommandClass.isKind(sender) || commandClass.isKind(sender) {
            action.isOfCommand = true
            action.supplier = suppliers.supplier(of: sender, selector)
            let isPriority = messages.isTrue(sender, messages.wantsPriority)
            action.takenBy = action.supplier == nil ? .mainMenu : isPriority ? .priorityKeyCommands : .keyCommands
        } else if UIKitSession.editActions.contains(String(cString: keyflight_selector_name(selector))) {
            action.takenBy = .standardEdit
        }
        return action
    }

    /// Sent by the system for its own keys (DT-8).
    private static let editActions: Set<String> = [
        "cut:", "copy:", "paste:", "select:", "selectAll:", "delete:", "toggleBoldface:", "toggleItalics:",
        "toggleUnderline:", "pasteAndMatchStyle:", "find:", "findNext:", "findPrevious:",
    ]

    /// Repeats of key commands may come as actions alone.
    private func beginRepeat(of action: UIKitAction) {
        let repeating = held.first { _, press in
            press.action.map { keyflight_selector_key($0.selector) == keyflight_selector_key(action.selector) } ?? false
        }
        if let repeating { beginRepeat(repeating.key) }
    }

    private func beginRepeat(_ usage: KeyUsage) {
        Keyflight.key(usage, .repeat)
        begin(usage)
    }

    /// The press of the key event that was recorded last.
    @discardableResult func begin(_ usage: KeyUsage) -> UIKitPress {
        let press = UIKitPress(
            start: (focus.item ?? focus.responder).map { names.name($0) },
            keyWindow: focus.window.map { names.name($0) })
        open = press
        held.set(press, of: usage)
        return press
    }

    // MARK: Text

    /// Text that is held repeats without an event; any other that comes outside of a press has no key.
    private func beginText() {
        guard events.isEmpty, open == nil else { return }
        if let repeating = held.first(where: { $0.value.text != nil }) {
            beginRepeat(repeating.key)
        } else {
            Keyflight.textWithoutKey()
        }
    }

    private func textTaken(_ outcome: Outcome, _ takenBy: TakenBy, by taker: RecordedResponder?) {
        guard let taker, let open, !open.isConcluded, open.action == nil else { return }
        open.text = (outcome, takenBy, taker)
        conclude(open)
    }

    // MARK: Ends

    /// Writes what became of the press.
    func conclude(_ press: UIKitPress) {
        guard !press.isConcluded else { return }
        press.isConcluded = true
        // Nothing of a press in a secure entry is stored.
        guard press.recorded.number != 0 else { return }
        if Keyflight.currentPress != press.recorded { Keyflight.adopt(press.recorded) }
        if press.collecting > 0 { Keyflight.stage(.collect, lasted: duration(press.collecting)) }
        if press.validating > 0 { Keyflight.stage(.validate, lasted: duration(press.validating)) }
        let none = RecordedResponder(number: 0)
        var (outcome, takenBy): (Outcome, TakenBy?) = (.unhandled, nil)
        var target = none
        if let action = press.action {
            (outcome, takenBy) = (action.isDone ? .performed : .blockedUnperformable, action.takenBy)
            target = action.target ?? none
        } else if let text = press.text {
            (outcome, takenBy, target) = text
        } else if press.isSwallowed {
            (outcome, takenBy) = (.swallowedByPresses, .presses)
        } else if press.hasMovedFocus {
            (outcome, takenBy) = (.consumedByFocus, .focus)
        }
        Keyflight.endKey(
            outcome, takenBy, cAction: press.action.map { keyflight_selector_name($0.selector) },
            command: press.command, supplier: press.action?.supplier ?? none, target: target,
            start: press.start ?? none, keyWindow: press.keyWindow ?? none, state: 0)
        settling = Keyflight.begin(.settle)
    }

    private func duration(_ nanoseconds: UInt64) -> TraceDuration {
        TraceDuration(nanoseconds: Int64(clamping: nanoseconds))
    }
}
