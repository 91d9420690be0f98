import KeyModel
import TraceFormat

/// Looks for keys whose release is not in a trace that has releases: the key goes down again while it is down, or
/// nothing of it comes for longer than a key is held without repeats while other keys are pressed.
///
/// Synthetic releases of a source are counted as loss, not here, and so is one that may be where records are missing.
/// Modifiers are `ModifierTracker`'s.
struct ReleaseTracker: Sendable {
    private struct Held: Sendable {
        var key: KeyRecord
        var press: UInt32
        var time: TraceTime
        var lastTime: TraceTime
    }

    /// By ordinal of the press.
    private var held: [UInt32: Held] = [:]
    /// Presses whose key is down, by key, where that is not masked.
    private var down: [Key: UInt32] = [:]
    private var lost: [(held: Held, isAgain: Bool)] = []
    private var hasReleases = false
    private var last: (press: UInt32, time: TraceTime) = (0, .zero)
    private static let timeout: Int64 = 3_000_000_000
    private static let limit = 1_024

    private struct Key: Hashable, Sendable {
        var device: UInt16
        var usage: KeyUsage
    }

    mutating func consume(_ record: TraceRecord) {
        if case .loss(let loss) = record.body, loss.cause != .secureEntry { (held, down) = ([:], [:]) }
        guard case .key(let key) = record.body, let press = key.press else { return }
        let place = key.key.usage.map { Key(device: key.device, usage: $0) }
        switch key.phase {
        case .down:
            if let place, let former = down[place], let held = held[former] { lose(held, isAgain: true) }
            guard held.count < ReleaseTracker.limit else { return }
            held[press] = Held(key: key, press: press, time: record.time, lastTime: record.time)
            if let place { down[place] = press }
            last = (press, record.time)
        case .repeat: held[press]?.lastTime = record.time
        case .up, .cancel:
            hasReleases = hasReleases || !key.isSynthetic
            if let known = held[press] { forget(known) }
        }
    }

    private mutating func lose(_ held: Held, isAgain: Bool) {
        if lost.count < ReleaseTracker.limit { lost.append((held, isAgain)) }
        forget(held)
    }

    private mutating func forget(_ known: Held) {
        held[known.press] = nil
        if let usage = known.key.key.usage { down[Key(device: known.key.device, usage: usage)] = nil }
    }

    /// Ends a recording.
    mutating func finish(_ accumulator: inout FindingAccumulator) {
        for press in held.keys.sorted() {
            guard let known = held[press], press != last.press,
                last.time.since(known.lastTime).nanoseconds > ReleaseTracker.timeout
            else { continue }
            lose(known, isAgain: false)
        }
        // A source that records no release has lost none.
        if hasReleases { for entry in lost { report(entry.held, entry.isAgain, &accumulator) } }
        self = ReleaseTracker()
    }

    private func report(_ held: Held, _ isAgain: Bool, _ accumulator: inout FindingAccumulator) {
        let chord = PressChord(modifiers: held.key.modifiers, key: held.key.key, character: nil)
        let evidence = Finding.Evidence(press: held.press, tick: 0, time: held.time, place: accumulator.place)
        accumulator.add(.lostRelease, "\(isAgain) \(chord.order)", chord: chord, evidence: evidence) {
            isAgain ? "the key went down again, and its release in between is not recorded"
                : "other keys were pressed for more than 3 s after it, and its release is not recorded"
        }
    }
}
