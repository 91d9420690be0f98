public import ResponderEngine

/// Rows one below the other.
open class TableView: ListView {
    public enum Style: Int, Sendable { case plain = 0, grouped, insetGrouped }
    /// The height of every row, in points.
    public final var rowHeight = 44
    /// The data source deletes rows (`commit`).
    public final var commitsDeletion = false

    /// The row's editing style is `delete`.
    open func canDeleteRow(_ row: Int) -> Bool { commitsDeletion }

    /// Called for each deleted row after the table's own deletion (spec §8.3).
    open func didDeleteRow(_ row: Int) { notify("didDeleteRow:", sender: self) }

    /// `contentSize` where it was set, else as high as its rows.
    open override var scrollableSize: Extent {
        guard contentSize == .zero else { return contentSize }
        return Extent(width: viewport.width, height: rowCount.multipliedReportingOverflow(by: rowHeight).partialValue)
    }

    open override func frame(ofRow row: Int) -> Frame {
        Frame(
            x: 0, y: row.multipliedReportingOverflow(by: rowHeight).partialValue, width: viewport.width,
            height: rowHeight)
    }

    /// Spec KK-7.
    open override func rowToSelect(_ direction: ArrowDirection, toEnd: Bool) -> Int? {
        direction.isVertical ? sequentialRow(forward: direction == .down, toEnd: toEnd) : nil
    }

    open override func focusStep(_ heading: FocusHeading) -> Int? {
        switch heading {
        case .up: -1
        case .down: 1
        case .left, .right: nil
        }
    }

    open override func positionToMove(_ row: Int, _ direction: ArrowDirection) -> RowPosition? {
        direction.isVertical ? sequentialMove(of: row, forward: direction == .down) : nil
    }
}

/// A table of which keys select, open, move and delete rows, and which they scroll (spec KK-5 to KK-7, KK-10).
open class KeyboardTableView: TableView {
    public override init(id: String? = nil, sections: [Int] = []) {
        super.init(id: id, sections: sections)
        addTableKeys(to: self)
    }
}

/// A controller whose view is a table.
open class TableViewController: ViewController {
    public final let tableView: TableView!

    public init(id: String? = nil, tableView: TableView = TableView()) {
        self.tableView = tableView
        super.init(id: id)
        view = tableView
    }

    public init(style: TableView.Style) {
        tableView = TableView()
        super.init()
        view = tableView
    }
}

/// A controller of a table, whose keys work while the controller is on the chain (spec KK-1).
open class KeyboardTableViewController: TableViewController {
    public override init(id: String? = nil, tableView: TableView) {
        super.init(id: id, tableView: tableView)
        tableView.addTableKeys(to: self)
    }

    open override var canBecomeFirstResponder: Bool { true }
}

extension TableView {
    /// Gives this table's keys to `owner`, which is the table itself or a controller around it.
    public final func addTableKeys(to owner: Responder) {
        allowsKeyboardScrolling = false
        keyHandlers = [
            TableKeyHandler(owner: owner.id, table: self), SelectionKeyHandler(owner: owner.id, list: self),
            ScrollKeyHandler(owner: owner.id, scrolling: self),
        ]
        owner.inject(keyHandlers)
    }
}

/// Deletes the selected rows of a table (spec §8.3).
public final class TableKeyHandler: InjectedResponder {
    private unowned let table: TableView
    private let deleteCommand = KeyCommand(
        title: "Delete", action: "delete:", input: KeyCommand.inputDelete, modifierFlags: [])

    init(owner id: String, table: TableView) {
        self.table = table
        super.init(id: id + ".table")
        followsStructure = true
    }

    private var canDelete: Bool {
        !table.selectedRows.isEmpty && table.commitsDeletion && table.selectedRows.allSatisfy(table.canDeleteRow)
    }

    public override var keyCommands: [KeyCommand]? {
        let inherited = super.keyCommands
        guard canDelete, !isTextInputActive else { return inherited }
        return (inherited ?? []) + [deleteCommand]
    }

    public override class var actions: [Action] {
        super.actions + [
            Action("delete:", performing: { (handler: TableKeyHandler, _) in
                let rows = handler.table.selectedRows
                handler.table.deleteRows(rows)
                for row in rows { handler.table.didDeleteRow(row) }
            })
        ]
    }

    public override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        super.canPerformAction(action, withSender: sender) && (action != "delete:" || canDelete)
    }
}
