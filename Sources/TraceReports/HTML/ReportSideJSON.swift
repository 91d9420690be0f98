import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

/// One trace as the data of a page.
extension ReportSideBuilder {
    func write(to json: inout JSONText) {
        json.object { json in
            header.writeMembers(to: &json)
            times.writeMembers(to: &json)
            let tables: JSONObject = ["tail": tail, "map": map, "responders": responders]
            tables.writeMembers(to: &json)
            writeBindings(&json)
            let rest: JSONObject = [
                "findings": findings,
                "presses": [
                    "count": choice.count, "leftOut": choice.leftOut, "notable": choice.notable.count,
                    "shown": columns.count, "columns": columns,
                ] as JSONObject,
                "unexplained": unexplained, "explanations": explanations, "strings": strings.texts,
            ]
            rest.writeMembers(to: &json)
        }
    }

    private var header: JSONObject {
        let info = facts.info
        var report = InfoReport(info, name: name)
        report.showsRecorderCounters = false
        let cost = RecorderCostLine.text(info, of: facts.tail.total, "what all presses took")
        let costLine: String? = cost.isEmpty ? nil : String(cost.dropLast())
        return [
            "name": name, "arguments": arguments.map(ShellWord.quoted).joined(separator: " "),
            "loss": LossLine.text(info.loss), "lossy": !info.loss.isNone, "complete": info.file.isComplete,
            "masked": info.isMasked, "level": info.level.name,
            "derivation": ReportHeader(name: name, info: info).derivation,
            "facts": report.facts.rows { [$0.label, $0.value] },
            "undecided": facts.statistics.undecided.map(StatsReport.words), "cost": costLine,
            "outcomes": facts.statistics.outcomes.rows { [$0.outcome.name, $0.count] },
            "gaps": info.loss.gaps.prefix(room.rows(ReportSideBuilder.gapLimit)).rows {
                [$0.time, $0.duration, LossLine.words($0.cause)]
            },
        ]
    }

    private static let gapLimit = 200

    private var times: JSONObject {
        let statistics = facts.statistics
        func times(_ stages: StageStatistics, of count: UInt64) -> JSONObject {
            [
                "count": count, "exact": stages.total?.isExact ?? true,
                "stages": stages.stages.map(ReportSideBuilder.row), "total": ReportSideBuilder.row(stages.total),
                "derived": ReportSideBuilder.indices(stages.derived),
            ]
        }
        let messages = statistics.calls?.messages
        return [
            "times": times(statistics.stages, of: statistics.presses),
            "repeatTimes": times(statistics.repeatStages, of: statistics.repeats),
            "messages": InvocationCounts.kinds.rows { kind, name in
                let counts = [messages?.total, messages?.perPressMax, messages?.onRepeat].map { $0?[kind] ?? 0 }
                return [name, counts[0], counts[1], counts[2]]
            },
            "calls": statistics.calls.map { calls in
                CallKind.allCases.rows { kind in
                    let counts = calls[kind]
                    return [
                        kind.name, counts.total, counts.perPressMax, counts.onRepeat, counts.onRelease,
                        counts.withoutPress,
                    ]
                }
            },
        ]
    }

    /// Stages by their place, in order.
    private static func indices(_ stages: Set<LatencyStage>) -> [UInt8] { stages.map(\.rawValue).sorted() }

    private static func row(_ known: DurationStatistics?) -> JSONArray? {
        known.map { [$0.count, $0.p50, $0.p90, $0.p99, $0.max, $0.sum] }
    }

    private var tail: JSONObject {
        let tail = facts.tail
        var report = TailReport(tail, name: arguments[0])
        report.replayArguments = arguments
        return [
            "above": TailReport.words(tail.threshold), "lead": tail.limit.map { report.lead($0) } ?? report.why,
            "limit": tail.limit, "count": tail.slowCount, "split": zip(tail.slowMean, tail.otherMean).rows { [$0, $1] },
            "derived": ReportSideBuilder.indices(tail.derived),
            "facts": (tail.slowCount > 0 ? report.facts : []).rows { [$0.label, $0.words] },
            "slow": tail.slow.rows {
                [$0.press, $0.time, KeyFormatter.chord($0.chord), $0.total, $0.slowestStage.rawValue]
            },
        ]
    }

    private var map: JSONObject {
        let map = facts.map
        let rows = map.cells.map(\.row)
        let first = rows.min() ?? 0
        return [
            "from": map.first, "width": map.width, "columns": LatencyMap.columnCount, "presses": map.presses,
            "bounds": (first...((rows.max() ?? 0) + 1)).map { LatencyMap.lowest(ofRow: $0) },
            "cells": map.cells.rows { [$0.row - first, $0.column, $0.presses] },
        ]
    }
}
