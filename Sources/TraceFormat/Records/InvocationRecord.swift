public import KeyModel

/// One message of a toolkit, recorded by a hook when it returned: those sent inside it come before it.
public struct InvocationRecord: Hashable, Sendable {
    public var at: PressTick
    public var kind: InvocationKind
    public var occasion: CallOccasion
    public var responder: ResponderRef
    /// The message, or the selector that it is about; `nil` where that would give a masked key away.
    public var selector: StringRef?
    public var sender: ResponderRef?
    public var answer = Answer.nothing
    public var duration: TraceDuration
    /// Number of recorded messages inside of which it was sent.
    public var depth: UInt8 = 0
    /// Number of messages that the record represents, ≥ 1.
    public var count: UInt32 = 1
    /// The path of the menu item that answered, titles from the menu bar on; `nil` for none or one that is not public.
    public var path: StringRef?

    public enum Answer: Hashable, Sendable {
        /// The message has no result.
        case nothing
        case no, yes
        case responder(ResponderRef)
        /// A list of this length.
        case list(UInt32)
    }

    public init(
        at: PressTick, kind: InvocationKind, occasion: CallOccasion, responder: ResponderRef, duration: TraceDuration
    ) {
        self.at = at
        self.kind = kind
        self.occasion = occasion
        self.responder = responder
        self.duration = duration
    }

    /// Everything but press, tick and duration, in few words: a block's table of a live recording is filled anew every
    /// few presses, and to hash each field by itself took a tenth of the recorder's thread.
    public func hash(into hasher: inout Hasher) {
        func word(_ high: UInt32?, _ low: UInt32?) -> UInt64 { UInt64(high ?? .max) << 32 | UInt64(low ?? .max) }
        hasher.combine(word(responder.rawValue, selector?.rawValue))
        hasher.combine(word(sender?.rawValue, path?.rawValue))
        hasher.combine(word(count, UInt32(kind.rawValue) << 16 | UInt32(occasion.rawValue) << 8 | UInt32(depth)))
        hasher.combine(answer)
    }

    mutating func walk<W: FieldWalker>(_ w: inout W) throws(TraceError) {
        try w.pressTick(&at)
        try w.choice("invocation", &kind)
        try w.choice("occasion", &occasion)
        try w.responder("responder", &responder)
        try w.string("selector", &selector)
        try w.responder("sender", &sender)
        try w.number("depth", &depth, 0...UInt8.max)
        try w.number("count", &count, 1...UInt32.max)
        try w.string("path", &path)
        try w.duration("duration_ns", &duration)
        try walkAnswer(&w)
    }

    /// `target` is stored only where the answer is a responder, `items` where it is a list.
    private mutating func walkAnswer<W: FieldWalker>(_ w: inout W) throws(TraceError) {
        var code = InvocationAnswerCode(answer)
        try w.choice("answer", &code)
        var target = ResponderRef(rawValue: 0)
        var items: UInt32 = 0
        if case .responder(let known) = answer { target = known }
        if case .list(let known) = answer { items = known }
        if code == .responder || W.describes { try w.responder("target", &target) }
        if code == .list || W.describes { try w.number("items", &items, 0...UInt32.max) }
        switch code {
        case .nothing: answer = .nothing
        case .no: answer = .no
        case .yes: answer = .yes
        case .responder: answer = .responder(target)
        case .list: answer = .list(items)
        }
    }
}

/// `InvocationRecord.Answer` without its value.
enum InvocationAnswerCode: UInt8, NamedCase, NamedCode {
    case nothing, no, yes, responder, list

    init(_ answer: InvocationRecord.Answer) {
        switch answer {
        case .nothing: self = .nothing
        case .no: self = .no
        case .yes: self = .yes
        case .responder: self = .responder
        case .list: self = .list
        }
    }

    static let names = ["nothing", "no", "yes", "responder", "list"]
}

/// The main window from here on: the one whose document commands without a target of their own are for.
public struct MainWindowRecord: Hashable, Sendable {
    public var window: ResponderRef?
    public init(window: ResponderRef?) { self.window = window }

    mutating func walk(_ w: inout some FieldWalker) throws(TraceError) { try w.responder("window", &window) }
}

extension InvocationKind: NamedCode {}
