import KeyModel
import TraceFormat

/// Several replays of the same input side by side: which presses were resolved differently.
///
/// Compared is what a press came to (outcome, who took it, action, supplier, target), not how often anybody was asked.
/// Lines belong together by press and repeat, so that a key that repeats under one profile only shifts nothing.
public struct ReplayComparison: Sendable {
    private struct Run: Sendable {
        var profile: String
        var layout: String
        var results: [Place: Result] = [:]
        /// How many lines each press has so far.
        var lines: [UInt32: Int] = [:]
    }

    /// Which line: the press (0 for text without a key), and which of its lines, from 0.
    private struct Place: Hashable, Sendable {
        var press: UInt32
        var line: Int
    }

    private struct Result: Hashable, Sendable {
        var time: TraceTime
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
            case (nil, let target?): "\(outcome.name) at \(target)"
            case (nil, nil): outcome.name
            }
        }

        /// With who took it, and who supplied the command.
        var allWords: String {
            switch (takenBy, supplier) {
            case (let taker?, let supplier?): "\(words), \(taker.name) of \(supplier)"
            case (let taker?, nil): "\(words), \(taker.name)"
            case (nil, _): words
            }
        }
    }

    /// What a line came to in each run; as few words as tell the results apart.
    private func words(at place: Place) -> [String?] {
        let results = runs.map { $0.results[place] }
        let differing = Set(results.map { $0?.allWords })
        let short = results.map { $0?.words }
        return Set(short).count == differing.count ? short : results.map { $0?.allWords }
    }

    private var runs: [Run] = []

    public init() {}

    /// What follows was replayed under this profile and layout.
    public mutating func begin(profile: String, layout: String) {
        runs.append(Run(profile: profile, layout: layout))
    }

    public mutating func add(_ line: ReplayLine) {
        guard !runs.isEmpty else { return }
        let at = runs.count - 1
        let press = line.press ?? 0
        let place = Place(press: press, line: runs[at].lines[press, default: 0])
        runs[at].lines[press, default: 0] += 1
        runs[at].results[place] = Result(
            time: line.time, chord: line.chord?.text, isRepeat: line.isRepeat, outcome: line.outcome,
            takenBy: line.takenBy, action: line.action, supplier: line.supplier, target: line.target)
    }

    /// Lines that the runs do not agree about, in the order in which they happened.
    private var different: [Place] {
        var times: [Place: TraceTime] = [:]
        for run in runs.reversed() { for (place, result) in run.results { times[place] = result.time } }
        let differing = times.keys.filter { place in
            guard let first = runs.first?.results[place] else { return true }
            return !runs.dropFirst().allSatisfy { first.isSame(as: $0.results[place]) }
        }
        func order(_ place: Place) -> (TraceTime, UInt32, Int) { (times[place] ?? .zero, place.press, place.line) }
        return differing.sorted { order($0) < order($1) }
    }

    /// One object: the runs, and for each line that differs the press and what it came to in each run.
    public var json: String {
        let different = self.different
        var json = JSONText()
        json.object { json in
            json.key("kind")
            json.value("comparison")
            json.key("runs")
            json.array(runs) { json, run in
                json.object { json in
                    json.key("profile")
                    json.value(run.profile)
                    json.key("layout")
                    json.value(run.layout)
                    json.key("lines")
                    json.value(run.results.count)
                }
            }
            json.key("different")
            json.array(different) { json, place in
                let known = runs.lazy.compactMap { $0.results[place] }.first
                json.object { json in
                    json.key("press")
                    if place.press > 0 { json.value(place.press) } else { json.null() }
                    json.key("chord")
                    json.value(known?.chord)
                    json.key("repeat")
                    json.value(known?.isRepeat ?? false)
                    json.key("results")
                    json.array(words(at: place)) { $0.value($1) }
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
            let known = runs.lazy.compactMap { $0.results[place] }.first
            let press = place.press > 0 ? String(place.press) : "-"
            let results = words(at: place).map { $0 ?? "-" }
            lines.append(([press, known?.chord ?? "-"] + results).joined(separator: " | "))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
