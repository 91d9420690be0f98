import KeyModel
import Scenes

/// A key script that is being made, on its own clock: keys come one after the other, and only what a held key repeats
/// takes time.
struct ScriptDraft {
    private(set) var steps: [KeyScript.Line] = []
    /// Since the script's beginning, when the last step ends.
    private var clock = TraceDuration.zero
    private var isFirst = true

    struct HeldKey {
        var chord: KeyScript.KeyChord
        var began: TraceDuration
        /// Time of its last repeat.
        var end: TraceDuration
    }

    private mutating func append(_ step: KeyScript.Step) { steps.append(.init(number: steps.count + 1, step: step)) }

    /// A step that begins the gap after the last one, and takes `length`.
    private mutating func add(_ step: KeyScript.Step, length: TraceDuration = .zero) {
        append(step)
        if !isFirst { clock = clock + KeyScript.stepGap }
        isFirst = false
        clock = clock + length
    }

    mutating func add(_ step: ContextStep) { add(.context(step)) }
    mutating func insert(_ text: String) { add(.insert(text)) }
    mutating func press(_ chord: KeyScript.KeyChord) { add(.press(chord), length: KeyScript.pressDuration) }
    mutating func hold(_ chord: KeyScript.KeyChord, _ time: TraceDuration) { add(.hold(chord, time), length: time) }

    /// The key goes down and stays down, so that steps can come between its repeats.
    mutating func down(_ chord: KeyScript.KeyChord, until end: TraceDuration) -> HeldKey {
        for key in chord.modifiers.leftKeys { add(.down(.usage(key))) }
        add(.down(chord.key))
        return HeldKey(chord: chord, began: clock, end: clock + end)
    }

    mutating func up(_ held: HeldKey) {
        if held.end > clock { wait(until: held.end) }
        addAtOnce(.up(held.chord.key))
        for key in held.chord.modifiers.leftKeys.reversed() { add(.up(.usage(key))) }
    }

    /// Steps right before a repeat of a held key.
    mutating func add(_ changes: [ContextStep], before repeated: TraceDuration, of held: HeldKey) {
        let begin = held.began + repeated + TraceDuration(nanoseconds: -1_000_000)
        if begin > clock { wait(until: begin) }
        for change in changes { addAtOnce(.context(change)) }
    }

    private mutating func wait(until time: TraceDuration) {
        append(.wait(TraceDuration(nanoseconds: time.nanoseconds - clock.nanoseconds)))
        clock = time
        isWaiting = true
    }

    private var isWaiting = false

    /// A step without the gap before it.
    private mutating func addAtOnce(_ step: KeyScript.Step) {
        if !isWaiting { append(.wait(.zero)) }
        isWaiting = false
        append(step)
    }
}
