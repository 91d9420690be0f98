public import KeyModel

/// Turns key events into the key records of a trace: masks what types text, numbers the presses, and joins the
/// modifiers. `KeyboardState` has the rules. A second down of a key that is already down ends the press before it.
public struct MaskedKeyRecorder: Sendable {
    /// Keys that type text are recorded as such.
    public let showsKeys: Bool
    /// Keys and modifiers held after the last event.
    public private(set) var keyboard: KeyboardState
    /// Presses so far.
    public var presses: UInt32 { keyboard.pressCount }

    /// Held keys that are followed: those of some thousand keyboards, so that a capture of many has all its presses
    /// paired, and one that never releases a key is read in time.
    private static let limit = 4096

    /// `presses`: how many there were before, in a recording that goes on. `isCapsLockOn`: before the first event.
    public init(showsKeys: Bool = false, presses: UInt32 = 0, isCapsLockOn: Bool = false) {
        self.showsKeys = showsKeys
        keyboard = KeyboardState(
            pressCount: presses, isCapsLockOn: isCapsLockOn, limit: MaskedKeyRecorder.limit)
    }

    /// The record of an event. All events must come, in order.
    public mutating func record(_ event: KeyEvent) -> KeyRecord {
        if event.phase == .down { keyboard.endEarlier(event.key, device: event.device) }
        let held = keyboard.apply(event)
        return keyboard.record(of: event, held, press: held?.press, showsKeys: showsKeys)
    }

    /// Writes the records of events that are in the order of time. `definitions`: those of the trace so far.
    public mutating func record(
        _ events: [KeyEvent], into writer: inout TraceWriter, definitions: borrowing TraceDefinitions
    ) throws {
        for event in events { try writer.append(record(event), at: event.time, definitions: definitions) }
    }
}

extension KeyboardState {
    /// The record of an event that was applied, masked unless `showsKeys`. `held`: the key that it belongs to.
    @inlinable package func record(
        of event: KeyEvent, _ held: HeldKey?, press: UInt32?, showsKeys: Bool
    ) -> KeyRecord {
        record(
            showsKeys ? event.key : event.key.masked(held), event.phase, device: event.device, press: press,
            isSynthetic: event.isSynthetic)
    }

    /// The record of an applied event of a key that is masked already, where it has to be.
    @inlinable package func record(
        _ key: KeyIdentity, _ phase: KeyPhase, device: UInt16, press: UInt32?, isSynthetic: Bool
    ) -> KeyRecord {
        KeyRecord(
            device: device, key: key, phase: phase, modifiers: modifiers.flags(for: key), press: press,
            isSynthetic: isSynthetic)
    }
}
