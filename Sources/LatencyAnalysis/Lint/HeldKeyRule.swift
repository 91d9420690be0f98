import KeyModel
import TraceFormat
import TracePresses

/// Repeats of one held key: what they destroy (T-4), and whether they come faster than they are served.
struct HeldKeyRule: Sendable {
    private var hold: Hold?

    private struct Hold: Sendable {
        var first: TracePress
        var chord: PressChord
        /// Stored from the first repeat on: most keys are not held.
        var actionName = ""
        var performs: Int
        /// Number of removals that an action made.
        var removals: Int
        var isDestructiveByName = false
        var ticks = 1
        /// Of its repeats.
        var firstTime = TraceTime.zero
        var lastTime = TraceTime.zero
        var service: TraceDuration?
        var served = 0
    }

    mutating func note(_ tick: TracePress, _ names: TraceDefinitions, _ accumulator: inout FindingAccumulator) {
        if let hold, hold.first.at.press == tick.at.press, tick.isRepeat {
            add(tick, names)
            return
        }
        finish(&accumulator)
        guard tick.resolution != nil, !tick.isRepeat else { return }
        hold = Hold(
            first: tick, chord: tick.chord(names),
            performs: tick.resolutions.count(where: { $0.outcome == .performed }),
            removals: HeldKeyRule.removals(in: tick, names))
    }

    private mutating func add(_ tick: TracePress, _ names: TraceDefinitions) {
        guard var hold else { return }
        if hold.ticks == 1, let resolution = hold.first.resolution {
            hold.actionName = names.actionName(resolution)
            hold.isDestructiveByName = HeldKeyRule.isDestructive(resolution.action.flatMap { names[$0] } ?? "")
        }
        if hold.ticks == 1 { hold.firstTime = tick.time }
        hold.ticks += 1
        hold.lastTime = tick.time
        hold.performs += tick.resolutions.count(where: { $0.outcome == .performed })
        hold.removals += HeldKeyRule.removals(in: tick, names)
        if let service = tick.stages.service {
            hold.service = (hold.service ?? .zero) + service
            hold.served += 1
        }
        self.hold = hold
    }

    mutating func finish(_ accumulator: inout FindingAccumulator) {
        guard let hold else { return }
        self.hold = nil
        if hold.ticks > 1, hold.performs > 1, hold.removals > 1 || hold.isDestructiveByName {
            accumulator.add(
                .repeatsDestructively, hold.actionName + hold.chord.order, chord: hold.chord, at: hold.first) {
                "\(hold.actionName) ran \(hold.performs) times while the key was held"
            }
        }
        guard hold.served >= 3, let service = hold.service else { return }
        let mean = service.nanoseconds / Int64(hold.served)
        // Between repeats: the first one waits longer than the others.
        let interval = hold.lastTime.since(hold.firstTime).nanoseconds / Int64(max(1, hold.ticks - 2))
        guard interval > 0, mean > interval else { return }
        accumulator.add(
            .repeatOverrun, hold.actionName + hold.chord.order, chord: hold.chord, at: hold.first) {
            "a repeat of \(hold.actionName) takes \(HeldKeyRule.milliseconds(mean)) and one comes every "
                + "\(HeldKeyRule.milliseconds(interval)): the backlog grows by "
                + "\(HeldKeyRule.milliseconds(mean - interval)) each time"
        }
    }

    private static func milliseconds(_ nanoseconds: Int64) -> String {
        let tenths = nanoseconds / 100_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    /// Something that was on a stack, in a list or on the screen went away.
    private static func removals(in tick: TracePress, _ names: TraceDefinitions) -> Int {
        // Most effects are changes of selection or scroll position, which remove nothing.
        tick.effects.isEmpty ? 0 : tick.effects.count { effect in
            guard let kind = names[effect.kind] else { return false }
            return kind == "pop" || kind == "dismiss"
        }
    }

    private static let words = [
        "close", "delete", "remove", "trash", "discard", "clear", "quit", "archive", "destroy", "erase", "kill",
    ]

    /// By the first word of the selector.
    static func isDestructive(_ action: String) -> Bool {
        let name = action.lowercased()
        return words.contains { name.hasPrefix($0) }
    }
}
