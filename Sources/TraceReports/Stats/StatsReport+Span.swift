import KeyModel
import LatencyAnalysis
import TraceFormat

/// A span of stages: is it the keyboard, the way to the app, or the app?
extension StatsReport {
    func text(of span: StageSpanStatistics, _ style: ReportStyle) -> String {
        let presses = HumanNumbers.counted(span.presses, "press", "presses")
        let title = style.paint("\(StatsReport.words(span.span)), of \(presses)", .heading)
        guard let inside = span.inside else {
            return "\(title): none of these stages was recorded. \(StatsReport.advice(span.span))\n"
        }
        var table = StatsReport.stageTable()
        let whole = span.stages.total ?? inside
        for stage in span.span.stages {
            let isDerived = span.stages.derived.contains(stage)
            table.add(StatsReport.row(stage, span.stages[stage], isDerived: isDerived, of: whole))
        }
        table.add(StatsReport.row("together", inside, of: whole))
        if let rest = span.rest {
            table.add(StatsReport.row(span.span.isBeforeApp ? "in the app" : "the rest", rest, of: whole))
        }
        var text = title + "\n" + table.rendered(style)
        if span.span.stages.contains(where: { span.stages[$0] == nil }) {
            text += "  – not seen by this recording, and in no sum. \(StatsReport.advice(span.span))\n"
        }
        return text + clocks(span, style) + "\n" + verdict(span, style) + "\n"
    }

    /// Agreement of the clocks that measure the stages before the app.
    private func clocks(_ span: StageSpanStatistics, _ style: ReportStyle) -> String {
        let relations = statistics.info.clockRelations
        guard span.span.isBeforeApp, !relations.isEmpty else { return "" }
        var text = "\n" + style.paint("How well the clocks agree", .heading) + "\n"
        for relation in relations { text += "  \(InfoReport.words(relation))\n" }
        // Facts of `merge --align`.
        let origins = [LatencyStage.hid, .transport].compactMap { statistics.info.environment("\($0.name).from") }
        if !origins.isEmpty, origins.allSatisfy({ $0 == "one clock" }) { return text }
        return text
            + "  Two clocks show how much later than the fastest press another one came, not how late that was.\n"
    }

    private func verdict(_ span: StageSpanStatistics, _ style: ReportStyle) -> String {
        let compared = span.compared
        guard compared.presses > 0 else { return "No press has stages on both sides: nothing to compare with." }
        let sum = compared.inside + compared.rest
        let share = HumanNumbers.share(UInt64(compared.inside.nanoseconds), of: UInt64(max(1, sum.nanoseconds)))
        let count = Int64(clamping: compared.presses)
        func mean(_ duration: TraceDuration) -> TraceDuration {
            TraceDuration(nanoseconds: duration.nanoseconds / max(1, count))
        }
        let presses = HumanNumbers.counted(compared.presses, "press", "presses")
        var text = "\(share) of the time of \(presses) that \(compared.presses == 1 ? "has" : "have") both: "
            + "\(HumanNumbers.duration(mean(compared.inside))) of \(HumanNumbers.duration(mean(sum))) on average"
        let relations = statistics.info.clockRelations
        let uncertainty = relations.compactMap(\.uncertainty).reduce(TraceDuration.zero, +)
        if span.span.isBeforeApp, !relations.isEmpty {
            text += ", ± \(HumanNumbers.duration(uncertainty))"
            if relations.contains(where: { $0.uncertainty == nil }) { text += " and more" }
        }
        guard span.span.isBeforeApp else { return text + "." }
        if mean(compared.inside) <= uncertainty {
            return text + ".\nThat is no more than the clocks may differ by: no difference can be measured."
        }
        let apart = TraceDuration(nanoseconds: abs(compared.inside.nanoseconds - compared.rest.nanoseconds))
        if mean(apart) <= uncertainty {
            return text + ".\nThe app takes about as long, within what these clocks can measure."
        }
        let isMost = compared.inside > compared.rest
        let blame = isMost ? "Most of the time passes before the app" : "Most of the time passes in the app"
        return text + ".\n" + style.paint(blame, isMost ? .bad : .good) + "."
    }

    private static func words(_ span: StageRange) -> String {
        let first = words(span.first)
        if span.first == .hid, span.isBeforeApp, span.last == .inputDelay { return "From the key's switch to the app" }
        return span.first == span.last ? "Stage \(first)" : "Stages \(first) to \(words(span.last))"
    }

    private static func advice(_ span: StageRange) -> String {
        if span.contains(.hid) || span.contains(.transport) {
            return "merge --align adds transport, import --csv hid."
        }
        return "An app that records with measure has the others."
    }

    // MARK: JSON

    var spanJSON: JSONObject {
        guard let span else { return [:] }
        let clocks = span.span.isBeforeApp ? statistics.info.clockRelations : []
        return [
            "span": [
                "stages": span.span.stages.map(\.name), "presses": span.presses, "inside": span.inside?.json,
                "rest": span.rest?.json,
                "compared": [
                    "presses": span.compared.presses, "inside_ns": span.compared.inside,
                    "rest_ns": span.compared.rest,
                ] as JSONObject,
                "clocks": clocks.objects {
                    [
                        "source": $0.source, "reference": $0.reference, "uncertainty_ns": $0.uncertainty,
                        "matches": $0.matches,
                    ]
                },
            ] as JSONObject,
        ]
    }
}
