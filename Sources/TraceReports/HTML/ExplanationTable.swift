import KeyModel
import LatencyAnalysis
import TraceFormat

/// Explanations of the presses in a page, in few bytes: responders, verdicts and facts that several presses share are
/// stored once.
struct ExplanationTable: JSONValue {
    private var rungs = FragmentTable()
    private var ladders = FragmentTable()
    private var costs = FragmentTable()
    private var facts = FragmentTable()
    private var factLists = FragmentTable()
    private var messageGroups = FragmentTable()
    private var messageLists = FragmentTable()
    private var entries: [(press: UInt32, json: String)] = []
    /// Presses with messages of hooks: their list, and the duration of each line.
    private var asked: [(press: UInt32, json: String)] = []
    private var entryBytes = 0

    var bytes: Int {
        [rungs, ladders, costs, facts, factLists, messageGroups, messageLists].reduce(entryBytes) { $0 + $1.bytes }
    }

    /// Flags of a rung.
    private enum Flag {
        static let firstResponder = 1
        static let target = 2
        static let receiver = 4
        static let swallower = 8
    }

    mutating func append(_ report: ExplainReport, _ strings: inout StringTable) {
        let ladder = report.shownLadder.prefix(ExplanationTable.rungLimit)
        let numbers = ladder.map { rung in number(of: rung, report, &strings) }
        let ladderNumber = ladders.number(numbers)
        let cost = costs.number(ladder.map { JSONNumber($0.cost.map(ExplanationTable.threeDigits)) })
        var shared: [Int] = []
        var own: [Int] = []
        for (label, value, role) in report.allFacts {
            let fact = facts.number([strings.number(label), strings.number(value), ExplanationTable.number(of: role)])
            // The time that a key was held is hardly ever the same again.
            if label == "released" { own.append(fact) } else { shared.append(fact) }
        }
        let list = factLists.number(shared)
        let details = (report.keyDetails + report.environment).joined(separator: " · ")
        let press = report.explanation.press
        let entry = [Int(press), strings.number(report.outcome), strings.number(details), ladderNumber, cost, list]
        let json = (entry + own).jsonText
        entries.append((press, json))
        entryBytes += json.utf8.count + 1
        appendMessages(of: report, &strings)
    }

    private mutating func appendMessages(of report: ExplainReport, _ strings: inout StringTable) {
        let groups = report.messageGroups.prefix(ExplanationTable.messageLimit)
        guard !groups.isEmpty else { return }
        var numbers: [Int] = []
        for group in groups {
            guard let first = group.messages.first else { continue }
            let isTaker = first.answer == .yes && first.kind == .keyEquivalent
            let row: JSONArray = [
                first.depth, strings.number(ExplainReport.name(of: first)),
                strings.number(ExplainReport.receiver(of: group)), strings.number(ExplainReport.answer(first)),
                group.count, isTaker ? 1 : 0,
            ]
            numbers.append(messageGroups.number(row))
        }
        let list = messageLists.number(numbers)
        let times = costs.number(groups.map { JSONNumber(ExplanationTable.threeDigits($0.duration)) })
        let json = [Int(report.explanation.press), list, times].jsonText
        asked.append((report.explanation.press, json))
        entryBytes += json.utf8.count + 1
    }

    /// The most messages of a press: more come of a modal loop, whose presses have their own.
    private static let messageLimit = 100

    /// The most responders of a press: longer chains are not readable.
    private static let rungLimit = 200
    /// The most candidates of a responder: it hardly ever has more than two.
    private static let candidateLimit = 24

    private mutating func number(of rung: LadderRung, _ report: ExplainReport, _ strings: inout StringTable) -> Int {
        let place =
            switch rung.place {
            case .chain(let position): position
            case .offChain: 0
            case .mainMenu: -1
            }
        var flags = rung.isFirstResponder ? Flag.firstResponder : 0
        if rung.isTarget { flags |= Flag.target }
        if rung.isReceiver { flags |= Flag.receiver }
        if rung.isSwallower { flags |= Flag.swallower }
        let id = strings.number(rung.place == .mainMenu ? "main menu" : rung.id)
        let kind = strings.number(rung.kind)
        let window = rung.window.map { strings.number($0) }
        var candidates = rung.candidates.prefix(ExplanationTable.candidateLimit).map { candidate in
            let verdict = report.verdict(candidate)
            return [
                strings.number(report.offer(candidate).text), strings.number(verdict.text),
                ExplanationTable.number(of: verdict.role),
            ]
        }
        for command in rung.misplaced.prefix(ExplanationTable.candidateLimit) {
            candidates.append([
                strings.number(report.offer(command)), strings.number(KeyFormatter.whereabouts(command)),
                ExplanationTable.number(of: .faint),
            ])
        }
        let row: JSONArray = [place, id, kind, window, flags, rung.calls, candidates]
        return rungs.number(row)
    }

    static func number(of role: ReportStyle.Role) -> Int {
        switch role {
        case .plain, .heading: 0
        case .good: 1
        case .bad: 2
        case .faint: 3
        }
    }

    /// The displayed value of a cost: `312e3` for 312,456 ns.
    static func threeDigits(_ duration: TraceDuration) -> String {
        var digits = max(0, duration.nanoseconds)
        var zeros = 0
        while digits >= 1000 {
            let rest = digits % 10
            digits = digits / 10 + (digits < 10_000 && rest >= 5 ? 1 : 0)
            zeros += 1
        }
        while digits > 0, digits % 10 == 0, zeros > 0 {
            digits /= 10
            zeros += 1
        }
        return zeros == 0 ? String(digits) : "\(digits)e\(zeros)"
    }

    func write(to json: inout JSONText) {
        let object: JSONObject = [
            "rungs": rungs, "ladders": ladders, "costs": costs, "facts": facts, "lists": factLists,
            "messages": messageGroups, "messageLists": messageLists,
            "of": entries.sorted { $0.press < $1.press }.map { JSONNumber($0.json) },
            "asked": asked.sorted { $0.press < $1.press }.map { JSONNumber($0.json) },
        ]
        object.write(to: &json)
    }
}
