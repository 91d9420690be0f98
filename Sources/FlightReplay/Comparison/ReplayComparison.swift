import KeyModel
import TraceFormat

/// Several replays of the same input side by side: which presses were resolved differently.
///
/// The outcome of a press is compared (outcome, taker, action, supplier, target), not the number of questions.
/// Lines belong together by press and repeat, so that a key that repeats under one profile only shifts nothing.
public struct ReplayComparison: Sendable {
    private struct Run: Sendable {
        var profile: String
        var layout: String
        var lines = Lines()
    }

    /// A line of a run: when, and which of the results that were met. Results are few, lines may be millions.
    private struct Entry: Sendable {
        var time: TraceTime
        var result: UInt32
    }

    /// The lines of a run by their places, small for presses that go on one after the other with a line each.
    private struct Lines: Sendable {
        private(set) var count = 0
        private var firstPress: UInt32 = 0
        private var firsts: [Entry] = []
        private var texts: [Entry] = []
        private var others: [Place: Entry] = [:]
        /// Number of lines of each press that is not among `firsts`, or has more than one.
        private var counts: [UInt32: Int] = [:]

        mutating func append(_ entry: Entry, press: UInt32) {
            count += 1
            guard press > 0 else { return texts.append(entry) }
            if firsts.isEmpty { firstPress = press }
            if Int(press) - Int(firstPress) == firsts.count, counts[press] == nil { return firsts.append(entry) }
            let isFirst = firsts.indices.contains(Int(press) - Int(firstPress))
            let line = counts[press] ?? (isFirst ? 1 : 0)
            counts[press] = line + 1
            others[Place(press: press, line: line)] = entry
        }

        subscript(place: Place) -> Entry? {
            if place.press == 0 { return texts.indices.contains(place.line) ? texts[place.line] : nil }
            let index = Int(place.press) - Int(firstPress)
            return place.line == 0 && firsts.indices.contains(index) ? firsts[index] : others[place]
        }

        func forEachPlace(_ body: (Place) -> Void) {
            for line in texts.indices { body(Place(press: 0, line: line)) }
            for index in firsts.indices { body(Place(press: firstPress + UInt32(index), line: 0)) }
            for place in others.keys { body(place) }
        }
    }

    /// Identifies a line: the press (0 for text without a key), and which of its lines, from 0.
    private struct Place: Hashable, Sendable {
        var press: UInt32
        var line: Int
    }

    private struct Result: Hashable, Sendable {
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

        /// Includes the taker and the supplier of the command.
        var allWords: String {
            switch (takenBy, supplier) {
            case (let taker?, let supplier?): "\(words), \(taker.name) of \(supplier)"
            case (let taker?, nil): "\(words), \(taker.name)"
            case (nil, _): words
            }
        }
    }

    /// Result of a line in each run, in as few words as distinguish the results.
    private func words(at place: Place) -> [String?] {
        let results = runs.map { result($0, place) }
        let differing = Set(results.map { $0?.allWords })
        let short = results.map { $0?.words }
        return Set(short).count == differing.count ? short : results.map { $0?.allWords }
    }

    private var runs: [Run] = []
    private var results: [Result] = []
    private var numbers: [Result: UInt32] = [:]

    public init() {}

    private func result(_ run: Run, _ place: Place) -> Result? { run.lines[place].map { results[Int($0.result)] } }

    /// Starts the rows of a replay under this profile and layout.
    public mutating func begin(profile: String, layout: String) {
        runs.append(Run(profile: profile, layout: layout))
    }

    public mutating func add(_ line: ReplayLine) {
        guard !runs.isEmpty else { return }
        let result = Result(
            chord: line.chord?.text, isRepeat: line.isRepeat, outcome: line.outcome, takenBy: line.takenBy,
            action: line.action, supplier: line.supplier, target: line.target)
        let number = numbers[result] ?? UInt32(results.count)
        if Int(number) == results.count {
            results.append(result)
            numbers[result] = number
        }
        runs[runs.count - 1].lines.append(Entry(time: line.time, result: number), press: line.press ?? 0)
    }

    /// Lines that the runs do not agree about, in the order in which they happened.
    private var different: [Place] {
        var found: [(place: Place, time: TraceTime)] = []
        for (number, run) in runs.enumerated() {
            run.lines.forEachPlace { place in
                // A place belongs to the first run that has it.
                guard !runs.prefix(number).contains(where: { $0.lines[place] != nil }) else { return }
                let first = result(run, place)
                let isSame = number == 0 && runs.allSatisfy { first?.isSame(as: result($0, place)) == true }
                if !isSame { found.append((place, run.lines[place]?.time ?? .zero)) }
            }
        }
        found.sort { ($0.time, $0.place.press, $0.place.line) < ($1.time, $1.place.press, $1.place.line) }
        return found.map(\.place)
    }

    /// One object: the runs, and for each line that differs the press and its outcome in each run.
    public var json: String {
        let different = self.different
        return JSONText.objectText { json in
            json.member("kind", "comparison")
            json.member("runs", objects: runs) { json, run in
                json.member("profile", run.profile)
                json.member("layout", run.layout)
                json.member("lines", run.lines.count)
            }
            json.member("different", array: different) { json, place in
                let known = runs.lazy.compactMap { result($0, place) }.first
                json.object { json in
                    json.member("press", place.press > 0 ? place.press : nil)
                    json.member("chord", known?.chord)
                    json.member("repeat", known?.isRepeat ?? false)
                    json.member("results", array: words(at: place)) { $0.value($1) }
                }
            }
        }
    }

    /// The same for people, a line for each line that differs. Ends with a line break.
    public var text: String {
        let names = runs.map { "\($0.profile)/\($0.layout)" }
        let different = self.different
        guard !different.isEmpty else { return "# \(names.joined(separator: " and ")) resolve every press alike\n" }
        var text = "# resolved differently under \(names.joined(separator: ", ")): \(different.count)\n"
        for place in different {
            let known = runs.lazy.compactMap { result($0, place) }.first
            let press = place.press > 0 ? String(place.press) : "-"
            let results = words(at: place).map { $0 ?? "-" }
            text += VisibleText.escaped(([press, known?.chord ?? "-"] + results).joined(separator: " | ")) + "\n"
        }
        return text
    }
}
