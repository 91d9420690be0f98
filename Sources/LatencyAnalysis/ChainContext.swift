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
struct ChainContext: Sendable {
    struct Link: Sendable {
        var next: ResponderRef?
        var window: ResponderRef?
        /// `nil` when it was so before the records that were read.
        var change: ContextChange?
    }

    private(set) var links: [ResponderRef: Link] = [:]
    private(set) var firstResponder: (responder: ResponderRef?, change: ContextChange?)?
    private(set) var keyWindow: (window: ResponderRef?, change: ContextChange?)?
    private(set) var presented: [ResponderRef: ResponderRef] = [:]
    private(set) var layoutName: String?
    /// Handle of the layout's table, where the trace has it.
    private(set) var layoutTable: StringRef?
    private(set) var environment: [String: String] = [:]
    /// How often a fact of the environment was told anew.
    private(set) var environmentVersion: UInt64 = 0
    /// The commands of the main menu, where they are recorded.
    private(set) var menu: CommandListRef?
    private(set) var isTextMarked = false
    private(set) var keyboard: (record: KeyboardFrameRecord, change: ContextChange?)?
    private(set) var textInput: TextInputRecord?
    private var lastPress: UInt32?

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
        for responder in links.keys { links[responder]?.change = nil }
        firstResponder?.change = nil
        keyWindow?.change = nil
        keyboard?.change = nil
    }

    mutating func consume(_ record: TraceRecord) {
        switch record.body {
        case .key(let key):
            if key.phase == .down, let press = key.press { lastPress = press }
        case .link(let link):
            links[link.responder] = Link(
                next: link.next, window: link.window, change: change(record.time, cause: nil))
        case .firstResponder(let change):
            firstResponder = (change.responder, self.change(record.time, cause: change.cause))
        case .keyWindow(let change):
            keyWindow = (change.window, self.change(record.time, cause: change.cause))
        case .presentation(let presentation):
            presented[presentation.presenter] = presentation.presented
        case .layout(let layout):
            layoutName = layout.name
            layoutTable = layout.table
        case .environment(let fact):
            environment[fact.name] = fact.value
            environmentVersion &+= 1
        case .call(let call):
            guard call.kind == .buildMenu, case .commands(let list) = call.answer else { return }
            menu = list
        case .markedText(let marked): isTextMarked = marked.isMarked
        case .keyboardFrame(let frame): keyboard = (frame, change(record.time, cause: nil))
        case .textInput(let input): textInput = input
        default: break
        }
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
