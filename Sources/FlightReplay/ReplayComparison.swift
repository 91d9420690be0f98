import KeyModel

/// Several replays of the same input side by side: which presses were resolved differently.
///
/// Compared is what a press came to (outcome, who took it, action, supplier, target), not how often anybody was asked.
public struct ReplayComparison: Sendable {
    private struct Run: Sendable {
        var profile: String
        var layout: String
        var results: [Result] = []
    }

    private struct Result: Hashable, Sendable {
        var press: UInt32?
        var chord: String?
        var isRepeat: Bool
        var outcome: Outcome
        var takenBy: TakenBy?
        var action: String?
        var supplier: String?
        var target: String?

        func isSame(as other: Result?) -> Bool {
            guard let other else { return false }
            return outcome == other.outcome && takenBy == other.takenBy && action == other.action
                && supplier == other.supplier && target == other.target
        }

        var words: String {
            switch (action, target) {
            case (let action?, let target?): "\(outcome.name) \(action) at \(target)"
            case (let action?, nil): "\(outcome.name) \(action)"
            default: outcome.name
            }
        }
    }

    private var runs: [Run] = []

    public init() {}

    /// What follows was replayed under this profile and layout.
    public mutating func begin(profile: String, layout: String) {
        runs.append(Run(profile: profile, layout: layout))
    }

    public mutating func add(_ line: ReplayLine) {
        guard !runs.isEmpty else { return }
        runs[runs.count - 1].results.append(
            Result(
                press: line.press, chord: line.chord?.text, isRepeat: line.isRepeat, outcome: line.outcome,
                takenBy: line.takenBy, action: line.action, supplier: line.supplier, target: line.target))
    }

    /// Lines of the first run, by place, that another run resolves differently or does not have, and those that
    /// only another run has.
    private var different: [Int] {
        let longest = runs.map(\.results.count).max() ?? 0
        return (0..<longest).filter { place in
            guard let first = result(place, of: 0) else { return true }
            return !runs.indices.dropFirst().allSatisfy { first.isSame(as: result(place, of: $0)) }
        }
    }

    private func result(_ place: Int, of run: Int) -> Result? {
        runs[run].results.count > place ? runs[run].results[place] : nil
    }

    /// One object: the runs, and for each line that differs the press and what it came to in each run.
    public var json: String {
        let different = self.different
        var json = JSONText()
        json.object { json in
            json.name("kind")
            json.string("comparison")
            json.name("runs")
            json.array(runs) { json, run in
                json.object { json in
                    json.name("profile")
                    json.string(run.profile)
                    json.name("layout")
                    json.string(run.layout)
                    json.name("lines")
                    json.number(run.results.count)
                }
            }
            json.name("different")
            json.array(different) { json, place in
                let known = runs.indices.compactMap { result(place, of: $0) }.first
                json.object { json in
                    json.name("press")
                    if let press = known?.press { json.number(press) } else { json.null() }
                    json.name("chord")
                    json.string(known?.chord)
                    json.name("repeat")
                    json.flag(known?.isRepeat ?? false)
                    json.name("results")
                    json.array(runs.indices) { $0.string(result(place, of: $1)?.words) }
                }
            }
        }
        return json.text
    }

    /// The same for people, a line for each line that differs. Ends with a line break.
    public var text: String {
        let names = runs.map { "\($0.profile)/\($0.layout)" }
        let different = self.different
        guard !different.isEmpty else { return "# \(names.joined(separator: " and ")) resolve every press alike\n" }
        var lines = ["# resolved differently under \(names.joined(separator: ", ")): \(different.count)"]
        for place in different {
            let known = runs.indices.compactMap { result(place, of: $0) }.first
            let press = known?.press.map { String($0) } ?? "-"
            let results = runs.indices.map { result(place, of: $0)?.words ?? "-" }
            lines.append(([press, known?.chord ?? "-"] + results).joined(separator: " | "))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
