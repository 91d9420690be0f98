import CMonotonicClock

/// A stage that has begun. Trivial to keep and to copy; a span that began while nothing was recorded ends as nothing.
public struct StageSpan: Sendable {
    public let stage: LatencyStage
    /// Ticks of the recorder; 0 when nothing is recorded.
    @usableFromInline package let start: UInt64

    @usableFromInline package init(stage: LatencyStage, start: UInt64) {
        self.stage = stage
        self.start = start
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
        return StageSpan(stage: stage, start: word & 1 == 0 ? 0 : stageStart(word))
    }

    /// The stage is over.
    @inlinable @inline(__always) public static func end(_ span: StageSpan) {
        if span.start != 0 { recordStage(switchWord, span) }
    }

    /// The stage is over and the next one begins at the same moment: one clock read for both.
    @inlinable @inline(__always) public static func next(_ span: StageSpan, _ stage: LatencyStage) -> StageSpan {
        guard span.start != 0 else { return begin(stage) }
        return StageSpan(stage: stage, start: recordStage(switchWord, span))
    }

    /// A stage whose length somebody else measured, such as the keyboard's own `hid`.
    public static func stage(_ stage: LatencyStage, lasted duration: TraceDuration) {
        let word = switchWord
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 2) else { return }
        let buffer = threadBuffer(word)
        let now = buffer.begin()
        buffer.append(
            .stage, at: now, small: UInt16(stage.rawValue) | StageEntry.isNanoseconds, more: 1,
            UInt64(max(0, duration.nanoseconds)))
    }

    @usableFromInline static func stageStart(_ word: UInt32) -> UInt64 {
        RecorderSwitch.includes(word, 2) ? keyflight_ticks() : 0
    }

    /// Gives back when the stage ended, 0 when nothing is recorded any more.
    @discardableResult @usableFromInline static func recordStage(_ word: UInt32, _ span: StageSpan) -> UInt64 {
        guard word & RecorderSwitch.on != 0, RecorderSwitch.includes(word, 2) else { return 0 }
        let buffer = threadBuffer(word)
        let now = buffer.begin()
        buffer.append(
            .stage, at: now, small: UInt16(span.stage.rawValue), more: 1, now > span.start ? now &- span.start : 0)
        return now
    }
}

/// What an entry of a stage says besides the stage.
enum StageEntry {
    /// Its length is in nanoseconds, not in ticks.
    static let isNanoseconds: UInt16 = 1 << 8
}
