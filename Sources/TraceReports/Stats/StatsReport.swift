import KeyModel
package import LatencyAnalysis
import TraceFormat
import TracePresses

/// The report of `stats`: stages, calls, costs and the cache of a whole trace.
package struct StatsReport: FittedReport, Sendable {
    package var statistics: TraceStatistics
    /// Name of the trace, usually its file name.
    package var name: String
    /// The expression that chose the presses; `nil` for all of them.
    package var filter: String?
    package var groups: PressGroups?
    package var heldKeys: [HeldKey]?
    package var cloud: LatencyCloud?
    /// The requested stages: the report is of them alone.
    package var span: StageSpanStatistics?

    package init(_ statistics: TraceStatistics, name: String) {
        self.statistics = statistics
        self.name = name
    }

    package func body(_ style: ReportStyle) -> String {
        var sections = [ReportHeader(name: name, info: statistics.info).line(style) + "\n" + summary]
        if let span { return (sections + [text(of: span, style)] + survey(style)).joined(separator: "\n") }
        sections.append(stages(statistics.stages, of: "press", "presses", statistics.presses, style))
        if statistics.repeats > 0 {
            sections.append(stages(statistics.repeatStages, of: "repeat", "repeats", statistics.repeats, style))
        }
        if let made = allocations(style) { sections.append(made) }
        sections.append(calls(style))
        if let responders = responders(style) { sections.append(responders) }
        sections.append(cache(style))
        // The requested part comes last, where it is most visible.
        sections += survey(style)
        return sections.joined(separator: "\n")
    }

    private var summary: String {
        var parts = [HumanNumbers.counted(statistics.presses, "press", "presses")]
        if statistics.repeats > 0 { parts.append(HumanNumbers.counted(statistics.repeats, "repeat", "repeats")) }
        for name in ["profile", "scene"] {
            if let value = statistics.info.environment(name) {
                parts.append("\(name) \(SafeText.escaped(value, limit: 40))")
            }
        }
        if let layout = statistics.info.layouts.last {
            parts.append("layout " + KeyFormatter.layout(layout.name, isStored: layout.isStored))
        }
        parts.append(statistics.info.isMasked ? "text masked" : "text in clear")
        var text = parts.joined(separator: " · ") + "\n"
        if let filter { text += "only where \(SafeText.escaped(filter, limit: 200))\n" }
        if !statistics.outcomes.isEmpty {
            let outcomes = statistics.outcomes.map { "\(HumanNumbers.count($0.count)) \($0.outcome.name)" }
            text += outcomes.joined(separator: ", ") + "\n"
        }
        if let undecided = statistics.undecided { text += StatsReport.words(undecided) + "\n" }
        let totals = [statistics.stages.total?.sum, statistics.repeatStages.total?.sum].compactMap { $0 }
        let whole = totals.isEmpty ? nil : totals.reduce(.zero, +)
        return text + RecorderCostLine.text(statistics.info, of: whole, "what they took")
    }

    private func stages(
        _ stages: StageStatistics, of one: String, _ many: String, _ count: UInt64, _ style: ReportStyle
    ) -> String {
        let title = style.paint("Where the time of \(HumanNumbers.counted(count, one, many)) went", .heading)
        guard let total = stages.total else {
            return "\(title): unknown, no stage was recorded or declared.\n"
        }
        var table = StatsReport.stageTable()
        for stage in LatencyStage.allCases {
            table.add(StatsReport.row(stage, stages[stage], isDerived: stages.derived.contains(stage), of: total))
        }
        table.add(StatsReport.row("total", total, of: nil))
        var text = "\(title)\n" + table.rendered(style)
        guard one == "press" else { return text }
        if stages.isPartial { text += "  – not seen by this recording, and not part of the total.\n" }
        if total.count < 100 { text += "  p99 needs 100 \(many), p90 needs 10; max is always the slowest.\n" }
        if !total.isExact { text += "  Of so many presses percentiles are at most 0.1 % too high; max is exact.\n" }
        return text + "  Percentiles of stages do not add up to those of the total.\n"
    }

    /// A table for rows of `row`.
    static func stageTable() -> TextTable {
        TextTable([.init(title: "stage"), .right("n")] + durationColumns + [.right("share"), .init(title: "")])
    }

    /// The columns of `durations(of:)`.
    static let durationColumns = ["p50   ", "p90   ", "p99   ", "max   ", "sum   "].map { TextTable.Column.right($0) }

    static func durations(of known: DurationStatistics?) -> [TextTable.Cell] {
        [known?.p50, known?.p90, known?.p99, known?.max, known?.sum].map { .time($0) }
    }

    /// `known` is `nil` for a stage that this recording does not see.
    static func row(
        _ stage: LatencyStage, _ known: DurationStatistics?, isDerived: Bool, of total: DurationStatistics?
    ) -> [TextTable.Cell] {
        guard let known else {
            return [words(stage), HumanNumbers.absent].map { TextTable.Cell($0, .faint) }
        }
        return row(words(stage, isDerived: isDerived), known, of: total)
    }

    static func row(_ label: String, _ known: DurationStatistics, of total: DurationStatistics?) -> [TextTable.Cell] {
        let cells = [TextTable.Cell(label), .count(known.count)] + durations(of: known)
        guard let total else { return cells }
        let (part, whole) = (UInt64(known.sum.nanoseconds), UInt64(total.sum.nanoseconds))
        return cells + [TextTable.Cell(HumanNumbers.share(part, of: whole)), TextTable.Cell(bar(part, of: whole))]
    }

    /// `never decided: 1 press, 3 repeats coalesced; 1 key cancelled`
    static func words(_ undecided: TraceStatistics.Undecided) -> String {
        var lost: [String] = []
        if undecided.presses > 0 { lost.append(HumanNumbers.counted(undecided.presses, "press", "presses")) }
        if undecided.repeats > 0 {
            lost.append(HumanNumbers.counted(undecided.repeats, "repeat", "repeats") + " coalesced")
        }
        let cancelled = HumanNumbers.counted(undecided.cancelled, "key", "keys") + " cancelled"
        if lost.isEmpty { return cancelled }
        let text = "never decided: " + lost.joined(separator: ", ")
        return undecided.cancelled > 0 ? text + "; " + cancelled : text
    }

    /// A bar of up to ten cells, with eighths, whatever the part.
    static func bar(_ part: UInt64, of whole: UInt64) -> String {
        guard whole > 0 else { return "" }
        let eighths = Int((min(1, Double(part) / Double(whole)) * 80).rounded())
        let last = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + last
    }

    /// The name of a stage for people.
    static func words(_ stage: LatencyStage, isDerived: Bool = false) -> String {
        if isDerived { return words(stage) + " (its calls)" }
        return switch stage {
        case .inputDelay: "input delay"
        case .chordWait: "chord wait"
        default: stage.name
        }
    }
}

extension StatsReport {
    private func calls(_ style: ReportStyle) -> String {
        let title = style.paint("Questions asked", .heading)
        guard let calls = statistics.calls else {
            return "\(title): unknown, this trace has level \(statistics.info.level.name), not calls.\n"
        }
        var table = TextTable([
            .init(title: "call"), .right("total"), .right("per press"), .right("most for one"), .right("at repeats"),
            .right("at releases"),
        ])
        let isHooked = calls.messages != nil
        for kind in CallKind.allCases
        where !isHooked && (kind == .keyCommands || kind == .canPerformAction) || calls[kind].isAny {
            let counts = calls[kind]
            table.add([
                .init(kind.name), .count(counts.total),
                .init(HumanNumbers.ratio(counts.onDown, per: statistics.presses)), .count(counts.perPressMax),
                .count(counts.onRepeat), .count(counts.onRelease),
            ])
        }
        for (kind, name) in InvocationCounts.kinds {
            guard let messages = calls.messages, messages.total[kind] > 0 else { continue }
            let (total, onRepeat) = (messages.total[kind], messages.onRepeat[kind])
            table.add([
                .init(name), .count(total), .init(HumanNumbers.ratio(total - onRepeat, per: statistics.presses)),
                .count(messages.perPressMax[kind]), .count(onRepeat),
            ])
        }
        let others = CallKind.allCases.reduce(0) { $0 &+ calls[$1].withoutPress }
        let counted = HumanNumbers.counted(others, "call", "calls")
        let elsewhere = others == 0 ? "" : "  \(counted) of the totals at no press: between presses, or for a text.\n"
        let blind = statistics.info.adapter?.blindHooks.map { "  not seen: \($0.absence)\n" } ?? []
        return "\(title)\n" + table.rendered(style) + elsewhere + blind.joined()
    }

    private func responders(_ style: ReportStyle) -> String? {
        guard let calls = statistics.calls, !calls.responders.isEmpty else { return nil }
        let ofLists: [TextTable.Field<ResponderCalls>] = [
            .count("lists") { $0.distinctResults },
            .number("rebuilt unchanged") { HumanNumbers.share($0.unchangedResults, of: $0.calls) },
        ]
        let table = TextTable(
            calls.responders.prefix(StatsReport.responderLimit),
            [
                .name("responder") { $0.id }, .name("kind", .drop, limit: 40) { $0.kind }, .count("calls") { $0.calls },
                .time("self   ") { $0.selfTime }, .time("total   ") { $0.totalTime },
            ] + (calls.answersWithLists ? ofLists : []))
        let title = style.paint("Who was asked for \(calls.askedFor), the costliest first", .heading)
        var text = title + "\n" + table.rendered(style)
            + HumanNumbers.rest(calls.responders.count, beyond: StatsReport.responderLimit)
        // Self and total time differ only where calls were made inside others.
        if calls.responders.contains(where: { $0.selfTime != $0.totalTime }) {
            text += "  self: without the calls made inside it; total: with them.\n"
        }
        return text
    }

    /// More responders than this are in no chain that a person reads.
    private static let responderLimit = 12

    private func cache(_ style: ReportStyle) -> String {
        let title = style.paint("Cache", .heading)
        guard let cache = statistics.cache else { return "\(title): unknown, nothing was recorded of one.\n" }
        let counts = [
            HumanNumbers.counted(cache.lookups, "lookup", "lookups"),
            HumanNumbers.counted(cache.hits, "hit", "hits") + " (\(HumanNumbers.share(cache.hits, of: cache.lookups)))",
            HumanNumbers.counted(cache.misses, "miss", "misses"),
            HumanNumbers.counted(cache.invalidations, "entry", "entries") + " dropped",
        ]
        var text = "\(title): policy \(SafeText.escaped(cache.policy ?? "unknown", limit: 40))\n"
        text += "  \(counts.joined(separator: ", "))\n"
        if let words = invalidated { text += "  invalidated: \(words)\n" }
        let calls = HumanNumbers.counted(cache.callsSaved, "keyCommands call", "keyCommands calls")
        if cache.policy != "none" {
            text += "  saved \(calls) and \(HumanNumbers.duration(cache.timeSaved)), against no cache at all\n"
        }
        if max(cache.shadowReads, statistics.calls?.shadowReads ?? 0) > 0 {
            return text + "  \(HumanNumbers.counted(cache.stale, "wrong answer", "wrong answers")) served\n"
        }
        return text + (cache.hits > 0 ? "  answers not checked: --shadow-check compares each with a fresh one\n" : "")
    }
}

extension StatsReport {
    /// Whose entries were dropped, those with the most first; `nil` where nothing was.
    private var invalidated: String? {
        guard !statistics.invalidated.isEmpty else { return nil }
        let limit = 4
        let names = statistics.invalidated.prefix(limit).map { entry in
            let name = entry.responder.map { SafeText.escaped($0, limit: 40) } ?? entry.scope.name
            return "\(name) \(HumanNumbers.counted(entry.count, "time", "times"))"
        }
        let rest = statistics.invalidated.count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(HumanNumbers.count(rest)) more" : "")
    }
}

extension CallCounts.Kind {
    fileprivate var isAny: Bool { total > 0 || onRelease > 0 }
}
