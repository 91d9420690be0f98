import ResponderEngine

/// A call for which a scene can declare a virtual service time.
public enum DeclaredCall: Hashable, Sendable {
    case keyCommands
    case canPerformAction
    case validate
    case buildMenu
    /// `pressesBegan`, `pressesEnded` and `pressesCancelled`.
    case presses
    /// Performing the action with this selector.
    case action(String)

    /// The call that a scene's `cost` names; `nil` for a name that is neither a call nor a selector.
    public init?(name: String) {
        switch name {
        case "keyCommands": self = .keyCommands
        case "canPerformAction": self = .canPerformAction
        case "validate": self = .validate
        case "buildMenu": self = .buildMenu
        case "presses": self = .presses
        default:
            guard Selector(name).isValid else { return nil }
            self = .action(name)
        }
    }
}
