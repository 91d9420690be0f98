import KeyModel
import LatencyAnalysis
import TraceFormat

/// Functions of a press's stages, by samples of the stack.
extension ExplainReport {
    /// Functions that are shown of one stage.
    private static let functionLimit = 3

    /// Empty where no samples are recorded.
    func samples(_ style: ReportStyle) -> String {
        guard let stages = explanation.samples, let interval = stages.first?.interval else { return "" }
        var table = TextTable([
            .init(title: "stage"), .right("samples"), .right("share"), .init(title: "function", fit: .wrap),
            .init(title: "state", fit: .wrap), .init(title: "called from", fit: .cut),
        ])
        for stage in stages {
            for (index, function) in stage.functions.prefix(ExplainReport.functionLimit).enumerated() {
                let share = stage.count == 0 ? 0 : 100 * function.count / stage.count
                let name = stage.stage.map { StatsReport.words($0) } ?? "between stages"
                table.add([
                    .init(index == 0 ? name : ""), .init(HumanNumbers.count(function.count)), .init("\(share) %"),
                    .init(SafeText.escaped(function.name, limit: 120)), .init(ExplainReport.state(of: function)),
                    .init(function.caller.map { SafeText.escaped($0, limit: 120) } ?? "", .faint),
                ])
            }
            let rest = stage.functions.count - ExplainReport.functionLimit
            guard rest > 0 else { continue }
            let more = "and \(HumanNumbers.counted(UInt64(rest), "other", "others"))"
            table.add(["", "", "", .init(more, .faint)])
        }
        let note = "samples of the stack, \(HumanNumbers.duration(interval)) apart:"
        return "\n  " + style.spelled(note) + "\n" + table.rendered(style)
    }

    /// Whether the function ran, or the system calls that it was blocked in.
    private static func state(of function: StageFunctions.Share) -> String {
        let calls = function.calls.prefix(2)
        let running = function.count - function.blocked.values.reduce(0, +)
        var words = calls.map { call in
            let count = call.count == function.count ? "" : " \(call.count)"
            return "blocked in \(SafeText.escaped(call.name, limit: 30))\(count)"
        }
        if running > 0 { words.insert(running == function.count ? "running" : "running \(running)", at: 0) }
        return words.joined(separator: ", ")
    }

    /// `null` where no samples are recorded.
    var sampleObjects: [JSONObject]? {
        explanation.samples?.map { stage in
            [
                "stage": stage.stage?.name, "interval_ns": stage.interval, "samples": stage.count, "torn": stage.torn,
                "functions": stage.functions.objects { function in
                    [
                        "name": function.name, "module": function.module, "own": function.isOwn,
                        "samples": function.count, "caller": function.caller,
                        "blocked": function.calls.objects { ["call": $0.name, "samples": $0.count] },
                    ]
                },
            ]
        }
    }
}
