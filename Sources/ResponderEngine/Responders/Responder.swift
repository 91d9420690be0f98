public import KeyModel

/// An object that can receive presses, offer key commands and perform actions: a link of the responder chain.
///
/// Names follow UIKit's without the prefix. A subclass overrides what it needs:
///
///     final class TabsController: ViewController {
///         override var keyCommands: [KeyCommand]? {
///             [KeyCommand(input: "w", modifierFlags: .command, action: "closeTab:")]
///         }
///         override class var actions: [Action] { super.actions + [Action("closeTab:", closeTab)] }
///         func closeTab(_ sender: Any?) { … }
///     }
open class Responder {
    /// The name used in resolutions and traces; the type's name unless another is given.
    public final let id: String
    final var tree: ResponderTree?
    /// A controller that presents another one and performs no actions meanwhile (spec DS-7).
    package final var skipsActions: Bool {
        get { isSkipped }
        set { isSkipped = newValue }
    }
    // Out of sight of other modules, as `placeInRecording` and `declaredAnswers`: the compiler sees every access, and
    // checks none at run time. Each press reads them many times.
    final var isSkipped = false
    /// Its place among the responders that the latest recorder met: looked up several times at each press.
    package final var recordedPlace: Int {
        get { placeInRecording }
        set { placeInRecording = newValue }
    }
    private final var placeInRecording = 0
    /// A view that has some: a chain without any is not searched for them at each press.
    final var hasGestureRecognizers = false
    final var targetSearch = TargetSearchState.none
    /// The declared answers that go before those of its class; `nil` for the responders of an app.
    package final var declared: (any DeclaredAnswers)? {
        get { declaredAnswers }
        set { declaredAnswers = newValue }
    }
    final var declaredAnswers: (any DeclaredAnswers)?
    /// Its class's actions, read when the first question comes, and those added to it alone.
    private final var actionTable: ActionTable?
    /// A bit for each action, by its hash, and all of them before those are known: most questions are for actions whose
    /// bit is not set, and look no further.
    private final var actionBits = UInt64.max
    /// Its key commands depend on the first responder or on what is presented: caches read them anew after a change.
    package final var followsStructure = false
    private final var explicitNextStorage: Responder?
    /// The last of the responders that `inject` put behind this one.
    private(set) final var injectionTail: InjectedResponder?

    public init(id: String? = nil) { self.id = id ?? String(describing: type(of: self)) }

    /// A long chain is let go link by link: releasing it in one go would take a stack as deep as the chain.
    deinit {
        injectionTail = nil
        var link = explicitNextStorage
        explicitNextStorage = nil
        while isKnownUniquelyReferenced(&link) {
            let following = link?.explicitNextStorage
            link?.explicitNextStorage = nil
            link = following
        }
    }

    // MARK: The chain

    /// The next responder of the chain. An override is honoured everywhere (spec FR-1).
    open var next: Responder? { nextByRule }

    final var nextByRule: Responder? { explicitNextStorage ?? defaultNext }

    /// The next responder by the rules of spec §6.1, without `explicitNext`.
    open var defaultNext: Responder? { nil }

    /// Wins over containment. Kept strongly: set it to `nil` to break a cycle of ownership.
    public final var explicitNext: Responder? {
        get { injectionTail.map(\.explicitNextStorage) ?? explicitNextStorage }
        set {
            storeExplicitNext(newValue)
            linksChanged()
        }
    }

    /// Changes `explicitNext` without invalidating caches, as an app does whose `next` silently answers differently.
    public final func setExplicitNextSilently(_ next: Responder?) {
        storeExplicitNext(next)
        tree?.linksChanged(announced: false)
    }

    private final func storeExplicitNext(_ next: Responder?) {
        if let injectionTail { injectionTail.explicitNextStorage = next } else { explicitNextStorage = next }
    }

    /// Puts these behind this responder, in order: the last one goes on to what came next before (spec KK-1). Once
    /// for each responder; responders that were injected elsewhere are left there.
    public final func inject(_ responders: [InjectedResponder]) {
        guard injectionTail == nil, !responders.isEmpty, responders.allSatisfy({ $0.ownerLink == nil }) else { return }
        let former = explicitNextStorage
        var last: Responder = self
        for responder in responders {
            responder.ownerLink = self
            last.explicitNextStorage = responder
            last = responder
        }
        last.explicitNextStorage = former
        injectionTail = responders.last
        linksChanged()
    }

    /// Invalidates the chain: this responder's `next` answers differently from now on.
    public final func setNeedsChainUpdate() { linksChanged() }

    /// A responder that no engine has walked over yet is on no chain whose change could matter.
    final func linksChanged() { tree?.linksChanged(announced: true) }

    final func findTree() -> ResponderTree? {
        if let tree { return tree }
        var walk = ChainWalk(from: next)
        while let responder = walk.step() {
            if let found = responder.tree {
                tree = found
                return found
            }
        }
        return nil
    }

    // MARK: First responder

    open var canBecomeFirstResponder: Bool { declaredAnswers?.canBecomeFirstResponder ?? false }
    open var canResignFirstResponder: Bool { true }

    /// Spec FR-2, FR-3: needs a window (the application needs none); the present first responder resigns first.
    @discardableResult
    open func becomeFirstResponder() -> Bool { FirstResponderChange.become(self) }

    /// True for what Tab reaches where there is a focus system: text that can be edited, and lists that opted in
    /// (spec EV-14).
    open var canBecomeFocused: Bool { false }

    /// An arrow while it has the focus: true when the focus moved to another place inside it.
    open func moveFocusInside(_ heading: FocusHeading) -> Bool { false }

    /// Return on an iPad, Space on a Mac, while it has the focus (spec EV-14): performs `primaryActionTriggered:` where
    /// it implements that.
    open func activateFocus() { notify("primaryActionTriggered:") }

    /// Where the focus goes inside it, the best place first: at the first Tab, and at `updateFocusIfNeeded`.
    open var preferredFocusEnvironments: [any FocusEnvironment] { [] }

    /// False keeps the focus where it is; asked of each responder that `didUpdateFocus` is called on.
    open func shouldUpdateFocus(in context: FocusUpdateContext) -> Bool { true }

    /// The focus moved: called up from the item that had it, and up from the one that has it.
    open func didUpdateFocus(in context: FocusUpdateContext, with coordinator: FocusAnimationCoordinator) {}

    @discardableResult
    open func resignFirstResponder() -> Bool { FirstResponderChange.resign(self) }

    public final var isFirstResponder: Bool { FirstResponderChange.current(near: self) === self }

    /// The window this responder is in, whatever its `next` returns; where it is contained in none, the window that its
    /// chain goes through.
    package final var windowOfChain: Window? {
        if let window = containingWindow { return window }
        var walk = ChainWalk(from: self)
        while let responder = walk.step() { if let window = responder as? Window { return window } }
        return nil
    }

    /// The application that its chain ends in.
    package final var applicationOfChain: Application? {
        var walk = ChainWalk(from: self)
        while let responder = walk.step() { if let found = responder as? Application { return found } }
        return nil
    }

    /// The container of this responder: a view's superview, a controller's parent.
    var container: Responder? { nil }

    /// Follows `container`; a circle of containers, which only mixed links can make, ends the search.
    final var containingWindow: Window? {
        var here: Responder? = self
        var landmark: Responder?
        var steps = 0
        var distance = 1
        while let responder = here, responder !== landmark {
            if let window = responder as? Window { return window }
            if steps == distance {
                landmark = responder
                distance *= 2
                steps = 0
            }
            steps += 1
            here = responder.container
        }
        return nil
    }

    // MARK: Presses

    /// The key equivalents that this view or window of an AppKit app takes by `performKeyEquivalent:`.
    open var keyEquivalents: [KeyCommand] { declaredAnswers?.keyEquivalents ?? [] }

    /// The default implementation passes the press on to the next responder; an override that does not call
    /// `super` swallows it (spec EV-4).
    open func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        if declaredAnswers == nil { event?.isPassedOn = true } else { beginsAsDeclared(presses, event) }
    }
    open func pressesEnded(_ presses: Set<Press>, with event: PressesEvent?) {
        event?.isPassedOn = true
        if declaredAnswers != nil { endsAsDeclared() }
    }
    open func pressesCancelled(_ presses: Set<Press>, with event: PressesEvent?) { event?.isPassedOn = true }
    /// Keyboards send none (spec EV-4).
    open func pressesChanged(_ presses: Set<Press>, with event: PressesEvent?) { event?.isPassedOn = true }
    /// True for a press, or a repeat of one that it swallowed, that a handler of SwiftUI's `onKeyPress` handles.
    /// Presses themselves do not repeat (spec EV-7).
    open func handlesKeyPress(_ press: Press, isRepeat: Bool) -> Bool { false }

    /// True where the first responder is text that would take this key.
    public final func textTakes(_ key: Key) -> Bool { tree?.observer?.textTakes(key) ?? false }

    /// True for a web page: as first responder it lets text commands, then the app's commands have a key, and then
    /// types it (spec EV-9).
    open var interpretsKeysAsPage: Bool { false }

    // MARK: Commands and actions

    /// The key commands of this responder, read anew whenever they are needed (spec KC-1); `nil` is none.
    open var keyCommands: [KeyCommand]? { declaredAnswers?.keyCommands(of: self) }

    /// Responders whose commands are read after this one's although they are not on the chain (spec KC-7).
    open var offChainSuppliers: [Responder] { declaredAnswers?.offChainSuppliers(of: self) ?? [] }

    /// Invalidates cached commands: `keyCommands` answers differently from now on.
    public final func setNeedsKeyCommandsUpdate() { tree?.observer?.keyCommandsChanged(of: self) }

    /// The actions that this class implements, once per class.
    open class var actions: [Action] { [] }

    /// True when this responder implements the action (`responds(to:)` of Objective-C).
    open func responds(to action: Selector) -> Bool {
        (actionBits & action.bit != 0 || declaredAnswers != nil) && implements(action)
    }

    /// Adds an action to this object alone, as a method added at run time. It goes before its class's of that name.
    public final func addAction(_ action: Action) {
        // Moved out, changed and put back: a change in place would be checked for overlaps at every read.
        makeActionTable()
        var table = actionTable
        actionTable = nil
        table?.add(action)
        actionTable = table
        actionBits |= action.selector.bit
    }

    /// Not inlined: most questions are answered without it.
    @inline(never)
    private final func implements(_ action: Selector) -> Bool {
        makeActionTable()
        return actionTable?.contains(action) == true || declaredAnswers?.implements(action) == true
    }

    private final func makeActionTable() {
        guard actionTable == nil else { return }
        let actions = type(of: self).actions
        actionTable = ActionTable(actions)
        actionBits = actions.reduce(0) { $0 | $1.selector.bit }
    }

    /// Performs an action that this responder implements; of several with one name, the last declared.
    open func perform(_ action: Selector, sender: Any?, event: PressesEvent?) {
        if declaredAnswers?.perform(action, event: event) == true { return }
        makeActionTable()
        actionTable?[action]?.run(self, sender, event)
    }

    /// True when this responder performs the action now; by default, when it implements it (spec DS-2).
    open func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        declaredAnswers == nil ? responds(to: action) : canPerformAsDeclared(action, sender: sender)
    }

    /// The responder that performs the action: this one or the first one up the chain that can (spec DS-2). An override
    /// may name an object outside the chain, or `nil` (spec DS-4).
    open func target(forAction action: Selector, withSender sender: Any?) -> Any? {
        TargetSearch.defaultTarget(of: self, action: action, sender: sender)
    }

    // The standard edit actions that apps override. An override is listed among `actions`, unless it is of text, which
    // has them itself.
    open func cut(_ sender: Any?) { textInput?.performEdit("cut:") }
    open func copy(_ sender: Any?) { textInput?.performEdit("copy:") }
    open func paste(_ sender: Any?) { textInput?.performEdit("paste:") }
    open func selectAll(_ sender: Any?) { textInput?.performEdit("selectAll:") }
    open func delete(_ sender: Any?) { textInput?.performEdit("delete:") }

    /// Changes a menu. For the main menu only the application and its delegate are asked, for a context menu the
    /// responders there (spec MM-1); `builder.system` is one of the two.
    open func buildMenu(with builder: any MenuBuilder) { declaredAnswers?.buildMenu(of: self, with: builder) }

    /// Adjusts a command before it is shown (spec DS-8).
    open func validate(_ command: Command) { declaredAnswers?.validate(command) }

    // MARK: Text, scrolling, state

    /// The view in place of the software keyboard's keys while this responder, or one that has it on its chain, is
    /// first (spec TX-4); one without a height of its own is no higher than nothing.
    open var inputView: View? { declaredAnswers?.inputView(of: self) }

    /// The view on top of the software keyboard, in the same way.
    open var inputAccessoryView: View? { declaredAnswers?.inputAccessoryView(of: self) }

    /// This responder as something that takes text; `nil` for all others.
    open var textInput: (any TextInput)? { nil }

    /// This responder as something that keys scroll by themselves (spec EV-15); `nil` for all others.
    open var keyboardScrolling: (any KeyboardScrolling)? { nil }

    /// True where `combineState` adds something to the state hash.
    open var hasComponentState: Bool { false }

    /// Adds what a user would see of this responder, such as selection, offset or document length. Never text.
    open func combineState(into hash: inout StableHash) {}

    /// Reports to the engine that a component changed what a user sees.
    public final func report(_ kind: Effect.Kind, _ value: Effect.Value) {
        findTree()?.observer?.report(Effect(id: id, kind: kind, value: value))
    }
}
