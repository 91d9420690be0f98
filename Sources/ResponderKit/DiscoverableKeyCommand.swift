public import ResponderEngine

/// A key command of a component, which an app may put into its main menu instead (spec KK-4).
open class DiscoverableKeyCommand: KeyCommand {
    /// False: the component leaves it out of its `keyCommands`, because the same object is in the main menu.
    public final var shouldBeIncludedInResponderChainKeyCommands = true
}

extension KeyCommand {
    /// For a key that means a place on the screen: it is the same in a right-to-left interface.
    func unmirrored() -> Self {
        allowsAutomaticMirroring = false
        return self
    }

    /// Before what the system does with its key.
    func withPriority() -> Self {
        wantsPriorityOverSystemBehavior = true
        return self
    }
}

extension [KeyCommand] {
    /// The commands that are not in the main menu.
    var ofTheChain: [KeyCommand] {
        filter { ($0 as? DiscoverableKeyCommand)?.shouldBeIncludedInResponderChainKeyCommands != false }
    }
}
