import KeyModel
import ResponderEngine
import Scenes
import TraceFormat
import TracePresses

/// Context of a press, by names: the route of its key, and the answer of each responder.
struct Situation {
    var window: String?
    var isActive = true
    /// The first responder, else where the press began.
    var first: String?
    var isFirstRecorded = false
    var isMarked = false
    /// From the first responder on.
    let route: Route
    var chain: [String] { route.ids }
    var swallowed: [(id: String, answer: Bool)] = []
    var lists: [(id: String, commands: [CommandDescription])] = []
    /// Answers of `canPerformAction`.
    var abilities: [(id: String, action: String, answer: Bool)] = []
    /// The action that the press performed and its responder; none before it on the chain performs it.
    var action: (name: String, target: String?)?
    var menu: [CommandDescription]?
    /// The text input that has the keyboard.
    var text: (id: String, isSecure: Bool)?

    /// A chain by names. Presses share it until a link or the start changes: it may be long, and few change it.
    struct Route {
        let start: ResponderRef?
        let version: UInt64
        private(set) var ids: [String] = []
        private(set) var links: [(id: String, next: String?, window: String?)] = []

        init(from start: ResponderRef?, _ context: PressContext, _ session: RecordedSession) {
            (self.start, version) = (start, context.chainVersion)
            for ref in context.chain(from: start) {
                guard let id = session.id(ref) else { continue }
                ids.append(id)
                if let link = context.link(of: ref) {
                    links.append((id, session.id(link.next), session.id(link.window)))
                }
            }
        }

        func isSame(as other: Route?) -> Bool { other?.start == start && other?.version == version }
    }

    /// - Parameter last: The chain of the press before.
    init(_ press: TracePress, _ session: RecordedSession, after last: Route?) {
        let resolution = press.resolution
        let context = press.context
        let start = context.firstResponder?.responder ?? press.start
        if let last, last.start == start, last.version == context.chainVersion {
            route = last
        } else {
            route = Route(from: start, context, session)
        }
        // What the press did may have made another window key before it was resolved.
        window = session.id(context.keyWindow?.window ?? resolution?.keyWindow)
        isActive = resolution?.outcome != .noStart || resolution?.start != nil
        first = session.id(context.firstResponder?.responder ?? resolution?.start)
        isFirstRecorded = context.firstResponder?.responder != nil
        isMarked = context.isTextMarked
        for receiver in press.receivers where press.at.tick == 0 {
            if let id = session.id(receiver.responder) { swallowed.append((id, receiver.isSwallowed)) }
        }
        if let input = context.textInput, let id = session.id(input.responder) { text = (id, input.isSecure) }
        readCalls(press, session.definitions)
        if let name = resolution?.action.flatMap({ session.definitions[$0] }),
            resolution?.outcome == .performed || resolution?.outcome == .blockedUnperformable
        {
            action = (name, session.id(resolution?.target))
        }
    }

    private mutating func readCalls(_ press: TracePress, _ definitions: TraceDefinitions) {
        var read: Set<String> = []
        var asked: Set<String> = []
        for call in press.calls {
            guard let id = definitions[call.responder]?.id else { continue }
            switch (call.kind, call.answer) {
            case (.keyCommands, .commands(let list)) where call.occasion != .shadow:
                if read.insert(id).inserted { lists.append((id, CommandDescription.list(list, definitions))) }
            case (.canPerformAction, .yes), (.canPerformAction, .no):
                guard let action = call.action.flatMap({ definitions[$0] }) else { continue }
                if asked.insert("\(id) \(action)").inserted { abilities.append((id, action, call.answer == .yes)) }
            default: break
            }
        }
        readCommand(press, definitions)
        if let list = press.menu ?? press.context.menu { menu = CommandDescription.list(list, definitions) }
    }

    /// The command that took the press, where it is in no list that was read: of SwiftUI, or one that observes presses.
    private mutating func readCommand(_ press: TracePress, _ definitions: TraceDefinitions) {
        guard let resolution = press.resolution, resolution.takenBy != .mainMenu,
            let id = resolution.supplier.flatMap({ definitions[$0]?.id }),
            let recorded = resolution.command.flatMap({ definitions[$0] }), let command = CommandDescription(recorded)
        else { return }
        guard let place = lists.firstIndex(where: { $0.id == id }) else { return lists.append((id, [command])) }
        let isListed = lists[place].commands.contains { own in
            own.input == command.input && (own.action == command.action || !own.alternates.isEmpty)
        }
        if !isListed { lists[place].commands.append(command) }
    }

    /// On AppKit's path no responder gets a press before it is handled: it ends at the one that handles the key-down.
    mutating func readKeyDown(_ outcome: RecordedOutcome) {
        swallowed = []
        switch outcome.takenBy {
        case .keyDown? where outcome.action == nil:
            for id in chain.prefix(while: { $0 != outcome.target }) { swallowed.append((id, false)) }
            if let target = outcome.target { swallowed.append((target, true)) }
        case nil where outcome.outcome == .unhandled: swallowed = chain.map { ($0, false) }
        default: break
        }
    }
}

extension CommandDescription {
    /// A recorded list; an alternate belongs to the command before it. Commands that a scene has no name for are left
    /// out: their keys are none that it could name.
    static func list(_ list: CommandListRef, _ definitions: TraceDefinitions) -> [CommandDescription] {
        var commands: [CommandDescription] = []
        for definition in (definitions[list] ?? []).lazy.compactMap({ definitions[$0] }) {
            if definition.attributes.contains(.alternate), !commands.isEmpty {
                commands[commands.count - 1].alternates.append(
                    Alternate(
                        modifiers: definition.modifiers, action: definition.action, title: definition.title ?? ""))
            } else if let command = CommandDescription(definition) {
                commands.append(command)
            }
        }
        return commands
    }

    fileprivate init?(_ definition: CommandDefinition) {
        guard let input = definition.input, input.isEmpty || Scene.canName(input: input),
            Selector(definition.action).isValid
        else { return nil }
        self.init(input: input, modifiers: definition.modifiers, action: definition.action)
        title = definition.title ?? ""
        isDisabled = definition.attributes.contains(.disabled)
        isHidden = definition.attributes.contains(.hidden)
        wantsPriority = definition.attributes.contains(.wantsPriority)
        allowsAutomaticLocalization = !definition.attributes.contains(.notLocalised)
        allowsAutomaticMirroring = !definition.attributes.contains(.notMirrored)
        if definition.attributes.contains(.notRepeating) { repeatBehavior = .nonRepeatable }
    }
}
