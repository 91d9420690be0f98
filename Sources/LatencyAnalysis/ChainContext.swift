public import KeyModel
public import TraceFormat

/// When and why something of the context became what it is.
public struct ContextChange: Hashable, Sendable {
    public var time: TraceTime
    /// The last press that had gone down by then; `nil` before the first.
    public var press: UInt32?
    /// `nil` for changes that are recorded without a cause.
    public var cause: FocusCause?

    /// Part of the state in which the recording began, so that nobody knows since when it was so.
    public var isInitial: Bool { press == nil && (cause == nil || cause == .start) }

    public init(time: TraceTime, press: UInt32?, cause: FocusCause?) {
        self.time = time
        self.press = press
        self.cause = cause
    }
}

/// The context that a trace describes, as it is after the records consumed so far.
///
/// It is kept with every press that waits for its decision, and changes seldom: copies share all but the last press
/// until one of them changes.
struct ChainContext: Sendable {
    struct Link: Sendable {
        var next: ResponderRef?
        var window: ResponderRef?
        /// `nil` when it was so before the records that were read.
        var change: ContextChange?
    }

    private struct Facts: Sendable {
        var links: [ResponderRef: Link] = [:]
        var firstResponder: (responder: ResponderRef?, change: ContextChange?)?
        var keyWindow: (window: ResponderRef?, change: ContextChange?)?
        var presented: [ResponderRef: ResponderRef] = [:]
        var layoutName: String?
        var layoutTable: StringRef?
        var environment: [String: String] = [:]
        var environmentVersion: UInt64 = 0
        var chainVersion: UInt64 = 0
        var menu: CommandListRef?
        var isTextMarked = false
        var keyboard: (record: KeyboardFrameRecord, change: ContextChange?)?
        var textInput: TextInputRecord?
    }

    /// One element: an array is shared by its copies.
    private var shared = [Facts()]
    private var facts: Facts {
        _read { yield shared[0] }
        _modify { yield &shared[0] }
    }
    private var lastPress: UInt32?

    var links: [ResponderRef: Link] { facts.links }
    var firstResponder: (responder: ResponderRef?, change: ContextChange?)? { facts.firstResponder }
    var keyWindow: (window: ResponderRef?, change: ContextChange?)? { facts.keyWindow }
    var presented: [ResponderRef: ResponderRef] { facts.presented }
    var layoutName: String? { facts.layoutName }
    /// Handle of the layout's table, where the trace has it.
    var layoutTable: StringRef? { facts.layoutTable }
    var environment: [String: String] { facts.environment }
    /// How often a fact of the environment was told anew.
    var environmentVersion: UInt64 { facts.environmentVersion }
    /// How often links and presentations were told anew.
    var chainVersion: UInt64 { facts.chainVersion }
    /// The commands of the main menu, where they are recorded.
    var menu: CommandListRef? { facts.menu }
    var isTextMarked: Bool { facts.isTextMarked }
    var keyboard: (record: KeyboardFrameRecord, change: ContextChange?)? { facts.keyboard }
    var textInput: TextInputRecord? { facts.textInput }

    init() {}

    /// What was true before the records that are read: nobody knows since when.
    init(_ entries: [ContextEntry]) {
        for entry in entries {
            switch entry {
            case .record(let body):
                consume(TraceRecord(time: .zero, sequence: 0, body: body))
            case .keyState(let state): lastPress = state.presses > 0 ? state.presses : nil
            default: break
            }
        }
        for responder in links.keys { facts.links[responder]?.change = nil }
        facts.firstResponder?.change = nil
        facts.keyWindow?.change = nil
        facts.keyboard?.change = nil
    }

    mutating func consume(_ record: TraceRecord) {
        switch record.body {
        case .key(let key):
            note(key)
        case .link(let link):
            facts.links[link.responder] = Link(
                next: link.next, window: link.window, change: change(record.time, cause: nil))
            facts.chainVersion &+= 1
        case .firstResponder(let change):
            facts.firstResponder = (change.responder, self.change(record.time, cause: change.cause))
        case .keyWindow(let change):
            facts.keyWindow = (change.window, self.change(record.time, cause: change.cause))
        case .presentation(let presentation):
            facts.presented[presentation.presenter] = presentation.presented
            facts.chainVersion &+= 1
        case .layout(let layout):
            facts.layoutName = layout.name
            facts.layoutTable = layout.table
        case .environment(let fact):
            facts.environment[fact.name] = fact.value
            facts.environmentVersion &+= 1
        case .call(let call): note(call)
        case .markedText(let marked): facts.isTextMarked = marked.isMarked
        case .keyboardFrame(let frame): facts.keyboard = (frame, change(record.time, cause: nil))
        case .textInput(let input): facts.textInput = input
        default: break
        }
    }

    mutating func note(_ key: KeyRecord) {
        if key.phase == .down, let press = key.press { lastPress = press }
    }

    mutating func note(_ call: CallRecord) {
        guard call.kind == .buildMenu, case .commands(let list) = call.answer, menu != list else { return }
        facts.menu = list
    }

    private func change(_ time: TraceTime, cause: FocusCause?) -> ContextChange {
        ContextChange(time: time, press: lastPress, cause: cause)
    }

    /// The responders from `start` to the end of the chain; a chain that runs in a circle ends where it closes.
    func chain(from start: ResponderRef?) -> [ResponderRef] {
        var chain: [ResponderRef] = []
        var seen: Set<ResponderRef> = []
        var next = start
        while let responder = next, seen.insert(responder).inserted {
            chain.append(responder)
            next = links[responder]?.next
        }
        return chain
    }
}
