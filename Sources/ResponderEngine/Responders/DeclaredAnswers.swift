/// Answers that a scene or a recording declares for a responder, outside of its class. They go before what the class
/// does by itself.
///
/// Each default leaves the question to the class. `Responder`'s own implementations ask this, so that an override
/// which calls `super` has what was declared; the questions that overrides answer without `super` are asked by
/// `answersResponds(to:)` and its siblings, which look here first.
package protocol DeclaredAnswers: AnyObject {
    var canBecomeFirstResponder: Bool? { get }
    /// It gives key commands, in place of those that the system would add.
    var declaresKeyCommands: Bool { get }
    func keyCommands(of responder: Responder) -> [KeyCommand]?
    func offChainSuppliers(of responder: Responder) -> [Responder]?
    /// The key equivalents that `performKeyEquivalent:` of an AppKit view takes.
    var keyEquivalents: [KeyCommand] { get }
    func implements(_ action: Selector) -> Bool
    func canPerform(_ action: Selector, sender: Any?) -> Bool?
    /// False for an action that is left to the class.
    func perform(_ action: Selector, event: PressesEvent?) -> Bool
    /// True for presses that go no further.
    func swallows(_ presses: Set<Press>) -> Bool
    func pressesEnded()
    func inputView(of responder: Responder) -> InputView?
    func inputAccessoryView(of responder: Responder) -> InputView?
    func validate(_ command: Command)
    func buildMenu(of responder: Responder, with builder: any MenuBuilder)
    /// Asks apart from the course of things: the answers that follow are the same as without this one.
    func apart(_ question: () -> [KeyCommand]) -> [KeyCommand]
}

extension DeclaredAnswers {
    package var canBecomeFirstResponder: Bool? { nil }
    package var declaresKeyCommands: Bool { false }
    package func keyCommands(of responder: Responder) -> [KeyCommand]? { nil }
    package func offChainSuppliers(of responder: Responder) -> [Responder]? { nil }
    package var keyEquivalents: [KeyCommand] { [] }
    package func implements(_ action: Selector) -> Bool { false }
    package func canPerform(_ action: Selector, sender: Any?) -> Bool? { nil }
    package func perform(_ action: Selector, event: PressesEvent?) -> Bool { false }
    package func swallows(_ presses: Set<Press>) -> Bool { false }
    package func pressesEnded() {}
    package func inputView(of responder: Responder) -> InputView? { nil }
    package func inputAccessoryView(of responder: Responder) -> InputView? { nil }
    package func validate(_ command: Command) {}
    package func buildMenu(of responder: Responder, with builder: any MenuBuilder) {}
    package func apart(_ question: () -> [KeyCommand]) -> [KeyCommand] { question() }
}

extension Responder {
    final var answersCanBecomeFirst: Bool { declaredAnswers?.canBecomeFirstResponder ?? canBecomeFirstResponder }

    final func answersResponds(to action: Selector) -> Bool {
        declaredAnswers?.implements(action) == true || responds(to: action)
    }

    final func answersCanPerform(_ action: Selector, sender: Any?) -> Bool {
        declaredAnswers?.canPerform(action, sender: sender) ?? canPerformAction(action, withSender: sender)
    }

    final func answersPerform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if declaredAnswers?.perform(action, event: event) != true { perform(action, sender: sender, event: event) }
    }
}

/// `Responder`'s own answers where some are declared. Not inlined: most responders declare none, and a press asks each
/// one of its chain.
extension Responder {
    @inline(never)
    final func beginsAsDeclared(_ presses: Set<Press>, _ event: PressesEvent?) {
        event?.isPassedOn = declaredAnswers?.swallows(presses) != true
    }

    @inline(never)
    final func endsAsDeclared() { declaredAnswers?.pressesEnded() }

    @inline(never)
    final func canPerformAsDeclared(_ action: Selector, sender: Any?) -> Bool {
        declaredAnswers?.canPerform(action, sender: sender) ?? answersResponds(to: action)
    }
}
