public import KeyModel
public import ResponderEngine

/// Scrolls, zooms and refreshes a scroll view by keys (spec KK-11 to KK-14).
public final class ScrollKeyHandler: InjectedResponder {
    private unowned let view: ScrollView
    private var animationEnd: TraceTime?
    /// The duration of a scroll by a key, in virtual time.
    public var animationDuration = TraceDuration(nanoseconds: 300_000_000)

    /// The distance of an arrow's scroll: three lines, what is seen but for three lines, to the end.
    enum Reach: CaseIterable { case lines, screen, end }

    /// A jump, by its selector.
    enum Jump: String, CaseIterable {
        case pageBackward = "scrollPageBackward:"
        case pageForward = "scrollPageForward:"
        case start = "scrollToStart:"
        case end = "scrollToEnd:"
    }

    init(owner id: String, scrolling view: ScrollView) {
        self.view = view
        super.init(id: id + ".scroll")
        followsStructure = true
    }

    // MARK: Commands

    private struct Arrow {
        let direction: ArrowDirection
        let reach: Reach
        let command: KeyCommand
    }

    private lazy var arrows: [Arrow] = ArrowKeys.inputs.flatMap { input, direction in
        Reach.allCases.map { reach in
            let command = KeyCommand(
                input: input, modifierFlags: ScrollKeyHandler.modifiers(reach),
                action: ScrollKeyHandler.selector(direction, reach))
            return Arrow(direction: direction, reach: reach, command: command.unmirrored().withPriority())
        }
    }

    private lazy var spaces = [
        KeyCommand(input: " ", modifierFlags: [], action: "scrollPageForward:").withPriority(),
        KeyCommand(input: " ", modifierFlags: .shift, action: "scrollPageBackward:").withPriority(),
    ]

    private lazy var pages: [KeyCommand] = [
        KeyCommand(input: KeyCommand.inputPageUp, modifierFlags: [], action: "scrollPageBackward:"),
        KeyCommand(input: KeyCommand.inputPageDown, modifierFlags: [], action: "scrollPageForward:"),
        KeyCommand(input: KeyCommand.inputHome, modifierFlags: [], action: "scrollToStart:"),
        KeyCommand(input: KeyCommand.inputEnd, modifierFlags: [], action: "scrollToEnd:"),
    ]

    /// The typed inputs, then those shown: the sign of the last "zoom out" is on no key (spec MT-6).
    private lazy var zooms: [KeyCommand] = [
        KeyCommand(input: "=", modifierFlags: .command, action: "zoomIn:"),
        KeyCommand(input: "-", modifierFlags: .command, action: "zoomOut:"),
        KeyCommand(input: "_", modifierFlags: .command, action: "zoomOut:"),
        KeyCommand(title: "Zoom In", action: "zoomIn:", input: "+", modifierFlags: .command),
        KeyCommand(title: "Zoom Out", action: "zoomOut:", input: "\u{2212}", modifierFlags: .command),
        KeyCommand(title: "Actual Size", action: "zoomToActualSize:", input: "0", modifierFlags: .command),
    ]

    private lazy var refresh = KeyCommand(title: "Refresh", action: "refresh:", input: "r", modifierFlags: .command)

    public override var keyCommands: [KeyCommand]? {
        var commands = super.keyCommands ?? []
        if view.isScrollEnabled {
            if !isTextInputActive, view.arrowsScroll {
                for arrow in arrows where destination(arrow.direction, arrow.reach) != nil {
                    commands.append(arrow.command)
                }
                commands += spaces
            }
            commands += pages
        }
        if zoomLimits != nil { commands += zooms }
        if view.refreshAction != nil { commands.append(refresh) }
        return commands
    }

    private var zoomLimits: ZoomLimits? {
        guard let limits = view.zoomLimits, limits.isOpen, view.isPinchEnabled else { return nil }
        return limits
    }

    private static func modifiers(_ reach: Reach) -> KeyModifiers {
        switch reach {
        case .lines: []
        case .screen: .option
        case .end: .command
        }
    }

    private static func selector(_ direction: ArrowDirection, _ reach: Reach) -> Selector {
        let names: [ArrowDirection: String] = [.up: "Up", .down: "Down", .left: "Left", .right: "Right"]
        let suffix: [Reach: String] = [.lines: ":", .screen: "OneScreen:", .end: "ToEdge:"]
        return Selector("scroll" + (names[direction] ?? "") + (suffix[reach] ?? ":"))
    }

    // MARK: Actions

    public override class var actions: [Action] {
        let arrows = ArrowDirection.allCases.flatMap { direction in
            Reach.allCases.map { reach in
                Action(selector(direction, reach), performing: { (handler: ScrollKeyHandler, _) in
                    handler.scroll(to: handler.destination(direction, reach))
                })
            }
        }
        let jumps = Jump.allCases.map { jump in
            Action(Selector(jump.rawValue), performing: { (handler: ScrollKeyHandler, _) in
                handler.scroll(to: handler.destination(jump))
            })
        }
        return super.actions + arrows + jumps
            + [
                Action("zoomIn:", performing: { (handler: ScrollKeyHandler, _) in handler.zoom(in: true) }),
                Action("zoomOut:", performing: { (handler: ScrollKeyHandler, _) in handler.zoom(in: false) }),
                Action("zoomToActualSize:", performing: { (handler: ScrollKeyHandler, _) in
                    handler.view.setZoomScale(1000)
                }),
                Action("refresh:", performing: { (handler: ScrollKeyHandler, _) in
                    if let action = handler.view.refreshAction { handler.view.send(action) }
                }),
            ]
    }

    public override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        guard super.canPerformAction(action, withSender: sender) else { return false }
        switch action.name {
        case "zoomIn:": return zoomLimits?.step(from: view.zoomScale, zoomingIn: true) != nil
        case "zoomOut:": return zoomLimits?.step(from: view.zoomScale, zoomingIn: false) != nil
        case "zoomToActualSize:":
            return zoomLimits.map { $0.minimum <= 1000 && $0.maximum >= 1000 } == true && view.zoomScale != 1000
        case "refresh:": return view.refreshAction != nil
        default:
            if let jump = Jump(rawValue: action.name) { return destination(jump) != nil }
            guard let arrow = arrows.first(where: { $0.command.action == action }) else { return true }
            return destination(arrow.direction, arrow.reach) != nil
        }
    }

    private func zoom(in zoomingIn: Bool) {
        guard let scale = zoomLimits?.step(from: view.zoomScale, zoomingIn: zoomingIn) else { return }
        view.setZoomScale(scale)
    }

    /// An animation that is under way has its destination as offset already, so that a new one starts there.
    private func scroll(to offset: Extent?) {
        guard let offset else { return }
        let now = eventTime
        let wasRunning = animationEnd.map { now < $0 } ?? false
        if animationEnd != nil, !wasRunning { view.didEndKeyboardScrolling(finished: true) }
        view.willBeginKeyboardScrolling(to: offset)
        if wasRunning { view.didEndKeyboardScrolling(finished: false) }
        animationEnd = now.advanced(by: animationDuration)
        view.setContentOffset(offset)
    }

    // MARK: Where to

    /// The offset an arrow scrolls to; `nil` where that is the present one.
    func destination(_ direction: ArrowDirection, _ reach: Reach) -> Extent? {
        let length = direction.isVertical ? view.viewport.height : view.viewport.width
        let sign = direction.isForward ? 1 : -1
        let lines = 3 * view.bodyFontSize
        return moved(isVertical: direction.isVertical) { offset, end in
            if reach == .end { return direction.isForward ? end : 0 }
            if view.isPagingEnabled { return page(of: offset, length) + sign * length }
            return offset + sign * (reach == .lines ? lines : max(0, length - lines))
        }
    }

    /// Along the horizontal axis only where nothing else overflows; there, forward is leftwards in a right-to-left
    /// interface.
    func destination(_ jump: Jump) -> Extent? {
        let size = view.scrollableSize
        let isVertical = !(size.width > view.viewport.width && size.height <= view.viewport.height)
        let isReversed = !isVertical && keyboardEnvironment.isRightToLeft
        let length = isVertical ? view.viewport.height : view.viewport.width
        return moved(isVertical: isVertical) { offset, end in
            let (backward, forward) = isReversed ? (length, -length) : (-length, length)
            let base = view.isPagingEnabled ? page(of: offset, length) : offset
            return switch jump {
            case .pageBackward: base + backward
            case .pageForward: base + forward
            case .start: isReversed ? end : 0
            case .end: isReversed ? 0 : end
            }
        }
    }

    /// The offset of the page that is nearest.
    private func page(of offset: Int, _ length: Int) -> Int {
        length > 0 ? (2 * offset + length) / (2 * length) * length : offset
    }

    private func moved(isVertical: Bool, _ move: (_ offset: Int, _ end: Int) -> Int) -> Extent? {
        guard !view.isTracking else { return nil }
        var offset = view.contentOffset
        let size = view.scrollableSize
        if isVertical {
            offset.height = move(offset.height, size.height - view.viewport.height)
        } else {
            offset.width = move(offset.width, size.width - view.viewport.width)
        }
        let clamped = view.clamped(offset)
        return clamped == view.contentOffset ? nil : clamped
    }
}

/// The arrow keys in the order in which components list them.
enum ArrowKeys {
    static let inputs: [(String, ArrowDirection)] = [
        (KeyCommand.inputUpArrow, .up), (KeyCommand.inputDownArrow, .down), (KeyCommand.inputLeftArrow, .left),
        (KeyCommand.inputRightArrow, .right),
    ]
}
