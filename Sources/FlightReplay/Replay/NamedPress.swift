import KeyModel
import TraceFormat
import TracePresses

/// A press with the names of its handles. Names are looked up on demand: presses that are the same in two recordings
/// have other handles there.
struct NamedPress {
    let press: ResolvedPress
    let definitions: TraceDefinitions

    struct Answer: Hashable {
        var responder: String
        var action: String?
        var isYes: Bool
    }

    /// A command that matches, and what became of it.
    struct Candidate: Hashable {
        var supplier: String
        /// Text as by `NamedPress.text(of:)`.
        var command: String
        var reason: String
        var name: String { "\(command) of \(supplier)" }
    }

    private var context: PressContext { press.press.context }
    func id(_ ref: ResponderRef?) -> String? { ref.flatMap { definitions[$0]?.id } }
    private func text(_ ref: StringRef?) -> String? { ref.flatMap { definitions[$0] } }
    private var commandDefinition: CommandDefinition? { press.resolution.command.flatMap { definitions[$0] } }

    var action: String? { text(press.resolution.action) }
    var target: String? { id(press.resolution.target) }
    var character: String? { text(press.resolution.character) }
    /// `nil` also where text is masked.
    var text: String? { text(press.resolution.text) }
    var supplier: String? {
        id(press.resolution.supplier) ?? (commandDefinition?.attributes.contains(.mainMenu) == true ? "mainMenu" : nil)
    }
    /// The command that took the press.
    var command: String? { commandDefinition.map(NamedPress.text) }
    var receivers: [String] { press.run.receivers.map { id($0.responder) ?? "?" } }
    /// Receivers that did not pass the press on.
    var swallowers: Set<String> { Set(press.run.receivers.filter(\.isSwallowed).map { id($0.responder) ?? "?" }) }

    /// Named one by one as they are read: a press may have tens of thousands.
    var candidates: some Sequence<Candidate> {
        press.run.candidates.lazy.compactMap { candidate in
            definitions[candidate.command].map { command in
                Candidate(
                    supplier: id(candidate.supplier) ?? "the main menu", command: NamedPress.text(of: command),
                    reason: definitions.reason(of: candidate) ?? candidate.verdict.name)
            }
        }
    }
    /// Named as `candidates` are.
    var shadowed: some Sequence<String> {
        press.run.candidates.lazy.filter { $0.verdict == .shadowed }.compactMap { candidate in
            definitions[candidate.command].map { "\(id(candidate.supplier) ?? "mainMenu"):\($0.action)" }
        }
    }
    var effects: [String] {
        press.effects.map { effect in
            [id(effect.responder), text(effect.kind), text(effect.value)].compactMap(\.self).joined(separator: " ")
        }
    }
    /// The responders' answers about actions, in order.
    var answers: [Answer] {
        press.run.calls.filter { $0.kind == .canPerformAction }.compactMap { call in
            id(call.responder).map { Answer(responder: $0, action: text(call.action), isYes: call.answer == .yes) }
        }
    }

    // MARK: The chain

    var start: String? { id(press.resolution.start) }
    /// The responders from the start on, each once.
    var members: [String] { context.chain(from: press.press.start).compactMap(id) }
    var keyWindow: String? { id(context.keyWindow?.window) }
    /// The responder that takes text.
    var textInput: String? { id(context.textInput?.responder) }

    // MARK: Commands

    /// The key commands that responders answered last, by id, with the answers to this press.
    var lists: [String: CommandListRef] {
        var lists: [String: CommandListRef] = [:]
        for (place, definition) in definitions.responders.enumerated() {
            let list = context.list(of: ResponderRef(rawValue: UInt32(truncatingIfNeeded: place)))
            if let list { lists[definition.id] = list }
        }
        for call in press.press.calls where call.kind == .keyCommands {
            if case .commands(let list) = call.answer, let id = id(call.responder) { lists[id] = list }
        }
        return lists
    }

    /// The commands of the main menu, as the press left them.
    var menu: CommandListRef? {
        for call in press.press.calls.reversed() where call.kind == .buildMenu {
            if case .commands(let list) = call.answer { return list }
        }
        return press.press.menu ?? context.menu
    }

    /// The commands of a list.
    func commands(of list: CommandListRef?) -> NamedCommands? {
        list.flatMap { definitions[$0] }.map { NamedCommands(commands: $0, definitions: definitions) }
    }

    fileprivate static func text(of command: CommandDefinition) -> String {
        let key = command.modifiers.names + [command.input ?? "no input"]
        let words = attributes.filter { command.attributes.contains($0.0) }.map(\.1)
        let rest = words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
        return "\(key.joined(separator: "+")) \(command.action)\(rest)"
    }

    private static let attributes: [(CommandDefinition.Attributes, String)] = [
        (.disabled, "disabled"), (.hidden, "hidden"), (.wantsPriority, "priority"), (.alternate, "alternate"),
        (.notRepeating, "does not repeat"), (.notLocalised, "not localised"), (.notMirrored, "not mirrored"),
    ]
}

/// Commands as people read them, without titles. Named one by one as they are read: a list may have 65,536.
struct NamedCommands: RandomAccessCollection {
    fileprivate let commands: [CommandRef]
    fileprivate let definitions: TraceDefinitions

    static var none: NamedCommands { NamedCommands(commands: [], definitions: TraceDefinitions()) }

    var startIndex: Int { 0 }
    var endIndex: Int { commands.count }
    subscript(place: Int) -> String { definitions[commands[place]].map(NamedPress.text) ?? "unknown" }
}
