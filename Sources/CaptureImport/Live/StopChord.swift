import KeyModel
import Libc

/// Keeps the ⌃C that ends a recording out of it, when it was typed on a keyboard that is recorded.
///
/// Cases:
/// 1. A Control goes down: it waits for what follows.
/// 2. Control goes down on another keyboard too, as where one keyboard is recorded from two sources: both wait.
/// 3. Then C goes down while no other modifier is held on its keyboard: all wait for the signal, 300 ms at most.
/// 4. The signal comes: what waits is dropped.
/// 5. It does not come, or something else than Control and C happens: what waits is handed on.
/// 6. A chord with a Control that was handed on before: C alone waits.
struct StopChord {
    let waiting = WipedArray<KeyEvent>()
    private var chordSince: TraceTime?
    private var modifiers = ModifierState()

    static let signalDelay = TraceDuration(nanoseconds: 300_000_000)
    /// Left and right Control.
    private static let controls = ModifierKeys(rawValue: 1 << 0 | 1 << 4)
    private static let letter = KeyUsage.keyboard(0x06)

    /// Takes the next event; hands on what is to be recorded now.
    mutating func add(_ event: KeyEvent, _ emit: (KeyEvent) -> Void) {
        guard case .clear(let usage) = event.key else { return handOn(event, emit) }
        modifiers.apply(usage, event.phase, device: event.device)
        let isControl = usage == .leftControl || usage == .rightControl
        let held = modifiers.keys(of: event.device)
        if isControl, event.phase == .down, held.isSubset(of: StopChord.controls) {
            waiting.append(event)
        } else if usage == StopChord.letter, event.phase == .down, !held.isEmpty,
            held.isSubset(of: StopChord.controls)
        {
            waiting.append(event)
            chordSince = chordSince ?? event.time
        } else if chordSince != nil, isControl || usage == StopChord.letter {
            waiting.append(event)
        } else {
            handOn(event, emit)
        }
    }

    private mutating func handOn(_ event: KeyEvent, _ emit: (KeyEvent) -> Void) {
        release(emit)
        emit(event)
    }

    /// Time has passed: a chord without a signal was not meant for this program.
    mutating func pass(to now: TraceTime, _ emit: (KeyEvent) -> Void) {
        guard let since = chordSince, now.since(since) > StopChord.signalDelay else { return }
        release(emit)
    }

    /// The recording ends. `byChord`: because of the signal that ⌃C sends.
    mutating func end(byChord: Bool, _ emit: (KeyEvent) -> Void) {
        if byChord, chordSince != nil { waiting.removeAll() }
        release(emit)
    }

    private mutating func release(_ emit: (KeyEvent) -> Void) {
        for event in waiting { emit(event) }
        waiting.removeAll()
        chordSince = nil
    }
}
