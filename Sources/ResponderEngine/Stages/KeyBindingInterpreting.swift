public import KeyModel

/// A key press as key bindings look at it (spec §10).
public struct BindingStroke: Hashable, Sendable {
    /// `nil` for a masked key, which no binding is found for.
    public var usage: KeyUsage?
    /// A set of shift, control, option, command and numericPad.
    public var modifiers: KeyModifiers
    /// The text that the key types on the layout, without modifiers and with Shift; empty for keys that type nothing.
    public var plain: String
    public var shifted: String
    /// The time at which the key went down.
    public var time: TraceTime
}

/// The binding that matched a stroke.
public struct KeyBindingMatch: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// The strokes so far begin a longer sequence.
        case prefix
        /// The sequence is whole.
        case binding
        /// The next stroke will be literal.
        case quote
        /// This one was.
        case literal
        /// The strokes so far were forgotten.
        case abort
        /// The stroke was lost with the strokes before it, which came to nothing together (spec KB-9).
        case lost
    }

    public var kind: Kind
    /// The strokes as people read them, such as `⌃X ⌃S`.
    public var keys: String
    /// The file of the binding and its line there; `nil` for the quote and abort keys.
    public var file: String?
    public var line: Int?
    /// The last action of the binding.
    public var action: Selector?
    /// The words for it in a recording, which is replayed without the file.
    package var recordedReason: String?

    public init(kind: Kind, keys: String, file: String? = nil, line: Int? = nil, action: Selector? = nil) {
        self.kind = kind
        self.keys = keys
        self.file = file
        self.line = line
        self.action = action
    }
}

/// The result of a stroke.
public struct KeyBindingAnswer: Sendable {
    public enum Operation: Hashable, Sendable {
        /// An action, and what it is in text; `nil` for one that some responder of the chain may perform.
        case perform(Selector, TextCommand?)
        case insert(String)
        /// A stroke that no binding was found for, in its turn (spec KB-9). With `insertsControl`, Control types the
        /// control character.
        case literal(BindingStroke, insertsControl: Bool)
    }

    public var operations: [Operation] = []
    /// False when the stroke is left to text. What is in `operations` happens all the same, and before.
    public var isTaken = false
    public var match: KeyBindingMatch?
    /// A sequence has begun and is not whole.
    public var isPending = false
    /// The beginning of the sequence that this stroke ended.
    public var waitedSince: TraceTime?

    public init() {}
}

/// A lookup of strokes in key bindings, which remembers those of a sequence that is not whole. Text has one where key
/// bindings are attached (`TextInput.keyBindingInterpreter`).
public protocol KeyBindingInterpreting: AnyObject {
    /// Takes the next stroke that comes to the text.
    func interpret(_ stroke: BindingStroke) -> KeyBindingAnswer
    /// Forgets strokes of a sequence that is not whole: another client has the keyboard (spec KB-9).
    func reset()
    /// A sequence has begun, or the next stroke is quoted.
    var isPending: Bool { get }
    /// The first action that one of these strokes would perform or lead to; nothing is remembered.
    func action(forAnyOf strokes: [BindingStroke]) -> (stroke: BindingStroke, action: Selector)?
}
