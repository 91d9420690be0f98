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

    func writeResponders(_ json: inout JSONText) {
        let top = facts.top
        let sorted = top.sorted(by: .self)
        json.member("responders", object: { json in
            json.member("known", top.hasCalls)
            json.member("ticks", top.ticks)
            json.member("leftOut", max(0, sorted.count - room.rows(ReportSideBuilder.responderLimit)))
            json.member("policy", top.recordedPolicy)
            json.member("rows", rows: sorted.prefix(room.rows(ReportSideBuilder.responderLimit))) { json, responder in
                let calls = responder.calls
                json.value(calls.id)
                json.value(calls.kind)
                json.value(calls.calls)
                json.value(calls.selfTime?.nanoseconds)
                json.value(calls.totalTime?.nanoseconds)
                json.value(calls.distinctResults)
                json.value(calls.unchangedResults)
                json.value(responder.kept.timeSaved?.nanoseconds)
                json.value(responder.kept.staleAnswers)
                json.value(calls.withoutPress)
            }
            json.member("policies", rows: top.hasCalls ? top.policies : []) { json, policy in
                json.value(policy.policy)
                json.value(policy.callsSaved)
                json.value(policy.timeSaved?.nanoseconds)
                json.value(policy.staleAnswers)
                json.array(policy.stalePresses) { $0.value($1) }
            }
        })
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
                json.row { json in
                    json.value(places[binding.context])
                    json.value(Chord.glyphs(binding.modifiers) + KeyFormatter.input(binding.input))
                    json.value(binding.provider.map(BindingsReport.words))
                    json.array(words(binding.shadowed)) { $0.value($1) }
                    json.array(words(binding.offers.filter(\.isDisabled))) { $0.value($1) }
                    json.value(binding.presses)
                    json.value(BindingsReport.outcomes(binding, atMost: ReportSideBuilder.offerLimit))
                }
            }
            json.endArray()
            json.member("leftOut", analysis.bindings.count - shown)
            json.member("cut", analysis.isCut ? BindingsReport.cut : nil)
            // As far as cells name them: bindings are in their order.
            let last = analysis.bindings.prefix(shown).last.flatMap { places[$0.context] } ?? -1
            json.member("contexts", rows: analysis.contexts.prefix(last + 1)) { json, context in
                json.value(BindingsReport.place(context, facts.info) ?? "nobody")
                json.value(context.presses)
            }
        })
    }

    func writeFindings(_ json: inout JSONText) {
        json.member("findings", object: { json in
            json.member("count", facts.findings.count)
            json.member("unchecked", array: facts.info.uncheckedRules) {
                $0.value(LintReport.words($1, facts.info.adapter))
            }
            let shown = facts.findings.prefix(room.rows(ReportSideBuilder.findingLimit))
            json.member("rows", rows: shown) { json, finding in
                json.value(finding.rule.severity.name)
                json.value(finding.rule.rawValue)
                json.value(finding.rule.title)
                json.value(finding.chord.map(KeyFormatter.chord))
                json.value(LintReport.message(finding))
                json.value(finding.rule.hint)
                json.value(finding.presses)
                json.array(finding.evidence) { json, evidence in
                    json.array([evidence.press, evidence.tick]) { $0.value($1) }
                }
            }
        })
    }
}
