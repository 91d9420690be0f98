public import KeyModel

/// A receiver of every decision of the engine, in order. Set as `KeyboardEngine.probe`.
public protocol EngineProbe: AnyObject {
    func engine(_ engine: KeyboardEngine, reports report: EngineReport)
    /// True to report every collected command that concerns a press with its verdict; that costs a comparison per
    /// command and press.
    var wantsCandidates: Bool { get }
}

extension EngineProbe {
    public var wantsCandidates: Bool { true }
}

/// The reason why a command took a press or did not.
public enum CandidateVerdict {
    case performed
    /// No responder on the chain performs its action now, and the search went on (spec MT-10).
    case notPerformable
    /// No responder performs its action, and the match kept the key from all others (spec MT-10).
    case blocked
    /// Another command, or another stage, decided before this one was considered.
    case shadowed(by: CommandReference)
    case takenBefore(TakenBy)
    case disabled
    /// The key is its own, the modifiers are not.
    case wrongModifiers
    /// It is written for this key, and localisation or mirroring has it on another one (spec MT-7, MT-8).
    case movedTo(String)
    /// It asks for a key of the numeric pad.
    case wantsKeypad
    /// The key is masked; some key of its class would match.
    case possible
    /// It matches, and no later stage decided: swallowed, or an application's command before its second press.
    case notReached
}

/// One decision, question or answer.
public enum EngineReport {
    /// The source of a `keyCommands` list.
    public enum Source: Sendable { case called, cached, shadow }

    /// A key-down or repeat begins. `start` is `nil` when no responder may get it; of a key that the system keeps, the
    /// responder that would have got it.
    indirect case pressBegan(Resolution, start: Responder?)
    /// The chain of this press, first to last.
    case chain([Responder], cycle: ChainCycle?)
    /// `pressesBegan`, `pressesEnded` or `pressesCancelled` returned; `passedOn` is false when it was swallowed.
    case pressDelivered(Press.Phase, to: Responder, passedOn: Bool)
    /// One getter's answer in the pass of this number, from 0. Shadow reads belong to none and have −1.
    case keyCommands(of: Responder, pass: Int, commands: [KeyCommand], source: Source)
    /// A command whose input is the press's, and what became of it; after the decision, in order of precedence.
    case candidate(CommandReference, CandidateVerdict)
    case canPerform(Responder, action: Selector, answer: Bool)
    case actionBegan(Selector, target: Responder)
    /// A press met a key binding of the text that has the keyboard.
    case keyBinding(KeyBindingMatch, of: Responder)
    /// A message of AppKit's path, with its answer.
    case message(KeyEventMessage)
    case effect(Effect)
    /// A responder's key commands are others from now on, or may be (`setNeedsKeyCommandsUpdate`).
    case commandsChanged(of: Responder)
    case firstResponder(from: Responder?, to: Responder?)
    case buildMenu(Responder)
    case validated(Responder, command: KeyCommand)
}
