@_exported public import KeyModel
@_exported public import TraceFormat
public import CRecorderSupport

/// The recorder that an app calls. One recording at a time; calls from any thread; a call costs one load and one
/// branch while nothing is recorded.
///
/// Keys and calls go into a buffer of the calling thread, without a lock and without an allocation; a background
/// thread takes them from there into the trace. Entries that cannot be taken in time are counted, never waited for.
///
/// A process that is forked from one that records does not record; it may begin a recording of its own.
///
/// Typed text is masked before a byte is stored, titles are left out unless they are public, and between
/// `beginSecureEntry` and `endSecureEntry`, and while `textInput` has reported a secure input, nothing at all is
/// stored. Names are kept as long as the process lives, 65,536 of each kind; later ones are `unnamed`.
public enum Keyflight {
    /// True when this build records; false in a release build without the package's trait `Recording`.
    @inlinable @inline(__always) public static var isCompiledIn: Bool {
        #if KEYFLIGHT_RECORDING
        return true
        #else
        return false
        #endif
    }

    /// True while a recording runs and is neither paused nor inside a secure entry.
    @inlinable @inline(__always) public static var isRecording: Bool { switchWord & 1 != 0 }

    @inlinable @inline(__always) static var switchWord: UInt32 { isCompiledIn ? keyflight_switch() : 0 }

    /// Gets the calling thread's buffer ready, so that its first call allocates nothing.
    public static func prepareThread() { _ = buffer(0) }
}

// MARK: Keys

extension Keyflight {
    /// A key goes down, up, repeats or is cancelled. What follows on this thread (stages, calls, the resolution)
    /// belongs to this press until the next key event.
    ///
    /// `systemTime`: when the operating system stamped the event, in nanoseconds of CLOCK_MONOTONIC; the stage
    /// `inputDelay` is the time from then until now. That of a release is no stage of its press.
    @inlinable @inline(__always) public static func key(
        _ usage: KeyUsage, _ phase: KeyPhase, device: UInt16 = 1, systemTime: UInt64? = nil, isSynthetic: Bool = false
    ) {
        let word = switchWord
        guard word & 1 != 0 else { return }
        if let systemTime {
            recordKey(word, usage, phase, device, systemTime, isSynthetic ? 4 : 0)
        } else {
            recordPlainKey(word, usage, phase, device, isSynthetic ? 4 : 0)
        }
    }

    /// A key that types text and that HID has no usage for, or that its event does not identify. Its class is
    /// recorded, even where keys are shown.
    /// - Parameter number: the same for its release.
    package static func unnamedKey(_ kind: TextKeyClass, _ number: UInt8) -> KeyUsage {
        HeldKeyCells.unnamed(kind, number)
    }

    @usableFromInline static func recordKey(
        _ word: UInt32, _ usage: KeyUsage, _ phase: KeyPhase, _ device: UInt16, _ systemTime: UInt64,
        _ origin: UInt32
    ) {
        let buffer = threadBuffer(word)
        // A key that is left out on purpose has no stage either: its time would disclose it.
        guard buffer.recordKey(usage, phase, device, origin), RecorderSwitch.includes(word, 2) else { return }
        buffer.record(.inputDelay, more: 1, systemTime)
    }
}

/// `origin`: 4 for a synthetic event, else 0, which is known where this is called.
///
/// No member of `Keyflight`, whose metatype would be passed and dropped on the way.
@usableFromInline func recordPlainKey(
    _ word: UInt32, _ usage: KeyUsage, _ phase: KeyPhase, _ device: UInt16, _ origin: UInt32
) {
    threadBuffer(word).recordKey(usage, phase, device, origin)
}

extension UnsafeMutablePointer where Pointee == ThreadBuffer {
    /// The hot path: a clock read, what may be stored of the key, two words. False when nothing may be stored.
    @inline(__always) @discardableResult func recordKey(
        _ usage: KeyUsage, _ phase: KeyPhase, _ device: UInt16, _ origin: UInt32
    ) -> Bool {
        guard let now = begin() else { return false }
        guard let stored = pointee.keys.stored(usage.rawValue, phase, device) else {
            cancel()
            return false
        }
        pointee.keys.current = stored.ordinal
        // A call that never ended makes no call of a later key deeper.
        pointee.depth = 0
        let flags = UInt32(phase.rawValue) | origin | (stored.form == .masked ? 8 : 0)
        if stored.form != .otherPage, device < 1 << 8, stored.ordinal < 1 << 28 {
            append(
                .key, at: now, small: device | UInt16(truncatingIfNeeded: stored.key) << 8,
                wide: flags | stored.ordinal << 4)
            return true
        }
        let usage = stored.form == .clear ? 0x7_0000 | stored.key : stored.key
        append(
            .rareKey, at: now, small: UInt16(truncatingIfNeeded: flags), wide: UInt32(device), more: 1,
            halves(usage, stored.ordinal))
        return true
    }
}
