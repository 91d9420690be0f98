public import KeyModel

/// The key of a press, as `UIKey` gives it (spec §1.3).
public struct Key: Hashable, Sendable {
    /// What the key types with the held modifiers.
    public var characters: String
    /// What the key types without modifiers: Latin letters in lower case, the `KeyCommand.input…` constants for
    /// special keys, empty for a lone modifier.
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
///
/// The object is valid until its press ended; afterwards the engine uses it for another press. Keep its values,
/// not the object.
public final class Press: Hashable {
    /// Raw values as `UIPress.Phase`; keyboards send neither changed nor stationary (spec EV-4).
    public enum Phase: Int, Sendable {
        case began = 0, changed, stationary, ended, cancelled
    }

    @exclusivity(unchecked) public internal(set) var phase: Phase = .began
    /// Nanoseconds since the recording's time 0.
    @exclusivity(unchecked) public internal(set) var timestamp = TraceTime.zero
    @exclusivity(unchecked) var identity = KeyIdentity.masked(.letter)
    @exclusivity(unchecked) var flags: KeyModifiers = []
    @exclusivity(unchecked) var table: KeyTable?
    /// Which table it is, so that the same one is not given anew to each press.
    @exclusivity(unchecked) var tableNumber = -1

    /// What the key is and types; nothing of it for a masked key.
    public var key: Key? {
        guard let usage = identity.usage, let table else {
            return Key(characters: "", charactersIgnoringModifiers: "", modifierFlags: flags, keyCode: nil)
        }
        return table.key(usage, flags: flags)
    }

    /// The start responder at the time of first dispatch (spec §1.3); `nil` when the press has ended.
    public internal(set) var responder: Responder? {
        get { link?.takeUnretainedValue() }
        set {
            link = newValue.map(Unmanaged.passUnretained)
            if kept != nil { kept = nil }
        }
    }
    /// One of the receivers, which keep it.
    @exclusivity(unchecked) private var link: Unmanaged<Responder>?
    @exclusivity(unchecked) private var kept: Responder?

    /// Keeps the start responder, which may be among the receivers no more.
    func keepResponder() { kept = link?.takeUnretainedValue() }

    @inline(__always)
    func begin(with start: Unmanaged<Responder>?) { link = start }
    /// 1 while down, 0 afterwards: keyboards are digital.
    public var force: Double { phase == .began ? 1 : 0 }

    init() {}

    public static func == (a: Press, b: Press) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The event that carries presses to responders (`UIPressesEvent`).
public final class PressesEvent {
    @exclusivity(unchecked) public internal(set) var timestamp = TraceTime.zero
    /// The modifiers held.
    @exclusivity(unchecked) public internal(set) var modifierFlags: KeyModifiers = []
    public internal(set) var allPresses: Set<Press> = []

    /// Set by the default implementation of `pressesBegan` and its siblings: the press goes on to the next
    /// responder (spec EV-4).
    @exclusivity(unchecked) var isPassedOn = false

    init() {}
}
