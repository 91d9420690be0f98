import KeyModel
import ResponderEngine
import TraceFormat

/// Answers of an AppKit app at one press. A question that was not recorded is an open question.
struct RecordedKeyEvents: KeyEventReceivers {
    private let provider: AnswerProvider
    private let messages: [Message]
    private let isWhole: Bool
    /// Outcome of the press that the answers belong to.
    private let resolution: ResolutionRecord?

    init(_ provider: AnswerProvider) {
        self.provider = provider
        let answers = provider.keyEventAnswers()
        (messages, isWhole) = Message.ofEvent(answers?.messages ?? [])
        resolution = answers?.resolution
    }

    private func unknown(_ responder: Responder?, _ question: String) -> KeyEventAnswer {
        provider.ask(OpenQuestion(responder: responder?.id ?? Resolution.mainMenuID, question: question))
        return .unknown
    }

    private func isMenu(_ message: Message) -> Bool {
        provider.id(message.record.responder) == Resolution.mainMenuID
    }

    // MARK: Key equivalents

    func keyEquivalents(_ isTaken: (Responder, KeyEventAnswer) -> Bool) {
        var asked: Set<ResponderRef> = []
        func ask(_ message: Message) -> Bool {
            for inner in message.inner where isOfView(inner) {
                if ask(inner) { return true }
            }
            guard let view = provider.object(message.record.responder) else { return false }
            if let ref = view.recordedRef { asked.insert(ref) }
            guard message.record.answer != .no else { return isTaken(view, .passed) }
            let own = message.inner.filter { !isOfView($0) }
            let taker = Message.taker(among: own, inKeyDown: false)
            if taker == nil, message.record.answer == .nothing { return isTaken(view, .passed) }
            return isTaken(view, taker.map(answer) ?? .kept)
        }
        for message in messages where isOfView(message) {
            if ask(message) { return }
        }
        if let view = views.first(where: { !asked.contains($0) }).flatMap({ provider.object($0) }) {
            _ = isTaken(view, unknown(view, "performKeyEquivalent"))
        }
    }

    /// The key window, which asks all of its views, and those on the chain from the first responder to it.
    private var views: [ResponderRef] {
        guard let engine = provider.engine, let window = engine.application.keyWindow else { return [] }
        let inside = engine.recordedChain.array.prefix { $0 !== window }.compactMap(\.recordedRef)
        return [window].compactMap(\.recordedRef) + inside.filter(provider.summary.views.contains)
    }

    private func isOfView(_ message: Message) -> Bool { message.kind == .keyEquivalent && !isMenu(message) }

    /// The main menu is asked first, then that of the services.
    func keyEquivalent(of menu: AskedMenu) -> KeyEventAnswer {
        let asked = messages.filter { $0.kind == .keyEquivalent && isMenu($0) }
        let place = menu == .main ? 0 : 1
        guard place < asked.count else {
            // An app may have no services.
            if menu == .services, isWhole, !asked.isEmpty { return .passed }
            return unknown(nil, menu == .main ? "performKeyEquivalent" : "performKeyEquivalent of services")
        }
        let message = asked[place]
        guard message.record.answer != .no else { return .passed }
        if let taker = Message.taker(among: message.inner, inKeyDown: false) { return answer(taker) }
        if message.record.answer == .nothing { return .passed }
        return disabled(message)
    }

    /// A menu that returns true and sends nothing. The item with the key follows from the outcome, not from a message;
    /// an item that was found valid meanwhile is not disabled.
    private func disabled(_ menu: Message) -> KeyEventAnswer {
        guard let action = resolution?.action else { return .disabled(nil) }
        func answers(_ messages: [Message]) -> [InvocationRecord.Answer] {
            messages.flatMap { message -> [InvocationRecord.Answer] in
                let isOwn = message.kind == .validate && message.record.selector == action
                return (isOwn ? [message.record.answer] : []) + answers(message.inner)
            }
        }
        guard answers(menu.inner).allSatisfy({ $0 == .no }) else { return unknown(nil, "validate") }
        return .disabled(provider.text(action).map { Selector($0) })
    }

    // MARK: Key-down

    func keyDown(of responder: Responder) -> KeyEventAnswer {
        guard let message = keyDown(of: responder, among: messages) else {
            // Without a window no responder gets a key-down.
            if isWhole, provider.engine?.application.keyWindow == nil { return .forwarded(to: nil) }
            return unknown(responder, "keyDown")
        }
        for inner in message.inner {
            if inner.kind == .keyDown { return .forwarded(to: provider.object(inner.record.responder)) }
            if inner.kind == .noResponder { return .forwarded(to: nil) }
            if let taker = Message.taker(among: [inner], inKeyDown: true) { return answer(taker) }
        }
        return .kept
    }

    private func keyDown(of responder: Responder, among messages: [Message]) -> Message? {
        for message in messages where message.kind == .keyDown {
            if provider.object(message.record.responder) === responder { return message }
            if let inner = keyDown(of: responder, among: message.inner) { return inner }
        }
        return nil
    }

    func moveFocus(backwards: Bool) -> KeyEventAnswer {
        func moved(_ messages: [Message]) -> Bool {
            messages.contains { $0.kind == .makeFirstResponder || $0.kind == .keyDown && moved($0.inner) }
        }
        return moved(messages.filter { $0.kind == .keyDown }) ? .focusMoved : .passed
    }

    // MARK: What took the press

    private func answer(_ taker: Message) -> KeyEventAnswer {
        provider.keyEventHappens()
        let record = taker.record
        let receiver = provider.object(record.responder)
        let selector = record.selector.flatMap { provider.text($0) }.map { Selector($0) }
        switch record.kind {
        case .doCommand: return receiver.map { .command(selector, to: $0) } ?? .unknown
        case .insertText:
            let text = resolution.flatMap { $0.takenBy == .text ? provider.text($0.text) : nil }
            return receiver.map { .inserted(text, into: $0) } ?? .unknown
        case .sendAction: return .sent(sent(taker, selector))
        default: return .focusMoved
        }
    }

    /// The target of an action is found before it is performed.
    private func sent(_ message: Message, _ action: Selector?) -> KeyEventAnswer.SentAction {
        let sender = provider.object(message.record.sender)
        let isOfMenu = sender?.id == Resolution.mainMenuID
        let search = message.inner.first { $0.kind == .targetForAction }
        var target: Responder?
        if case .responder(let found)? = search?.record.answer { target = provider.object(found) }
        // An exception ends a message without an answer.
        let isPerformed =
            message.record.answer == .yes || message.record.answer == .nothing && target != nil
        return KeyEventAnswer.SentAction(
            action: action, sender: isOfMenu ? nil : sender, isOfMenu: isOfMenu, target: isPerformed ? target : nil,
            isPerformed: isPerformed)
    }
}

extension AnswerProvider {
    var keyEventReceivers: any KeyEventReceivers { RecordedKeyEvents(self) }
}
