import FlightReplay
import KeyModel
import LatencyAnalysis

/// Outcomes of the presses of a replay, in twelve bytes for each: a trace of few megabytes may have a million, and
/// most of them have the same outcome.
final class PressOutcomes {
    private struct Line {
        var press: UInt32
        var isRepeat: Bool
        /// A place in `outcomes`.
        var outcome: UInt32
    }

    private struct Outcome: Hashable {
        /// By position; `nil` when masked.
        var chord: Chord?
        /// The outcome as `replay` compares it: `tabs.closeTab: of tabs`.
        var words: String
    }

    private var lines: [Line] = []
    private var outcomes: [Outcome] = []
    private var places: [Outcome: UInt32] = [:]

    /// Replays the timeline.
    init(of timeline: ReplayTimeline, by plan: some ReplayPlan) throws {
        try plan.run(timeline) { row in if case .resolution(let line) = row { self.append(line) } }
        places = [:]
    }

    private func append(_ line: ReplayLine) {
        guard let press = line.press else { return }
        let outcome = Outcome(chord: line.chord, words: PressOutcomes.words(line))
        let place = places[outcome] ?? UInt32(truncatingIfNeeded: outcomes.count)
        if place == outcomes.count {
            outcomes.append(outcome)
            places[outcome] = place
        }
        lines.append(Line(press: press, isRepeat: line.isRepeat, outcome: place))
    }

    /// Adds to a result what differs. Lines belong together by press, and by their place among the lines of the press.
    func compare(with other: PressOutcomes, _ result: inout WhatIfResult) {
        result.compared += UInt64(lines.count)
        let (own, others) = (inOrder, other.inOrder)
        var (here, there) = (0, 0)
        while here < own.count || there < others.count {
            let before = here < own.count ? lines[Int(own[here])] : nil
            let after = there < others.count ? other.lines[Int(others[there])] : nil
            let press = min(before?.press ?? .max, after?.press ?? .max)
            let was = before.flatMap { $0.press == press ? $0 : nil }
            let becomes = after.flatMap { $0.press == press ? $0 : nil }
            if was != nil { here += 1 }
            if becomes != nil { there += 1 }
            let (old, new) = (was.map(outcome), becomes.map(other.outcome))
            guard old?.words != new?.words else { continue }
            result.changes.append(
                WhatIfResult.Change(
                    press: press, isRepeat: (was ?? becomes)?.isRepeat ?? false,
                    chord: (old ?? new)?.chord?.text, before: old?.words ?? "nothing", after: new?.words ?? "nothing"))
        }
    }

    private func outcome(_ line: Line) -> Outcome { outcomes[Int(line.outcome)] }

    /// Places of the lines: those of a press together, in their own order, by ascending ordinals.
    private var inOrder: [UInt32] {
        let places = (0..<UInt32(truncatingIfNeeded: lines.count)).map { $0 }
        func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
            let (first, second) = (lines[Int(a)].press, lines[Int(b)].press)
            return first != second ? first < second : a < b
        }
        // Most often they are in order already.
        let isInOrder = zip(places, places.dropFirst()).allSatisfy(precedes)
        return isInOrder ? places : places.sorted(by: precedes)
    }

    /// Outcome of a press, as `replay` compares it.
    private static func words(_ line: ReplayLine) -> String {
        if line.outcome == .unrecorded, let question = line.unrecorded.first {
            return "\(line.outcome.name): \(question.words)"
        }
        guard let action = line.action else {
            return line.outcome.name + (line.target.map { " at \($0)" } ?? "")
        }
        let done = line.target.map { "\($0).\(action)" } ?? action
        let supplier = line.supplier.map { $0 == line.target ? "" : " of \($0)" } ?? ""
        return line.outcome == .performed ? done + supplier : "\(line.outcome.name) \(done)\(supplier)"
    }
}
