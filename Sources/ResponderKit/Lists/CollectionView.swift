public import ResponderEngine

/// Items in a layout of their own.
open class CollectionView: ListView {
    /// 50 by 50 points with 10 between them, unless another layout is set.
    public final var collectionLayout: CollectionLayout = FlowLayout(
        itemSize: Extent(width: 50, height: 50), spacing: 10)

    private final var layout: CollectionLayout {
        collectionLayout.prepare(sections: sections, viewport: viewport)
        return collectionLayout
    }

    private final var isFlipped: Bool { collectionLayout.isFlipped(in: keyboardEnvironment) }

    /// `contentSize` where it was set, else what the layout takes.
    open override var scrollableSize: Extent { contentSize == .zero ? layout.contentSize : contentSize }

    /// The frame as it is seen: mirrored where the layout is.
    open override func frame(ofRow row: Int) -> Frame {
        var frame = layout.frame(of: row)
        if isFlipped { frame.x = layout.contentSize.width - frame.x - frame.width }
        return frame
    }

    open override func focusStep(_ heading: FocusHeading) -> Int? {
        switch heading {
        case .left: isFlipped ? 1 : -1
        case .right: isFlipped ? -1 : 1
        case .up, .down: nil
        }
    }

    open override func rowToSelect(_ arrow: ArrowDirection, toEnd: Bool) -> Int? {
        let layout = layout
        let direction = isFlipped ? arrow.mirrored : arrow
        if layout.isSequential(direction), !selectedRows.isEmpty {
            return sequentialRow(forward: direction.isForward, toEnd: toEnd)
        }
        guard let current = direction.isForward ? selectedRows.last : selectedRows.first else {
            guard let isLast = layout.firstItemIsLast(direction) else { return nil }
            return isLast ? firstSelectable(from: rowCount - 1, by: -1) : firstSelectable(from: 0, by: 1)
        }
        let search = SpatialSearch(layout: layout, from: current) { row in
            self.examinedRows += 1
            return row == current || self.canSelectRow(row)
        }
        if toEnd { return search.last(direction).flatMap(unlessSelected) }
        return (search.nearest(direction) ?? search.last(direction.opposite)).flatMap(unlessSelected)
    }

    open override func positionToMove(_ row: Int, _ arrow: ArrowDirection) -> RowPosition? {
        let layout = layout
        let direction = isFlipped ? arrow.mirrored : arrow
        if layout.isSequential(direction) { return sequentialMove(of: row, forward: direction.isForward) }
        let search = SpatialSearch(layout: layout, from: row) { _ in true }
        return search.nearest(direction).flatMap(layoutOfRows.position)
    }
}

/// A collection of which keys select, open and move items, and which they scroll (spec KK-5, KK-6, KK-8 to KK-10).
open class KeyboardCollectionView: CollectionView {
    public override init(id: String? = nil, sections: [Int] = []) {
        super.init(id: id, sections: sections)
        addCollectionKeys(to: self)
    }
}

/// A controller whose view is a collection.
open class CollectionViewController: ViewController {
    public final let collectionView: CollectionView!

    public init(id: String? = nil, collectionView: CollectionView = CollectionView()) {
        self.collectionView = collectionView
        super.init(id: id)
        view = collectionView
    }

    public init(collectionViewLayout layout: CollectionLayout) {
        collectionView = CollectionView()
        collectionView.collectionLayout = layout
        super.init()
        view = collectionView
    }
}

/// A controller of a collection, whose keys work while the controller is on the chain (spec KK-1).
open class KeyboardCollectionViewController: CollectionViewController {
    public override init(id: String? = nil, collectionView: CollectionView) {
        super.init(id: id, collectionView: collectionView)
        collectionView.addCollectionKeys(to: self)
    }

    open override var canBecomeFirstResponder: Bool { true }
}

extension CollectionView {
    /// Gives this collection's keys to `owner`, which is the collection itself or a controller around it.
    public final func addCollectionKeys(to owner: Responder) {
        allowsKeyboardScrolling = false
        keyHandlers = [
            SelectionKeyHandler(owner: owner.id, list: self), ScrollKeyHandler(owner: owner.id, scrolling: self),
        ]
        owner.inject(keyHandlers)
    }
}

/// Looks for items in a strip as wide, or high, as one item, from its centre on (spec KK-8). What it costs depends on
/// how many items are near, not on how many there are.
struct SpatialSearch {
    private let layout: CollectionLayout
    private let item: Int
    private let origin: Frame
    private let isCandidate: (Int) -> Bool

    init(layout: CollectionLayout, from item: Int, isCandidate: @escaping (Int) -> Bool) {
        self.layout = layout
        self.item = item
        origin = layout.frame(of: item)
        self.isCandidate = isCandidate
    }

    /// The nearest item ahead: within 500 points, else within the 2500 points after them.
    func nearest(_ direction: ArrowDirection) -> Int? {
        let reaches = [0..<500, 500..<3000]
        return reaches.lazy.compactMap { reach in candidates(direction, reach).min { $0.precedes($1) }?.row }.first
    }

    /// The item that is farthest ahead, looked for from the end of the content.
    func last(_ direction: ArrowDirection) -> Int? {
        let size = layout.contentSize
        let centre = direction.isVertical ? origin.doubleMidY / 2 : origin.doubleMidX / 2
        let length = direction.isVertical ? size.height : size.width
        var end = direction.isForward ? length - centre + 1 : centre + 1
        // Twice as far each time: what is far from the end is found, or not, after few looks.
        var reach = 1000
        while end > 0 {
            let begin = max(0, end - reach)
            reach *= 2
            let found = candidates(direction, begin..<end).min {
                ($1.distance, $0.across, $0.row) < ($0.distance, $1.across, $1.row)
            }
            if let found { return found.row }
            end = begin
        }
        return nil
    }

    private struct Candidate {
        let row: Int
        /// Twice the distance of the centres along the direction, and across it.
        let distance: Int
        let across: Int

        func precedes(_ other: Candidate) -> Bool {
            (distance, across, row) < (other.distance, other.across, other.row)
        }
    }

    /// Items strictly ahead whose frames meet the strip between two distances from the centre.
    private func candidates(_ direction: ArrowDirection, _ reach: Range<Int>) -> [Candidate] {
        let middle = direction.isVertical ? origin.doubleMidY / 2 : origin.doubleMidX / 2
        let begin = direction.isForward ? middle + reach.lowerBound : middle - reach.upperBound
        let strip =
            direction.isVertical
            ? Frame(x: origin.x, y: begin, width: origin.width, height: reach.count)
            : Frame(x: begin, y: origin.y, width: reach.count, height: origin.height)
        return layout.items(meeting: strip).compactMap { row in
            guard row != item, isCandidate(row) else { return nil }
            let frame = layout.frame(of: row)
            let along =
                direction.isVertical
                ? frame.doubleMidY - origin.doubleMidY : frame.doubleMidX - origin.doubleMidX
            let distance = direction.isForward ? along : -along
            guard distance > 0 else { return nil }
            let across =
                direction.isVertical
                ? frame.doubleMidX - origin.doubleMidX : frame.doubleMidY - origin.doubleMidY
            return Candidate(row: row, distance: distance, across: abs(across))
        }
    }
}
