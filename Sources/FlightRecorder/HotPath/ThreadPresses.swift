import KeyModel
import TraceFormat

/// The press that a thread handles.
struct HandledPress {
    var at = PressTick(press: 0, tick: 0)
    var occasion = CallOccasion.down
    /// Its key is masked: which command it led to, or was asked about, would tell which key it is.
    var isMasked = false
    /// It may have begun while nothing was recorded: what it comes to would tell of it.
    var isLeftOut = false
}

/// The presses of one thread, and the one that it handles.
struct ThreadPresses {
    private static let places = 1024
    var handled: HandledPress
    /// What the thread said that it holds, after entries of it were lost; until its next entry.
    var statement: HeldKeysSnapshot?
    /// The last presses by the thread's own ordinal; a key held for longer than so many presses loses its number.
    private var recent: [Press] = []

    init(handled: HandledPress = HandledPress()) { self.handled = handled }

    private struct Press {
        var ordinal: UInt32 = 0
        var press: UInt32 = 0
        var isMasked = false
        /// Repeats so far.
        var ticks: UInt32 = 0
        /// Of its last event.
        var occasion = CallOccasion.down
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

    /// What the thread records from now on belongs to this key event.
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
