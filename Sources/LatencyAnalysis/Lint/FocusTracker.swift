import KeyModel
import TraceFormat

/// First responders that were requested too early, so that presses went elsewhere (T-28), and presses that were
/// cancelled without a change that cancels presses (T-9).
struct FocusTracker: Sendable {
    /// A step requested a first responder, and another one stayed.
    private struct Refusal: Sendable {
        var wanted: String
        var presses: [Finding.Evidence] = []
    }

    private var firstResponder: ResponderRef?
    /// First responder that a step requested, until the next input shows whether it became that.
    private var asked: String?
    private var refusal: Refusal?
    private var downs: [UInt32: (time: TraceTime, chord: PressChord)] = [:]
    /// Keys that were down when the app or its keyboard went away, and the step.
    private var interrupted: [UInt32: (time: TraceTime, chord: PressChord)] = [:]
    /// The responder that keeps each press that is down, and hears of its end.
    private var keepers: [UInt32: ResponderRef] = [:]
    /// The same of modifiers, which have no ordinal: at the app switcher ⌘ is what the app has seen.
    private var modifierKeepers: [KeyUsage: ResponderRef] = [:]
    private var interruptedModifiers: [KeyUsage: ResponderRef] = [:]
    private var lastModifier: KeyUsage?
    private var interruption = ""
    /// A tap that is over sooner than this is a short one.
    private static let shortTap: Int64 = 250_000_000
    /// Presses that are down at once, or never came up.
    private static let limit = 64

    init(_ entries: [ContextEntry] = []) {
        for case .record(.firstResponder(let change)) in entries { firstResponder = change.responder }
    }

    mutating func consume(_ record: TraceRecord, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator) {
        switch record.body {
        case .step(let step):
            settle(names)
            (interrupted, interruptedModifiers) = (downs, modifierKeepers)
            modifierKeepers.removeAll()
            interruption = names[step.step] ?? ""
            downs.removeAll()
            let words = names[step.step]?.split(separator: " ") ?? []
            asked = words.first == "focus" && words.count == 2 ? String(words[1]) : nil
        case .firstResponder(let change):
            downs.removeAll()
            firstResponder = change.responder
            guard let late = refusal, names.id(of: change.responder) == late.wanted else { return }
            report(late, &accumulator)
            refusal = nil
        case .keyWindow, .hardware, .link, .presentation: downs.removeAll()
        case .receiver(let receiver):
            guard receiver.phase == .down, receiver.isSwallowed else { return }
            if receiver.at.press == 0 {
                if let lastModifier { modifierKeepers[lastModifier] = receiver.responder }
                return
            }
            if keepers.count >= FocusTracker.limit { keepers.removeAll() }
            keepers[receiver.at.press] = receiver.responder
        case .key(let key):
            settle(names)
            note(key, at: record.time, names, &accumulator)
        default: break
        }
    }

    /// Compares the requested first responder with the present one.
    private mutating func settle(_ names: TraceDefinitions) {
        guard let wanted = asked else { return }
        asked = nil
        refusal = names.id(of: firstResponder) == wanted ? nil : Refusal(wanted: wanted)
    }

    private mutating func note(
        _ key: KeyRecord, at time: TraceTime, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator
    ) {
        guard let press = key.press else { return noteModifier(key, names, &accumulator) }
        switch key.phase {
        case .down:
            let evidence = Finding.Evidence(press: press, tick: 0, time: time, place: accumulator.place)
            refusal?.presses.append(evidence)
            if downs.count >= FocusTracker.limit { downs.removeAll() }
            downs[press] = (time, PressChord(modifiers: key.modifiers, key: key.key, character: nil))
        case .up:
            downs[press] = nil
            keepers[press] = nil
            interrupted[press] = nil
        case .cancel:
            noteInterruption(of: press, names, &accumulator)
            // A key of the system, such as that of the app switcher, is taken by it.
            guard let down = downs.removeValue(forKey: press),
                time.since(down.time).nanoseconds < FocusTracker.shortTap,
                SystemChord.name(input: down.chord.input, modifiers: down.chord.modifiers) == nil
            else { return }
            let evidence = Finding.Evidence(press: press, tick: 0, time: down.time, place: accumulator.place)
            accumulator.add(.pressCancelled, down.chord.order, chord: down.chord, evidence: evidence) {
                "a short press is cancelled instead of ended, and nothing took it away"
            }
        case .repeat: break
        }
    }

    private mutating func noteModifier(
        _ key: KeyRecord, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator
    ) {
        if key.phase == .down { lastModifier = key.key.usage }
        guard key.phase != .down, let usage = key.key.usage else { return }
        modifierKeepers[usage] = nil
        // Another key that it keeps is named in its place.
        guard let keeper = interruptedModifiers.removeValue(forKey: usage), key.phase == .cancel,
            !keepers.values.contains(keeper)
        else { return }
        report(keeper, usage.name, chord: nil, nil, names, &accumulator)
    }

    /// The system cancels a key at the app switcher: a responder that counts on its end keeps it down.
    private mutating func noteInterruption(
        of press: UInt32, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator
    ) {
        guard let down = interrupted.removeValue(forKey: press), let keeper = keepers.removeValue(forKey: press) else {
            return
        }
        let evidence = Finding.Evidence(press: press, tick: 0, time: down.time, place: accumulator.place)
        report(keeper, "the key", chord: down.chord, evidence, names, &accumulator)
    }

    private func report(
        _ keeper: ResponderRef, _ key: String, chord: PressChord?, _ evidence: Finding.Evidence?,
        _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator
    ) {
        let (name, step) = (names.name(keeper), interruption)
        accumulator.add(.pressCancelled, "\(name) \(step)", chord: chord, evidence: evidence) {
            "at \"\(step)\" the system cancels \(key): \(name) gets pressesCancelled and no pressesEnded"
        }
    }

    private func report(_ late: Refusal, _ accumulator: inout FindingAccumulator) {
        for evidence in late.presses {
            accumulator.add(.focusTooEarly, late.wanted, chord: nil, evidence: evidence) {
                "\(late.wanted) was asked to become first responder, did only when asked again, and keys in between "
                    + "went elsewhere"
            }
        }
    }
}
