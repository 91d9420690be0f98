import KeyModel
import ResponderEngine
import Scenes
import TraceFormat

/// A responder and the link of it that was recorded last.
struct FollowedLink {
    let responder: Responder
    var next: Responder?
    var window: Responder?
    /// The controller that it presents.
    var presented: Responder?
    var isRecorded = false

    init(_ responder: Responder) { self.responder = responder }

    /// `next` follows from containment and `explicitNext`, so that its changes are counted.
    var answersByRule: Bool { responder.answersNextByRule }
}

/// Last recorded values of the rest of the context.
struct FollowedContext {
    var firstResponder: Responder?
    var keyWindow: Responder?
    var textInput: Responder?
    var isMarked = false
    var isRecorded = false
    /// The engine's count of changed links when the links were looked at last.
    var linkVersion: UInt64 = 0
    /// True if that count covers every change of the followed links, as far as can be determined.
    var linksTellOfChanges = false
    var environment: [String: String] = [:]
    /// Empty until an item has the focus.
    var focusedItem = ""
    /// Of the text input; true without one.
    var isEditable = true
    var layout: String?
    var layouts: [ByteName: (layout: Layout, record: LayoutRecord)] = [:]
    /// The engine's count of built menus when the main menu was recorded last.
    var menuVersion: UInt64 = 0
    var hasMenu = false
    var keyboard: (state: SoftwareKeyboard.State, frame: SoftwareKeyboard.Frame?) = (.hidden, nil)
}

extension TraceRecorder {
    // MARK: Environment

    func recordEnvironment(of subject: any ReplaySubject) {
        links = subject.responders.flatMap { [FollowedLink($0)] + $0.injectedResponders.map(FollowedLink.init) }
        append(.level(LevelRecord(level: level)), at: .zero)
        // The responders of a recording may come from no scene.
        if !subject.name.isEmpty { fact("scene", subject.name, at: .zero) }
        if let taker = subject.bareKeys { fact(EnvironmentFact.bareKeys, taker, at: .zero) }
        recordEnvironment(subject.engine, at: .zero)
        if !subject.engine.isKeyboardAttached {
            append(.hardware(HardwareRecord(device: nil, isAttached: false)), at: .zero)
        }
    }

    /// Facts that changed since they were recorded.
    private func recordEnvironment(_ engine: KeyboardEngine, at time: TraceTime) {
        fact("profile", engine.profile.name, at: time)
        for (name, value) in engine.profile.recordedParameters { fact("parameter.\(name)", value, at: time) }
        fact("cache", engine.cachePolicy.rawValue, at: time)
        fact("shadowCheck", engine.shadowCheck ? "true" : "false", at: time)
        fact("direction", engine.layoutDirection.rawValue, at: time)
        fact(EnvironmentFact.focusSystem, engine.hasFocusSystem ? "true" : "false", at: time)
        // An iPad has a focus system, an iPhone none: recorded only where that is different.
        if engine.isPad != engine.hasFocusSystem {
            fact(EnvironmentFact.device, engine.isPad ? "ipad" : "iphone", at: time)
        }
        let layout = engine.layout
        guard context.layout != layout.name else { return }
        context.layout = layout.name
        layoutChanges()
        append(.layout(recorded(layout)), at: time)
    }

    /// A script may go to and fro between two layouts at each press, and the text of one takes longer than the press.
    private func recorded(_ layout: Layout) -> LayoutRecord {
        if let known = context.layouts[ByteName(layout.name)], known.layout == layout { return known.record }
        let record = LayoutRecord(name: layout.name, hash: layout.hash, table: string(layout.text))
        context.layouts[ByteName(layout.name)] = (layout, record)
        return record
    }

    /// Records what controllers present, where that changed: by an action, by a step, or at the beginning.
    private func recordPresentations(at time: TraceTime) {
        for index in links.indices {
            guard let presenter = links[index].responder as? ViewController else { continue }
            let presented: Responder? = presenter.presentedViewController
            guard presented !== links[index].presented else { continue }
            links[index].presented = presented
            append(
                .presentation(PresentationRecord(presenter: ref(presenter), presented: presented.map { ref($0) })),
                at: time)
        }
    }

    private func fact(_ name: String, _ value: String, at time: TraceTime) {
        guard context.environment[name] != value else { return }
        context.environment[name] = value
        append(.environment(EnvironmentRecord(name: name, value: value)), at: time)
    }

    /// Environment facts that a replay records itself, or that are about how its source was recorded, and so are not
    /// passed on.
    package static func isOwnFact(_ name: String) -> Bool {
        ["scene", "profile", "cache", "shadowCheck", "direction"].contains(name)
            || [EnvironmentFact.focusSystem, EnvironmentFact.focusedItem, EnvironmentFact.textIsEditable].contains(name)
            || EnvironmentRecord.isProfileParameter(name) || name.hasPrefix("recorder.")
    }

    // MARK: Steps

    func stepBegins(_ step: ContextStep, at time: TraceTime) {
        isInStep = true
        self.time = time
        isSkipping = false
        append(.step(StepRecord(step: string(TraceRecorder.shown(step, showsKeys: showsKeys).text))), at: time)
    }

    func stepEnded(_ step: ContextStep, at time: TraceTime, in engine: KeyboardEngine) {
        isInStep = false
        switch step {
        case .mark(let name): append(.mark(MarkRecord(name: name)), at: time)
        case .attach: append(.hardware(HardwareRecord(device: nil, isAttached: true)), at: time)
        case .detach: append(.hardware(HardwareRecord(device: nil, isAttached: false)), at: time)
        case .setNeedsRebuild: invalidation(.menuRebuild, nil, at: time)
        case .setNeedsRevalidate: invalidation(.menuRevalidate, nil, at: time)
        // At level calls the engine reports it.
        case .invalidate(let id) where !needsEveryDecision: invalidation(.responder, followed(id), at: time)
        case .layout, .profile: recordEnvironment(engine, at: time)
        default: break
        }
        recordContext(engine, cause: TraceRecorder.cause(of: step), at: time)
        stepIsDone(at: time, in: engine)
    }

    /// The form of a step in a trace: marked text is text.
    static func shown(_ step: ContextStep, showsKeys: Bool) -> ContextStep {
        if case .markText = step, !showsKeys { return .markText("\u{FFFD}") }
        return step
    }

    func invalidation(_ scope: InvalidationScope, _ responder: Responder?, at time: TraceTime) {
        append(.invalidation(InvalidationRecord(scope: scope, responder: responder.map(ref))), at: time)
    }

    private static func cause(of step: ContextStep) -> FocusCause {
        switch step {
        case .focus: .become
        case .resign: .resign
        case .present: .present
        case .dismiss: .dismiss
        case .activate, .deactivate: .windowChange
        case .click: .click
        case .push, .pop, .select: .removal
        default: .unknown
        }
    }

    // MARK: Chain and focus

    /// Records what changed of links, key window, first responder, text input and marked text.
    func recordContext(_ engine: KeyboardEngine, cause: FocusCause, at time: TraceTime) {
        let isUnchanged = engine.linkVersion == context.linkVersion && context.isRecorded
        if !isUnchanged || !context.linksTellOfChanges {
            recordLinks(engine, isUnchanged: isUnchanged, at: time)
            recordFocus(engine, cause: cause, at: time)
        }
        let focused = engine.focusedItemInside?.id ?? ""
        if focused != context.focusedItem {
            context.focusedItem = focused
            fact(EnvironmentFact.focusedItem, focused, at: time)
        }
        context.isRecorded = true
        recordTextInput(of: context.firstResponder, at: time)
        recordKeyboardFrame(engine, at: time)
        if !isUnchanged { recordPresentations(at: time) }
    }

    /// Another key window or first responder counts as a change of links.
    private func recordFocus(_ engine: KeyboardEngine, cause: FocusCause, at time: TraceTime) {
        let keyWindow: Responder? = engine.application.keyWindow
        if keyWindow !== context.keyWindow || !context.isRecorded {
            context.keyWindow = keyWindow
            append(.keyWindow(KeyWindowRecord(window: keyWindow.map(ref), cause: cause)), at: time)
        }
        let first = engine.firstResponder
        if first !== context.firstResponder || !context.isRecorded {
            context.firstResponder = first
            append(.firstResponder(FirstResponderRecord(responder: first.map(ref), cause: cause)), at: time)
        }
    }

    /// Records the frame of the software keyboard, once it has one (spec TX-1).
    private func recordKeyboardFrame(_ engine: KeyboardEngine, at time: TraceTime) {
        let keyboard = engine.softwareKeyboard
        let state = keyboard.state
        guard state != context.keyboard.state || state != .hidden && keyboard.frame != context.keyboard.frame else {
            return
        }
        let frame = keyboard.frame
        context.keyboard = (state, frame)
        func thousandths(_ points: Int) -> Int64 { Int64(clamping: points) * 1000 }
        append(
            .keyboardFrame(
                KeyboardFrameRecord(
                    state: KeyboardFrameState(name: state.rawValue) ?? .hidden,
                    frame: KeyboardFrameRecord.Frame(
                        x: thousandths(frame.x), y: thousandths(frame.y), width: thousandths(frame.width),
                        height: thousandths(frame.height)),
                    cause: KeyboardFrameCause(name: engine.softwareKeyboardCause.rawValue) ?? .unknown)), at: time)
    }

    private func recordTextInput(of first: Responder?, at time: TraceTime) {
        let input = first?.textInput
        let owner = input == nil ? nil : first
        if owner !== context.textInput {
            context.textInput = owner
            append(
                .textInput(
                    TextInputRecord(responder: owner.map(ref), isSecure: input?.isSecureTextEntry ?? false)), at: time)
        }
        let isEditable = input?.isEditable ?? true
        if isEditable != context.isEditable {
            context.isEditable = isEditable
            fact(EnvironmentFact.textIsEditable, "\(isEditable)", at: time)
        }
        let isMarked = input?.markedText != nil
        if isMarked != context.isMarked {
            context.isMarked = isMarked
            append(.markedText(MarkedTextRecord(isMarked: isMarked)), at: time)
        }
    }

    /// An overridden `next` may answer differently at any time; containment notifies of its changes.
    private func recordLinks(_ engine: KeyboardEngine, isUnchanged: Bool, at time: TraceTime) {
        context.linkVersion = engine.linkVersion
        if isUnchanged,
            links.allSatisfy({ engine.countsLinks(of: $0.responder) && $0.responder.next === $0.next })
        {
            context.linksTellOfChanges = !needsEveryDecision && links.allSatisfy(\.answersByRule)
            return
        }
        var windows = WindowSearch()
        for index in links.indices {
            let responder = links[index].responder
            let next = responder.next
            let window: Responder? = windows.window(of: responder)
            guard !links[index].isRecorded || next !== links[index].next || window !== links[index].window else {
                continue
            }
            links[index].next = next
            links[index].window = window
            links[index].isRecorded = true
            append(
                .link(LinkRecord(responder: ref(responder), next: next.map(ref), window: window.map(ref))), at: time)
        }
        context.linksTellOfChanges =
            !needsEveryDecision && links.allSatisfy { engine.countsLinks(of: $0.responder) && $0.answersByRule }
    }

    /// The followed responder with this id.
    func followed(_ id: String) -> Responder? { links.first { $0.responder.id == id }?.responder }

    /// The presentation that a recorded effect contains; controllers are looked at themselves.
    func presentation(_ effect: Effect, _ presenter: Responder) -> TraceRecord.Body? {
        guard case .text(let id) = effect.value, !(presenter is ViewController) else { return nil }
        switch effect.kind {
        case .present:
            return .presentation(
                PresentationRecord(presenter: ref(presenter), presented: followed(id).map(ref)))
        case .dismiss: return .presentation(PresentationRecord(presenter: ref(presenter), presented: nil))
        default: return nil
        }
    }
}
