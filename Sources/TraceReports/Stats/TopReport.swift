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
        let ofLists: [TextTable.Column] = [
            .right("lists"), .right("built again"), .right("kept would save"), .right("wrong"),
        ]
        var table = TextTable(
            [
                .init(title: "responder", fit: .cut), .init(title: "kind", fit: .drop), .right("calls"),
                .right("per press"), .right("self   "), .right("total   "),
            ] + (hasLists ? ofLists : []))
        for responder in analysis.sorted(by: order).prefix(TopReport.responderLimit) {
            let (calls, kept) = (responder.calls, responder.kept)
            let ofLists = [
                TextTable.Cell(HumanNumbers.count(calls.distinctResults)),
                TextTable.Cell(HumanNumbers.share(calls.unchangedResults, of: calls.calls)),
                TextTable.Cell(HumanNumbers.column(kept.timeSaved)),
                TextTable.Cell(HumanNumbers.count(kept.staleAnswers), kept.staleAnswers > 0 ? .bad : .plain),
            ]
            let cells = [
                TextTable.Cell(SafeText.escaped(calls.id, limit: 60)),
                TextTable.Cell(SafeText.escaped(calls.kind, limit: 40)),
                TextTable.Cell(HumanNumbers.count(calls.calls)),
                TextTable.Cell(HumanNumbers.ratio(calls.calls - calls.withoutPress, per: analysis.ticks)),
                TextTable.Cell(HumanNumbers.column(calls.selfTime)),
                TextTable.Cell(HumanNumbers.column(calls.totalTime)),
            ]
            table.add(cells + (hasLists ? ofLists : []))
        }
        let title = style.paint("Whose \(askedFor) cost most, by \(order.rawValue)", .heading)
        let rendered = title + "\n" + table.rendered(style)
        return !hasLists ? rendered : rendered
            + "  built again: answers that were the same list as the one before; lists: different ones.\n"
    }

    private func policies(_ style: ReportStyle) -> String {
        var table = TextTable([
            .init(title: "policy"), .right("calls saved"), .right("time saved   "), .right("wrong answers"),
            .init(title: "at", fit: .wrap),
        ])
        for policy in analysis.policies {
            let more = policy.staleAnswers > UInt64(policy.stalePresses.count) ? " …" : ""
            let presses = policy.stalePresses.prefix(8).map { "#\($0)" }.joined(separator: " ")
            table.add([
                TextTable.Cell(policy.policy), TextTable.Cell(HumanNumbers.count(policy.callsSaved)),
                TextTable.Cell(HumanNumbers.column(policy.timeSaved)),
                TextTable.Cell(HumanNumbers.count(policy.staleAnswers), policy.staleAnswers > 0 ? .bad : .good),
                TextTable.Cell(presses + (presses.isEmpty ? "" : more)),
            ])
        }
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
        JSONText.objectText { json in
            json.member("schema", "keyflight.top/1")
            json.member("by", order.rawValue)
            json.member("presses", analysis.ticks)
            json.member("recorded_policy", analysis.recordedPolicy)
            json.member("responders", objects: analysis.hasCalls ? analysis.sorted(by: order) : []) { json, responder in
                let calls = responder.calls
                json.member("id", calls.id)
                json.member("kind", calls.kind)
                json.member("calls", calls.calls)
                json.member("self_ns", calls.selfTime?.nanoseconds)
                json.member("total_ns", calls.totalTime?.nanoseconds)
                json.member("distinct_results", calls.distinctResults)
                json.member("unchanged_results", calls.unchangedResults)
                json.member("kept", object: { TopReport.write(responder.kept, &$0) })
            }
            json.member("policies", array: analysis.hasCalls ? analysis.policies : []) { json, policy in
                json.object { TopReport.write(policy, &$0) }
            }
            json.member("level", analysis.info.level.name)
            analysis.info.writeEnd(to: &json)
        } + "\n"
    }

    private static func write(_ effect: PolicyEffect, _ json: inout JSONText) {
        json.member("policy", effect.policy)
        json.member("calls_saved", effect.callsSaved)
        json.member("time_saved_ns", effect.timeSaved?.nanoseconds)
        json.member("stale_answers", effect.staleAnswers)
        json.member("stale_presses", array: effect.stalePresses) { $0.value($1) }
    }
}
