/// A stage of one press, from the switch to the settled frame, in order. Stages of a press sum to its total.
public enum LatencyStage: UInt8, NamedCase, Hashable, Sendable {
    /// Switch closure to host; measurable only with hardware help.
    case hid
    /// Bus completion to the operating system's timestamp.
    case transport
    /// Operating system's timestamp to entry into the app, queueing behind earlier presses included.
    case inputDelay
    /// The climb of the raw press through the responders.
    case presses
    /// Waiting whether a longer key sequence follows.
    case chordWait
    /// All passes of `keyCommands` and menu building.
    case collect
    case match
    case validate
    case action
    /// End of the action to idle, or to the committed frame.
    case settle

    /// The names used in JSON.
    public static let names = [
        "hid", "transport", "inputDelay", "presses", "chordWait", "collect", "match", "validate", "action", "settle",
    ]
}
