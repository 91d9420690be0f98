import CObjCHooks
import FlightRecorder
import KeyModel

/// Messages of one kind inside each other, of which the outermost is recorded.
private struct Fold {
    private var depth = 0
    private(set) var count = 0
    /// The outermost receiver is of the main menu.
    var isMain = true
    var isOpen: Bool { depth > 0 }

    /// True for the outermost.
    mutating func begin() -> Bool {
        depth += 1
        count = depth == 1 ? 1 : count + 1
        return depth == 1
    }

    mutating func end() { depth = max(0, depth - 1) }
}

/// A message that has not returned. It may free its receiver and its arguments: what is recorded of them is found
/// before.
private struct OpenMessage {
    let kind: InvocationKind
    let isMenu: Bool
    let receiver: RecordedResponder
    let selector: RecordedName?
    let sender: RecordedResponder?
    let began: UInt64
    /// Number of enclosing events.
    let level: Int
}

/// Turns the messages that AppKit's hooks observe into records. On the observed thread alone.
///
/// What every message changes is not checked for overlapping access at run time, which was a quarter of a hook's
/// instructions. So objects are named, and asked, before it is changed: the app may run then, and send other messages.
final class AppKitSession {
    let messages = Messages()
    let menus: AppKitMenus
    let names = ObjectNames()
    let mainMenu = RecordedResponder(id: "mainMenu", kind: "NSMenu")
    let none = RecordedResponder(number: 0)
    /// Events that are being handled, the innermost last; `nil` for those that are no keys.
    @exclusivity(unchecked) var presses: [AppKitPress?] = []
    /// Events of keys that the app has taken from its queue and not sent, and their places in `presses`, the innermost
    /// last.
    @exclusivity(unchecked) var unsent: [UnsentEvent] = []
    /// The places of those that are being sent.
    @exclusivity(unchecked) var sent: [Int] = []
    /// The last event is handled, and the app has not requested another one yet.
    @exclusivity(unchecked) var settling: (span: StageSpan, outer: RecordedPress?)?
    var modifiers: HeldModifiers
    var keys = AppKitHeldKeys()
    /// Keys without a usage that are held, by their codes.
    var unnamed: [UInt16: KeyUsage] = [:]
    /// Changes with every key window and modal loop.
    var place: UInt64 = 0
    var focus: (window: keyflight_object?, main: keyflight_object?, responder: keyflight_object?)
    var isFocusKnown = false
    /// False while the first responder is text that is only read.
    var isTextEditable = true
    /// The first responder is a secure text.
    var isEntrySecure = false
    /// Presenters whose modal loop ended meanwhile.
    var endedInSecureEntry: [RecordedResponder] = []
    var shared: keyflight_object?
    @exclusivity(unchecked) var run: MessageRun?
    var isTextMarked = false
    /// Presenters of modal loops and sheets, the innermost last.
    var presenters: [RecordedResponder] = []
    var hasRoles = false
    var keymap: XKeymap?
    /// The signals that ask the app to quit are the adapter's again. The toolkit takes them as it begins.
    private var hasSignals = false
    /// The object that types a script into the app.
    var typing: AppKitTyping?
    /// Messages that have not returned, the innermost last.
    @exclusivity(unchecked) private var open: [OpenMessage] = []
    /// Menus that are being queried, and that update themselves: the outermost is recorded for all.
    @exclusivity(unchecked) private var asked = Fold()
    @exclusivity(unchecked) private var updated = Fold()
    /// The same of the events around the one that is handled: a menu's action may run a modal loop, whose events query
    /// it again.
    @exclusivity(unchecked) private var outerFolds: [(asked: Fold, updated: Fold)] = []
    private let menuItemClass = ToolkitClass("NSMenuItem")
    private let inputManagerClass = ToolkitClass("NSInputManager")
    let textClass = ToolkitClass("NSText")
    let secureFieldClass = ToolkitClass("NSSecureTextField")
    let secureViewClass = ToolkitClass("NSSecureTextView")

    init(_ roles: ModifierRoles) {
        modifiers = HeldModifiers(roles)
        menus = AppKitMenus(messages)
    }

    // MARK: Handlers

    func before(_ call: Activation, _ message: AppKitMessage) {
        guard !call.pointee.is_super, let object = call.pointee.object else { return }
        if !hasSignals { hasSignals = Adapter.takeSignals() }
        guard case .invocation(let kind) = message else {
            switch message {
            case .nextEvent:
                hasSignals = true
                if call.isDequeued { leaveUnsent() }
                finishSettling()
                typing?.appAsks(call, self)
            case .queue: if call.isDequeued { leaveUnsent() }
            default: break
            }
            return
        }
        switch kind {
        case .sendEvent: send(call.argument(0))
        case .runModal: beginModal(call)
        case .setMarkedText: markText(true)
        case .unmarkText: markText(false)
        default: break
        }
        guard isInPress else {
            if kind == .insertText, presses.isEmpty, open.isEmpty { Keyflight.textWithoutKey() }
            return
        }
        let isMenu = kind == .keyEquivalent && call.isOfMenu
        // It may free the menu.
        call.pointee.user.1 = isMenu ? 1 : 0
        if isMenu {
            guard asked.begin() else { return }
            let isMain = menus.isMain(object, of: app)
            asked.isMain = isMain
            endRun()
            enter(.match)
        } else if kind == .menuUpdate, !updated.begin() {
            return
        }
        if kind != run?.kind { endRun() }
        if settling == nil { note(kind, call, object) }
        let isOfMenu = kind == .performItem || kind == .menuUpdate
        call.pointee.user.0 = UInt64(open.count) + 1
        let receiver =
            isMenu && asked.isMain ? mainMenu : isOfMenu ? name(ofMenu: object) : names.name(object)
        open.append(
            OpenMessage(
                kind: kind, isMenu: isMenu, receiver: receiver, selector: selector(call, kind, object),
                sender: kind == .sendAction ? sender(call) : nil, began: Keyflight.now(),
                level: presses.count + (settling == nil ? 0 : 1)))
    }

    func after(_ call: Activation, _ message: AppKitMessage) {
        guard !call.pointee.is_super, let object = call.pointee.object else { return }
        switch message {
        case .nextEvent: typing?.appHasAnswer(call)
        case .windowChange:
            updateFocus(.windowChange)
            typing?.modalLoopGoesOn(self, hasNewWindow: true)
        case .dealloc: names.forget(object)
        case .queue: took(call)
        case .bundleLoad: break
        case .invocation(let kind): returned(call, kind, object)
        }
    }

    private func returned(_ call: Activation, _ kind: InvocationKind, _ object: keyflight_object) {
        // A menu inside of one that is recorded counts, and no more.
        if call.pointee.user.1 != 0, call.pointee.user.0 == 0, !call.isYes {
            if isInPress { asked.end() }
            return
        }
        if kind == .runModal { endModal(call) }
        if kind == .sendEvent, let depth = sent.last { leaveUnsent(above: depth) }
        var message: OpenMessage?
        let place = Int(call.pointee.user.0) - 1
        if open.indices.contains(place) {
            while open.count > place { message = open.removeLast() }
            // The event around it goes on: the app requested no other one.
            if let message, settling != nil, message.level <= presses.count { finishSettling() }
        }
        if isInPress { record(call, kind, object, message) }
        if kind == .makeFirstResponder {
            if isInPress, presses.last??.keyDownReceiver != nil {
                presses[presses.count - 1]?.take(.consumedByFocus, .focus)
            }
            updateFocus(.become)
        }
        if kind == .sendEvent {
            leaveSent()
            typing?.modalLoopGoesOn(self, hasNewWindow: false)
        }
    }

    /// Messages belong to a press: its event is handled, or the app has not requested another one since.
    private var isInPress: Bool {
        if settling != nil { return true }
        if case .some(.some) = presses.last { return true }
        return false
    }

    /// A menu queries the item whose key was pressed; menus that update themselves query all.
    private var isOfItemWithKey: Bool { asked.isOpen && !updated.isOpen }

    func beginFolds() {
        outerFolds.append((asked, updated))
        (asked, updated) = (Fold(), Fold())
    }

    /// The menus of the event around the one that was handled go on.
    func resumeFolds() { if let outer = outerFolds.popLast() { (asked, updated) = outer } }

    // MARK: Messages

    private func record(
        _ call: Activation, _ kind: InvocationKind, _ object: keyflight_object, _ message: OpenMessage?
    ) {
        let isReturned = !call.pointee.is_unwound
        let isYes = call.isYes
        let isMenu = call.pointee.user.1 != 0
        if settling == nil {
            if isMenu {
                // The button of a pop-up menu answers for it.
                if isYes, asked.isMain { menuAnswered(object) }
            } else if kind == .keyEquivalent, isYes, let message {
                viewAnswered(message.receiver)
            } else if kind == .sendAction, isReturned, !isYes {
                actionRefused(call)
            }
        }
        if isMenu { asked.end() }
        if kind == .menuUpdate { updated.end() }
        guard let message else { return }
        var answer = Keyflight.InvocationAnswer.nothing
        if isReturned {
            switch call.pointee.hook.pointee.types.pointee {
            case CChar(bitPattern: UInt8(ascii: "B")): answer = isYes ? .yes : .no
            case CChar(bitPattern: UInt8(ascii: "@")):
                if let found = call.resultObject {
                    let name = names.name(found)
                    answer = .responder(name)
                    targetFound(call, name)
                }
            default: break
            }
        }
        if kind == .validate, isOfItemWithKey { enter(.match) }
        if kind == .validate || kind == .targetForAction, !isOfItemWithKey {
            return append(
                MessageRun(
                    kind: kind, receiver: message.receiver, selector: message.selector, answer: answer,
                    depth: open.count, began: message.began, ended: Keyflight.now()))
        }
        record(message, answer)
    }

    /// Records a message after those inside of it.
    private func record(_ message: OpenMessage, _ answer: Keyflight.InvocationAnswer) {
        endRun()
        let hasItem = message.isMenu && answer == .yes || message.kind == .performItem
        Keyflight.invocation(
            message.kind, of: message.receiver, selector: message.selector, sender: message.sender, answer: answer,
            began: message.began, depth: UInt8(clamping: open.count),
            count: message.isMenu ? asked.count : message.kind == .menuUpdate ? updated.count : 1,
            path: settling == nil && hasItem ? presses.last??.path : nil)
    }

    /// The app ends inside of these messages, and they have no answer.
    func endMessages() {
        while let message = open.popLast() {
            if message.level <= presses.count { finishSettling() }
            while presses.count > message.level { endPress() }
            if isInPress { record(message, .nothing) }
        }
    }

    /// Closes open messages and presses: nothing is stored once the entry is secure, not even what led there.
    func endBeforeSecureEntry() {
        let depth = presses.count
        Keyflight.forgetPendingResolution()
        // Who takes an undecided press is not known yet.
        for place in presses.indices where presses[place]?.outcome == nil { presses[place] = nil }
        endMessages()
        while !presses.isEmpty { endPress() }
        presses = Array(repeating: nil, count: depth)
        (asked, updated) = (Fold(), Fold())
    }

    /// The selector that the message is about, or its own.
    private func selector(_ call: Activation, _ kind: InvocationKind, _ object: keyflight_object) -> RecordedName? {
        var selector = call.pointee.selector
        switch kind {
        case .validate: selector = menus.action(of: call.argument(0))
        case .performItem: selector = menus.action(of: item(call, object))
        case .noResponder: selector = call.selectorArgument
        default: if kind.isAboutSelector { selector = call.selectorArgument }
        }
        return selector.map { names.name(selector: $0) }
    }

    private func item(_ call: Activation, _ menu: keyflight_object) -> keyflight_object? {
        messages.object(menu, messages.itemAtIndex, UInt(call.pointee.arguments[0]))
    }

    private func sender(_ call: Activation) -> RecordedResponder? {
        guard let sender = call.argument(2) else { return nil }
        return menuItemClass.isKind(sender) ? name(ofMenu: messages.object(sender, messages.menu)) : names.name(sender)
    }

    /// The main menu is one supplier, with all below it.
    private func name(ofMenu menu: keyflight_object?) -> RecordedResponder {
        guard let menu, !menus.isMain(menu, of: app) else { return mainMenu }
        return names.name(menu)
    }

    // MARK: What a message means for the press

    private func enter(_ stage: LatencyStage) {
        if settling == nil, !presses.isEmpty { presses[presses.count - 1]?.enter(stage) }
    }

    /// Before it has returned.
    private func note(_ kind: InvocationKind, _ call: Activation, _ object: keyflight_object) {
        let last = presses.count - 1
        switch kind {
        case .insertText, .doCommand:
            // An input manager passes both on to its client.
            guard presses[last]?.outcome == nil, !inputManagerClass.isKind(object) else { return }
            enter(.action)
            let target = names.name(object)
            if kind == .insertText {
                presses[last]?.take(.consumedByText, .text, target: target)
            } else {
                presses[last]?.take(.consumedByKeyBinding, .keyBinding, call.actionName, target: target)
            }
            pend()
        case .keyDown:
            enter(.presses)
            let receiver = names.name(object)
            presses[last]?.keyDownReceiver = receiver
            if presses[last]?.outcome == nil { pend() }
        case .noResponder: presses[last]?.isWithoutResponder = true
        case .validate: if isOfItemWithKey { enter(.validate) }
        case .performItem:
            if menus.isMain(object, of: app) { itemFound(object, item(call, object)) }
            enter(.action)
        case .sendAction:
            guard presses[last]?.outcome == nil else { return }
            noteAction(call)
            pend()
        default: break
        }
    }

    private func noteAction(_ call: Activation) {
        let last = presses.count - 1
        let sender = call.argument(2)
        let isItem = menuItemClass.isKind(sender)
        let menu = isItem ? messages.object(sender, messages.menu) : nil
        let isMenu = isItem && (menu == nil || menus.isMain(menu, of: app))
        let taker: TakenBy =
            isMenu
            ? (presses[last]?.isServices == true ? .services : .mainMenu)
            : (presses[last]?.keyDownReceiver == nil ? .keyEquivalent : .keyDown)
        enter(.action)
        let target = call.argument(1).map { names.name($0) }
        presses[last]?.take(
            .performed, taker, call.actionName, target: target)
        if isMenu { return }
        let supplier = (menu ?? sender).map { names.name($0) }
        presses[last]?.supplier = supplier
    }
}
