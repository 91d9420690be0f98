public import KeyModel
import ResponderEngine

/// Rows in sections, some of them selected: what tables and collections share.
open class ListView: ScrollView {
    /// Rows of each section.
    public final private(set) var sections: [Int]
    public final var allowsMultipleSelection = false
    /// Selected rows counted through all sections, ascending.
    public final private(set) var selectedRows: [Int] = []
    private final var lastClicked = 0

    public init(id: String? = nil, sections: [Int] = []) {
        self.sections = sections.map { max(0, $0) }
        super.init(id: id)
    }

    public final var rowCount: Int { sections.reduce(0) { $0.addingReportingOverflow($1).partialValue } }

    /// Its rows take part in the focus system (spec EV-14).
    public final var allowsFocus = false

    open override var canBecomeFirstResponder: Bool { true }
    open override var canBecomeFocused: Bool { allowsFocus }

    /// Selects these rows and no others; rows that do not exist are left out.
    public final func select(_ rows: [Int]) {
        let rows = Set(rows.filter { $0 >= 0 && $0 < rowCount }).sorted()
        let chosen = allowsMultipleSelection ? rows : Array(rows.prefix(1))
        guard chosen != selectedRows else { return }
        selectedRows = chosen
        report(.selection, .numbers(chosen))
    }

    /// A click: selects the row; with ⌘ adds or removes it; with ⇧ selects from the last clicked row to it.
    public final func click(_ row: Int, modifiers: KeyModifiers = []) {
        guard row >= 0, row < rowCount else { return }
        if allowsMultipleSelection, modifiers.contains(.shift) {
            select(Array(min(row, lastClicked)...max(row, lastClicked)))
            return
        }
        lastClicked = row
        if allowsMultipleSelection, modifiers.contains(.command) {
            select(selectedRows.contains(row) ? selectedRows.filter { $0 != row } : selectedRows + [row])
        } else {
            select([row])
        }
    }

    open override func combineState(into hash: inout StableHash) {
        super.combineState(into: &hash)
        hash.combine(selectedRows.count)
        selectedRows.forEach { hash.combine($0) }
    }
}

/// Rows one below the other.
open class TableView: ListView {}

/// Items in a layout of their own.
open class CollectionView: ListView {}
