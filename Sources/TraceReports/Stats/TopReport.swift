import KeyModel
package import LatencyAnalysis
import TraceFormat

/// The report of `top`: the responders whose `keyCommands` cost most, and the savings and stale answers of caching.
package struct TopReport: FittedReport, Sendable {
    package var analysis: TopAnalysis
    package var order: TopAnalysis.Order
    /// Name of the trace, usually its file name.
    package var name: String

    package init(_ analysis: TopAnalysis, by order: TopAnalysis.Order, name: String) {
        self.analysis = analysis
        self.order = order
        self.name = name
    }

    /// More responders than this are in no chain that a person reads.
    private static let responderLimit = 40

    package func body(_ style: ReportStyle) -> String {
        let asked = analysis.responders.compactMap(\.calls.selfTime)
        var text = ReportHeader(name: name, info: analysis.info).line(style) + "\n"
        text += RecorderCostLine.text(
            analysis.info, of: asked.isEmpty ? nil : asked.reduce(.zero, +), "the time in \(askedFor)")
        guard analysis.hasCalls else {
            return text + "\nNothing is known of calls: this trace has level \(analysis.info.level.name), not calls.\n"
        }
        let ticks = HumanNumbers.counted(analysis.ticks, "press or repeat", "presses and repeats")
        let wanted = analysis.asksForKeyEquivalents ? "key equivalents" : "key commands"
        text += "\(ticks) asked for \(wanted)\n\n" + responders(style)
        text += HumanNumbers.rest(analysis.responders.count, beyond: TopReport.responderLimit)
        // A key equivalent is asked for and answered at once: there is no list to cache.
        return analysis.asksForKeyEquivalents ? text : text + "\n" + policies(style)
    }

    private var askedFor: String { analysis.asksForKeyEquivalents ? "performKeyEquivalent:" : "keyCommands" }

    private func responders(_ style: ReportStyle) -> String {
        // A key equivalent is answered with yes or no: there is no list to keep.
        let hasLists = !analysis.asksForKeyEquivalents
        let ofLists: [TextTable.Field<ResponderCosts>] = [
            .count("lists") { $0.calls.distinctResults },
            .number("built again") { HumanNumbers.share($0.calls.unchangedResults, of: $0.calls.calls) },
            .time("kept would save") { $0.kept.timeSaved },
            .cell(.right("wrong")) { .count($0.kept.staleAnswers, $0.kept.staleAnswers > 0 ? .bad : .plain) },
        ]
        let table = TextTable(
            analysis.sorted(by: order).prefix(TopReport.responderLimit),
            [
                .name("responder") { $0.calls.id }, .name("kind", .drop, limit: 40) { $0.calls.kind },
                .count("calls") { $0.calls.calls },
                .number("per press") {
                    HumanNumbers.ratio($0.calls.calls - $0.calls.withoutPress, per: analysis.ticks)
                },
                .time("self   ") { $0.calls.selfTime }, .time("total   ") { $0.calls.totalTime },
            ] + (hasLists ? ofLists : []))
        let title = style.paint("Whose \(askedFor) cost most, by \(order.rawValue)", .heading)
        let rendered = title + "\n" + table.rendered(style)
        return !hasLists ? rendered : rendered
            + "  built again: answers that were the same list as the one before; lists: different ones.\n"
    }

    private func policies(_ style: ReportStyle) -> String {
        let table = TextTable(
            analysis.policies,
            [
                .text("policy") { $0.policy }, .count("calls saved") { $0.callsSaved },
                .time("time saved   ") { $0.timeSaved },
                .cell(.right("wrong answers")) { .count($0.staleAnswers, $0.staleAnswers > 0 ? .bad : .good) },
                .text("at", .wrap) { policy in
                    let presses = policy.stalePresses.prefix(8).map { "#\($0)" }.joined(separator: " ")
                    let isCut = !presses.isEmpty && policy.staleAnswers > UInt64(policy.stalePresses.count)
                    return presses + (isCut ? " …" : "")
                },
            ])
        let title = style.paint("What a cache would save", .heading)
        var text = title + "\n" + table.rendered(style)
        if let recorded = analysis.recordedPolicy, recorded != "none" {
            let policy = SafeText.escaped(recorded, limit: 40)
            text += "  Recorded with policy \(policy): these are the calls that it left.\n"
        }
        return text
    }

    /// Schema `keyflight.top/1`, one line with a line break.
    package var json: String {
        let responders = analysis.hasCalls ? analysis.sorted(by: order) : []
        var object: JSONObject = [
            "schema": "keyflight.top/1", "by": order.rawValue, "presses": analysis.ticks,
            "recorded_policy": analysis.recordedPolicy,
            "responders": responders.objects { responder in
                let calls = responder.calls
                return [
                    "id": calls.id, "kind": calls.kind, "calls": calls.calls, "self_ns": calls.selfTime,
                    "total_ns": calls.totalTime, "distinct_results": calls.distinctResults,
                    "unchanged_results": calls.unchangedResults, "kept": TopReport.object(responder.kept),
                ]
            },
            "policies": (analysis.hasCalls ? analysis.policies : []).objects(TopReport.object),
            "level": analysis.info.level.name,
        ]
        object.add(analysis.info.jsonEnd)
        return object.line
    }

    private static func object(_ effect: PolicyEffect) -> JSONObject {
        [
            "policy": effect.policy, "calls_saved": effect.callsSaved, "time_saved_ns": effect.timeSaved,
            "stale_answers": effect.staleAnswers, "stale_presses": effect.stalePresses,
        ]
    }
}
