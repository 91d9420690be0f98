package import TraceFormat
import TracePresses

/// A responder off the chain that offers the pressed chord, by its scene or by another press of the recording.
package struct UnaskedOffer: Hashable, Sendable {
    package var id: String
    package var command: CommandDefinition

    package init(id: String, command: CommandDefinition) { (self.id, self.command) = (id, command) }
}

/// The rules of a press as far as they are recorded: the profile with its parameters, and the layout.
package struct PressRules: Hashable, Sendable {
    /// The facts of the environment, by name.
    package var environment: [String: String]
    package var layoutName: String?
    /// Handle of the layout's table; `nil` where the recording does not have it.
    package var layoutTable: StringRef?

    init(_ context: PressContext) {
        (environment, layoutName) = (context.environment, context.layoutName)
        layoutTable = context.layoutTable
    }
}
