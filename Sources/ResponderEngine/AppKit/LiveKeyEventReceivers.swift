import KeyModel

extension KeyCommand {
    /// True for a capital letter, which is a key equivalent with Shift (`NSMenuItem.keyEquivalent`).
    fileprivate var hasCapitalInput: Bool {
        guard let letter = input?.first, input?.count == 1 else { return false }
        return letter.isUppercase
    }
}

/// Responders that are there, asked as AppKit asks.
struct LiveKeyEventReceivers: KeyEventReceivers {
    private let engine: KeyboardEngine
    private let held: PressesEvent

    init(_ engine: KeyboardEngine, _ held: PressesEvent) { (self.engine, self.held) = (engine, held) }

    func keyEquivalents(_ isTaken: (Responder, KeyEventAnswer) -> Bool) {
        guard let window = engine.application.keyWindow else { return }
        var order: [Responder] = []
        func add(_ view: View) {
            view.subviews.forEach(add)
            order.append(view)
        }
        window.subviews.forEach(add)
        // Members linked to the window without being contained in it.
        let chain = engine.followed.members.array.prefix { $0 !== window }
        order += chain.filter { member in !order.contains { $0 === member } }
        for view in order + [window] where isTaken(view, keyEquivalent(of: view)) { return }
    }

    private func keyEquivalent(of view: Responder) -> KeyEventAnswer {
        guard let command = match(view.keyEquivalents, of: view) else { return .passed }
        guard !command.isDisabled else { return .passed }
        return send(command, sender: view, isOfMenu: false)
    }

    func keyEquivalent(of menu: AskedMenu) -> KeyEventAnswer {
        guard menu == .main else { return .passed }
        guard let command = match(engine.menu.commands, of: nil) else { return .passed }
        guard !command.isDisabled else { return .disabled(command.action) }
        let answer = send(command, sender: nil, isOfMenu: true)
        // A menu disables the items whose action has no target.
        if case .sent(let sent) = answer, sent.target == nil { return .disabled(command.action) }
        return answer
    }

    private func match(_ commands: [KeyCommand], of supplier: Responder?) -> CollectedCommand? {
        var collected: [CollectedCommand] = []
        collected.append(commands, supplier: supplier, engine: engine)
        for item in collected where item.command.hasCapitalInput { item.modifiers.insert(.shift) }
        return engine.rules.matching.candidates(collected, held.stroke).first
    }

    private func send(_ found: CollectedCommand, sender: Responder?, isOfMenu: Bool) -> KeyEventAnswer {
        let (command, action) = (found.command, found.action)
        let target = engine.followed.members.array.first { $0.answersCanPerform(action, sender: command) }
        if let target {
            engine.perform(action, on: target, sender: command, held)
        }
        return .sent(
            .init(action: action, sender: sender, isOfMenu: isOfMenu, target: target, isPerformed: target != nil))
    }

    func keyDown(of responder: Responder) -> KeyEventAnswer {
        if let input = responder.textInput, input.isEditable, responder === engine.firstResponder {
            return typed(into: responder)
        }
        held.isPassedOn = false
        responder.pressesBegan(held.allPresses, with: held)
        return held.isPassedOn ? .forwarded(to: responder.next) : .kept
    }

    /// `interpretKeyEvents:`: the key bindings of the text, else what the key types.
    private func typed(into responder: Responder) -> KeyEventAnswer {
        var typed = Resolution(
            time: engine.tree.now, key: held.key, device: held.device, modifiers: held.stroke.flags, isRepeat: false)
        for isLate in [false, true] where engine.runKeyBinding(held.stroke, held, isLate: isLate, into: &typed) {
            return .command(typed.action, to: typed.target ?? responder)
        }
        guard engine.profile.appKit?.types(held.stroke) == true else { return .forwarded(to: responder.next) }
        let stroke = Stroke(
            usage: held.stroke.usage, maskedClass: held.stroke.maskedClass,
            flags: held.stroke.flags.subtracting(.command), on: held.stroke.table)
        guard engine.runText(stroke, into: &typed) else { return .forwarded(to: responder.next) }
        return .inserted(typed.text, into: responder)
    }

    func moveFocus(backwards: Bool) -> KeyEventAnswer {
        guard let window = engine.application.keyWindow else { return .passed }
        var views: [View] = []
        func collect(_ view: View) {
            if view.answersCanBecomeFirst { views.append(view) }
            view.subviews.forEach(collect)
        }
        window.subviews.forEach(collect)
        guard !views.isEmpty else { return .passed }
        let here = views.firstIndex { $0 === engine.firstResponder }
        let step = backwards ? views.count - 1 : 1
        let next = here.map { ($0 + step) % views.count } ?? (backwards ? views.count - 1 : 0)
        engine.focus(views[next])
        return .focusMoved
    }
}
