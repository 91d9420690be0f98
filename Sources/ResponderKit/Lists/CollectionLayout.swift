import KeyModel
public import ResponderEngine

/// The frames of a collection's items, and the directions of its arrows (spec KK-8, KK-9).
///
/// This one has a frame for each item. Items that are not visible (`alpha` 0) are in no direction.
open class CollectionLayout {
    public enum ScrollDirection: String, CaseIterable, Sendable { case vertical, horizontal }

    public final var scrollDirection = ScrollDirection.vertical
    /// The frames are mirrored where the interface runs against `developmentDirection`.
    public final var flipsHorizontally = false
    public final var developmentDirection = KeyboardEngine.LayoutDirection.ltr
    private final let frames: [Frame]
    private final let hidden: Set<Int>
    /// Items by where their frames begin, from the top.
    private final let order: [Int]
    private final let greatestHeight: Int
    private final let framesSize: Extent

    public init(frames: [Frame], hidden: [Int] = []) {
        self.frames = frames
        self.hidden = Set(hidden)
        order = frames.indices.sorted { (frames[$0].y, $0) < (frames[$1].y, $1) }
        greatestHeight = frames.map(\.height).max() ?? 0
        framesSize = Extent(
            width: frames.map { $0.x + $0.width }.max() ?? 0, height: frames.map { $0.y + $0.height }.max() ?? 0)
    }

    /// Called before the layout is asked, when sections or the viewport changed.
    open func prepare(sections: [Int], viewport: Extent) {}

    /// The extent from the origin to the end of all frames.
    open var contentSize: Extent { framesSize }

    /// Not mirrored.
    open func frame(of item: Int) -> Frame {
        frames.indices.contains(item) ? frames[item] : Frame(x: 0, y: 0, width: 0, height: 0)
    }

    /// Visible items whose frames meet another one, in any order.
    open func items(meeting frame: Frame) -> [Int] {
        let first = order.indices.partitionPoint { frames[order[$0]].y + greatestHeight <= frame.y }
        return order[first...].prefix { frames[$0].y < frame.y + frame.height }
            .filter { !hidden.contains($0) && frames[$0].meets(frame) }
    }

    /// True when left is where an interface in the other direction has right.
    open func isFlipped(in environment: KeyboardEnvironment) -> Bool {
        flipsHorizontally && environment.layoutDirection != developmentDirection
    }

    /// The direction of an arrow in unmirrored frames: sequential layouts answer with `nil` for those along the lines.
    open func isSequential(_ direction: ArrowDirection) -> Bool { false }

    /// The item that an arrow selects first: true for the last, false for the first; `nil` for none.
    open func firstItemIsLast(_ direction: ArrowDirection) -> Bool? { false }
}

extension Int {
    func flooredDivision(by divisor: Int) -> Int { self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor) }
}

/// Items of one size in lines across the scrolling direction; each section begins a line (flow layout, spec KK-9).
open class FlowLayout: CollectionLayout {
    public final let itemSize: Extent
    public final let spacing: Int
    private final var perLine = 1
    private final var sections = RowSections([])
    /// The first line of each section, and the number of lines.
    private final var firstLines: [Int] = []
    private final var lineCount = 0
    private final var prepared: (counts: [Int], viewport: Extent)?

    /// Sizes below 1 point are 1.
    public init(itemSize: Extent, spacing: Int = 0) {
        self.itemSize = Extent(width: max(1, itemSize.width), height: max(1, itemSize.height))
        self.spacing = max(0, spacing)
        super.init(frames: [])
    }

    private var isVertical: Bool { scrollDirection == .vertical }

    open override func prepare(sections counts: [Int], viewport: Extent) {
        if let prepared, prepared.viewport == viewport, prepared.counts == counts { return }
        prepared = (counts, viewport)
        let length = isVertical ? viewport.width : viewport.height
        let item = isVertical ? itemSize.width : itemSize.height
        perLine = max(1, (length + spacing) / (item + spacing))
        sections = RowSections(counts)
        firstLines = []
        lineCount = 0
        for count in counts {
            firstLines.append(lineCount)
            lineCount += (max(0, count) + perLine - 1) / perLine
        }
    }

    open override var contentSize: Extent {
        let length = max(0, lineCount * ((isVertical ? itemSize.height : itemSize.width) + spacing) - spacing)
        let across = perLine * ((isVertical ? itemSize.width : itemSize.height) + spacing) - spacing
        return isVertical ? Extent(width: across, height: length) : Extent(width: length, height: across)
    }

    open override func frame(of item: Int) -> Frame {
        guard let position = sections.position(of: item) else { return Frame(x: 0, y: 0, width: 0, height: 0) }
        let line = firstLines[position.section] + position.row / perLine
        let place = position.row % perLine
        let (column, row) = isVertical ? (place, line) : (line, place)
        return Frame(
            x: column * (itemSize.width + spacing), y: row * (itemSize.height + spacing), width: itemSize.width,
            height: itemSize.height)
    }

    open override func items(meeting frame: Frame) -> [Int] {
        let columns = steps(frame.x, frame.width, itemSize.width)
        let rows = steps(frame.y, frame.height, itemSize.height)
        let lines = (isVertical ? rows : columns).clamped(to: 0..<lineCount)
        let places = (isVertical ? columns : rows).clamped(to: 0..<perLine)
        guard !lines.isEmpty, !places.isEmpty else { return [] }
        var items: [Int] = []
        for line in lines {
            let range = itemsOfLine(line)
            let first = range.lowerBound + places.lowerBound
            guard first < range.upperBound else { continue }
            for item in first..<min(range.upperBound, range.lowerBound + places.upperBound)
            where self.frame(of: item).meets(frame) { items.append(item) }
        }
        return items
    }

    /// The lines, or places in a line, that a stretch touches.
    private func steps(_ begin: Int, _ length: Int, _ size: Int) -> Range<Int> {
        let first = begin.flooredDivision(by: size + spacing)
        return first..<max(first, (begin + length - 1).flooredDivision(by: size + spacing) + 1)
    }

    private func itemsOfLine(_ line: Int) -> Range<Int> {
        // Of sections without rows the one that has this line comes last.
        let section = firstLines.indices.partitionPoint { firstLines[$0] <= line } - 1
        guard section >= 0 else { return 0..<0 }
        let start = (line - firstLines[section]) * perLine
        let end = min(start + perLine, sections.counts[section])
        guard start < end else { return 0..<0 }
        return sections.start(of: section) + start..<sections.start(of: section) + end
    }

    /// The lines' own direction.
    open override func isSequential(_ direction: ArrowDirection) -> Bool { direction.isVertical != isVertical }
}

/// Lines as in a flow layout, all arrows of which go by place (compositional layout, spec KK-9).
open class CompositionalLayout: FlowLayout {
    open override func isSequential(_ direction: ArrowDirection) -> Bool { false }

    open override func isFlipped(in environment: KeyboardEnvironment) -> Bool {
        developmentDirection == .ltr && environment.isRightToLeft
    }

    /// Without a selection only arrows of the scrolling axis start one: towards the end with the first item.
    open override func firstItemIsLast(_ direction: ArrowDirection) -> Bool? {
        guard direction.isVertical == (scrollDirection == .vertical) else { return nil }
        return !direction.isForward
    }
}
