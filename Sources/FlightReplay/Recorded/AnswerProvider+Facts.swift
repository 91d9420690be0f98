import KeyModel
import ResponderEngine
import TraceFormat

/// Facts that hold from a place in a recording on.
extension AnswerProvider {
    /// Makes true what was recorded before this place.
    func applyFacts(before sequence: UInt64, isSilent: Bool = false) {
        while let fact = index.takeFact(before: sequence) { apply(fact, isSilent: isSilent) }
        guard parametersChanged, !isSilent, let engine else { return }
        parametersChanged = false
        let name = parameters["profile"] ?? engine.profile.name
        let others = parameters.filter { $0.key != "profile" }.sorted { $0.key < $1.key }
        if let made = RecordedEnvironment.profile(name, others.map { ($0.key, $0.value) }), made != engine.profile {
            engine.profile = made
        }
    }

    /// Place at which the effects of a press are complete. One of an AppKit app may enclose others, which come before
    /// its end.
    func effectsEnd(of press: PressAnswers) -> UInt64 {
        summary.isOfAppKit ? min(press.end, index.input(after: position)) : press.end
    }

    private func apply(_ fact: PressIndex.Fact, isSilent: Bool) {
        guard let engine else { return }
        switch fact.body {
        case .link(let link):
            guard let responder = object(link.responder) else { return }
            let next = object(link.next)
            guard responder.explicitNext !== next else { return }
            if isSilent || isSilentStep {
                responder.setExplicitNextSilently(next)
            } else {
                responder.explicitNext = next
            }
        case .firstResponder(let change): engine.recordedFirstResponder(object(change.responder))
        case .keyWindow(let change): engine.recordedKeyWindow(object(change.window) as? Window)
        case .textInput(let change):
            let responder = change.responder
            textInput = responder.map { ($0, change.isSecure) }
            isEditable = fact.tookKeys ? true : nil
        case .presentation(let change):
            presenters.remove(change.presenter)
            if change.presented != nil { presenters.insert(change.presenter) }
        case .markedText(let change): isMarked = change.isMarked
        case .hardware(let change): engine.isKeyboardAttached = change.isAttached
        case .layout(let layout): apply(layout, isSilent: isSilent)
        case .environment(let fact): apply(fact)
        case .invalidation(let change):
            switch change.scope {
            case .responder: if let responder = object(change.responder) { engine.invalidate(responder) }
            case .menuRebuild: engine.setNeedsRebuild()
            case .menuRevalidate: engine.setNeedsRevalidate()
            }
        case .call(let call):
            guard case .commands(let list) = call.answer else { return }
            if call.kind == .buildMenu { menu = list } else { lists[call.responder] = list }
        default: break
        }
    }

    private func apply(_ record: LayoutRecord, isSilent: Bool) {
        defer { layoutHash = record.hash }
        guard !isSilent, layoutHash != record.hash, let engine, let table = text(record.table),
            let layout = layouts.value(of: table), layout != engine.layout
        else { return }
        engine.layout = layout
    }

    private func apply(_ fact: EnvironmentRecord) {
        if fact.name == EnvironmentFact.focusedItem {
            let place = definitions.responders.firstIndex { ByteName($0.id) == ByteName(fact.value) }
            engine?.recordedFocus(object(place.map { ResponderRef(rawValue: UInt32($0)) }))
            return
        }
        if fact.name == EnvironmentFact.textIsEditable {
            isReadOnly = fact.value == "false"
            return
        }
        let name = fact.name == "profile" ? fact.name : EnvironmentRecord.profileParameter(fact.name)
        guard let name, parameters[name] != fact.value else { return }
        parameters[name] = fact.value
        parametersChanged = true
    }
}
