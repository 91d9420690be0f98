package import TraceReports
import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

extension TraceDiff {
    /// The part of a difference that is shown.
    package enum Extent: Sendable {
        /// The first changes of each sort.
        case some
        case everything

        var limit: Int { self == .some ? 20 : .max }
    }

    /// The comparison for people, what changed first. Ends with a line break.
    package func text(_ style: ReportStyle = .plain, extent: Extent = .some) -> String {
        let hasKeysAlone = !base.isDecided && !head.isDecided
        var lines = [DiffFormatter.row(hasKeysAlone ? "Keys" : "Resolutions", summary)]
        if hasKeysAlone {
            lines.append(DiffFormatter.row("Resolutions", "not recorded in both: only keys were compared"))
        }
        for line in incomparable { lines.append(DiffFormatter.row("Left out", line)) }
        for rename in renames { lines.append(DiffFormatter.row("Renamed", DiffFormatter.rename(rename))) }
        for change in changes.prefix(extent.limit) {
            lines += DiffFormatter.lines(of: change).map { line in
                let role: ReportStyle.Role =
                    line.sign == "-" ? .bad : line.sign == "+" ? .good : .plain
                return style.paint(line.text, role)
            }
        }
        if changes.count > extent.limit {
            let rest = HumanNumbers.counted(changes.count - extent.limit, "change", "changes")
            lines.append("  and \(rest) more; --all shows them")
        }
        for (place, line) in countLines.enumerated() {
            lines.append(DiffFormatter.row(place == 0 ? "Counts" : "", line))
        }
        for (place, change) in allocations.enumerated() {
            lines.append(DiffFormatter.row(place == 0 ? "Allocations" : "", DiffFormatter.count(change)))
        }
        guard let time else {
            return (lines + [DiffFormatter.row("Time", "not recorded in both")]).joined(separator: "\n") + "\n"
        }
        for (place, row) in time.rows.enumerated() {
            lines.append(DiffFormatter.row(place == 0 ? "Time" : "", DiffFormatter.time(row)))
        }
        lines.append(DiffFormatter.row("", "one run of each, which decides nothing: keyflight gate compares builds"))
        return lines.joined(separator: "\n") + "\n"
    }

    private var countLines: [String] {
        guard let counts, !counts.isEmpty else { return [countSummary] }
        return counts.map(DiffFormatter.count)
    }

    /// Parts that were not compared, one a line: the two cannot be called the same.
    ///
    /// `level: expected calls, as in base.keyflight, found resolutions`,
    /// `receivers, effects: not recorded in base.keyflight`
    package var incomparable: [String] {
        var lines = oneSided
        for side in [base, head] where side.lost > 0 {
            let records = HumanNumbers.counted(side.lost, "record", "records")
            lines.append("losses: expected none, found \(records) lost in \(DiffFormatter.safe(side.name))")
        }
        for side in [base, head] {
            guard let press = side.shortened?.press else { continue }
            lines.append(
                "press \(press) of \(DiffFormatter.safe(side.name)): expected at most"
                    + " \(HumanNumbers.count(TracePress.recordLimit)) records of a kind, found more:"
                    + " the rest is not compared")
        }
        if undecided > undecidedInBoth {
            let presses = HumanNumbers.counted(undecided - undecidedInBoth, "press", "presses")
            lines.append("outcome: expected one in both, found \(presses) that one of the two leaves open")
        }
        let isNoneDecided = undecided > 0 && unchanged == 0 && changes.isEmpty
        if isNoneDecided || base.presses == 0 && head.presses == 0 {
            lines.append("presses: expected one that both decide, found none")
        } else if expectsResolutions, !base.isDecided, !head.isDecided {
            lines.append("resolutions: expected some, found keys alone in both builds: nothing else was compared")
        }
        return lines + undecidedLines
    }

    /// What one of the two records and the other does not.
    package var oneSided: [String] {
        var lines = [inequality].compactMap(\.self).map {
            "\($0.what): expected \($0.base), as in \(DiffFormatter.safe(base.name)), found \($0.head)"
        }
        lines += [(true, base.name), (false, head.name)].compactMap { isOfBase, name -> String? in
            let fields = missing.filter { $0.isOfBase == isOfBase }.map(\.field)
            guard !fields.isEmpty else { return nil }
            return "\(fields.joined(separator: ", ")): not recorded in \(DiffFormatter.safe(name))"
        }
        return lines
    }

    /// Presses that one of the two leaves open, or both: what the key is may differ.
    package var undecidedLines: [String] {
        guard undecided + unrecorded > 0 else { return [] }
        let presses = HumanNumbers.counted(undecided + unrecorded, "press", "presses")
        return ["\(presses) that a masked key, or something that is not recorded, leaves open"]
    }

    /// `3 changed · 0 added · 1 removed · 208 unchanged`
    package var summary: String {
        "\(HumanNumbers.count(changed)) changed · \(HumanNumbers.count(added)) added"
            + " · \(HumanNumbers.count(removed)) removed · \(HumanNumbers.count(unchanged)) unchanged"
    }
}

/// The words of a difference, without markup.
enum DiffFormatter {
    static func row(_ title: String, _ text: String) -> String {
        title + String(repeating: " ", count: max(1, 14 - title.count)) + text
    }

    static func rename(_ rename: TraceDiff.Rename) -> String {
        let (base, head) = distinct(rename.base, rename.head)
        return "\(safe(base)) → \(safe(head))"
            + " (\(HumanNumbers.counted(rename.presses, "press", "presses")))"
    }

    /// Two texts that differ, by their code points where they look the same.
    static func distinct(_ one: String, _ other: String) -> (String, String) {
        guard one == other else { return (one, other) }
        func points(_ text: String) -> String {
            text.unicodeScalars.map { $0.isASCII ? "\($0)" : "\\u{\(String($0.value, radix: 16))}" }.joined()
        }
        return (points(one), points(other))
    }

    /// Lines of one change; the sign is `-` for what was, `+` for what is.
    static func lines(of change: TraceDiff.Change) -> [(sign: Character, text: String)] {
        switch change {
        case .removed(let result):
            return [("-", "  \(label(result)) - \(outcome(result)) (no longer there)")]
        case .added(let result):
            return [("+", "  \(label(result)) + \(outcome(result)) (was not there)")]
        case .changed(let base, let head, let fields, let why):
            let label = label(base)
            let (before, after) = (outcome(base), outcome(head))
            let gap = String(repeating: " ", count: DisplayWidth.of(label))
            let reason = why.map { " (\(safe($0)))" } ?? ""
            guard before == after else {
                return [("-", "  \(label) - \(before)"), ("+", "  \(gap) + \(after)\(reason)")]
            }
            let details = fields.map { "\($0.field): \(safe($0.base)) → \(safe($0.head))" }
            return [(" ", "  \(label)   \(before)")] + details.map { (" ", "  \(gap)   \($0)") }
        }
    }

    /// `#12 ⌘←`
    static func label(_ result: PressResult) -> String { label(result.at, safe(result.input.glyphs)) }

    /// The same of a key in words.
    static func label(_ at: PressTick?, _ key: String) -> String {
        let press = at?.press ?? 0
        return (press == 0 ? "–" : "#\(press)") + " " + key
    }

    /// `tabs.closeTab:`, `consumedByText by text`, `unhandled`.
    static func outcome(_ result: PressResult) -> String {
        guard result.isDecided else { return "pressed" }
        let decision = result.decision
        guard decision.outcome == .performed, let action = decision.action else {
            let taker = decision.takenBy.map { " by \($0.name)" } ?? ""
            let action = decision.action.map { " (\(safe($0)))" } ?? ""
            return decision.outcome.name + taker + action
        }
        let supplier = decision.supplier.flatMap { $0 == decision.target ? nil : " from \(safe($0))" } ?? ""
        return (decision.target.map { safe($0) + "." } ?? "") + safe(action) + supplier
    }

    /// `keyCommands of nav 36 → 72 (+100 %) in 12 presses: #12, #14, …`
    static func count(_ change: TraceDiff.Count) -> String {
        let numbers = change.presses.map { $0 == 0 ? "text" : "#\($0)" }.joined(separator: ", ")
        let more = change.affected > change.presses.count ? ", …" : ""
        let percent = change.base == change.head
            ? " (more at some, fewer at others)" : percent(Double(change.base), Double(change.head))
        return "\(safe(change.name)) \(HumanNumbers.count(change.base)) → \(HumanNumbers.count(change.head))\(percent)"
            + " in \(HumanNumbers.counted(change.affected, "press", "presses")): \(numbers)\(more)"
    }

    static func time(_ row: TimeComparison.Row) -> String {
        let name = row.stage?.name ?? "total"
        let (old, new) = (row.base.p50, row.head.p50)
        let change = percent(Double(old?.nanoseconds ?? 0), Double(new?.nanoseconds ?? 0))
        // A few presses that take much longer leave the median where it is.
        let (sum, newSum) = (row.base.sum, row.head.sum)
        let share = Double(newSum.nanoseconds) / max(1, Double(sum.nanoseconds))
        let median = Double(new?.nanoseconds ?? 0) / max(1, Double(old?.nanoseconds ?? 0))
        let isOther = abs(share - median) > 0.1 && max(sum, newSum).nanoseconds > 1_000_000
        let sums = percent(Double(sum.nanoseconds), Double(newSum.nanoseconds))
        let all = isOther ? ", sum \(HumanNumbers.duration(sum)) → \(HumanNumbers.duration(newSum))\(sums)" : ""
        return "\(name) p50 \(HumanNumbers.duration(old)) → \(HumanNumbers.duration(new))\(change)\(all)"
            + ", n = \(row.base.count)+\(row.head.count)"
    }

    /// ` (+15.0 %)`; nothing where there is no base.
    static func percent(_ base: Double, _ head: Double) -> String {
        guard base > 0 else { return "" }
        let tenths = ((head / base - 1) * 1000).rounded() / 10
        guard abs(tenths) < 1e15 else { return "" }
        return " (\(tenths >= 0 ? "+" : "−")\(decimal(abs(tenths), places: 1)) %)"
    }

    static func probability(_ p: Double) -> String { p < 0.001 ? "p < 0.001" : "p = \(decimal(p, places: 3))" }

    /// Decimal number with a point and `places` digits after it, whatever the locale.
    static func decimal(_ value: Double, places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        guard value.isFinite, abs(value) * scale < 9e17 else { return value.isNaN ? "–" : value > 0 ? "∞" : "−∞" }
        let scaled = Int64((abs(value) * scale).rounded())
        let (whole, rest) = (scaled / Int64(scale), scaled % Int64(scale))
        let sign = value < 0 && scaled > 0 ? "−" : ""
        guard places > 0 else { return sign + String(whole) }
        let digits = String(rest)
        return sign + "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }

    static func safe(_ text: String) -> String { SafeText.escaped(text) }
}
