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
        let table = TextTable(
            result.changes.prefix(WhatIfReport.lineLimit),
            [
                .number("press") { "#\($0.press)" + ($0.isRepeat ? " repeat" : "") },
                .text("key") { $0.chord.map(WhatIfReport.glyphs) ?? HumanNumbers.absent },
                .text("came to", .wrap) { SafeText.escaped($0.before) },
                .cell(.init(title: "would come to", fit: .wrap)) { .init(SafeText.escaped($0.after), .bad) },
            ])
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
        let object: JSONObject = [
            "schema": "keyflight.what-if/1", "what_if": result.question, "compared": result.compared,
            "changes": result.changes.objects {
                [
                    "press": $0.press, "repeat": $0.isRepeat, "chord": $0.chord, "before": $0.before,
                    "after": $0.after,
                ]
            },
            "stale_presses": result.stalePresses, "calls_saved": result.callsSaved, "replayed": result.isReplayed,
            "before": result.before?.json, "after": result.after?.json,
        ]
        return object.line
    }
}
