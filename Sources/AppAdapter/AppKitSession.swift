import CObjCHooks
import FlightRecorder
import KeyModel

typealias Activation = UnsafeMutablePointer<keyflight_activation>

/// What the hooks of AppKit tell the recorder. On the observed thread alone.
final class AppKitSession {
    private let messages = Messages()
    private var names = ObjectNames()
    private let mainMenu = RecordedResponder(id: "mainMenu", kind: "NSMenu")
    /// Events that are being handled, the innermost last; `nil` for those that are no keys.
    private var presses: [AppKitPress?] = []
    private var modifiers: HeldModifiers
    private var held: Set<KeyUsage> = []
    private var depth: UInt8 = 0
    /// Menus that are being asked: the outermost stands for all.
    private var menuDepth = 0
    private var menuCount = 0
    private var focus: (window: keyflight_object?, main: keyflight_object?, responder: keyflight_object?)
    private var isFocusKnown = false

    init(_ roles: ModifierRoles) { modifiers = HeldModifiers(roles) }

    // MARK: Handlers

    func before(_ call: Activation, _ kind: InvocationKind?) {
        guard !call.pointee.is_super, let object = call.pointee.object, let kind else { return }
        if kind == .sendEvent { arrive(call) }
        guard case .some(.some) = presses.last else { return }
        if kind == .keyEquivalent, isKind(object, of: "NSMenu") {
            menuDepth += 1
            menuCount = menuDepth == 1 ? 1 : menuCount + 1
            if menuDepth > 1 { return }
        }
        note(kind, call, object)
        call.pointee.user.0 = Keyflight.now()
        call.pointee.user.1 = UInt64(depth) + 1
        depth = min(depth + 1, 254)
    }

    func after(_ call: Activation, _ kind: InvocationKind?) {
        guard !call.pointee.is_super, let object = call.pointee.object else { return }
        guard let kind else { return contextChanged(call, object) }
        if case .some(.some) = presses.last { record(call, kind, object) }
        if kind == .makeFirstResponder { updateFocus(.become) }
        if kind == .sendEvent { leave() }
    }

    private func contextChanged(_ call: Activation, _ object: keyflight_object) {
        if String(cString: call.pointee.hook.pointee.selector) == "dealloc" {
            names.forget(object)
        } else {
            updateFocus(.windowChange)
        }
    }

    // MARK: Messages

    private func record(_ call: Activation, _ kind: InvocationKind, _ object: keyflight_object) {
        let isYes = !call.pointee.is_unwound && UInt8(truncatingIfNeeded: call.pointee.result) != 0
        let isMenu = kind == .keyEquivalent && isKind(object, of: "NSMenu")
        if isMenu {
            if isYes { menuAnswered(object) }
            menuDepth = max(0, menuDepth - 1)
        } else if kind == .keyEquivalent, isYes {
            presses[presses.count - 1]?.hasViewAnswer = true
        }
        guard call.pointee.user.1 != 0 else { return }
        depth = UInt8(truncatingIfNeeded: call.pointee.user.1 - 1)
        let isAnswered = !call.pointee.is_unwound && call.pointee.hook.pointee.types.pointee != UInt8(ascii: "v")
        var answer = isAnswered ? (isYes ? Keyflight.InvocationAnswer.yes : .no) : .nothing
        if kind == .runModal { answer = .nothing }
        if kind == .targetForAction, isAnswered {
            let found = keyflight_object(bitPattern: UInt(call.pointee.result))
            answer = found.map { .responder(names.name($0)) } ?? .nothing
        }
        let path = isMenu && isYes ? presses[presses.count - 1]?.path : nil
        Keyflight.invocation(
            kind, of: isMenu ? mainMenu : names.name(object), selector: selector(call, kind),
            sender: sender(call, kind), answer: answer, began: call.pointee.user.0, depth: depth, count: isMenu ? menuCount : 1,
            path: path.map { RecordedName($0) })
    }

    private func argument(_ call: Activation, _ place: Int) -> keyflight_object? {
        keyflight_object(bitPattern: UInt(call.pointee.arguments[place]))
    }

    /// The selector that the message is about, or its own.
    private func selector(_ call: Activation, _ kind: InvocationKind) -> RecordedName? {
        var selector = call.pointee.selector
        if kind == .validate {
            selector = keyflight_selector(bitPattern: messages.word(argument(call, 0), messages.action))
        } else if kind.isAboutSelector || kind == .noResponder {
            selector = keyflight_selector(bitPattern: UInt(call.pointee.arguments[0]))
        }
        return selector.map { RecordedName(cString: keyflight_selector_name($0)) }
    }

    private func sender(_ call: Activation, _ kind: InvocationKind) -> RecordedResponder? {
        guard kind == .sendAction, let sender = argument(call, 2) else { return nil }
        return isKind(sender, of: "NSMenuItem") ? mainMenu : names.name(sender)
    }

    /// What a message means for the press, before it has returned.
    private func note(_ kind: InvocationKind, _ call: Activation, _ object: keyflight_object) {
        let last = presses.count - 1
        let name = names.name(object)
        func action() -> UnsafePointer<CChar>? {
            keyflight_selector(bitPattern: UInt(call.pointee.arguments[0])).map { keyflight_selector_name($0) }
        }
        switch kind {
        case .insertText: presses[last]?.take(.consumedByText, .text, target: name)
        case .doCommand: presses[last]?.take(.consumedByKeyBinding, .keyBinding, action(), target: name)
        case .keyDown: presses[last]?.keyDownReceiver = name
        case .noResponder: presses[last]?.isWithoutResponder = true
        case .sendAction:
            guard presses[last]?.outcome == nil else { return }
            let isMenu = isKind(argument(call, 2), of: "NSMenuItem")
            presses[last]?.take(
                .performed, isMenu ? .mainMenu : .keyEquivalent, action(),
                target: argument(call, 1).map { names.name($0) })
            if !isMenu { presses[last]?.supplier = argument(call, 2).map { names.name($0) } }
        default: break
        }
    }

    /// The innermost menu that said yes has the item.
    private func menuAnswered(_ menu: keyflight_object) {
        let last = presses.count - 1
        guard let press = presses[last], !press.hasMenuAnswer else { return }
        presses[last]?.hasMenuAnswer = true
        let items = messages.object(menu, messages.itemArray)
        let typed = messages.text(messages.object(press.event, messages.charactersIgnoringModifiers)).lowercased()
        for index in 0..<messages.word(items, messages.count) {
            let item = messages.object(items, messages.objectAtIndex, index)
            guard UInt8(truncatingIfNeeded: messages.word(item, messages.hasSubmenu)) == 0 else { continue }
            let key = messages.text(messages.object(item, messages.keyEquivalent))
            guard !key.isEmpty, key.lowercased() == typed else { continue }
            let action = keyflight_selector(bitPattern: messages.word(item, messages.action))
            if press.action == nil { presses[last]?.action = action.map { keyflight_selector_name($0) } }
            // Titles of windows and documents are what a person wrote.
            let isFixed = action.map { String(cString: keyflight_selector_name($0)) } != "makeKeyAndOrderFront:"
            presses[last]?.path = isFixed ? path(menu, item) : nil
            return
        }
    }

    /// The titles from the main menu's items down.
    private func path(_ menu: keyflight_object, _ item: keyflight_object?) -> String {
        var titles = [messages.text(messages.object(item, messages.title))]
        var next: keyflight_object? = menu
        while let menu = next, titles.count < 8 {
            next = messages.object(menu, messages.supermenu)
            if next != nil { titles.insert(messages.text(messages.object(menu, messages.title)), at: 0) }
        }
        return titles.joined(separator: " ▸ ")
    }

    // MARK: Events

    private func arrive(_ call: Activation) {
        // Classes of bundles that were loaded meanwhile.
        if keyflight_hooks_need_scan() { keyflight_hooks_scan() }
        let event = argument(call, 0)
        // NSKeyDown, NSKeyUp, NSFlagsChanged.
        let type = messages.word(event, messages.type)
        guard let event, (10...12).contains(type),
            let usage = usage(ofKeyCode: UInt16(truncatingIfNeeded: messages.word(event, messages.keyCode)))
        else { return presses.append(nil) }
        updateFocus(.unknown)
        let flags = messages.word(event, messages.modifierFlags)
        let isModifier = type == 12 && (usage.isModifier || usage == .keyboard(0x39))
        for lost in modifiers.lost(flags, except: isModifier ? usage : nil) {
            Keyflight.key(lost, .up, isSynthetic: true)
        }
        let phase: KeyPhase
        switch type {
        case 12: phase = isModifier ? modifiers.phase(usage) : .up
        case 11: phase = .up
        // isARepeat is always false on GNUstep.
        default: phase = held.contains(usage) ? .repeat : .down
        }
        if phase == .up { held.remove(usage) } else if !isModifier { held.insert(usage) }
        let outer = Keyflight.currentPress
        let time = messages.double(event, messages.timestamp) * 1e9
        Keyflight.key(usage, phase, systemTime: time > 0 && time < 9e18 ? UInt64(time) : nil)
        presses.append(AppKitPress(outer: outer, phase: phase, event: event, isModifier: isModifier))
    }

    /// X's key codes are those of Linux and 8.
    private func usage(ofKeyCode code: UInt16) -> KeyUsage? { code < 8 ? nil : EvdevCodes.usage(of: code - 8) }

    private func leave() {
        guard let last = presses.popLast(), var press = last else { return }
        if !press.isModifier, press.phase == .down || press.phase == .repeat {
            press.conclude()
            let none = RecordedResponder(number: 0)
            Keyflight.endKey(
                press.outcome ?? .unhandled, press.takenBy, cAction: press.action,
                supplier: press.supplier ?? (press.hasMenuAnswer ? mainMenu : none), target: press.target ?? none,
                start: focus.responder.map { names.name($0) } ?? none,
                keyWindow: focus.window.map { names.name($0) } ?? none, state: 0)
        }
        if !presses.isEmpty { Keyflight.adopt(press.outer) }
    }

    // MARK: Context

    private func updateFocus(_ cause: FocusCause) {
        guard let type = keyflight_class_named("NSApplication") else { return }
        var shared: UInt = 0
        keyflight_send(type, keyflight_selector_named("sharedApplication"), 0, 0, &shared)
        let app = keyflight_object(bitPattern: shared)
        let window = messages.object(app, messages.keyWindow)
        let main = messages.object(app, messages.mainWindow)
        let responder = messages.object(window, messages.firstResponder)
        if !isFocusKnown || window != focus.window {
            if let window { Keyflight.keyWindow(names.name(window), cause: cause) } else {
                Keyflight.keyWindow(nil, cause: cause)
            }
        }
        if !isFocusKnown || main != focus.main { Keyflight.mainWindow(main.map { names.name($0) }) }
        linkChain(responder, window)
        if !isFocusKnown || responder != focus.responder { firstResponder(responder, cause) }
        focus = (window, main, responder)
        isFocusKnown = true
    }

    private func firstResponder(_ responder: keyflight_object?, _ cause: FocusCause) {
        guard let responder else {
            Keyflight.firstResponder(nil, cause: cause)
            return Keyflight.textInput(nil)
        }
        let name = names.name(responder)
        Keyflight.firstResponder(name, cause: cause)
        guard isKind(responder, of: "NSText") else { return Keyflight.textInput(nil) }
        let owner = messages.object(responder, messages.delegate)
        let isSecure = isKind(owner, of: "NSSecureTextField") || isKind(responder, of: "NSSecureTextView")
        Keyflight.textInput(name, isSecure: isSecure)
    }

    private func linkChain(_ responder: keyflight_object?, _ window: keyflight_object?) {
        var at = responder
        for _ in 0..<64 {
            guard let object = at else { return }
            let name = names.name(object)
            let next = messages.object(object, messages.nextResponder)
            if names.link(object, to: next) {
                Keyflight.link(name, to: next.map { names.name($0) }, window: window.map { names.name($0) })
            }
            at = next
        }
    }
}
