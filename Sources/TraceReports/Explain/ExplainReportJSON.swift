import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

extension ExplainReport {
    /// Schema `keyflight.explain/1`, one line with a line break.
    package var json: String {
        var object: JSONObject = [
            "schema": "keyflight.explain/1", "press": explanation.press,
            "found": explanation.search.object {
                [
                    "query": $0.query.text, "by": $0.match == .character ? "character" : "position",
                    "matches": $0.results.count, "last": $0.isLast,
                    "results": $0.results.results.objects(ExplainReport.object), "same_key": $0.others.count,
                    "same_key_results": $0.others.results.objects(ExplainReport.object),
                ]
            },
            "key": explanation.key.object(ExplainReport.object), "context": context,
            "ladder": explanation.ladder.objects(ExplainReport.object),
            "not_asked": explanation.notAsked.objects(unasked),
            "resolution": explanation.resolution.object(resolution), "rule": explanation.decidingRule,
            "stages": stages,
        ]
        if let sampleObjects { object.add("samples", sampleObjects) }
        if let costObject { object.add("costs", costObject) }
        object.add(consequences)
        let stuck = explanation.stuckModifiers
        if !stuck.isEmpty {
            object.add("stuck_modifiers", stuck.objects { ["key": $0.key.name, "since_ns": $0.since, "why": $0.why] })
        }
        if let reason = explanation.keysStop { object.add("keys_stop", reason) }
        if !explanation.menuDrops.isEmpty {
            let drops = explanation.menuDrops.objects { ["id": $0.responder, "kind": $0.kind, "value": $0.value] }
            object.add("menu_drops", drops)
        }
        if explanation.messageCounts != nil { object.add(messages) }
        object.add([
            "otherProfiles": others.object(ExplainReport.object), "level": info.level.name, "masked": info.isMasked,
        ])
        object.add(info.jsonEnd)
        return object.line
    }

    private static func object(_ result: PressExplanation.ChordResults.Result) -> JSONObject {
        let found = result.outcome
        return [
            "outcome": found?.outcome.name, "action": found?.action, "target": found?.target, "count": result.count,
            "presses": result.presses,
        ]
    }

    private static func object(_ key: PressExplanation.KeyFacts) -> JSONObject {
        let (usage, masked) = (key.key.usage, key.key.maskedClass)
        return [
            "t_ns": key.time, "device": key.device, "key": usage?.name, "page": usage?.page, "usage": usage?.usage,
            "class": masked?.name, "masked": masked != nil, "modifiers": key.modifiers.names,
            "chord": key.chord?.text, "held_ns": key.held, "cancelled": key.isCancelled,
            "synthetic_release": key.isReleaseSynthetic,
        ]
    }

    private func unasked(_ offer: UnaskedOffer) -> JSONObject {
        [
            "id": offer.id, "input": offer.command.input, "modifiers": offer.command.modifiers.names,
            "action": offer.command.action, "reason": reason(offer),
            "since": (offer.departure?.change).object(ExplainReport.object),
        ]
    }

    private var context: JSONObject {
        let context = explanation.context
        var object: JSONObject = [
            "profile": context.profile, "layout": context.layout,
            "layout_stored": context.layout.map { _ in context.isLayoutStored }, "cache": context.cachePolicy,
            "scene": context.scene, "first_responder": context.firstResponder,
            "first_responder_since": context.firstResponderSince.object(ExplainReport.object),
            "key_window": context.keyWindow, "key_window_since": context.keyWindowSince.object(ExplainReport.object),
        ]
        if explanation.messageCounts != nil { object.add("main_window", context.mainWindow) }
        object.add([
            "focused_item": context.focusedItem, "marked_text": context.isTextMarked,
            "presentations": context.presentations.objects {
                ["presenter": $0.presenter, "presented": $0.presented]
            },
        ])
        return object
    }

    private func resolution(_ resolution: PressExplanation.ResolutionFacts) -> JSONObject {
        var object: JSONObject = [
            "t_ns": resolution.time, "outcome": resolution.outcome.name, "takenBy": resolution.takenBy?.name,
            "character": resolution.character, "start": resolution.start, "event_window": resolution.eventWindow,
            "key_window": resolution.keyWindow, "supplier": resolution.supplier,
            "supplier_window": resolution.supplierWindow, "target": resolution.target,
            "target_window": resolution.targetWindow, "action": resolution.action,
        ]
        if explanation.messageCounts != nil { object.add("path", resolution.path) }
        object.add([
            "text": resolution.text, "runs": resolution.runs, "state": resolution.state?.hexadecimal(16),
        ])
        return object
    }

    private var stages: JSONObject {
        var object: JSONObject = [:]
        for stage in LatencyStage.allCases { object.add(stage.name, explanation.stages[stage]) }
        object.add("total", explanation.stages.total)
        object.addDerived(explanation.stages.isDerived)
        return object
    }

    private var consequences: JSONObject {
        [
            "calls": explanation.calls.object { calls in
                var object: JSONObject = [:]
                for kind in CallKind.allCases { object.add(kind.name, calls[Int(kind.rawValue)]) }
                guard let messages = explanation.messageCounts else { return object }
                for (kind, name) in InvocationCounts.kinds { object.add(name, messages[kind]) }
                return object
            },
            "cache": explanation.cache?.json,
            "effects": explanation.effects.objects { ["id": $0.responder, "kind": $0.kind, "value": $0.value] },
            "repeats": [
                "count": explanation.repeats.count,
                "outcomes": explanation.repeats.outcomes.objects { ["outcome": $0.outcome.name, "count": $0.count] },
            ] as JSONObject,
            "callsOnRelease": ["keyCommands": explanation.callsOnRelease] as JSONObject,
            "shortened": explanation.isShortened,
        ]
    }

    private var messages: JSONObject {
        [
            "messages": explanation.messages.objects(ExplainReport.object),
            "not_seen": explanation.blindHooks.objects {
                ["hook": $0.name, "state": $0.state.rawValue, "reason": $0.reason]
            },
        ]
    }

    private static func object(_ message: MessageSummary) -> JSONObject {
        var (answer, target, items): (String?, String?, UInt32?)
        switch message.answer {
        case .nothing: break
        case .no: answer = "no"
        case .yes: answer = "yes"
        case .responder(let responder): (answer, target) = ("responder", responder)
        case .list(let count): (answer, items) = ("list", count)
        }
        let kind = message.receiverKind.isEmpty ? nil : message.receiverKind
        return [
            "kind": message.kind.name, "receiver": message.receiver, "class": kind, "selector": message.selector,
            "sender": message.sender, "answer": answer, "target": target, "items": items, "path": message.path,
            "occasion": message.occasion.name, "depth": message.depth, "count": message.count,
            "duration_ns": message.duration,
        ]
    }

    static func object(_ others: OtherProfiles) -> JSONObject {
        [
            "unknown": others.unknown?.rawValue, "same": others.same,
            "differing": others.differences.objects { difference in
                let outcome = difference.outcome
                return [
                    "profiles": difference.profiles, "outcome": outcome.outcome.name, "action": outcome.action,
                    "supplier": outcome.supplier, "target": outcome.target, "text": outcome.text,
                    "takenBy": outcome.takenBy?.name, "repeats": outcome.repeats,
                    "unrecorded": difference.openQuestion,
                ]
            },
        ]
    }

    private static func object(_ rung: LadderRung) -> JSONObject {
        var object: JSONObject
        switch rung.place {
        case .chain(let position): object = ["place": "chain", "position": position]
        case .offChain: object = ["place": "offChain"]
        case .mainMenu: object = ["place": "mainMenu"]
        }
        let kind = rung.kind.isEmpty ? nil : rung.kind
        object.add([
            "id": rung.id, "kind": kind, "window": rung.window, "since": rung.since.object(ExplainReport.object),
            "first_responder": rung.isFirstResponder, "target": rung.isTarget, "receiver": rung.isReceiver,
            "swallowed": rung.isSwallower, "passed_over_for": rung.isPassedOverFor, "calls": rung.calls,
            "self_ns": rung.cost, "offered": rung.offered,
            "candidates": rung.candidates.objects(ExplainReport.object),
            "misplaced": rung.misplaced.objects {
                [
                    "input": $0.command.input, "action": $0.command.action, "typed": $0.typed, "layout": $0.layout,
                    "typed_by": $0.usage?.name, "with": $0.modifiers?.names,
                ]
            },
            "answers": rung.answers.objects {
                ["kind": $0.kind.name, "action": $0.action, "answer": $0.isYes, "duration_ns": $0.duration]
            },
        ])
        return object
    }

    private static func object(_ candidate: LadderCandidate) -> JSONObject {
        let command = candidate.command
        var object: JSONObject = [
            "input": command.input, "modifiers": command.modifiers.names, "action": command.action,
            "title": command.title, "priority": command.attributes.contains(.wantsPriority),
            "verdict": candidate.verdict.name, "reason": candidate.reason,
        ]
        if candidate.isDerived { object.add("derived", true) }
        return object
    }

    private static func object(_ change: ContextChange) -> JSONObject {
        ["t_ns": change.time, "press": change.press, "cause": change.cause?.name]
    }
}
