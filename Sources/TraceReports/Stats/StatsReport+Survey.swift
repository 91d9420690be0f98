import KeyModel
import LatencyAnalysis
import TraceFormat

/// Groups of presses, held keys, and latency over time.
extension StatsReport {
    /// The most lines of a table; `--format json` has all.
    private static let lineLimit = 40

    func survey(_ style: ReportStyle) -> [String] {
        var sections: [String] = []
        if let groups { sections.append(text(of: groups, style)) }
        if let heldKeys { sections.append(text(of: heldKeys, style)) }
        if let cloud { sections.append(text(of: cloud, style)) }
        return sections
    }

    private func text(of groups: PressGroups, _ style: ReportStyle) -> String {
        let title = groups.key == .stage ? "longest stage" : groups.key.rawValue
        var table = TextTable(
            [.init(title: title, fit: .cut), .right("presses"), .right("repeats")] + StatsReport.durationColumns)
        for group in groups.groups.prefix(StatsReport.lineLimit) {
            let cells: [TextTable.Cell] = [
                .init(name(of: group, groups.key)), .count(group.presses), .count(group.repeats),
            ]
            table.add(cells + StatsReport.durations(of: group.total))
        }
        return style.paint("By \(groups.key.rawValue)", .heading) + "\n" + table.rendered(style)
            + HumanNumbers.rest(groups.groups.count, beyond: StatsReport.lineLimit)
    }

    private func name(of group: PressGroups.Group, _ key: PressGroups.Key) -> String {
        if group.name.isEmpty { return HumanNumbers.absent }
        if key == .stage, let stage = LatencyStage(name: group.name) { return StatsReport.words(stage) }
        return SafeText.escaped(group.name, limit: 60)
    }

    private func text(of held: [HeldKey], _ style: ReportStyle) -> String {
        let title = style.paint("Held keys", .heading)
        guard !held.isEmpty else { return "\(title): none was held until it repeated.\n" }
        let table = TextTable(
            held.prefix(StatsReport.lineLimit),
            [
                .number("press") { "#\($0.press)" }, .text("key") { KeyFormatter.chord($0.chord) },
                .name("action") { $0.action ?? HumanNumbers.absent }, .count("repeats") { $0.repeats },
                .count("ran") { $0.performed }, .time("every   ") { $0.repeats > 1 ? $0.interval : nil },
                .time("takes   ") { $0.service }, .time("waited up to") { $0.longestWait },
                .cell(.right("after release")) { .time($0.runsOn, $0.overrun == nil ? .plain : .bad) },
            ])
        var text = title + "\n" + table.rendered(style)
        for words in held.prefix(StatsReport.lineLimit).compactMap(slope) {
            for line in DisplayWidth.wrap(words, into: (style.width ?? 118) - 2) { text += "  \(line)\n" }
        }
        return text
    }

    /// The reason why a held key goes on after its release.
    private func slope(of key: HeldKey) -> String? {
        guard let overrun = key.overrun, let service = key.service, key.interval > .zero else { return nil }
        let perSecond = Double(overrun.nanoseconds) / Double(key.interval.nanoseconds) * 1_000_000_000
        let slope = HumanNumbers.duration(TraceDuration(nanoseconds: Int64(exactly: perSecond.rounded(.down)) ?? .max))
        let after = key.runsOn.map { ", and it ran on for \(HumanNumbers.duration($0)) after the release" } ?? ""
        return "#\(key.press) takes \(HumanNumbers.duration(service)) and comes every "
            + "\(HumanNumbers.duration(key.interval)): the backlog grows by \(HumanNumbers.duration(overrun)) with "
            + "each repeat, \(slope) for each second of holding\(after)."
    }

    // MARK: Over time

    private static let shades = Array(" ▁▂▃▄▅▆▇█")

    /// Rows for powers of two of a duration, columns for stretches of time; the darker, the more presses.
    private func text(of cloud: LatencyCloud, _ style: ReportStyle) -> String {
        let title = style.paint("How long presses took over time", .heading)
        guard let first = cloud.points.first?.time, let last = cloud.points.last?.time else {
            return "\(title): no press has a time.\n"
        }
        let width = max(10, min(60, (style.width ?? 80) - 20))
        let span = max(1, last.since(first).nanoseconds)
        var cells: [Int: [Int]] = [:]
        for point in cloud.points {
            let share = Double(max(0, point.time.since(first).nanoseconds)) / Double(span)
            let column = min(width - 1, Int(share * Double(width)))
            cells[StatsReport.octave(point.total), default: Array(repeating: 0, count: width)][column] += 1
        }
        guard let top = cells.keys.max(), let bottom = cells.keys.min() else { return "" }
        let most = cells.values.flatMap { $0 }.max() ?? 1
        var text = title + "\n"
        for octave in stride(from: top, through: bottom, by: -1) {
            let counts = cells[octave] ?? Array(repeating: 0, count: width)
            let least = TraceDuration(nanoseconds: octave == 0 ? 0 : 1 << Int64(octave - 1))
            let label = octave == 0 ? "no time" : "≥ " + HumanNumbers.duration(least)
            let padding = String(repeating: " ", count: max(0, 12 - DisplayWidth.of(label)))
            var line = "  " + padding + label + "  " + String(counts.map { StatsReport.shade($0, of: most) })
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        let end = HumanNumbers.time(last)
        let start = HumanNumbers.time(first)
        let gap = String(repeating: " ", count: max(1, width - start.count - end.count))
        text += String(repeating: " ", count: 16) + start + gap + end + "\n"
        let kept = cloud.stride > 1 ? ", one press in \(HumanNumbers.count(cloud.stride)) is shown" : ""
        return text + "  █ is \(HumanNumbers.counted(most, "press", "presses"))\(kept).\n"
    }

    /// 0 for no time, n for 2^(n − 1) ns and above.
    private static func octave(_ duration: TraceDuration) -> Int {
        let value = UInt64(max(0, duration.nanoseconds))
        return UInt64.bitWidth - value.leadingZeroBitCount
    }

    private static func shade(_ count: Int, of most: Int) -> Character {
        guard count > 0 else { return " " }
        let level = 1 + (count - 1) * (shades.count - 2) / max(1, most - 1)
        return shades[most == 1 ? shades.count - 1 : min(shades.count - 1, level)]
    }

    // MARK: JSON

    var surveyJSON: JSONObject {
        var object: JSONObject = [:]
        if let filter { object.add("where", filter) }
        object.add(spanJSON)
        if let groups {
            object.add("by", groups.key.rawValue)
            object.add(
                "groups",
                groups.groups.objects {
                    [
                        "name": $0.name.isEmpty ? nil : $0.name, "presses": $0.presses, "repeats": $0.repeats,
                        "total": $0.total?.json,
                    ]
                })
        }
        guard let heldKeys else { return object }
        object.add(
            "held_keys",
            heldKeys.objects {
                [
                    "press": $0.press, "chord": $0.chord.text, "action": $0.action, "repeats": $0.repeats,
                    "performed": $0.performed, "interval_ns": $0.repeats > 1 ? $0.interval : nil,
                    "service_ns": $0.service, "longest_wait_ns": $0.longestWait, "overrun_ns": $0.overrun,
                    "runs_on_ns": $0.runsOn,
                ]
            })
        return object
    }
}
