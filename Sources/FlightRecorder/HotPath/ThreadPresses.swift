import KeyModel
import TraceFormat

/// The press that a thread handles.
struct HandledPress {
    var at = PressTick(press: 0, tick: 0)
    var occasion = CallOccasion.down
    /// Its key is masked: the command that it led to, or was asked about, would identify it.
    var isMasked = false
    /// True if it may have begun while nothing was recorded: its resolution would disclose it.
    var isLeftOut = false
}

/// The presses of one thread, and the one that it handles.
struct ThreadPresses {
    private static let places = 1024
    var handled: HandledPress
    /// The held-keys snapshot of the thread, after entries of it were lost; until its next entry.
    var statement: HeldKeysSnapshot?
    /// Stages of presses that the thread handled inside others.
    private var nested = NestedStages()
    /// The last presses by the thread's own ordinal; a key held for longer than this many presses loses its number.
    private var recent: [Press] = []

    init(handled: HandledPress = HandledPress()) { self.handled = handled }

    private struct Press {
        var ordinal: UInt32 = 0
        var press: UInt32 = 0
        var isMasked = false
        /// Repeats so far.
        var ticks: UInt32 = 0
        /// Occasion of its last event.
        var occasion = CallOccasion.down
    }

    /// Time of a stage of a press, in ticks, without the stages of presses that were handled inside it.
    mutating func ownLength(_ length: UInt64, endingAt end: UInt64, of press: PressTick) -> UInt64 {
        nested.ownLength(length, endingAt: end, of: press)
    }

    mutating func remember(_ ordinal: UInt32, _ press: UInt32, isMasked: Bool) {
        if recent.isEmpty { recent = Array(repeating: Press(), count: ThreadPresses.places) }
        recent[Int(ordinal) % ThreadPresses.places] = Press(ordinal: ordinal, press: press, isMasked: isMasked)
    }

    func press(of ordinal: UInt32) -> UInt32? { place(of: ordinal).map { recent[$0].press } }

    /// The thread's own ordinal of a press; `nil` when it was too long ago.
    func ordinal(of press: UInt32) -> UInt32? { recent.first { $0.press == press && $0.ordinal != 0 }?.ordinal }

    /// The last event of a press, which a thread handles again; none where the press is not known.
    func handling(_ ordinal: UInt32) -> HandledPress {
        guard let place = place(of: ordinal) else { return HandledPress() }
        let press = recent[place]
        let at = PressTick(press: press.press, tick: press.occasion == .repeatTick ? press.ticks : 0)
        return HandledPress(at: at, occasion: press.occasion, isMasked: press.isMasked)
    }

    private func place(of ordinal: UInt32) -> Int? {
        guard !recent.isEmpty, ordinal != 0 else { return nil }
        let place = Int(ordinal) % ThreadPresses.places
        return recent[place].ordinal == ordinal ? place : nil
    }

    /// Assigns later entries of the thread to this key event.
    mutating func begin(_ record: KeyRecord, _ ordinal: UInt32) {
        var next = HandledPress()
        next.at.press = record.press ?? 0
        if case .masked = record.key { next.isMasked = true }
        switch record.phase {
        case .down: next.occasion = .down
        case .repeat:
            // Counted here: a press that was released for lost entries may still repeat.
            let before = place(of: ordinal).map { recent[$0].ticks }
            next.at.tick = (before ?? (handled.at.press == record.press ? handled.at.tick : 0)) &+ 1
            next.occasion = .repeatTick
        case .up, .cancel: next.occasion = .release
        }
        if let place = place(of: ordinal) {
            if record.phase == .repeat { recent[place].ticks = next.at.tick }
            recent[place].occasion = next.occasion
        }
        handled = next
    }
}

/// The stages of one thread that have ended, to find those that lie inside another one: an action that runs an event
/// loop has the presses of that loop inside it, whose time is theirs.
private struct NestedStages {
    private struct Stage {
        let begin: UInt64
        let press: PressTick
        let length: UInt64
        /// The part of other presses.
        let others: UInt64
    }
    /// Stages that were inside no later one so far, in the order of their ends.
    private var stages: [Stage] = []
    /// Presses that one event loop has inside are as many as a person types; what is too long ago counts twice.
    private static let limit = 4_096

    mutating func ownLength(_ length: UInt64, endingAt end: UInt64, of press: PressTick) -> UInt64 {
        let begin = end > length ? end - length : 0
        var others: UInt64 = 0
        while let last = stages.last, last.begin >= begin {
            others &+= last.press == press ? last.others : last.length
            stages.removeLast()
        }
        if stages.count == NestedStages.limit { stages.removeFirst(NestedStages.limit / 2) }
        stages.append(Stage(begin: begin, press: press, length: length, others: others))
        return length > others ? length - others : 0
    }
}
