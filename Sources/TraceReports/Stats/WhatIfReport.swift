import KeyModel
package import LatencyAnalysis
import TraceFormat

/// The report of `replay --what-if`: the results that would differ, then the cost.
package struct WhatIfReport: Sendable {
    package var result: WhatIfResult
    /// Name of the trace, usually its file name.
    package var name: String

    package init(_ result: WhatIfResult, name: String) {
        self.result = result
        self.name = name
    }

    private static let lineLimit = 40

    /// For people. Ends with a line break.
    package func text(_ style: ReportStyle = .plain) -> String {
        let title = style.paint(SafeText.escaped(name), .heading)
        var text = "\(title): what if \(SafeText.escaped(result.question, limit: 200))\n\n" + resolutions(style)
        if let stale = result.stalePresses {
            let saved = HumanNumbers.counted(result.callsSaved ?? 0, "keyCommands call", "keyCommands calls")
            let wrong = stale.isEmpty
                ? "no answer would have been wrong"
                : "wrong answers at \(HumanNumbers.counted(stale.count, "press", "presses")): "
                    + stale.prefix(20).map { "#\($0)" }.joined(separator: " ") + (stale.count > 20 ? " …" : "")
            text += "\nSaves \(saved); \(style.paint(wrong, stale.isEmpty ? .good : .bad))\n"
        }
        return text + "\n" + times(style)
    }

    private func resolutions(_ style: ReportStyle) -> String {
        let same = "\(HumanNumbers.count(result.compared)) presses and repeats"
        guard !result.changes.isEmpty else { return "Resolutions: all \(same) come to what they came to.\n" }
        var table = TextTable([
            .right("press"), .init(title: "key"), .init(title: "came to", fit: .wrap),
            .init(title: "would come to", fit: .wrap),
        ])
        for change in result.changes.prefix(WhatIfReport.lineLimit) {
            table.add([
                TextTable.Cell("#\(change.press)" + (change.isRepeat ? " repeat" : "")),
                TextTable.Cell(change.chord.map(WhatIfReport.glyphs) ?? HumanNumbers.absent),
                TextTable.Cell(SafeText.escaped(change.before)), TextTable.Cell(SafeText.escaped(change.after), .bad),
            ])
        }
        let count = HumanNumbers.count(result.changes.count)
        return "Resolutions: \(count) of \(same) come to something else.\n" + table.rendered(style)
            + HumanNumbers.rest(result.changes.count, beyond: WhatIfReport.lineLimit, format: "jsonl")
    }

    /// `⇧⌘[` for `shift+cmd+[`, by position on a US keyboard.
    private static func glyphs(_ chord: String) -> String {
        guard let (modifiers, key) = try? Chord.parse(chord) else { return SafeText.escaped(chord, limit: 40) }
        let usage: KeyUsage? =
            switch key {
            case .usage(let usage): usage
            case .character(let character): KeyUsage(name: String(character))
            }
        return SafeText.escaped(usage.map { Chord(modifiers: modifiers, usage: $0).glyphs } ?? chord, limit: 40)
    }

    private func times(_ style: ReportStyle) -> String {
        guard let before = result.before, let after = result.after else {
            return result.isReplayed
                ? "Times: unknown. Both are replays, which take the times of calls; none is recorded or declared.\n"
                : "Times: unknown, no stage was recorded or declared.\n"
        }
        var table = TextTable([.init(title: ""), .right("n")] + StatsReport.durationColumns)
        table.add(StatsReport.row("was", before, of: nil))
        table.add(StatsReport.row("would be", after, of: nil))
        let note = result.isReplayed
            ? "  Both are replays, in which a call takes what is declared of it, else the mean of what was recorded.\n"
            : "  Recorded times, less what is saved; what waits behind a faster press waits for less.\n"
        return style.paint("Total of a press", .heading) + "\n" + table.rendered(style) + note
    }

    /// Schema `keyflight.what-if/1`, one line with a line break.
    package var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.what-if/1")
            json.member("what_if", result.question)
            json.member("compared", result.compared)
            json.member("changes", objects: result.changes) { json, change in
                json.member("press", change.press)
                json.member("repeat", change.isRepeat)
                json.member("chord", change.chord)
                json.member("before", change.before)
                json.member("after", change.after)
            }
            json.member("stale_presses", array: result.stalePresses) { $0.value($1) }
            json.member("calls_saved", result.callsSaved)
            json.member("replayed", result.isReplayed)
            StatsReport.write(result.before, as: "before", to: &json)
            StatsReport.write(result.after, as: "after", to: &json)
        } + "\n"
    }
}
