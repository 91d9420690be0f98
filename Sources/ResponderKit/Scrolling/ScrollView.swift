public import KeyModel
public import ResponderEngine

/// Content larger than its viewport.
open class ScrollView: View, KeyboardScrolling {
    public final var contentSize = Extent.zero
    public final var viewport = Extent.zero
    public final var allowsKeyboardScrolling = true
    public final var isScrollEnabled = true
    /// Offsets come to rest at multiples of the viewport.
    public final var isPagingEnabled = false
    /// A finger is on it: keys do not scroll meanwhile (spec KK-12).
    public final var isTracking = false
    /// The size of body text that the user chose, in points: three lines of it are an arrow's step.
    public final var bodyFontSize = 17
    /// Limits of the scale; `nil` for content that is not zoomed.
    public final var zoomLimits: ZoomLimits?
    /// The scale in thousandths.
    public final private(set) var zoomScale = 1000
    /// There is a gesture for zooming; keys zoom where there is one (spec KK-13).
    public final var isPinchEnabled = true
    /// The action sent by pulling down, to the first up the chain that can perform it; `nil` without a refresh control.
    public final var refreshAction: Selector?
    public final private(set) var contentOffset = Extent.zero
    /// Responders whose key commands depend on what is selected and where it is scrolled to.
    final var keyHandlers: [InjectedResponder] = []

    public override init(id: String? = nil) { super.init(id: id) }

    /// The distance that an arrow scrolls by itself, in points.
    public static let lineStep = 51

    open override var keyboardScrolling: (any KeyboardScrolling)? { self }

    /// The size of what scrolls: `contentSize`, unless a subclass knows its content.
    open var scrollableSize: Extent { contentSize }

    /// Arrows and Space scroll: not where text is edited or something is selected by them (spec KK-11).
    open var arrowsScroll: Bool { textInput?.isEditable != true }

    /// An offset such that it shows content only: at most the end, then at least the beginning.
    final func clamped(_ offset: Extent) -> Extent {
        Extent(
            width: max(0, min(offset.width, scrollableSize.width - viewport.width)),
            height: max(0, min(offset.height, scrollableSize.height - viewport.height)))
    }

    /// Moves to an offset, clamped to the content. False when that is the present one.
    @discardableResult
    public final func setContentOffset(_ offset: Extent) -> Bool {
        let clamped = clamped(offset)
        guard clamped != contentOffset else { return false }
        contentOffset = clamped
        report(.offset, .numbers([clamped.width, clamped.height]))
        contentDidChange()
        return true
    }

    /// Sets the scale, clamped to the limits; nothing without limits.
    public final func setZoomScale(_ scale: Int) {
        guard let zoomLimits else { return }
        let clamped = max(zoomLimits.minimum, min(scale, zoomLimits.maximum))
        guard clamped != zoomScale else { return }
        zoomScale = clamped
        report(.zoom, .number(clamped))
        contentDidChange()
    }

    /// A key made it scroll: an animation to this offset is about to begin. The end of one that was running is reported
    /// after this (spec KK-14).
    open func willBeginKeyboardScrolling(to offset: Extent) {}
    open func didEndKeyboardScrolling(finished: Bool) {}

    /// Offset, scale or selection changed: key commands that depend on it are read anew.
    public final func contentDidChange() { for handler in keyHandlers { handler.setNeedsKeyCommandsUpdate() } }

    open func scroll(_ step: ScrollStep) -> Bool {
        var offset = contentOffset
        switch step {
        case .lineUp: offset.height -= ScrollView.lineStep
        case .lineDown: offset.height += ScrollView.lineStep
        case .lineLeft: offset.width -= ScrollView.lineStep
        case .lineRight: offset.width += ScrollView.lineStep
        case .pageUp: offset.height -= viewport.height
        case .pageDown: offset.height += viewport.height
        case .start: offset.height = 0
        case .end: offset.height = scrollableSize.height
        }
        return setContentOffset(offset)
    }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) {
        hash.combine(contentOffset.width)
        hash.combine(contentOffset.height)
        if zoomLimits != nil { hash.combine(zoomScale) }
    }
}
