/// Names of environment facts that recorders and replays write alike.
package enum EnvironmentFact {
    /// `ipad` or `iphone`.
    package static let device = "device"
    /// `true` where the device has a focus system.
    package static let focusSystem = "focusSystem"
    /// The item that has the focus without being first responder; empty when that is over (spec FR-5).
    package static let focusedItem = "focusedItem"
}
