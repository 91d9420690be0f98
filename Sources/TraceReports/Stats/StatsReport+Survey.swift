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
            let cells = [
                TextTable.Cell(name(of: group, groups.key)), TextTable.Cell(HumanNumbers.count(group.presses)),
                TextTable.Cell(HumanNumbers.count(group.repeats)),
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
        var table = TextTable([
            .right("press"), .init(title: "key"), .init(title: "action", fit: .cut), .right("repeats"), .right("ran"),
            .right("every   "), .right("takes   "), .right("waited up to"), .right("after release"),
        ])
        for key in held.prefix(StatsReport.lineLimit) {
            table.add([
                TextTable.Cell("#\(key.press)"), TextTable.Cell(KeyFormatter.chord(key.chord)),
                TextTable.Cell(key.action.map { SafeText.escaped($0, limit: 60) } ?? HumanNumbers.absent),
                TextTable.Cell(HumanNumbers.count(key.repeats)), TextTable.Cell(HumanNumbers.count(key.performed)),
                TextTable.Cell(HumanNumbers.column(key.repeats > 1 ? key.interval : nil)),
                TextTable.Cell(HumanNumbers.column(key.service)), TextTable.Cell(HumanNumbers.column(key.longestWait)),
                TextTable.Cell(HumanNumbers.column(key.runsOn), key.overrun == nil ? .plain : .bad),
            ])
        }
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

    func writeSurvey(_ json: inout JSONText) {
        if let filter { json.member("where", filter) }
        writeSpan(&json)
        if let groups {
            json.member("by", groups.key.rawValue)
            json.member("groups", objects: groups.groups) { json, group in
                json.member("name", group.name.isEmpty ? nil : group.name)
                json.member("presses", group.presses)
                json.member("repeats", group.repeats)
                StatsReport.write(group.total, as: "total", to: &json)
            }
        }
        if let heldKeys {
            json.member("held_keys", objects: heldKeys) { json, key in
                json.member("press", key.press)
                json.member("chord", key.chord.text)
                json.member("action", key.action)
                json.member("repeats", key.repeats)
                json.member("performed", key.performed)
                json.member("interval_ns", key.repeats > 1 ? key.interval.nanoseconds : nil)
                json.member("service_ns", key.service?.nanoseconds)
                json.member("longest_wait_ns", key.longestWait?.nanoseconds)
                json.member("overrun_ns", key.overrun?.nanoseconds)
                json.member("runs_on_ns", key.runsOn?.nanoseconds)
            }
        }
    }
}
