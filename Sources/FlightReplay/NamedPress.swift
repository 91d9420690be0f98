import KeyModel
import TraceFormat
import TracePresses

/// A line with the names of what its handles mean. Names are looked up when they are asked for: presses that are the
/// same in two recordings have other handles there.
struct NamedPress {
    let line: PressLine
    let definitions: TraceDefinitions

    struct Answer: Hashable {
        var responder: String
        var action: String?
        var isYes: Bool
    }

    /// A command that matches, and what became of it.
    struct Candidate: Hashable {
        var supplier: String
        /// As in `NamedPress.text(of:)`.
        var command: String
        var reason: String
        var name: String { "\(command) of \(supplier)" }
    }

    func id(_ ref: ResponderRef?) -> String? { ref.flatMap { definitions[$0]?.id } }
    private func text(_ ref: StringRef?) -> String? { ref.flatMap { definitions[$0] } }
    private var commandDefinition: CommandDefinition? { line.resolution.command.flatMap { definitions[$0] } }

    var action: String? { text(line.resolution.action) }
    var target: String? { id(line.resolution.target) }
    var character: String? { text(line.resolution.character) }
    /// `nil` also where text is masked.
    var text: String? { text(line.resolution.text) }
    var supplier: String? {
        id(line.resolution.supplier) ?? (commandDefinition?.attributes.contains(.mainMenu) == true ? "mainMenu" : nil)
    }
    /// The command that took the press.
    var command: String? { commandDefinition.map(NamedPress.text) }
    var receivers: [String] { line.run.receivers.map { id($0.responder) ?? "?" } }
    /// Receivers that did not pass the press on.
    var swallowers: Set<String> { Set(line.run.receivers.filter(\.isSwallowed).map { id($0.responder) ?? "?" }) }

    var candidates: [Candidate] {
        line.run.candidates.compactMap { candidate in
            definitions[candidate.command].map { command in
                Candidate(
                    supplier: id(candidate.supplier) ?? "the main menu", command: NamedPress.text(of: command),
                    reason: text(candidate.reason) ?? candidate.verdict.name)
            }
        }
    }
    var shadowed: [String] {
        line.run.candidates.filter { $0.verdict == .shadowed }.compactMap { candidate in
            definitions[candidate.command].map { "\(id(candidate.supplier) ?? "mainMenu"):\($0.action)" }
        }
    }
    var effects: [String] {
        line.effects.map { effect in
            [id(effect.responder), text(effect.kind), text(effect.value)].compactMap(\.self).joined(separator: " ")
        }
    }
    /// The responders' answers about actions, in order.
    var answers: [Answer] {
        line.run.calls.filter { $0.kind == .canPerformAction }.compactMap { call in
            id(call.responder).map { Answer(responder: $0, action: text(call.action), isYes: call.answer == .yes) }
        }
    }

    // MARK: The chain

    var start: String? { id(line.resolution.start) }
    /// The responders from the start on, each once.
    var members: [ResponderRef] { line.press.context.chain(from: line.resolution.start) }
    var keyWindow: String? { id(line.press.context.keyWindow?.window) }
    /// The responder that takes text.
    var textInput: String? { id(line.press.context.textInput?.responder) }

    // MARK: Commands

    /// The commands of a list as people read them, without titles.
    func commands(of list: CommandListRef?) -> [String]? {
        list.flatMap { definitions[$0] }?.compactMap { definitions[$0].map(NamedPress.text) }
    }

    private static func text(of command: CommandDefinition) -> String {
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
