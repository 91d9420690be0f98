import KeyModel
import LatencyAnalysis
import TraceFormat

/// Explanations of the presses in a page, in few bytes: responders, verdicts and facts that several presses share are
/// stored once.
struct ExplanationTable {
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
        let ladder = report.explanation.ladder.prefix(ExplanationTable.rungLimit)
        let numbers = ladder.map { rung in number(of: rung, report, &strings) }
        let ladderNumber = ladders.number { json in json.array(numbers) { $0.value($1) } }
        let cost = costs.number { json in
            json.array(ladder) { json, rung in json.raw(rung.cost.map(ExplanationTable.threeDigits) ?? "null") }
        }
        var shared: [Int] = []
        var own: [Int] = []
        for (label, value, role) in report.allFacts {
            let (labelNumber, valueNumber) = (strings.number(label), strings.number(value))
            let fact = facts.number { json in
                json.array([labelNumber, valueNumber, ExplanationTable.number(of: role)]) { $0.value($1) }
            }
            // The time that a key was held is hardly ever the same again.
            if label == "released" { own.append(fact) } else { shared.append(fact) }
        }
        let list = factLists.number { json in json.array(shared) { $0.value($1) } }
        let details = (report.keyDetails + report.environment).joined(separator: " · ")
        var json = JSONText()
        json.array(
            [Int(report.explanation.press), strings.number(report.outcome), strings.number(details), ladderNumber, cost]
                + [list] + own
        ) { $0.value($1) }
        entries.append((report.explanation.press, json.text))
        entryBytes += json.bytes.count + 1
        appendMessages(of: report, &strings)
    }

    private mutating func appendMessages(of report: ExplainReport, _ strings: inout StringTable) {
        let groups = report.messageGroups.prefix(ExplanationTable.messageLimit)
        guard !groups.isEmpty else { return }
        var numbers: [Int] = []
        for group in groups {
            guard let first = group.messages.first else { continue }
            let texts = [
                strings.number(ExplainReport.name(of: first)), strings.number(ExplainReport.receiver(of: group)),
                strings.number(ExplainReport.answer(first)),
            ]
            let isTaker = first.answer == .yes && first.kind == .keyEquivalent
            numbers.append(
                messageGroups.row { json in
                    json.value(first.depth)
                    for text in texts { json.value(text) }
                    json.value(group.count)
                    json.value(isTaker ? 1 : 0)
                })
        }
        let list = messageLists.number { json in json.array(numbers) { $0.value($1) } }
        let times = costs.number { json in
            json.array(groups) { json, group in json.raw(ExplanationTable.threeDigits(group.duration)) }
        }
        var json = JSONText()
        json.array([Int(report.explanation.press), list, times]) { $0.value($1) }
        asked.append((report.explanation.press, json.text))
        entryBytes += json.bytes.count + 1
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
        return rungs.row { json in
            for number in [place, id, kind] { json.value(number) }
            json.value(window)
            json.value(flags)
            json.value(rung.calls)
            json.array(candidates) { json, numbers in json.array(numbers) { $0.value($1) } }
        }
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
        json.object { json in
            for (name, table) in [
                ("rungs", rungs), ("ladders", ladders), ("costs", costs), ("facts", facts), ("lists", factLists),
                ("messages", messageGroups), ("messageLists", messageLists),
            ] {
                json.key(name)
                table.write(to: &json)
            }
            json.key("of")
            json.array(entries.sorted { $0.press < $1.press }) { $0.raw($1.json) }
            json.key("asked")
            json.array(asked.sorted { $0.press < $1.press }) { $0.raw($1.json) }
        }
    }
}
