import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

extension ExplainReport {
    /// Schema `keyflight.explain/1`, one line with a line break.
    package var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.explain/1")
            json.member("press", explanation.press)
            writeSearch(&json)
            writeKey(&json)
            writeContext(&json)
            json.member("ladder", objects: explanation.ladder, ExplainReport.write)
            writeResolution(&json)
            json.member("rule", explanation.decidingRule)
            json.member("stages", object: { json in
                for stage in LatencyStage.allCases { json.member(stage.name, explanation.stages[stage]?.nanoseconds) }
                json.member("total", explanation.stages.total?.nanoseconds)
            })
            writeConsequences(&json)
            writeMessages(&json)
            writeOtherProfiles(&json)
            json.member("level", info.level.name)
            json.member("masked", info.isMasked)
            info.writeEnd(to: &json)
        } + "\n"
    }

    private func writeSearch(_ json: inout JSONText) {
        json.member("found", about: explanation.search) { json, search in
            json.member("query", search.query.text)
            json.member("by", search.match == .character ? "character" : "position")
            json.member("matches", search.count)
            json.member("last", search.isLast)
        }
    }

    private func writeKey(_ json: inout JSONText) {
        json.member("key", about: explanation.key) { json, key in
            json.member("t_ns", key.time.nanoseconds)
            json.member("device", key.device)
            json.member("key", key.key.usage?.name)
            json.member("page", key.key.usage?.page)
            json.member("usage", key.key.usage?.usage)
            json.member("class", key.key.maskedClass?.name)
            json.member("masked", key.key.maskedClass != nil)
            json.member("modifiers", array: key.modifiers.names) { $0.value($1) }
            json.member("chord", key.chord?.text)
            json.member("held_ns", key.held?.nanoseconds)
            json.member("cancelled", key.isCancelled)
            json.member("synthetic_release", key.isReleaseSynthetic)
        }
    }

    private func writeContext(_ json: inout JSONText) {
        let context = explanation.context
        json.member("context", object: { json in
            json.member("profile", context.profile)
            json.member("layout", context.layout)
            json.member("layout_stored", context.layout.map { _ in context.isLayoutStored })
            json.member("cache", context.cachePolicy)
            json.member("scene", context.scene)
            json.member("first_responder", context.firstResponder)
            ExplainReport.write(context.firstResponderSince, as: "first_responder_since", to: &json)
            json.member("key_window", context.keyWindow)
            ExplainReport.write(context.keyWindowSince, as: "key_window_since", to: &json)
            if explanation.messageCounts != nil { json.member("main_window", context.mainWindow) }
            json.member("focused_item", context.focusedItem)
            json.member("marked_text", context.isTextMarked)
            json.member("presentations", objects: context.presentations) { json, presentation in
                json.member("presenter", presentation.presenter)
                json.member("presented", presentation.presented)
            }
        })
    }

    private func writeResolution(_ json: inout JSONText) {
        json.member("resolution", about: explanation.resolution) { json, resolution in
            json.member("t_ns", resolution.time.nanoseconds)
            json.member("outcome", resolution.outcome.name)
            json.member("takenBy", resolution.takenBy?.name)
            json.member("character", resolution.character)
            json.member("start", resolution.start)
            json.member("event_window", resolution.eventWindow)
            json.member("key_window", resolution.keyWindow)
            json.member("supplier", resolution.supplier)
            json.member("supplier_window", resolution.supplierWindow)
            json.member("target", resolution.target)
            json.member("target_window", resolution.targetWindow)
            json.member("action", resolution.action)
            if explanation.messageCounts != nil { json.member("path", resolution.path) }
            json.member("text", resolution.text)
            json.member("runs", resolution.runs)
            json.member("state", resolution.state?.hexadecimal(16))
        }
    }

    private func writeConsequences(_ json: inout JSONText) {
        json.member("calls", about: explanation.calls) { json, calls in
            for kind in CallKind.allCases { json.member(kind.name, calls[Int(kind.rawValue)]) }
            explanation.messageCounts?.write(to: &json)
        }
        CacheJSON.write(explanation.cache, to: &json)
        json.member("effects", objects: explanation.effects) { json, effect in
            json.member("id", effect.responder)
            json.member("kind", effect.kind)
            json.member("value", effect.value)
        }
        json.member("repeats", object: { json in
            json.member("count", explanation.repeats.count)
            json.member("outcomes", objects: explanation.repeats.outcomes) { json, entry in
                json.member("outcome", entry.outcome.name)
                json.member("count", entry.count)
            }
        })
        json.member("callsOnRelease", object: { $0.member("keyCommands", explanation.callsOnRelease) })
        json.member("shortened", explanation.isShortened)
    }

    private func writeOtherProfiles(_ json: inout JSONText) {
        json.member("otherProfiles", about: others) { json, others in
            json.member("unknown", others.unknown?.rawValue)
            json.member("same", array: others.same) { $0.value($1) }
            json.member("differing", objects: others.differences) { json, difference in
                json.member("profiles", array: difference.profiles) { $0.value($1) }
                json.member("outcome", difference.outcome.outcome.name)
                json.member("action", difference.outcome.action)
                json.member("supplier", difference.outcome.supplier)
                json.member("target", difference.outcome.target)
                json.member("repeats", difference.outcome.repeats)
                json.member("unrecorded", difference.openQuestion)
            }
        }
    }

    private static func write(to json: inout JSONText, _ rung: LadderRung) {
        switch rung.place {
        case .chain(let position):
            json.member("place", "chain")
            json.member("position", position)
        case .offChain: json.member("place", "offChain")
        case .mainMenu: json.member("place", "mainMenu")
        }
        json.member("id", rung.id)
        json.member("kind", rung.kind.isEmpty ? nil : rung.kind)
        json.member("window", rung.window)
        write(rung.since, as: "since", to: &json)
        json.member("first_responder", rung.isFirstResponder)
        json.member("target", rung.isTarget)
        json.member("receiver", rung.isReceiver)
        json.member("swallowed", rung.isSwallower)
        json.member("passed_over_for", rung.isPassedOverFor)
        json.member("calls", rung.calls)
        json.member("self_ns", rung.cost?.nanoseconds)
        json.member("offered", rung.offered)
        json.member("candidates", objects: rung.candidates, write)
        json.member("misplaced", objects: rung.misplaced) { json, misplaced in
            json.member("input", misplaced.command.input)
            json.member("action", misplaced.command.action)
            json.member("typed", misplaced.typed)
            json.member("layout", misplaced.layout)
            json.member("typed_by", misplaced.usage?.name)
            json.member("with", array: misplaced.modifiers?.names) { $0.value($1) }
        }
        json.member("answers", objects: rung.answers) { json, answer in
            json.member("kind", answer.kind.name)
            json.member("action", answer.action)
            json.member("answer", answer.isYes)
            json.member("duration_ns", answer.duration?.nanoseconds)
        }
    }

    private static func write(to json: inout JSONText, _ candidate: LadderCandidate) {
        json.member("input", candidate.command.input)
        json.member("modifiers", array: candidate.command.modifiers.names) { $0.value($1) }
        json.member("action", candidate.command.action)
        json.member("title", candidate.command.title)
        json.member("priority", candidate.command.attributes.contains(.wantsPriority))
        json.member("verdict", candidate.verdict.name)
        json.member("reason", candidate.reason)
        if candidate.isDerived { json.member("derived", true) }
    }

    private static func write(_ change: ContextChange?, as name: String, to json: inout JSONText) {
        json.member(name, about: change) { json, change in
            json.member("t_ns", change.time.nanoseconds)
            json.member("press", change.press)
            json.member("cause", change.cause?.name)
        }
    }
}
