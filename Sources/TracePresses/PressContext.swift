package import KeyModel
package import TraceFormat

/// Time and cause of the last change of a part of the context.
package struct ContextChange: Hashable, Sendable {
    package var time: TraceTime
    /// The last press that had gone down by then; `nil` before the first.
    package var press: UInt32?
    /// `nil` for changes that are recorded without a cause.
    package var cause: FocusCause?

    /// Part of the state in which the recording began: when it really began is unknown.
    package var isInitial: Bool { press == nil && (cause == nil || cause == .start) }
}

/// The context that a trace describes, as it is after the records consumed so far.
///
/// It is kept with every press that waits for its decision, and changes seldom: copies share all but the last press
/// until one of them changes, and all but a page of the links after that.
package struct PressContext: Sendable {
    package struct Link: Sendable {
        package var next: ResponderRef?
        package var window: ResponderRef?
        /// `nil` when it was so before the records that were read.
        package var change: ContextChange?
    }

    private struct Facts: Sendable {
        var links = HandleTable<ResponderDefinition, Link>()
        var lists = HandleTable<ResponderDefinition, CommandListRef>()
        var firstResponder: (responder: ResponderRef?, change: ContextChange?)?
        var keyWindow: (window: ResponderRef?, change: ContextChange?)?
        var mainWindow: ResponderRef?
        var presented: [ResponderRef: ResponderRef] = [:]
        var layoutName: String?
        var layoutTable: StringRef?
        var environment: [String: String] = [:]
        var environmentVersion: UInt64 = 0
        var chainVersion: UInt64 = 0
        /// The chain of the last press's first responder.
        var walked: (start: ResponderRef, version: UInt64, chain: [ResponderRef])?
        var menu: CommandListRef?
        var isTextMarked = false
        var keyboard: (record: KeyboardFrameRecord, change: ContextChange?)?
        var textInput: TextInputRecord?
    }

    /// One element: an array is shared by its copies.
    private var shared = PressContext.empty
    private static let empty = [Facts()]
    private var facts: Facts {
        _read { yield shared[0] }
        _modify { yield &shared[0] }
    }
    private var lastPress: UInt32?
    /// Bytes that changes have copied, if a copy of the context was kept before each of them.
    private var copiedBytes: UInt64 = 0

    package var firstResponder: (responder: ResponderRef?, change: ContextChange?)? { facts.firstResponder }
    package var keyWindow: (window: ResponderRef?, change: ContextChange?)? { facts.keyWindow }
    package var mainWindow: ResponderRef? { facts.mainWindow }
    package var presented: [ResponderRef: ResponderRef] { facts.presented }
    package var layoutName: String? { facts.layoutName }
    /// Handle of the layout's table, where the trace has it.
    package var layoutTable: StringRef? { facts.layoutTable }
    package var environment: [String: String] { facts.environment }
    /// Id of the item that has the focus without being first responder.
    package var focusedItem: String? { environment[EnvironmentFact.focusedItem].flatMap { $0.isEmpty ? nil : $0 } }
    /// The number of environment records.
    package var environmentVersion: UInt64 { facts.environmentVersion }
    /// The number of records of links and presentations.
    package var chainVersion: UInt64 { facts.chainVersion }
    /// The commands of the main menu, where they are recorded.
    package var menu: CommandListRef? { facts.menu }
    package var isTextMarked: Bool { facts.isTextMarked }
    package var keyboard: (record: KeyboardFrameRecord, change: ContextChange?)? { facts.keyboard }
    package var textInput: TextInputRecord? { facts.textInput }

    package init() {}

    /// Begins with an initial context, whose facts have no dates.
    package init(_ entries: [ContextEntry]) {
        for entry in entries {
            switch entry {
            case .record(let body): apply(body, at: nil)
            case .keyState(let state): lastPress = state.presses > 0 ? state.presses : nil
            case .lastList(let last): facts.lists[last.responder] = last.list
            default: break
            }
        }
    }

    package func link(of responder: ResponderRef) -> Link? { facts.links[responder] }

    /// The key commands that a responder answered last, apart from answers to a shadow check.
    package func list(of responder: ResponderRef) -> CommandListRef? { facts.lists[responder] }

    /// The responders from `start` to the end of the chain, as many as a trace's readers follow; a chain that runs in
    /// a circle ends where it closes.
    /// - Complexity: O(1) from the first responder, unless the chain changed since the last press.
    package func chain(from start: ResponderRef?) -> [ResponderRef] {
        if let walked = facts.walked, walked.start == start, walked.version == chainVersion { return walked.chain }
        return walk(from: start)
    }

    /// Each press asks for the chain, and few change it.
    private mutating func walkOnce() {
        guard let start = facts.firstResponder?.responder else { return }
        if let walked = facts.walked, walked.start == start, walked.version == chainVersion { return }
        facts.walked = (start, chainVersion, walk(from: start))
    }

    private func walk(from start: ResponderRef?) -> [ResponderRef] {
        var chain: [ResponderRef] = []
        var seen: Set<ResponderRef> = []
        var next = start
        while let responder = next, chain.count < TraceLimits.chainResponders, seen.insert(responder).inserted {
            chain.append(responder)
            next = facts.links[responder]?.next
        }
        return chain
    }

    /// True when the chain from `start` on has a responder, or is longer than it is followed; nothing is allocated.
    package func isOnChain(_ responder: ResponderRef, from start: ResponderRef?) -> Bool {
        var (next, slow) = (start, start)
        var steps = 0
        while let here = next {
            if here == responder { return true }
            next = facts.links[here]?.next
            steps += 1
            if steps > TraceLimits.chainResponders { return true }
            guard steps % 2 == 0 else { continue }
            // In a circle, the one at half the speed is met after the first round.
            slow = slow.flatMap { facts.links[$0]?.next }
            if slow == next { return false }
        }
        return false
    }

    /// Contexts from `former` to this one, if all are kept, take more memory than a damaged trace may claim.
    package func hasOutgrown(_ former: PressContext) -> Bool {
        copiedBytes > former.copiedBytes + PressContext.mostCopiedBytes
    }

    private static let mostCopiedBytes: UInt64 = 16 << 20

    package mutating func consume(_ record: TraceRecord) { apply(record.body, at: record.time) }

    private mutating func apply(_ body: TraceRecord.Body, at time: TraceTime?) {
        switch body {
        case .key(let key):
            if key.phase == .down, let press = key.press {
                lastPress = press
                walkOnce()
            }
        case .call(let call):
            guard case .commands(let list) = call.answer else { return }
            if call.kind == .buildMenu {
                if menu != list { facts.menu = list }
            } else if call.occasion != .shadow, facts.lists[call.responder] != list {
                facts.lists[call.responder] = list
                copiedBytes &+= facts.lists.copiedBytes
            }
        case .link(let link):
            facts.links[link.responder] = Link(next: link.next, window: link.window, change: change(time, nil))
            facts.chainVersion &+= 1
            copiedBytes &+= facts.links.copiedBytes
        case .firstResponder(let record):
            facts.firstResponder = (record.responder, change(time, record.cause))
        case .keyWindow(let record):
            facts.keyWindow = (record.window, change(time, record.cause))
        case .mainWindow(let record): facts.mainWindow = record.window
        case .presentation(let presentation):
            facts.presented[presentation.presenter] = presentation.presented
            facts.chainVersion &+= 1
            copiedBytes &+= facts.presented.storedBytes
        case .layout(let layout):
            facts.layoutName = layout.name
            facts.layoutTable = layout.table
        case .environment(let fact):
            facts.environment[fact.name] = fact.value
            facts.environmentVersion &+= 1
            copiedBytes &+= facts.environment.storedBytes
        case .markedText(let marked): facts.isTextMarked = marked.isMarked
        case .keyboardFrame(let frame): facts.keyboard = (frame, change(time, nil))
        case .textInput(let input): facts.textInput = input
        default: break
        }
    }

    private func change(_ time: TraceTime?, _ cause: FocusCause?) -> ContextChange? {
        time.map { ContextChange(time: $0, press: lastPress, cause: cause) }
    }
}
