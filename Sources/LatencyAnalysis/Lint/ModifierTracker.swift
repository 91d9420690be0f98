package import KeyModel
import TraceFormat

/// A modifier that counted as held while no finger held it.
package struct StuckModifier: Hashable, Sendable {
    package var key: KeyUsage
    package var since: TraceTime
    /// Times of the first press that suffered from it, and of its end.
    package var presses: ClosedRange<TraceTime>
    package var why: String

    package var words: String {
        let tenths = max(0, since.nanoseconds / 100_000_000)
        return "\(key.name) has counted as held since \(tenths / 10).\(tenths % 10) s, \(why)"
    }
}

/// Tracks the modifiers recorded as held, and the evidence that they still are (T-8).
///
/// A long hold alone is no finding: a modifier that was held for minutes and then released was held. It is stuck when
/// its release never comes, is synthetic, or a second down shows that one was missed, and a press more than three
/// seconds after the last evidence suffered from it; or when a press after the app stopped being active still has it.
struct ModifierTracker: Sendable {
    private var held: [Held] = []
    /// Between a press and what it comes to.
    private var isDeciding = false
    /// Those found so far, as far as they are kept.
    private(set) var stuck: [StuckModifier] = []
    private static let stuckLimit = 256
    private static let timeout: Int64 = 3_000_000_000

    private struct Held: Sendable {
        var usage: KeyUsage
        var flag: KeyModifiers
        var since: TraceTime
        var evidence: TraceTime
        /// The app or its window stopped being active meanwhile.
        var hasCrossed = false
        var suspects: [(evidence: Finding.Evidence, chord: PressChord)] = []
    }

    mutating func consume(_ record: TraceRecord, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator) {
        switch record.body {
        case .key(let key): note(key, at: record.time, &accumulator)
        case .keyWindow(let change): if change.window == nil, !isBeingClosed(change.cause) { cross() }
        case .resolution: isDeciding = false
        case .step(let step): if names[step.step] == "deactivate" { cross() }
        case .hardware(let hardware): if !hardware.isAttached { cross() }
        case .loss(let loss): if loss.cause == .dropped { cross() }
        default: break
        }
    }

    /// A window that a press or a step of the scene takes away leaves the app active.
    private func isBeingClosed(_ cause: FocusCause) -> Bool {
        isDeciding || cause != .windowChange && cause != .unknown
    }

    /// The app deactivated.
    private mutating func cross() { for index in held.indices { held[index].hasCrossed = true } }

    private mutating func note(_ key: KeyRecord, at time: TraceTime, _ accumulator: inout FindingAccumulator) {
        isDeciding = key.phase == .down && key.press != nil
        guard let usage = key.key.usage, let flag = usage.modifierKey?.modifiers else {
            if key.phase == .down, let press = key.press { suspect(key, press, time, &accumulator) }
            return
        }
        switch key.phase {
        case .down:
            // A second down without an up in between: the release was missed.
            blame(usage, at: time, &accumulator)
            held.append(Held(usage: usage, flag: flag, since: time, evidence: time))
        case .up:
            if key.isSynthetic { blame(usage, at: time, &accumulator) }
            held.removeAll { $0.usage == usage }
        case .cancel: held.removeAll { $0.usage == usage }
        case .repeat: break
        }
    }

    private mutating func suspect(
        _ key: KeyRecord, _ press: UInt32, _ time: TraceTime, _ accumulator: inout FindingAccumulator
    ) {
        let evidence = Finding.Evidence(press: press, tick: 0, time: time, place: accumulator.place)
        let chord = PressChord(modifiers: key.modifiers, key: key.key, character: nil)
        for index in held.indices where key.modifiers.contains(held[index].flag) {
            let isOld = time.since(held[index].evidence).nanoseconds > ModifierTracker.timeout
            if held[index].hasCrossed {
                let why = "although the app was not active meanwhile"
                report(note(held[index], time...time, why), chord, evidence, &accumulator)
            } else if isOld || !held[index].suspects.isEmpty {
                if held[index].suspects.count < Finding.evidenceLimit { held[index].suspects.append((evidence, chord)) }
            } else {
                held[index].evidence = time
            }
        }
    }

    private mutating func blame(_ usage: KeyUsage, at time: TraceTime, _ accumulator: inout FindingAccumulator) {
        for lost in held where lost.usage == usage {
            guard let first = lost.suspects.first?.evidence.time else { continue }
            let found = note(lost, first...max(first, time), "and its release was never seen")
            for (evidence, chord) in lost.suspects { report(found, chord, evidence, &accumulator) }
        }
        held.removeAll { $0.usage == usage }
    }

    private mutating func note(_ lost: Held, _ presses: ClosedRange<TraceTime>, _ why: String) -> StuckModifier {
        let found = StuckModifier(key: lost.usage, since: lost.since, presses: presses, why: why)
        if stuck.count < ModifierTracker.stuckLimit { stuck.append(found) }
        return found
    }

    private func report(
        _ found: StuckModifier, _ chord: PressChord, _ evidence: Finding.Evidence,
        _ accumulator: inout FindingAccumulator
    ) {
        let subject = "\(found.key.name) \(found.since.nanoseconds)"
        accumulator.add(.stuckModifier, subject, chord: chord, evidence: evidence) { found.words }
    }

    /// A modifier that is still down at the end of the recording was never released.
    mutating func finish(_ accumulator: inout FindingAccumulator) {
        for usage in Set(held.map(\.usage)).sorted(by: { $0.usage < $1.usage }) {
            blame(usage, at: TraceTime(nanoseconds: .max), &accumulator)
        }
        held.removeAll()
    }
}
