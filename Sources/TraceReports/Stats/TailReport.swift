import KeyModel
package import LatencyAnalysis
import TraceFormat

/// The report of `tail`: the stages that the slow presses' own time was spent in, and what they have in common.
package struct TailReport: FittedReport, Sendable {
    package var analysis: TailAnalysis
    /// Name of the trace, usually its file name.
    package var name: String
    /// The arguments of a replay of it: the trace, and the options that it needs.
    package var replayArguments: [String]

    package init(_ analysis: TailAnalysis, name: String) {
        self.analysis = analysis
        self.name = name
        replayArguments = [name]
    }

    package func body(_ style: ReportStyle) -> String {
        let cost = RecorderCostLine.text(analysis.info, of: analysis.total, "what all presses took")
        let header = ReportHeader(name: name, info: analysis.info).line(style) + "\n" + cost + "\n"
        guard let limit = analysis.limit else { return header + why + "\n" }
        guard analysis.slowCount > 0 else { return header + lead(limit) + "\n" }
        var text = header + lead(limit) + ":\n\n" + split(style) + "\n"
        text += facts(style) + "\n" + slowest(style)
        return text
    }

    /// The sentence above the table of stages.
    func lead(_ limit: TraceDuration) -> String {
        let all = HumanNumbers.counted(analysis.presses, "press", "presses")
        guard analysis.slowCount > 0 else {
            return "None of \(all) took \(HumanNumbers.duration(limit)) or longer."
        }
        let took = "\(HumanNumbers.count(analysis.slowCount)) of \(all) took ≥ \(HumanNumbers.duration(limit))"
        let others = analysis.presses - analysis.slowCount
        let than = others > 0 ? ", and how far above the other \(HumanNumbers.count(others))" : ""
        return "\(took) (\(TailReport.words(analysis.threshold))). "
            + "Mean split of those \(HumanNumbers.count(analysis.slowCount))\(than)"
    }

    /// The reason why no press can be called slow.
    var why: String {
        if analysis.presses == 0 { return "No press has a time: no stage was recorded or declared." }
        let all = HumanNumbers.counted(analysis.presses, "press", "presses")
        return "\(TailReport.words(analysis.threshold)) of \(all) would be the slowest one under another name: "
            + "give a lower percentile or a duration, such as --above p50 or --above 8ms."
    }

    /// `p99`, `p99.9`, `8.00 ms`.
    static func words(_ threshold: TailAnalysis.Threshold) -> String {
        switch threshold {
        case .duration(let duration): return HumanNumbers.duration(duration)
        case .percentile(let perMille):
            return perMille % 10 == 0 ? "p\(perMille / 10)" : "p\(perMille / 10).\(perMille % 10)"
        }
    }

    private func split(_ style: ReportStyle) -> String {
        var table = TextTable([
            .init(title: "stage"), .right("mean   "), .right("above   "), .init(title: ""),
        ])
        let differences = LatencyStage.allCases.map { difference($0) }
        let most = differences.compactMap { $0 }.max() ?? 0
        for stage in LatencyStage.allCases {
            guard let mean = analysis.slowMean[Int(stage.rawValue)] else { continue }
            let above = differences[Int(stage.rawValue)] ?? mean.nanoseconds
            let sign = above > 0 ? "+" : above < 0 ? "−" : ""
            let bar = StatsReport.bar(UInt64(max(0, above)), of: UInt64(max(most, 1)))
            table.add([
                TextTable.Cell(StatsReport.words(stage, isDerived: analysis.derived.contains(stage))), .time(mean),
                TextTable.Cell(sign + HumanNumbers.column(TraceDuration(nanoseconds: abs(above)))), TextTable.Cell(bar),
            ])
        }
        return table.rendered(style)
    }

    /// `nil` where the slow do not have the stage.
    private func difference(_ stage: LatencyStage) -> Int64? {
        analysis.slowMean[Int(stage.rawValue)].map {
            $0.nanoseconds - (analysis.otherMean[Int(stage.rawValue)]?.nanoseconds ?? 0)
        }
    }

    private func facts(_ style: ReportStyle) -> String {
        facts.isEmpty ? "  The slow presses have nothing in common that the others lack.\n"
            : TextTable(facts: facts.map { ($0.label, TextTable.Cell($0.words)) }).rendered(style)
    }

    /// Properties that the slow presses share, their waiting time, and advice; a label is valid for the lines below it
    /// too.
    var facts: [(label: String, words: String)] {
        var facts = InfoReport.facts("in common", analysis.common.map(words)).map { (label: $0.0, words: $0.1) }
        if let waiting = analysis.slowQueueing, let service = analysis.slowService {
            let count = "\(HumanNumbers.count(analysis.slowWaiting))/\(HumanNumbers.count(analysis.slowCount))"
            let queue = analysis.slowWaiting == 0
                ? "none of them had to wait"
                : "\(HumanNumbers.duration(waiting)) before they were served (\(count) had to wait)"
            facts.append(("waiting", "\(queue), \(HumanNumbers.duration(service)) of service"))
        }
        if let advice = analysis.advice {
            let wrong = HumanNumbers.counted(advice.staleAnswers, "press", "presses") + " with a stale answer"
            let words = replayArguments + ["--what-if", "cache=\(advice.responder)"]
            let command = words.map(ShellWord.quoted).joined(separator: " ")
            let change = "\(HumanNumbers.duration(advice.before)) → \(HumanNumbers.duration(advice.after))"
            let measure = TailReport.measure(analysis.threshold)
            facts.append(("try", "keyflight replay \(command)  \(measure) \(change), \(wrong)"))
        }
        return facts
    }

    private static func measure(_ threshold: TailAnalysis.Threshold) -> String {
        if case .percentile = threshold { words(threshold) } else { "max" }
    }

    private func words(_ feature: TailAnalysis.Feature) -> String {
        let share = "\(HumanNumbers.count(feature.slow))/\(HumanNumbers.count(analysis.slowCount))"
        let all = HumanNumbers.share(feature.all, of: analysis.presses) + " of all presses"
        let value = SafeText.escaped(feature.value, limit: 60)
        switch feature.kind {
        case .firstResponder: return "\(share) chain starts at \(value) (\(all))"
        case .keyWindow: return "\(share) key window = \(value) (\(all))"
        case .chord, .outcome: return "\(share) \(feature.kind) = \(value) (\(all))"
        case .target: return "\(share) run \(value) (\(all))"
        case .function: return "\(share) were in \(value) (\(all))"
        case .costliest:
            let time = feature.atLeast.map { " takes ≥ \(HumanNumbers.duration($0))" } ?? ""
            let passes = feature.passes.map { " in \(HumanNumbers.counted($0, "call", "calls"))" } ?? ""
            return "\(share) \(value).keyCommands\(time)\(passes) (the costliest in \(all))"
        }
    }

    private func slowest(_ style: ReportStyle) -> String {
        let table = TextTable(
            analysis.slow,
            [
                .number("press") { "#\($0.press)" }, .text("time") { HumanNumbers.time($0.time) },
                .text("key") { KeyFormatter.chord($0.chord) }, .time("total   ") { $0.total },
                .text("most of it") {
                    StatsReport.words($0.slowestStage, isDerived: analysis.derived.contains($0.slowestStage))
                },
            ])
        return style.paint("The slowest", .heading) + "\n" + table.rendered(style)
    }

    /// Schema `keyflight.tail/1`, one line with a line break.
    package var json: String {
        func byStage(_ means: [TraceDuration?]) -> JSONObject {
            var object: JSONObject = [:]
            for (stage, mean) in zip(LatencyStage.allCases, means) { object.add(stage.name, mean) }
            return object
        }
        var object: JSONObject = [
            "schema": "keyflight.tail/1", "above": TailReport.words(analysis.threshold), "limit_ns": analysis.limit,
            "presses": analysis.presses, "slow": analysis.slowCount, "slow_mean_ns": byStage(analysis.slowMean),
            "other_mean_ns": byStage(analysis.otherMean), "queueing_ns": analysis.slowQueueing,
            "service_ns": analysis.slowService, "waiting": analysis.slowWaiting,
            "common": analysis.common.objects {
                ["feature": "\($0.kind)", "value": $0.value, "slow": $0.slow, "all": $0.all]
            },
            "slowest": analysis.slow.objects {
                [
                    "press": $0.press, "t_ns": $0.time, "chord": $0.chord.text, "total_ns": $0.total,
                    "stage": $0.slowestStage.name,
                ]
            },
            "try": analysis.advice.object {
                [
                    "what_if": "cache=" + $0.responder, "before_ns": $0.before, "after_ns": $0.after,
                    "stale_presses": $0.staleAnswers,
                ]
            },
        ]
        object.addDerived(analysis.derived.contains)
        object.add(analysis.info.jsonEnd)
        return object.line
    }
}
