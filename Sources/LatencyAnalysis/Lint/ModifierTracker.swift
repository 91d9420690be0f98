import KeyModel
import TraceFormat

/// Tracks the modifiers recorded as held, and the evidence that they still are (T-8).
///
/// A long hold alone is no finding: a modifier that was held for minutes and then released was held. It is stuck when
/// its release never comes, is synthetic, or a second down shows that one was missed, and a press more than three
/// seconds after the last evidence suffered from it; or when a press after the app stopped being active still has it.
struct ModifierTracker: Sendable {
    private var held: [Held] = []
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
        case .keyWindow(let change): if change.window == nil { cross() }
        case .step(let step): if names[step.step] == "deactivate" { cross() }
        case .hardware(let hardware): if !hardware.isAttached { cross() }
        case .loss(let loss): if loss.cause == .dropped { cross() }
        default: break
        }
    }

    /// The app deactivated.
    private mutating func cross() { for index in held.indices { held[index].hasCrossed = true } }

    private mutating func note(_ key: KeyRecord, at time: TraceTime, _ accumulator: inout FindingAccumulator) {
        guard let usage = key.key.usage, let flag = usage.modifierKey?.modifiers else {
            if key.phase == .down, let press = key.press { suspect(key, press, time, &accumulator) }
            return
        }
        switch key.phase {
        case .down:
            // A second down without an up in between: the release was missed.
            blame(usage, &accumulator)
            held.append(Held(usage: usage, flag: flag, since: time, evidence: time))
        case .up:
            if key.isSynthetic { blame(usage, &accumulator) }
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
                report(held[index], chord, evidence, "although the app was not active meanwhile", &accumulator)
            } else if isOld || !held[index].suspects.isEmpty {
                if held[index].suspects.count < Finding.evidenceLimit { held[index].suspects.append((evidence, chord)) }
            } else {
                held[index].evidence = time
            }
        }
    }

    private mutating func blame(_ usage: KeyUsage, _ accumulator: inout FindingAccumulator) {
        for lost in held where lost.usage == usage {
            for (evidence, chord) in lost.suspects {
                report(lost, chord, evidence, "and its release was never seen", &accumulator)
            }
        }
        held.removeAll { $0.usage == usage }
    }

    private func report(
        _ lost: Held, _ chord: PressChord, _ evidence: Finding.Evidence, _ why: String,
        _ accumulator: inout FindingAccumulator
    ) {
        let tenths = max(0, lost.since.nanoseconds / 100_000_000)
        let key = "\(lost.usage.name) \(lost.since.nanoseconds)"
        accumulator.add(.stuckModifier, key, chord: chord, evidence: evidence) {
            "\(lost.usage.name) has counted as held since \(tenths / 10).\(tenths % 10) s, \(why)"
        }
    }

    /// A modifier that is still down at the end of the recording was never released.
    mutating func finish(_ accumulator: inout FindingAccumulator) {
        for usage in Set(held.map(\.usage)).sorted(by: { $0.usage < $1.usage }) { blame(usage, &accumulator) }
        held.removeAll()
    }
}
