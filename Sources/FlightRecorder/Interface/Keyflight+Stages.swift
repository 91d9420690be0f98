import CRecorderSupport

/// A stage that has begun. Trivial to keep and to copy. It belongs to the press that its thread handled when it began.
/// A span that began while nothing was recorded, before a pause or a secure entry, or in another recording ends as
/// nothing.
public struct StageSpan: Sendable {
    public let stage: LatencyStage
    /// The generation of the switch when it began.
    package let generation: UInt32
    /// Ticks of the recorder; 0 when nothing is recorded.
    @usableFromInline package let start: UInt64
    /// The press that its thread handled, by the thread's own ordinal.
    package let press: UInt32

    @usableFromInline package init(stage: LatencyStage, start: UInt64, generation: UInt32 = 0, press: UInt32 = 0) {
        self.stage = stage
        self.start = start
        self.generation = generation
        self.press = press
    }
}

extension Keyflight {
    /// Measures one stage of the press that this thread handles.
    @inlinable @inline(__always) @discardableResult public static func measure<R, E: Error>(
        _ stage: LatencyStage, _ body: () throws(E) -> R
    ) throws(E) -> R {
        let span = begin(stage)
        defer { end(span) }
        return try body()
    }

    /// A stage begins.
    @inlinable @inline(__always) public static func begin(_ stage: LatencyStage) -> StageSpan {
        let word = switchWord
        return word & 1 == 0 ? StageSpan(stage: stage, start: 0) : begun(word, stage)
    }

    /// The stage is over.
    @inlinable @inline(__always) public static func end(_ span: StageSpan) {
        if span.start != 0 { recordStage(switchWord, span) }
    }

    /// The stage is over and the next one begins at the same moment: one clock read for both.
    @inlinable @inline(__always) public static func next(_ span: StageSpan, _ stage: LatencyStage) -> StageSpan {
        guard span.start != 0 else { return begin(stage) }
        return next(switchWord, span, stage)
    }

    /// A stage that was measured elsewhere, such as the keyboard's own `hid`.
    public static func stage(_ stage: LatencyStage, lasted duration: TraceDuration) {
        buffer(2)?.record(
            .stage, small: UInt16(stage.rawValue) | StageEntry.isNanoseconds, more: 1,
            UInt64(max(0, duration.nanoseconds)))
    }

    /// Counts that were made of the thread in a stage, before it ends. `process` has those of the handling of the press
    /// since it began or went on: bytes read and written, `UInt64.max` where that is not known, minor faults and
    /// voluntary context switches. Recorded in recordings with `RecorderOptions.recordsInvocations`.
    package static func cost(
        _ span: StageSpan, allocations: UInt64, bytes: UInt64,
        process: (read: UInt64, written: UInt64, faults: UInt64, switches: UInt64)?
    ) {
        guard span.start != 0, let buffer = buffer(2), RecorderSwitch.generation(switchWord) == span.generation else {
            return
        }
        let current = buffer.pointee.keys.current
        let press = span.press == current || span.press == HeldKeyCells.adopted ? 0 : span.press
        let stage = UInt16(span.stage.rawValue)
        guard let process else { return buffer.record(.cost, small: stage, wide: press, more: 2, allocations, bytes) }
        guard let now = buffer.begin() else { return }
        buffer.append(
            .cost, at: now, small: stage, wide: press, more: 6, allocations, bytes, process.read, process.written,
            process.faults, process.switches)
    }

    @usableFromInline static func begun(_ word: UInt32, _ stage: LatencyStage) -> StageSpan {
        guard RecorderSwitch.includes(word, 2) else { return StageSpan(stage: stage, start: 0) }
        let press = threadBuffer(word).pointee.keys.current
        return StageSpan(
            stage: stage, start: keyflight_ticks(), generation: RecorderSwitch.generation(word), press: press)
    }

    @usableFromInline static func next(_ word: UInt32, _ span: StageSpan, _ stage: LatencyStage) -> StageSpan {
        guard word & RecorderSwitch.on != 0 else { return StageSpan(stage: stage, start: 0) }
        let end = recordStage(word, span)
        guard end != 0 else { return begun(word, stage) }
        return StageSpan(stage: stage, start: end, generation: span.generation, press: span.press)
    }

    /// Gives back when the stage ended, 0 when it is not recorded.
    @discardableResult @usableFromInline static func recordStage(_ word: UInt32, _ span: StageSpan) -> UInt64 {
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 2),
            RecorderSwitch.generation(word) == span.generation
        else { return 0 }
        let buffer = threadBuffer(word)
        guard let now = buffer.begin() else { return 0 }
        let length = now > span.start ? now &- span.start : 0
        let current = buffer.pointee.keys.current
        if span.press == current || span.press == HeldKeyCells.adopted {
            buffer.append(.stage, at: now, small: UInt16(span.stage.rawValue), more: 1, length)
        } else {
            // Another key event came meanwhile.
            buffer.append(.stage, at: now, small: UInt16(span.stage.rawValue), more: 2, length, UInt64(span.press))
        }
        return now
    }
}

/// Contents of a stage's entry besides the stage.
enum StageEntry {
    /// Words of an entry that also has the press that it belongs to, which is not the one that its thread handles.
    static let wordsWithPress: UInt64 = 4
    /// Its length is in nanoseconds, not in ticks.
    static let isNanoseconds: UInt16 = 1 << 8
}
