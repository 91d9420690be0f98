public import KeyModel
public import ResponderEngine

/// A point or a size, in points.
public struct Extent: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// Content larger than its viewport.
open class ScrollView: View, KeyboardScrolling {
    public final var contentSize = Extent(width: 0, height: 0)
    public final var viewport = Extent(width: 0, height: 0)
    public final var allowsKeyboardScrolling = true
    public final private(set) var contentOffset = Extent(width: 0, height: 0)

    public override init(id: String? = nil) { super.init(id: id) }

    /// What an arrow scrolls, in points.
    public static let lineStep = 51

    open override var keyboardScrolling: (any KeyboardScrolling)? { self }

    /// Moves to an offset, clamped to the content. False when that is where it stands.
    @discardableResult
    public final func setContentOffset(_ offset: Extent) -> Bool {
        let clamped = Extent(
            width: max(0, min(offset.width, contentSize.width - viewport.width)),
            height: max(0, min(offset.height, contentSize.height - viewport.height)))
        guard clamped != contentOffset else { return false }
        contentOffset = clamped
        report(.offset, .numbers([clamped.width, clamped.height]))
        return true
    }

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
        case .end: offset.height = contentSize.height
        }
        return setContentOffset(offset)
    }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) {
        hash.combine(contentOffset.width)
        hash.combine(contentOffset.height)
    }
}
