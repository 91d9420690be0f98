import FlightReplay
import KeyModel
import RegressionGate

/// Presses of keys that a chain has commands for, chosen by seed.
struct PressSequence {
    /// The handling of a chord's modifiers.
    enum Modifiers {
        /// They stay down while the presses that need them follow each other, as one who holds ⌘ and tries keys.
        case held
        /// They go down before the key and up after it, each time.
        case eachPress
    }

    /// The bindings in the order in which they are pressed.
    let bindings: [KeyBinding]
    let timeline: ReplayTimeline

    init(_ app: ChainApp, presses: Int, modifiers: Modifiers = .held) {
        var random = SplitMix(seed: 7)
        let reachable = app.bindings.filter { $0.usage != nil }
        var chosen = (0..<presses).map { _ in reachable[random.below(reachable.count)] }
        if modifiers == .held {
            chosen.sort { ($0.modifiers.rawValue, $0.input) < ($1.modifiers.rawValue, $1.input) }
        }
        bindings = chosen
        var typist = Typist()
        for binding in chosen {
            guard let usage = binding.usage else { continue }
            typist.hold(binding.modifiers)
            typist.event(usage, .down)
            typist.event(usage, .up)
            if modifiers == .eachPress { typist.hold([]) }
        }
        typist.hold([])
        timeline = ReplayTimeline(arrivals: typist.arrivals, end: typist.time)
    }

    private struct Typist {
        private(set) var arrivals: [ReplayTimeline.Arrival] = []
        private(set) var time = TraceTime.zero
        private var held: KeyModifiers = []

        private static let keys: [(KeyModifiers, KeyUsage)] = [
            (.control, .keyboard(0xE0)), (.option, .keyboard(0xE2)), (.shift, .keyboard(0xE1)),
            (.command, .keyboard(0xE3)),
        ]

        mutating func hold(_ modifiers: KeyModifiers) {
            for (flag, usage) in Typist.keys where held.contains(flag) != modifiers.contains(flag) {
                event(usage, modifiers.contains(flag) ? .down : .up)
            }
            held = modifiers
        }

        mutating func event(_ usage: KeyUsage, _ phase: KeyPhase) {
            time = time.advanced(by: TraceDuration(nanoseconds: 30_000_000))
            let event = KeyEvent(time: time, key: .clear(usage), phase: phase)
            arrivals.append(.init(time: time, input: .key(event, press: nil)))
        }
    }
}
