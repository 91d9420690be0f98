import KeyModel
import TraceFormat
import TracePresses

/// Allocations of a live app's presses by stage, as lines below the first of a golden's text:
///
///     # allocations 3 | collect 12 · match ~29714 · action 498
///
/// A stage has to have as many again, or with `~`, where two runs differed, as many but for 1 %. Stages of which two
/// runs differed by more are left out. Of a press in which the thread waited, which allocates by what it waits for,
/// only `action` is there, with 1 %. A golden without such lines is not compared.
struct GoldenAllocations: Hashable, Sendable {
    struct Count: Hashable, Sendable {
        var count: UInt64
        var isExact = true

        func isKept(by other: UInt64) -> Bool {
            let difference = max(count, other) - min(count, other)
            return difference == 0 || !isExact && difference <= count / 100
        }
    }

    /// By ordinal. Repeats, whose number is a matter of time, are not among them.
    private(set) var presses: [UInt32: [LatencyStage: Count]] = [:]

    /// In which the thread waited, by ordinal.
    private var waiting: Set<UInt32> = []

    init() {}

    init(of recording: Recording) {
        var costs: [UInt32: StageCosts] = [:]
        for case .cost(let cost) in recording.records.lazy.map(\.body) where cost.at.tick == 0 && cost.at.press > 0 {
            costs[cost.at.press, default: StageCosts()].add(cost)
        }
        presses = costs.mapValues { $0.stages.mapValues { Count(count: $0.count) } }
        waiting = Set(costs.filter { $0.value.switches ?? 0 > 0 }.keys)
    }

    /// Those of two runs of one app.
    init(_ first: GoldenAllocations, _ second: GoldenAllocations) {
        waiting = first.waiting.union(second.waiting)
        for (press, stages) in first.presses {
            let waits = waiting.contains(press)
            presses[press] = stages.filter { stage, made in
                guard stage == .action || !waits else { return false }
                let loose = Count(count: made.count, isExact: false)
                return second.presses[press]?[stage].map { loose.isKept(by: $0.count) } ?? false
            }
            for (stage, made) in presses[press] ?? [:] where waits || second.presses[press]?[stage] != made {
                presses[press]?[stage]?.isExact = false
            }
        }
    }

    /// The first press, and its line here and in the first run, with a stage that no run keeps.
    func change(in runs: [GoldenAllocations]) -> (press: UInt32, expected: String, found: String)? {
        for (press, stages) in presses.sorted(by: { $0.key < $1.key }) {
            let isKept = stages.allSatisfy { stage, made in
                runs.contains { $0.presses[press]?[stage].map { made.isKept(by: $0.count) } ?? false }
            }
            if !isKept { return (press, line(press), runs.first?.line(press) ?? "") }
        }
        return nil
    }

    // MARK: As text

    static let mark = "# allocations "

    /// The lines, each with a line break.
    var text: String { presses.keys.sorted().map(line).filter { !$0.isEmpty }.map { $0 + "\n" }.joined() }

    /// Empty for a press that has none.
    private func line(_ press: UInt32) -> String {
        let stages = LatencyStage.allCases.compactMap { stage in
            presses[press]?[stage].map { "\(stage.name) \($0.isExact ? "" : "~")\($0.count)" }
        }
        return stages.isEmpty ? "" : "\(GoldenAllocations.mark)\(press) | \(stages.joined(separator: " · "))"
    }

    /// Adds a line of a golden's text. `place` is the file and the line's number.
    mutating func read(_ line: Substring, _ place: String) throws(VerdictError) {
        let error = VerdictError(
            .notComparable, place, "allocations",
            expected: "“\(GoldenAllocations.mark)PRESS | STAGE COUNT · …”, once for a press",
            found: "“\(line.prefix(80))”")
        let parts = line.dropFirst(GoldenAllocations.mark.count).components(" | ")
        guard parts.count == 2, let press = UInt32(parts[0]), presses[press] == nil else { throw error }
        var stages: [LatencyStage: Count] = [:]
        for part in parts[1].components(" · ") {
            let words = part.split(separator: " ")
            guard words.count == 2, let stage = LatencyStage.allCases.first(where: { $0.name == words[0] }),
                let count = UInt64(words[1].drop { $0 == "~" }), stages[stage] == nil
            else { throw error }
            stages[stage] = Count(count: count, isExact: !words[1].hasPrefix("~"))
        }
        presses[press] = stages
    }
}
