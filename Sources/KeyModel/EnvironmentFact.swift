/// Names of environment facts that recorders and replays write alike.
package enum EnvironmentFact {
    /// `ipad` or `iphone`.
    package static let device = "device"
    /// `true` where the device has a focus system.
    package static let focusSystem = "focusSystem"
    /// The item that has the focus without being first responder; empty when that is over (spec FR-5).
    package static let focusedItem = "focusedItem"
    /// `false` while the text input that has the keyboard cannot be edited, `true` when that is over.
    package static let textIsEditable = "textIsEditable"
    /// What of the app takes a key that is held without ⌘ and ⌃, while a text has the keyboard: `commands`, which may
    /// come before the text or behind it, `menuCommands`, `priorityCommands`, `presses` (handlers of presses, of
    /// SwiftUI or of a web page), or `keyBindings`, whose sequences make of a key what the keys before it were. Of
    /// masked presses the outcome is left out then.
    package static let bareKeys = "bareKeys"
}
