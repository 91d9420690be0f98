public import KeyModel

extension KeyboardEngine {
    /// A key goes down. `nil` for a lone modifier, which yields no line.
    public func keyDown(_ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime) -> Resolution? { nil }

    /// A key comes up (or is cancelled by its source). `nil` when it was not held.
    public func keyUp(_ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime, cancelled: Bool = false)
        -> Release? { nil }

    /// A held key repeats. `nil` when this key does not repeat (any more).
    public func repeatTick(_ key: KeyIdentity, device: UInt16 = 1, at time: TraceTime) -> Resolution? { nil }

    /// Text that comes from no key: paste, dictation, an emoji picker. `nil` when nothing takes text.
    public func insertText(_ text: String, at time: TraceTime) -> Resolution? { nil }

    /// Held modifiers.
    public var modifiers: KeyModifiers { [] }

    /// A hash of what decides the next press and of what a user sees; never of text.
    public func stateHash() -> UInt64 { 0 }
}
