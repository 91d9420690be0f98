public import KeyModel

/// A message of AppKit's path, reported when it has returned, after those inside of it.
public struct KeyEventMessage {
    /// The result; `nothing` where the message has none.
    public enum Answer { case nothing, no, yes, responder(Responder) }

    /// The kind of message.
    public var kind: InvocationKind
    /// `nil` is the main menu.
    public var receiver: Responder?
    /// The message, or the action that it is about.
    public var selector: Selector?
    /// The sender of an action; `nil` for an item of a menu.
    public var sender: Responder?
    /// An item of a menu sent it.
    public var isOfMenu = false
    /// The result.
    public var answer: Answer
    /// The number of messages that this one was sent inside of.
    public var depth: UInt8
}

extension KeyboardEngine {
    /// Counts the questions and answers, and reports them to the probe. The event's own message is not reported, only
    /// those inside of it.
    func report(
        _ answer: KeyEventAnswer, _ kind: InvocationKind, of receiver: Responder?, depth: UInt8 = 1
    ) {
        func emit(
            _ kind: InvocationKind, _ receiver: Responder?, _ selector: Selector?,
            _ answer: KeyEventMessage.Answer, inside: UInt8, sender: Responder? = nil, isOfMenu: Bool = false
        ) {
            progress.messages?.append(kind)
            guard let probe else { return }
            var message = KeyEventMessage(
                kind: kind, receiver: receiver, selector: selector, answer: answer, depth: depth &+ inside)
            (message.sender, message.isOfMenu) = (sender, isOfMenu)
            probe.engine(self, reports: .message(message))
        }
        var isTaken = true
        switch answer {
        case .unknown: return
        case .passed: isTaken = false
        case .forwarded(let next):
            if next == nil { emit(.noResponder, receiver, "keyDown:", .nothing, inside: 1) }
        case .kept: break
        case .sent(let sent):
            let inside: UInt8 = sent.isOfMenu ? 2 : 1
            if let target = sent.target {
                emit(.targetForAction, application, sent.action, .responder(target), inside: inside + 1)
            }
            emit(
                .sendAction, application, sent.action, sent.isPerformed ? .yes : .no, inside: inside,
                sender: sent.sender, isOfMenu: sent.isOfMenu)
            if sent.isOfMenu { emit(.performItem, nil, sent.action, .nothing, inside: 1) }
        case .disabled(let action): emit(.validate, nil, action, .no, inside: 1)
        case .command(let action, let target):
            emit(.doCommand, target, action, .nothing, inside: 2)
            emit(.interpretKeyEvents, receiver, "interpretKeyEvents:", .nothing, inside: 1)
        case .inserted(_, let target):
            emit(.insertText, target, "insertText:", .nothing, inside: 2)
            emit(.interpretKeyEvents, receiver, "interpretKeyEvents:", .nothing, inside: 1)
        case .focusMoved: emit(.makeFirstResponder, application.keyWindow, "makeFirstResponder:", .yes, inside: 1)
        }
        if kind == .keyEquivalent {
            emit(kind, receiver, "performKeyEquivalent:", isTaken ? .yes : .no, inside: 0)
        } else {
            emit(kind, receiver, "keyDown:", .nothing, inside: 0)
        }
    }
}
