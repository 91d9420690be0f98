public import KeyModel
public import ResponderEngine

/// Rows in sections, some of them selected: what tables and collections share.
open class ListView: ScrollView {
    final var layoutOfRows: RowSections
    public final var allowsSelection = true
    public final var allowsMultipleSelection = false
    public final var isEditing = false
    public final var allowsSelectionDuringEditing = false
    public final var allowsMultipleSelectionDuringEditing = false
    /// Selected rows counted through all sections, ascending.
    public final private(set) var selectedRows: [Int] = []
    private final var lastClicked = 0
    /// Its rows take part in the focus system (spec EV-14).
    public final var allowsFocus = false
    /// The data source lets the user move rows; a diffable one never does (spec T-32).
    public final var allowsMovingRows = false
    public final var usesDiffableDataSource = false
    final var unselectable = RowRanges()
    /// The number of rows looked at in search of one that can be selected.
    package final var examinedRows = 0
    /// The hash of the rows that came, went or moved, as part of the state.
    private final var rearranged = StableHash()
    private final var wasRearranged = false

    public init(id: String? = nil, sections: [Int] = []) {
        layoutOfRows = RowSections(sections)
        super.init(id: id)
    }

    /// Rows of each section. Set, they are read anew, after which none is selected.
    public final var sections: [Int] {
        get { layoutOfRows.counts }
        set {
            layoutOfRows = RowSections(newValue)
            unselectable = RowRanges()
            select([])
            contentDidChange()
        }
    }
    public final var rowCount: Int { layoutOfRows.total }

    /// Rows that do not highlight and are never selected by keys or clicks, counted through all sections.
    public final var unselectableRows: [Int] {
        get { unselectable.rows }
        set {
            unselectable = RowRanges(newValue)
            contentDidChange()
        }
    }

    open override var canBecomeFirstResponder: Bool { true }
    open override var canBecomeFocused: Bool { allowsFocus }

    /// The row that has the focus; `nil` before an arrow gave it to one.
    public final private(set) var focusedRow: Int?

    /// Up and down in a table, and left and right in a collection, go along the rows and stop at the ends. Where the
    /// items of a collection lie above each other is left out.
    open override func moveFocusInside(_ heading: FocusHeading) -> Bool {
        guard let step = focusStep(heading) else { return false }
        let present = focusedRow ?? selectedRows.first
        let row = present.map { firstSelectable(from: $0 + step, by: step) } ?? firstSelectable(from: 0, by: 1)
        guard let row, row < rowCount else { return false }
        focusedRow = row
        report(.focus, .text("\(id)[\(row)]"))
        reveal(row)
        return true
    }

    /// 1 to the next row, −1 to the one before; `nil` for a way that leads out of the list.
    open func focusStep(_ heading: FocusHeading) -> Int? { nil }

    /// Opens the focused row, as a click does.
    open override func activateFocus() {
        guard let row = focusedRow ?? selectedRows.first, isSelectionAllowed, exists(row), canSelectRow(row)
        else { return }
        select([row])
        didSelectRow(row)
    }

    /// A row can be selected when it highlights (spec KK-6).
    open func canSelectRow(_ row: Int) -> Bool { unselectable.isEmpty || unselectable.range(around: row) == nil }

    /// Escape may leave nothing selected (spec KK-5).
    open func shouldClearSelection() -> Bool { true }

    /// The user opened a row: Return, Space, or a click of its own. Sends `didSelectRow:` up the chain.
    open func didSelectRow(_ row: Int) { send("didSelectRow:", sender: self) }

    /// Keys selected other rows, which is not reported to a delegate's `didSelect` (spec KK-6).
    open func selectionDidChangeByKeyboard() { notify("selectionDidChangeByKeyboard:", sender: self) }

    /// The place to which a row goes instead, when keys move it from one place to another.
    open func targetForMove(from source: RowPosition, proposed: RowPosition) -> RowPosition { proposed }

    /// Spec KK-5: in the present editing state.
    public final var isSelectionAllowed: Bool {
        isEditing ? allowsSelectionDuringEditing || allowsMultipleSelectionDuringEditing : allowsSelection
    }

    public final var isMultipleSelectionAllowed: Bool {
        isEditing ? allowsMultipleSelectionDuringEditing : allowsSelection && allowsMultipleSelection
    }

    open override var arrowsScroll: Bool {
        !isSelectionAllowed && !(allowsFocus && keyboardEnvironment.usesFocusSystem)
    }

    /// Selects these rows and no others; rows that do not exist are left out.
    public final func select(_ rows: [Int]) {
        let rows = rows.count == 1 ? rows.filter(exists) : Set(rows.filter(exists)).sorted()
        let chosen = isMultipleSelectionAllowed ? rows : Array(rows.prefix(1))
        guard chosen != selectedRows else { return }
        selectedRows = chosen
        report(.selection, .numbers(chosen))
        contentDidChange()
    }

    private func exists(_ row: Int) -> Bool { row >= 0 && row < rowCount }

    /// All rows that can be selected.
    public final func selectAllRows() {
        select((0..<rowCount).filter(canSelectRow))
    }

    /// A click: selects the row; with ⌘ adds or removes it; with ⇧ selects from the last clicked row to it.
    public final func click(_ row: Int, modifiers: KeyModifiers = []) {
        guard exists(row), isSelectionAllowed, canSelectRow(row) else { return }
        if isMultipleSelectionAllowed, modifiers.contains(.shift) {
            select((min(row, lastClicked)...max(row, lastClicked)).filter(canSelectRow))
            return
        }
        lastClicked = row
        if isMultipleSelectionAllowed, modifiers.contains(.command) {
            select(selectedRows.contains(row) ? selectedRows.filter { $0 != row } : selectedRows + [row])
        } else {
            select([row])
        }
    }

    // MARK: What keys select

    /// The first row from here on, in steps of 1 or −1, that can be selected; `nil` before the end of the list.
    final func firstSelectable(from row: Int, by step: Int) -> Int? {
        var row = row
        while exists(row) {
            examinedRows += 1
            if let hole = unselectable.range(around: row) {
                row = step > 0 ? hole.upperBound : hole.lowerBound - 1
            } else if canSelectRow(row) {
                return row
            } else {
                row += step
            }
        }
        return nil
    }

    /// The row that an arrow goes to; `nil` where it goes nowhere, so that the key is free.
    open func rowToSelect(_ direction: ArrowDirection, toEnd: Bool) -> Int? { nil }

    /// Along the rows' own order, round the ends (spec KK-7, KK-9).
    final func sequentialRow(forward: Bool, toEnd: Bool) -> Int? {
        let end = forward ? rowCount - 1 : 0
        if toEnd { return firstSelectable(from: end, by: forward ? -1 : 1).flatMap(unlessSelected) }
        guard let start = forward ? selectedRows.last : selectedRows.first else {
            return firstSelectable(from: rowCount - 1 - end, by: forward ? 1 : -1)
        }
        let step = forward ? 1 : -1
        return (firstSelectable(from: start + step, by: step) ?? firstSelectable(from: rowCount - 1 - end, by: step))
            .flatMap(unlessSelected)
    }

    /// A row that is selected alone is nowhere to go.
    final func unlessSelected(_ row: Int) -> Int? { selectedRows == [row] ? nil : row }

    /// Selects one row, reports it and shows it (spec KK-6).
    final func selectByKeyboard(_ row: Int) {
        select([row])
        lastClicked = row
        selectionDidChangeByKeyboard()
        reveal(row)
    }

    /// The frame in which a row is drawn.
    open func frame(ofRow row: Int) -> Frame { Frame(x: 0, y: 0, width: 0, height: 0) }

    /// Scrolls as far as it takes to see all of a row: to the top when its middle is above the middle of what is seen,
    /// else to the bottom. Nothing where the viewport is not known.
    final func reveal(_ row: Int) {
        guard viewport.height > 0, viewport.width > 0 else { return }
        let frame = frame(ofRow: row)
        var offset = contentOffset
        if frame.y < offset.height || frame.y + frame.height > offset.height + viewport.height {
            let isAbove = frame.doubleMidY < 2 * offset.height + viewport.height
            offset.height = isAbove ? frame.y : frame.y + frame.height - viewport.height
        }
        if frame.x < offset.width || frame.x + frame.width > offset.width + viewport.width {
            let isBefore = frame.doubleMidX < 2 * offset.width + viewport.width
            offset.width = isBefore ? frame.x : frame.x + frame.width - viewport.width
        }
        setContentOffset(offset)
    }

    // MARK: Moving and deleting

    /// The place to which an arrow moves a row; `nil` where it cannot (spec KK-10).
    open func positionToMove(_ row: Int, _ direction: ArrowDirection) -> RowPosition? { nil }

    /// One place along the rows' order, across the borders of sections, empty ones included.
    final func sequentialMove(of row: Int, forward: Bool) -> RowPosition? {
        guard let position = layoutOfRows.position(of: row) else { return nil }
        let last = layoutOfRows.counts[position.section] - 1
        if forward {
            if position.row < last { return RowPosition(section: position.section, row: position.row + 1) }
            guard position.section + 1 < layoutOfRows.counts.count else { return nil }
            return RowPosition(section: position.section + 1, row: 0)
        }
        if position.row > 0 { return RowPosition(section: position.section, row: position.row - 1) }
        guard position.section > 0 else { return nil }
        return RowPosition(section: position.section - 1, row: layoutOfRows.counts[position.section - 1])
    }

    /// Moves a row: what it holds first, then what is seen of it.
    final func moveRow(_ row: Int, to proposed: RowPosition) {
        guard let source = layoutOfRows.position(of: row) else { return }
        let target = targetForMove(from: source, proposed: proposed)
        var changed = layoutOfRows
        changed.transfer(from: source.section, to: source.section)
        guard changed.counts.indices.contains(target.section) else { return }
        changed.transfer(from: source.section, to: target.section)
        guard target.row >= 0, target.row < changed.counts[target.section] else { return }
        let newRow = changed.start(of: target.section) + target.row
        layoutOfRows = changed
        if !unselectable.isEmpty {
            unselectable = RowRanges(unselectable.rows.map { ListView.place(of: $0, afterMoving: row, to: newRow) })
        }
        note([source.section, source.row, target.section, target.row])
        selectedRows = selectedRows.map { ListView.place(of: $0, afterMoving: row, to: newRow) }.sorted()
        report(.selection, .numbers(selectedRows))
        contentDidChange()
        reveal(newRow)
    }

    private static func place(of row: Int, afterMoving source: Int, to target: Int) -> Int {
        if row == source { return target }
        if source < row, row <= target { return row - 1 }
        if target <= row, row < source { return row + 1 }
        return row
    }

    /// Deletes rows and selects the next one after them that can be selected, else the one before.
    final func deleteRows(_ rows: [Int]) {
        guard let first = rows.first, let last = rows.last else { return }
        let next = firstSelectable(from: last + 1, by: 1) ?? firstSelectable(from: first - 1, by: -1)
        for row in rows.reversed() {
            guard let position = layoutOfRows.position(of: row) else { continue }
            layoutOfRows.change(position.section, by: -1)
            note([position.section, position.row])
        }
        func place(_ row: Int) -> Int { row - rows.prefix { $0 < row }.count }
        if !unselectable.isEmpty {
            let deleted = Set(rows)
            unselectable = RowRanges(unselectable.rows.filter { !deleted.contains($0) }.map(place))
        }
        selectedRows = next.map { [place($0)] } ?? []
        report(.selection, .numbers(selectedRows))
        contentDidChange()
    }

    private func note(_ numbers: [Int]) {
        wasRearranged = true
        for number in numbers { rearranged.combine(number) }
    }

    open override func combineState(into hash: inout StableHash) {
        super.combineState(into: &hash)
        hash.combine(selectedRows.count)
        selectedRows.forEach { hash.combine($0) }
        if wasRearranged { hash.combine(rearranged.value) }
        if let focusedRow { hash.combine(focusedRow) }
    }
}
