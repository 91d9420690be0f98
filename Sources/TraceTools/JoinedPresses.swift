import KeyModel
import TraceFormat

/// Counts of the presses and texts of a joined trace so far.
struct JoinedNumbering {
    private(set) var presses: UInt32 = 0
    private(set) var texts: UInt32 = 0

    mutating func nextPress() -> UInt32 {
        presses &+= 1
        return presses
    }

    mutating func nextText() -> UInt32 {
        defer { texts &+= 1 }
        return texts
    }
}

/// The presses of one source: their ordinals in the joined trace, and which of them are left out.
struct JoinedPresses {
    private var ordinals: [UInt32: UInt32] = [:]
    /// The text that decisions are about which come now.
    private var openText: Text?
    /// Texts by the tick that they have in the source.
    private var texts: [UInt32: Text] = [:]
    /// Keys whose down was in a gap, or that were released at the begin of one.
    private var over: Set<KeyOfDevice> = []
    private var leftOut = OrdinalSet()

    private enum Text {
        /// Under this tick in the joined trace.
        case numbered(UInt32)
        case leftOut
    }

    mutating func begin(_ key: KeyRecord, isInGap: Bool) {
        if isInGap { over.insert(KeyOfDevice(key)) } else { over.remove(KeyOfDevice(key)) }
        guard let press = key.press else { return }
        if isInGap { leftOut.insert(press) } else { leftOut.remove(press) }
    }

    func isOver(_ key: KeyRecord) -> Bool { over.contains(KeyOfDevice(key)) }

    /// True for the end of a key that is over.
    mutating func end(_ key: KeyRecord) -> Bool { over.remove(KeyOfDevice(key)) != nil }

    mutating func endEarly(_ key: KeyRecord) { over.insert(KeyOfDevice(key)) }

    /// The ordinal of a press that goes down.
    mutating func down(_ press: UInt32, _ numbering: inout JoinedNumbering) -> UInt32 {
        let new = numbering.nextPress()
        ordinals[press] = new
        return new
    }

    /// The ordinal of a press whose down was recorded; one whose down is not in the trace gets a number of its own.
    mutating func new(_ press: UInt32, _ numbering: inout JoinedNumbering) -> UInt32 {
        ordinals[press] ?? down(press, &numbering)
    }

    /// A text came: decisions that follow are about it, up to the next input.
    mutating func text(_ numbering: inout JoinedNumbering) { openText = .numbered(numbering.nextText()) }

    mutating func leaveOutText() { openText = .leftOut }

    /// Another input came.
    mutating func endText() { openText = nil }

    /// A part of a trace continues the numbering of the whole, and damage removes texts: the text of a tick is
    /// therefore determined by the decisions that directly follow it. One whose record is not in the trace gets a
    /// number of its own.
    private mutating func text(_ tick: UInt32, _ numbering: inout JoinedNumbering) -> PressTick? {
        // Modifier keys, and queries between presses, have tick 0 as well.
        if openText == nil, tick == 0 { return PressTick(press: 0, tick: 0) }
        let text = openText ?? texts[tick] ?? .numbered(numbering.nextText())
        texts[tick] = text
        return if case .numbered(let new) = text { PressTick(press: 0, tick: new) } else { nil }
    }

    /// A decision is left out.
    mutating func leaveOut(_ at: PressTick) {
        if at.press == 0, case .leftOut = openText { texts[at.tick] = .leftOut }
    }

    /// `nil` for decisions about what was left out.
    mutating func new(_ at: PressTick, _ numbering: inout JoinedNumbering) -> PressTick? {
        guard at.press > 0 else { return text(at.tick, &numbering) }
        guard !leftOut.contains(at.press) else { return nil }
        return PressTick(press: new(at.press, &numbering), tick: at.tick)
    }
}

/// Intervals in which a source of the join was in secure entry.
struct SecureGaps {
    private let gaps: [(begin: Int64, end: Int64)]
    /// Gaps before this one have begun.
    private var next = 0

    /// Gaps that touch are one.
    init(_ all: [(begin: Int64, end: Int64)]) {
        var joined: [(begin: Int64, end: Int64)] = []
        for gap in all.sorted(by: { ($0.begin, $0.end) < ($1.begin, $1.end) }) {
            if let last = joined.last, gap.begin <= last.end {
                joined[joined.count - 1].end = max(last.end, gap.end)
            } else {
                joined.append(gap)
            }
        }
        gaps = joined
    }

    /// Advances to a time. Returns the begin of the first gap that began since, if one did.
    mutating func begins(upTo time: TraceTime) -> TraceTime? {
        let first = next
        while next < gaps.count, gaps[next].begin <= time.nanoseconds { next += 1 }
        return first < next ? TraceTime(nanoseconds: gaps[first].begin) : nil
    }

    /// True in any of them, wherever was advanced to.
    func contains(_ time: Int64) -> Bool {
        let begun = gaps.indices.partitionPoint { gaps[$0].begin <= time }
        return begun > 0 && time < gaps[begun - 1].end
    }

    /// The time that was gone to is in a gap.
    func holds(_ time: TraceTime) -> Bool { next > 0 && time.nanoseconds < gaps[next - 1].end }
}
