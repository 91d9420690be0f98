public import KeyModel

/// The state that the commands of a component depend on besides the component's own.
public struct KeyboardEnvironment: Hashable, Sendable {
    /// Direction of the interface.
    public var layoutDirection = KeyboardEngine.LayoutDirection.ltr
    /// Arrows, Tab and Return belong to the focus system (spec EV-14).
    public var usesFocusSystem = false
    /// Key commands go before text, as for apps linked against an SDK before iOS 15 (spec EV-8).
    public var commandsGoBeforeText = false
    /// There are window scenes, and sheets that cover a part of what is below: iOS 13.
    public var hasScenes = true
    /// The system goes to the next window by ⌘` itself: iOS 15.
    public var systemCyclesWindows = true

    public init() {}

    public var isRightToLeft: Bool { layoutDirection == .rtl }
}

extension KeyboardEngine {
    var keyboardEnvironment: KeyboardEnvironment {
        var environment = KeyboardEnvironment()
        environment.layoutDirection = layoutDirection
        environment.usesFocusSystem = hasFocusSystem && profile.focusSystem
        environment.commandsGoBeforeText = profile.stageOrder == .commandsFirst
        environment.hasScenes = profile.windowScenes
        environment.systemCyclesWindows = profile.pasteAndMatchStyle
        return environment
    }
}

extension Responder {
    /// The environment of the engine whose tree this responder is in.
    public final var keyboardEnvironment: KeyboardEnvironment {
        findTree()?.observer?.keyboardEnvironment ?? KeyboardEnvironment()
    }

    /// The responder that gets the keys now: found as an action without a target finds it (spec KK-2); `nil` without
    /// one, and in no engine's tree.
    public final var currentFirstResponder: Responder? { findTree()?.observer?.firstResponder }

    /// True when the first responder takes typed text (spec KK-3).
    public final var isTextInputActive: Bool { currentFirstResponder?.textInput?.isEditable == true }

    /// True when the chain from the first responder comes by this one. Command collection alone does not show that
    /// (spec KC-7).
    public final var isInResponderChain: Bool {
        var walk = ChainWalk(from: currentFirstResponder)
        while let responder = walk.step() { if responder === self { return true } }
        return false
    }

    /// The time of the latest event.
    public final var eventTime: TraceTime { findTree()?.now ?? .zero }

    /// Sends an action up the chain from here to the first one that can perform it. True when it was performed.
    @discardableResult
    public final func send(_ action: Selector, sender: Any? = nil) -> Bool {
        guard let target = TargetSearch.firstTarget(from: self, action: action, sender: sender, skipsPresenters: false)
        else { return false }
        target.answersPerform(action, sender: sender, event: nil)
        return true
    }

    /// Performs an action that this responder itself implements, as a delegate does that implements an optional
    /// method. False when it does not.
    @discardableResult
    public final func notify(_ action: Selector, sender: Any? = nil) -> Bool {
        guard answersResponds(to: action) else { return false }
        answersPerform(action, sender: sender, event: nil)
        return true
    }

    /// True when it implements a question that a delegate is asked, and answers no by `canPerformAction`.
    public final func refuses(_ question: Selector) -> Bool {
        if let answer = declared?.canPerform(question, sender: nil) { return !answer }
        return answersResponds(to: question) && !canPerformAction(question, withSender: nil)
    }

    /// This responder leaves its window for now: a first responder inside it is lost (spec FR-4), its presses are
    /// cancelled (spec EV-6).
    public final func leaveWindow() { FirstResponderChange.leave(self) }
}
