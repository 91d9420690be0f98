public import KeyModel

/// The key of a press, as `UIKey` gives it (spec §1.3).
public struct Key: Hashable, Sendable {
    /// The text that the key types with the held modifiers.
    public var characters: String
    /// The text that the key types without modifiers: Latin letters in lower case, the `KeyCommand.input…` constants
    /// for special keys, empty for a lone modifier.
    public var charactersIgnoringModifiers: String
    public var modifierFlags: KeyModifiers
    /// The position; `nil` for a masked key.
    public var keyCode: KeyUsage?

    public init(
        characters: String, charactersIgnoringModifiers: String, modifierFlags: KeyModifiers, keyCode: KeyUsage?
    ) {
        self.characters = characters
        self.charactersIgnoringModifiers = charactersIgnoringModifiers
        self.modifierFlags = modifierFlags
        self.keyCode = keyCode
    }
}

/// One key held down, from its began to its ended or cancelled.
public final class Press: Hashable {
    /// Raw values as `UIPress.Phase`; keyboards send neither changed nor stationary (spec EV-4).
    public enum Phase: Int, Sendable {
        case began = 0, changed, stationary, ended, cancelled
    }

    public var phase: Phase { state.phase }
    /// Nanoseconds since the recording's time 0.
    public var timestamp: TraceTime { state.timestamp }
    /// The start responder at the time of first dispatch (spec §1.3); `nil` when the press has ended.
    public var responder: Responder? { state.responder }
    /// 1 while down, 0 afterwards: keyboards are digital.
    public var force: Double { phase == .began ? 1 : 0 }

    var state: State
    let stroke: Stroke

    /// The key and what it types; no part of it for a masked key, unless its class has no other.
    public var key: Key? {
        guard let usage = stroke.knownUsage else {
            return Key(characters: "", charactersIgnoringModifiers: "", modifierFlags: stroke.flags, keyCode: nil)
        }
        return stroke.table.key(usage, flags: stroke.flags)
    }

    struct State {
        var phase = Phase.began
        var timestamp: TraceTime
        var responder: Responder?
    }

    init(_ stroke: Stroke, at time: TraceTime) {
        self.stroke = stroke
        state = State(timestamp: time)
    }

    public static func == (a: Press, b: Press) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The event that carries presses to responders (`UIPressesEvent`); for the engine, a key that is down, with its
/// receivers and the work of its repeats.
public final class PressesEvent {
    public var timestamp: TraceTime { state.timestamp }
    /// The modifiers held.
    public var modifierFlags: KeyModifiers { state.modifierFlags }
    public let allPresses: Set<Press>
    /// The only one of them.
    let press: Press
    let key: KeyIdentity
    let device: UInt16
    var stroke: Stroke { press.stroke }

    /// Set by the default implementation of `pressesBegan` and its siblings: the press goes on to the next
    /// responder (spec EV-4).
    var isPassedOn = false
    var state: State
    /// The receivers of `pressesBegan`, which get ended or cancelled (spec EV-6); `nil` for none.
    var receivers: ResponderList?
    /// The gesture recognisers that got its began, and get its end (spec EV-3).
    var recognizers: [GestureRecognizer] = []
    /// The stage that took the press, to be run again (spec §2.2).
    var stage: DeliveryStage?
    var repeats = false
    /// A recording does not answer what took the press.
    var isUndecided = false
    /// Its key-down read the key commands, so its ticks do.
    var didCollect = false
    /// Its key-up is one of those at which some profiles read key commands again (spec EV-12).
    var queriesOnUp = false
    /// The lists of its key-down, for the policies that keep them.
    var commands: [CollectedCommand]?
    /// The chain, and the hosts of shortcuts, that those were read of.
    var source: (chain: ResponderList, hosts: [Responder])?

    struct State {
        var timestamp: TraceTime
        var modifierFlags: KeyModifiers
    }

    init(_ key: KeyIdentity, device: UInt16, stroke: Stroke, at time: TraceTime) {
        self.key = key
        self.device = device
        state = State(timestamp: time, modifierFlags: stroke.flags)
        press = Press(stroke, at: time)
        allPresses = [press]
    }
}
