/// The phase of a key event. A press is one down, any number of repeats, and one up or cancel.
public enum KeyPhase: UInt8, NamedCase, Hashable, Sendable {
    case down, up, `repeat`, cancel

    public static let names = ["down", "up", "repeat", "cancel"]
}

/// A key of a keyboard as far as it may be known: in clear, or only its class (see `KeyboardState`).
public enum KeyIdentity: Hashable, Sendable {
    case clear(KeyUsage)
    case masked(TextKeyClass)

    @inlinable public var usage: KeyUsage? { if case .clear(let usage) = self { usage } else { nil } }
    @inlinable public var maskedClass: TextKeyClass? { if case .masked(let c) = self { c } else { nil } }

    /// True for keys whose events carry numericPad (spec DT-2). Of a masked key its class alone decides, so that the
    /// flag reveals no more than the class does.
    @inlinable public var isKeypad: Bool {
        switch self {
        case .clear(let usage): usage.isKeypad
        case .masked(let textClass): textClass == .keypad
        }
    }

    /// Written out, so that it is compared in place: each event looks for its key among those that are held.
    @inlinable public static func == (a: KeyIdentity, b: KeyIdentity) -> Bool {
        switch (a, b) {
        case (.clear(let a), .clear(let b)): a.rawValue == b.rawValue
        case (.masked(let a), .masked(let b)): a == b
        case (.clear, .masked), (.masked, .clear): false
        }
    }

    /// The key in a masked recording. `held`: what `KeyboardState` returned for its event.
    @inlinable public func masked(_ held: KeyboardState.HeldKey?) -> KeyIdentity {
        guard held?.isClear != true, case .clear(let usage) = self else { return self }
        return TextKeyClass(usage).map { .masked($0) } ?? self
    }
}

/// A key of one keyboard, at the resolution at which a trace distinguishes keys.
package struct KeyOfDevice: Hashable, Sendable {
    package var device: UInt16
    package var key: KeyIdentity

    package init(_ device: UInt16, _ key: KeyIdentity) {
        self.device = device
        self.key = key
    }
}

/// One key going down, up, repeating or being cancelled on one keyboard.
public struct KeyEvent: Hashable, Sendable {
    /// Time since the recording's time 0.
    public var time: TraceTime
    /// The keyboard stream, 1-based; a script's keyboard is 1.
    public var device: UInt16
    public var key: KeyIdentity
    public var phase: KeyPhase
    /// True for an event that no source sent: the release of a key that was still held when the source ended or went
    /// away, the down of a modifier that was found to be held.
    public var isSynthetic: Bool

    @inlinable public init(
        time: TraceTime, device: UInt16 = 1, key: KeyIdentity, phase: KeyPhase, isSynthetic: Bool = false
    ) {
        self.time = time
        self.device = device
        self.key = key
        self.phase = phase
        self.isSynthetic = isSynthetic
    }
}
