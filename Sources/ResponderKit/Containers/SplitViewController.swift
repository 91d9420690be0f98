public import KeyModel
public import ResponderEngine

/// Two or three columns, the primary one first.
open class SplitViewController: ViewController {
    /// The visible columns (names as in `UISplitViewController`).
    public enum DisplayMode: String, CaseIterable, Sendable {
        case secondaryOnly, oneBesideSecondary, oneOverSecondary, twoBesideSecondary, twoOverSecondary
        case twoDisplaceSecondary

        var showsTwo: Bool {
            self == .twoBesideSecondary || self == .twoOverSecondary || self == .twoDisplaceSecondary
        }
    }

    public enum Column: String, CaseIterable, Sendable { case primary, supplementary, secondary }

    /// The effect on the other columns of one that comes into sight.
    public enum SplitBehavior: String, CaseIterable, Sendable { case tile, overlay, displace }

    public enum PrimaryEdge: String, CaseIterable, Sendable { case leading, trailing }

    public final private(set) var displayMode = DisplayMode.oneBesideSecondary
    public final var splitBehavior = SplitBehavior.tile
    public final var primaryEdge = PrimaryEdge.leading
    /// One column at a time, as on a narrow screen.
    public final var isCollapsed = false { didSet { if oldValue != isCollapsed { displayModeDidChange() } } }

    public init(id: String? = nil, columns: [ViewController] = []) {
        super.init(id: id)
        columns.forEach(addChild)
    }

    /// Styles with columns by name.
    public enum Style: Sendable { case doubleColumn, tripleColumn }

    /// As UIKit's: the columns come by `setViewController(_:for:)`.
    public init(style: Style) {
        super.init()
        awaitedColumns = style == .tripleColumn ? [.primary, .supplementary, .secondary] : [.primary, .secondary]
    }

    /// Columns of the style, for as long as not all of them have a controller.
    private final var awaitedColumns: [Column] = []
    private final var waiting: [Column: ViewController] = [:]

    /// Puts a controller into a column. One of a style is shown once every column has one.
    public final func setViewController(_ controller: ViewController, for column: Column) {
        if !awaitedColumns.isEmpty {
            waiting[column] = controller
            guard awaitedColumns.allSatisfy({ waiting[$0] != nil }) else { return }
            for column in awaitedColumns { if let controller = waiting[column] { addChild(controller) } }
            (awaitedColumns, waiting) = ([], [:])
        } else if let old = viewController(for: column), old !== controller {
            let order = children.map { $0 === old ? controller : $0 }
            old.removeFromParent()
            order.forEach(addChild)
        }
    }

    open override func shows(_ child: ViewController) -> Bool {
        guard let column = Column.allCases.first(where: { viewController(for: $0) === child }) else { return true }
        return isVisible(column)
    }

    public final var primary: ViewController? { children.first }
    public final var isTriple: Bool { children.count == 3 }

    /// A style with columns by name; others have two controllers at most and no names for them.
    public final var hasColumnStyle: Bool { children.count == 2 || children.count == 3 }

    /// `nil` for a column that this style does not have.
    public final func viewController(for column: Column) -> ViewController? {
        switch column {
        case .primary: hasColumnStyle ? children[0] : waiting[column]
        case .supplementary: isTriple ? children[1] : waiting[column]
        case .secondary: hasColumnStyle ? children[children.count - 1] : waiting[column]
        }
    }

    /// The mode in which it comes into sight: nothing changes, and no column gets the focus. A mode with more columns
    /// than there are is left out.
    public final func begin(with mode: DisplayMode) {
        if isTriple || !mode.showsTwo { displayMode = mode }
    }

    /// False for a mode with more columns than there are.
    @discardableResult
    public final func setDisplayMode(_ mode: DisplayMode) -> Bool {
        guard isTriple || !mode.showsTwo else { return false }
        guard mode != displayMode else { return true }
        displayMode = mode
        beginTransition(transitionDuration)
        updateChildrenInSight(animated: true)
        displayModeDidChange()
        return true
    }

    /// Brings a column into sight. False, and nothing happens, before iOS 15 while the last change is under way
    /// (spec T-30).
    @discardableResult
    public final func show(_ column: Column) -> Bool {
        guard !isCollapsed, viewController(for: column) != nil else { return false }
        if isInTransition, keyboardEnvironment.commandsGoBeforeText { return false }
        guard !isVisible(column) else { return true }
        let mode: DisplayMode =
            switch (column, isTriple, splitBehavior) {
            case (.secondary, _, _): .secondaryOnly
            case (.primary, true, .tile): .twoBesideSecondary
            case (.primary, true, .overlay): .twoOverSecondary
            case (.primary, true, .displace): .twoDisplaceSecondary
            case (_, _, .overlay): .oneOverSecondary
            case (_, _, _): .oneBesideSecondary
            }
        return setDisplayMode(mode)
    }

    open override func showDetailViewController(_ controller: ViewController, sender: Any?) {
        setViewController(controller, for: .secondary)
        show(.secondary)
    }

    /// Takes the primary column away.
    public final func hidePrimary() {
        setDisplayMode(isTriple && displayMode.showsTwo ? .oneBesideSecondary : .secondaryOnly)
    }

    public final func isVisible(_ column: Column) -> Bool {
        switch column {
        case .secondary: viewController(for: .secondary) != nil
        case .supplementary: isTriple && displayMode != .secondaryOnly
        case .primary:
            isTriple ? displayMode.showsTwo : hasColumnStyle && displayMode != .secondaryOnly
        }
    }

    /// The display mode, or what is collapsed, changed.
    open func displayModeDidChange() {}

    /// The primary column, for the profiles that read its commands although it is off the chain (spec KC-7).
    open override var offChainSuppliers: [Responder] { primary.map { [$0] } ?? super.offChainSuppliers }
}

/// A split view through whose columns keys move the focus (spec KK-15, KK-16).
open class KeyboardSplitViewController: SplitViewController {
    /// The column that keys came to. It is followed here only: `didFocus` moves the first responder.
    public final private(set) var focusedColumn: Column?

    public override init(id: String? = nil, columns: [ViewController] = []) {
        super.init(id: id, columns: columns)
        followsStructure = true
    }

    open override var canBecomeFirstResponder: Bool { true }

    /// Another column has the focus; `nil` when there is one column only. Performs `focusedColumnDidChange:` where this
    /// controller implements it.
    open func didFocus(_ column: Column?) { notify("focusedColumnDidChange:", sender: self) }

    private final func setFocus(_ column: Column?) {
        guard column != focusedColumn else { return }
        focusedColumn = column
        if let controller = column.flatMap(viewController(for:)) { report(.focus, .text(controller.id)) }
        setNeedsKeyCommandsUpdate()
        didFocus(column)
    }

    /// Spec KK-16.
    open override func displayModeDidChange() {
        super.displayModeDidChange()
        guard hasColumnStyle else { return }
        setFocus(isCollapsed ? nil : columnAfterChange)
    }

    private final var columnAfterChange: Column? {
        switch displayMode {
        case .secondaryOnly: .secondary
        case .oneBesideSecondary where isTriple:
            focusedColumn == nil || focusedColumn == .primary ? .supplementary : focusedColumn
        case .oneBesideSecondary: focusedColumn ?? .primary
        case .oneOverSecondary: isTriple ? .supplementary : .primary
        case .twoBesideSecondary: focusedColumn
        case .twoOverSecondary, .twoDisplaceSecondary:
            focusedColumn == .primary || focusedColumn == .supplementary ? focusedColumn : .primary
        }
    }

    // MARK: Keys

    private final lazy var towardsSecondary = KeyCommand(
        input: "\t", modifierFlags: [], action: "focusNextColumn:")
    private final lazy var towardsPrimary = KeyCommand(
        input: "\t", modifierFlags: .shift, action: "focusPreviousColumn:")
    private final lazy var rightwards = KeyCommand(
        input: KeyCommand.inputRightArrow, modifierFlags: [], action: "focusColumnRight:"
    ).unmirrored()
    private final lazy var leftwards = KeyCommand(
        input: KeyCommand.inputLeftArrow, modifierFlags: [], action: "focusColumnLeft:"
    ).unmirrored()
    private final lazy var dismissal = KeyCommand(
        input: KeyCommand.inputEscape, modifierFlags: [], action: "dismissTemporaryColumn:")

    private final var isActive: Bool {
        hasColumnStyle && !isCollapsed && !isPresentingAnything && !isTextInputActive
    }

    open override var keyCommands: [KeyCommand]? {
        let inherited = super.keyCommands
        guard isActive else { return inherited }
        var commands = inherited ?? []
        if !keyboardEnvironment.usesFocusSystem {
            commands += [towardsSecondary, towardsPrimary]
            if column(after: isRightTowardsSecondary, wraps: false) != nil { commands.append(rightwards) }
            if column(after: !isRightTowardsSecondary, wraps: false) != nil { commands.append(leftwards) }
        }
        if hasTemporaryColumn { commands.append(dismissal) }
        return commands
    }

    private final var hasTemporaryColumn: Bool {
        displayMode == .oneOverSecondary || displayMode == .twoOverSecondary || displayMode == .twoDisplaceSecondary
    }

    private final var isRightTowardsSecondary: Bool {
        keyboardEnvironment.isRightToLeft == (primaryEdge == .trailing)
    }

    /// The next column one way; without a focus the way begins at its own beginning.
    private final func column(after isTowardsSecondary: Bool, wraps: Bool) -> Column? {
        let order: [Column] = isTriple ? [.primary, .supplementary, .secondary] : [.primary, .secondary]
        let way = isTowardsSecondary ? order : order.reversed()
        guard let focusedColumn, let place = way.firstIndex(of: focusedColumn) else { return way.first }
        return place + 1 < way.count ? way[place + 1] : wraps ? way.first : nil
    }

    private final func move(_ isTowardsSecondary: Bool, wraps: Bool) {
        guard let column = column(after: isTowardsSecondary, wraps: wraps) else { return }
        if !isVisible(column), !show(column) { return }
        setFocus(column)
    }

    open override class var actions: [Action] {
        super.actions + [
            Action("focusNextColumn:", performing: { (split: KeyboardSplitViewController, _) in
                split.move(true, wraps: true)
            }),
            Action("focusPreviousColumn:", performing: { (split: KeyboardSplitViewController, _) in
                split.move(false, wraps: true)
            }),
            Action("focusColumnRight:", performing: { (split: KeyboardSplitViewController, _) in
                split.move(split.isRightTowardsSecondary, wraps: false)
            }),
            Action("focusColumnLeft:", performing: { (split: KeyboardSplitViewController, _) in
                split.move(!split.isRightTowardsSecondary, wraps: false)
            }),
            Action("dismissTemporaryColumn:", performing: { (split: KeyboardSplitViewController, _) in
                split.dismissTemporaryColumn()
            }),
        ]
    }

    private final func dismissTemporaryColumn() {
        if displayMode == .twoDisplaceSecondary {
            hidePrimary()
            setFocus(.supplementary)
        } else if hasTemporaryColumn {
            setFocus(.secondary)
            setDisplayMode(.secondaryOnly)
        }
    }

    open override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        guard super.canPerformAction(action, withSender: sender) else { return false }
        switch action.name {
        case "focusNextColumn:", "focusPreviousColumn:": return isActive
        case "focusColumnRight:": return isActive && column(after: isRightTowardsSecondary, wraps: false) != nil
        case "focusColumnLeft:": return isActive && column(after: !isRightTowardsSecondary, wraps: false) != nil
        case "dismissTemporaryColumn:": return isActive && hasTemporaryColumn
        default: return true
        }
    }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) {
        hash.combine(displayMode.rawValue)
        hash.combine(isCollapsed)
        hash.combine(focusedColumn?.rawValue ?? "")
    }
}

extension ViewController {
    /// This controller, or one around it, presents another.
    public final var isPresentingAnything: Bool {
        var controller: ViewController? = self
        while let here = controller {
            if here.presentedViewController != nil { return true }
            controller = here.parent
        }
        return false
    }
}
