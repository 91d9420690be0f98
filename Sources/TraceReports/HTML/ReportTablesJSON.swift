import KeyModel
import LatencyAnalysis
import TraceFormat

/// Responders, bindings and findings of a trace as the data of a page.
extension ReportSideBuilder {
    /// The most responders in a page; the number left out is reported.
    private static let responderLimit = 200
    /// The most offers of one chord by name.
    private static let offerLimit = 20
    private static let findingLimit = 300

    var responders: JSONObject {
        let top = facts.top
        let sorted = top.sorted(by: .self)
        let limit = room.rows(ReportSideBuilder.responderLimit)
        return [
            "known": top.hasCalls, "ticks": top.ticks, "leftOut": max(0, sorted.count - limit),
            "policy": top.recordedPolicy,
            "rows": sorted.prefix(limit).rows { responder in
                let (calls, kept) = (responder.calls, responder.kept)
                return [
                    calls.id, calls.kind, calls.calls, calls.selfTime, calls.totalTime, calls.distinctResults,
                    calls.unchangedResults, kept.timeSaved, kept.staleAnswers, calls.withoutPress,
                ]
            },
            "policies": (top.hasCalls ? top.policies : []).rows {
                [$0.policy, $0.callsSaved, $0.timeSaved, $0.staleAnswers, $0.stalePresses]
            },
        ]
    }

    func writeBindings(_ json: inout JSONText) {
        let analysis = facts.bindings
        var places: [String?: Int] = [:]
        for (place, context) in analysis.contexts.enumerated() { places[context.start] = place }
        json.member("bindings", object: { json in
            json.member("unknown", BindingsReport.unknown(facts.info))
            let begin = json.bytes.count
            var shown = 0
            func words(_ offers: [BindingsAnalysis.Offer]) -> [String] {
                HumanNumbers.first(ReportSideBuilder.offerLimit, of: offers, BindingsReport.words)
            }
            json.key("cells")
            json.beginArray()
            for binding in analysis.bindings where json.bytes.count - begin < room.bindingBytes {
                shown += 1
                let row: JSONArray = [
                    places[binding.context], BindingsReport.key(binding, on: analysis.layout),
                    BindingsReport.receiver(binding, on: analysis.layout).map {
                        binding.isOfferedOnly && binding.provider != nil ? "offered by \($0)" : $0
                    },
                    words(binding.shadowed), words(binding.offers.filter(\.isDisabled)), binding.presses,
                    BindingsReport.outcomes(binding, atMost: ReportSideBuilder.offerLimit),
                ]
                row.write(to: &json)
            }
            json.endArray()
            // As far as cells name them: bindings are in their order.
            let last = analysis.bindings.prefix(shown).last.flatMap { places[$0.context] } ?? -1
            let rest: JSONObject = [
                "leftOut": analysis.bindings.count - shown, "cut": analysis.isCut ? BindingsReport.cut : nil,
                "contexts": analysis.contexts.prefix(last + 1).rows {
                    [BindingsReport.place($0, facts.info) ?? "no responder", $0.presses]
                },
            ]
            rest.writeMembers(to: &json)
        })
    }

    var findings: JSONObject {
        let findings = facts.findings
        return [
            "count": findings.count,
            "unchecked": facts.info.uncheckedRules.map { LintReport.words($0, facts.info.adapter) },
            "rows": findings.prefix(room.rows(ReportSideBuilder.findingLimit)).rows { finding in
                let (rule, evidence) = (finding.rule, finding.evidence.rows { [$0.press, $0.tick] })
                return [
                    rule.severity.name, rule.rawValue, rule.title, finding.chord.map(KeyFormatter.chord),
                    LintReport.message(finding), finding.hint, finding.presses, evidence,
                ]
            },
        ]
    }
}
