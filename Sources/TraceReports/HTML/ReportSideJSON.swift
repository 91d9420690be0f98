import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

/// One trace as the data of a page.
extension ReportSideBuilder {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("name", name)
            json.member("arguments", arguments.map(ShellWord.quoted).joined(separator: " "))
            writeHeader(&json)
            writeTimes(&json)
            writeTail(&json)
            writeMap(&json)
            writeResponders(&json)
            writeBindings(&json)
            writeFindings(&json)
            json.member("presses", object: { json in
                json.member("count", choice.count)
                json.member("leftOut", choice.leftOut)
                json.member("notable", choice.notable.count)
                json.member("shown", columns.count)
                json.key("columns")
                columns.write(to: &json)
            })
            json.member("unexplained", unexplained)
            json.key("explanations")
            explanations.write(to: &json)
            json.member("strings", strings.texts)
        }
    }

    private func writeHeader(_ json: inout JSONText) {
        let info = facts.info
        json.member("loss", LossLine.text(info.loss))
        json.member("lossy", !info.loss.isNone)
        json.member("complete", info.file.isComplete)
        json.member("masked", info.isMasked)
        json.member("level", info.level.name)
        json.member("derivation", ReportHeader(name: name, info: info).derivation)
        var report = InfoReport(info, name: name)
        report.showsRecorderCounters = false
        json.member("facts", array: report.facts) { json, fact in
            json.array([fact.label, fact.value]) { $0.value($1) }
        }
        json.member("undecided", facts.statistics.undecided.map(StatsReport.words))
        let cost = RecorderCostLine.text(info, of: facts.tail.total, "what all presses took")
        json.member("cost", cost.isEmpty ? nil : String(cost.dropLast()))
        json.member("outcomes", rows: facts.statistics.outcomes) { json, entry in
            json.value(entry.outcome.name)
            json.value(entry.count)
        }
        json.member("gaps", rows: info.loss.gaps.prefix(room.rows(ReportSideBuilder.gapLimit))) { json, gap in
            json.value(gap.time.nanoseconds)
            json.value(gap.duration?.nanoseconds)
            json.value(LossLine.words(gap.cause))
        }
    }

    private static let gapLimit = 200

    private func writeTimes(_ json: inout JSONText) {
        let statistics = facts.statistics
        for (name, stages, count) in [
            ("times", statistics.stages, statistics.presses),
            ("repeatTimes", statistics.repeatStages, statistics.repeats),
        ] {
            json.member(name, object: { json in
                json.member("count", count)
                json.member("exact", stages.total?.isExact ?? true)
                json.member("stages", array: stages.stages) { ReportSideBuilder.write($1, to: &$0) }
                json.key("total")
                ReportSideBuilder.write(stages.total, to: &json)
            })
        }
        json.member("messages", rows: InvocationCounts.kinds) { json, entry in
            let messages = statistics.calls?.messages
            json.value(entry.name)
            json.value(messages?.total[entry.kind] ?? 0)
            json.value(messages?.perPressMax[entry.kind] ?? 0)
            json.value(messages?.onRepeat[entry.kind] ?? 0)
        }
        guard let calls = statistics.calls else { return json.null("calls") }
        json.member("calls", rows: CallKind.allCases) { json, kind in
            let counts = calls[kind]
            json.value(kind.name)
            for number in [
                counts.total, counts.perPressMax, counts.onRepeat, counts.onRelease, counts.withoutPress,
            ] { json.value(number) }
        }
    }

    private static func write(_ known: DurationStatistics?, to json: inout JSONText) {
        guard let known else { return json.null() }
        json.row { json in
            json.value(known.count)
            let durations = [known.p50, known.p90, known.p99, known.max, known.sum]
            for duration in durations { json.value(duration?.nanoseconds) }
        }
    }

    private func writeTail(_ json: inout JSONText) {
        let tail = facts.tail
        var report = TailReport(tail, name: arguments[0])
        report.replayArguments = arguments
        json.member("tail", object: { json in
            json.member("above", TailReport.words(tail.threshold))
            json.member("lead", tail.limit.map { report.lead($0) } ?? report.why)
            json.member("limit", tail.limit?.nanoseconds)
            json.member("count", tail.slowCount)
            json.member("split", array: LatencyStage.allCases) { json, stage in
                let (slow, other) = (tail.slowMean[Int(stage.rawValue)], tail.otherMean[Int(stage.rawValue)])
                json.array([slow, other]) { $0.value($1?.nanoseconds) }
            }
            json.member("facts", array: tail.slowCount > 0 ? report.facts : []) { json, fact in
                json.array([fact.label, fact.words]) { $0.value($1) }
            }
            json.member("slow", rows: tail.slow) { json, press in
                json.value(press.press)
                json.value(press.time.nanoseconds)
                json.value(KeyFormatter.chord(press.chord))
                json.value(press.total.nanoseconds)
                json.value(press.slowestStage.rawValue)
            }
        })
    }

    private func writeMap(_ json: inout JSONText) {
        let map = facts.map
        json.member("map", object: { json in
            json.member("from", map.first?.nanoseconds)
            json.member("width", map.width)
            json.member("columns", LatencyMap.columnCount)
            json.member("presses", map.presses)
            let cells = map.cells
            let rows = cells.map(\.row)
            json.member("bounds", array: (rows.min() ?? 0)...((rows.max() ?? 0) + 1)) { json, row in
                json.value(LatencyMap.lowest(ofRow: row).nanoseconds)
            }
            json.member("cells", array: cells) { json, cell in
                json.array([cell.row - (rows.min() ?? 0), cell.column, Int(cell.presses)]) { $0.value($1) }
            }
        })
    }
}
