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

    /// The key and what it types; no part of it for a masked key.
    public var key: Key? {
        guard let usage = stroke.usage else {
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

/// The event that carries presses to responders (`UIPressesEvent`).
public class PressesEvent {
    public final var timestamp: TraceTime { state.timestamp }
    /// The modifiers held.
    public final var modifierFlags: KeyModifiers { state.modifierFlags }
    public final let allPresses: Set<Press>

    /// Set by the default implementation of `pressesBegan` and its siblings: the press goes on to the next
    /// responder (spec EV-4).
    final var isPassedOn = false
    final var state: State

    struct State {
        var timestamp: TraceTime
        var modifierFlags: KeyModifiers
    }

    init(_ press: Press, modifierFlags: KeyModifiers, at time: TraceTime) {
        // A literal would make an array first.
        allPresses = Set(CollectionOfOne(press))
        state = State(timestamp: time, modifierFlags: modifierFlags)
    }
}
