public import KeyModel
package import TraceFormat
import TracePresses

/// The most that presses of a golden may take, in virtual time: by the costs of calls in the scene or the recording,
/// queueing included, and so the same on every machine.
///
/// They are part of the golden's text, in lines below the first, and stay there when it is recorded again:
///
///     # latency total 16ms · action 10ms
///
/// `total` is all stages of a press together; else the name of a stage. Durations are an integer and a unit.
public struct LatencyBudgets: Hashable, Sendable {
    /// Budget of any press, all stages together.
    public var total: TraceDuration?
    public var stages: [LatencyStage: TraceDuration] = [:]

    public init(total: TraceDuration? = nil, stages: [LatencyStage: TraceDuration] = [:]) {
        self.total = total
        self.stages = stages
    }

    package var isEmpty: Bool { total == nil && stages.isEmpty }

    /// In the order of the report: the total (`nil`), then stages as a press goes through them.
    private var ordered: [(stage: LatencyStage?, most: TraceDuration)] {
        (total.map { [(nil, $0)] } ?? [])
            + LatencyStage.allCases.compactMap { stage in stages[stage].map { (stage, $0) } }
    }

    /// A press that took longer than it may.
    package struct Excess: Hashable, Sendable {
        package var press: PressTick
        /// The chord as written in JSON and on the command line.
        package var input: String
        /// `nil`: the total.
        package var stage: LatencyStage?
        package var most: TraceDuration
        package var found: TraceDuration

        package var what: String { stage?.name ?? "total" }

        /// `press 3 (cmd+w): action: expected at most 1ms, found 2ms`
        package var line: String {
            "press \(press.press) (\(input)): \(what): expected at most \(most.text), found \(found.text)"
        }
    }

    /// Every press above a budget, in the order of presses. Throws where no press has any time in a stage that has a
    /// budget: what cannot be exceeded is not kept either. `file` is named in the message.
    func excesses(of recording: Recording, file: String) throws(VerdictError) -> [Excess] {
        guard !isEmpty else { return [] }
        var results = PressResults()
        results.consume(recording)
        results.finish(recording.definitions)
        let budgets = ordered
        var seen = Set<LatencyStage?>()
        var excesses: [Excess] = []
        for result in results.results {
            for (stage, most) in budgets {
                guard let found = stage.map({ result.stages[$0] }) ?? result.stages.total else { continue }
                seen.insert(stage)
                guard found > most else { continue }
                excesses.append(
                    Excess(press: result.at, input: result.input.name, stage: stage, most: most, found: found))
            }
        }
        if let (stage, _) = budgets.first(where: { !seen.contains($0.stage) }) {
            let name = stage?.name ?? "total"
            throw VerdictError(
                .notComparable, file, "latency budget of \(name)", expected: "a press with time in it", found: "none",
                remedy: "declare what calls take (cost: in scene.yaml), or take the budget out")
        }
        return excesses
    }
}

// MARK: As text

extension LatencyBudgets {
    static let mark = "# latency"

    /// Adds a line of a golden's text. `place` is the file and the line's number.
    mutating func read(_ line: Substring, _ place: String) throws(VerdictError) {
        func fail(_ what: String, _ expected: String, _ found: some StringProtocol) -> VerdictError {
            VerdictError(
                .notComparable, place, what, expected: expected,
                found: found.isEmpty ? "nothing" : "“\(found.prefix(80))”",
                remedy: "write it as “\(LatencyBudgets.mark) total 16ms · action 10ms”")
        }
        guard line == LatencyBudgets.mark || line.hasPrefix(LatencyBudgets.mark + " ") else {
            throw fail("heading", "“\(LatencyBudgets.mark) …”, or a press", line)
        }
        for part in line.dropFirst(LatencyBudgets.mark.count).components("·") {
            let words = part.split(separator: " ")
            guard words.count == 2 else { throw fail("latency budget", "a stage and a duration", part) }
            guard let most = TraceDuration(text: words[1]) else {
                throw fail("latency budget of \(words[0])", "an integer and ns, us, ms or s", words[1])
            }
            if words[0] == "total" {
                guard total == nil else { throw fail("latency budget", "one of total", line) }
                total = most
                continue
            }
            guard let stage = LatencyStage.allCases.first(where: { $0.name == words[0] }) else {
                let names = (["total"] + LatencyStage.allCases.map(\.name)).joined(separator: ", ")
                throw fail("latency budget", "one of \(names)", words[0])
            }
            guard stages.updateValue(most, forKey: stage) == nil else {
                throw fail("latency budget", "one of \(stage.name)", line)
            }
        }
    }
}

/// A golden's text, taken apart: the latency budgets below its first line, which a person writes, the allocations of a
/// live app, and the rest, which a replay has to give.
struct BudgetedText {
    /// The text without the lines of budgets and allocations.
    private(set) var text: String
    private(set) var budgets = LatencyBudgets()
    private(set) var allocations = GoldenAllocations()
    /// The budgets as written in the text, each with a line break.
    private var lines = ""

    /// `file` is the path for messages.
    init(_ text: String, file: String) throws(VerdictError) {
        self.text = text
        var rest = BudgetedText.afterFirstLine(text)
        let begin = rest.startIndex
        var number = 2
        while rest.utf8.first == UInt8(ascii: "#") {
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            if rest.hasPrefix(GoldenAllocations.mark) {
                try allocations.read(rest[..<end], "\(file): line \(number)")
            } else {
                try budgets.read(rest[..<end], "\(file): line \(number)")
                lines += rest[..<end] + "\n"
            }
            number += 1
            rest = end < rest.endIndex ? rest[rest.utf8.index(after: end)...] : rest[end...]
        }
        commentLines = number - 2
        if commentLines > 0 { self.text = String(text[..<begin]) + rest }
    }

    /// Lines of budgets and allocations below the first one.
    private(set) var commentLines = 0

    /// Another text with these budgets in the place of its own.
    func keepingBudgets(in other: BudgetedText) -> String {
        BudgetedText.inserting(lines + other.allocations.text, in: other.text)
    }

    /// A text with lines below its first one.
    static func inserting(_ lines: String, in text: String) -> String {
        guard !lines.isEmpty else { return text }
        let rest = afterFirstLine(text)
        return String(text[..<rest.startIndex]) + lines + rest
    }

    private static func afterFirstLine(_ text: String) -> Substring {
        guard let end = text.utf8.firstIndex(of: UInt8(ascii: "\n")) else { return text[text.endIndex...] }
        return text[text.utf8.index(after: end)...]
    }
}

extension GoldenCase {
    /// The accepted text without its latency budgets, and those; `nil` when there is none.
    func accepted() throws(VerdictError) -> BudgetedText? {
        guard let text = try expected() else { return nil }
        return try BudgetedText(text, file: path)
    }
}

extension LatencyBudgets {
    /// The stricter of two where both have one.
    func joined(with other: LatencyBudgets) -> LatencyBudgets {
        var both = self
        both.total = [total, other.total].compactMap(\.self).min()
        both.stages.merge(other.stages) { min($0, $1) }
        return both
    }
}
