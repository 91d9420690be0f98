package import ResponderEngine
package import TraceFormat

extension KeyCommand {
    /// Live commands with the content of recorded ones; an alternate belongs to the command before it.
    package static func commands(_ definitions: [CommandDefinition]) -> [KeyCommand] {
        var made: [KeyCommand] = []
        for definition in definitions {
            if definition.attributes.contains(.alternate), let parent = made.last {
                parent.alternates.append(
                    CommandAlternate(
                        title: definition.title ?? "", action: Selector(definition.action),
                        modifierFlags: definition.modifiers))
                continue
            }
            var attributes: Attributes = []
            if definition.attributes.contains(.disabled) { attributes.insert(.disabled) }
            if definition.attributes.contains(.hidden) { attributes.insert(.hidden) }
            let command = KeyCommand(
                title: definition.title ?? "", action: Selector(definition.action), input: definition.input,
                modifierFlags: definition.modifiers, attributes: attributes)
            command.wantsPriorityOverSystemBehavior = definition.attributes.contains(.wantsPriority)
            if definition.attributes.contains(.notRepeating) { command.repeatBehavior = .nonRepeatable }
            command.allowsAutomaticLocalization = !definition.attributes.contains(.notLocalised)
            command.allowsAutomaticMirroring = !definition.attributes.contains(.notMirrored)
            made.append(command)
        }
        return made
    }
}

extension Effect.Value {
    /// The value that a trace keeps as JSON.
    init(json: String?) {
        switch json {
        case nil: self = .none
        case "true"?: self = .flag(true)
        case "false"?: self = .flag(false)
        case let text?:
            if let number = Int(text) {
                self = .number(number)
            } else if text.hasPrefix("[") {
                self = .numbers(text.dropFirst().dropLast().split(separator: ",").compactMap { Int($0) })
            } else {
                self = .text(JSONText.unquoted(text) ?? text)
            }
        }
    }
}
