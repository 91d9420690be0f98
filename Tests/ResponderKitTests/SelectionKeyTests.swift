import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Selecting rows and items by keys")
struct SelectionKeyTests {
    private final class Opener: ViewController {
        var opened: [Int] = []
        override class var actions: [Action] {
            super.actions + [
                Action("didSelectRow:", performing: { (opener: Opener, sender: Any?) in
                    if let list = sender as? ListView { opener.opened += list.selectedRows }
                })
            ]
        }
    }

    private func table(_ sections: [Int], selected: [Int] = []) -> KeyboardTableView {
        let table = KeyboardTableView(id: "table", sections: sections)
        table.select(selected)
        return table
    }

    private func listed(_ list: ListView) -> [String] { list.find("\(list.id).selection")?.listed ?? [] }

    @Test("KK-5 arrows with a destination, Space and Return for one row, Escape for any, then moves")
    func list() throws {
        let table = table([3])
        let bench = try ComponentBench(view: table)
        #expect(listed(table) == ["↑", "⌥↑", "↓", "⌥↓"])
        table.select([0])
        #expect(listed(table) == ["↑", "↓", "⌥↓", "space", "⏎", "esc"])
        table.allowsMovingRows = true
        #expect(listed(table).suffix(4) == ["⌥⌘↑", "⌥⌘↓", "⌥⌘←", "⌥⌘→"])
        // A diffable data source never moves (T-32).
        table.usesDiffableDataSource = true
        #expect(listed(table).last == "esc")
        table.allowsSelection = false
        #expect(listed(table) == [])
        table.allowsSelection = true
        table.isEditing = true
        #expect(listed(table) == [])
        table.allowsSelectionDuringEditing = true
        #expect(!listed(table).isEmpty)
        _ = bench
    }

    @Test("KK-5 with a focus system or active text only moves are left")
    func focusAndText() throws {
        let table = table([3], selected: [1])
        table.allowsMovingRows = true
        let focused = try ComponentBench(view: table, focusSystem: true)
        #expect(listed(table) == ["⌥⌘↑", "⌥⌘↓", "⌥⌘←", "⌥⌘→"])
        focused.engine.hasFocusSystem = false
        let field = TextField(id: "field")
        table.addSubview(field)
        focused.engine.focus(field)
        #expect(listed(table) == ["⌥⌘↑", "⌥⌘↓", "⌥⌘←", "⌥⌘→"])
    }

    @Test("KK-5 ⌘A is the standard action, where several rows can be selected")
    func selectAll() throws {
        let table = table([2, 2])
        table.unselectableRows = [1]
        let bench = try ComponentBench(view: table)
        #expect(try bench.came("cmd+a") == "unhandled")
        table.allowsMultipleSelection = true
        let press = try bench.press("cmd+a")
        #expect(press.takenBy == .standardEdit && press.target?.id == "table.selection")
        #expect(table.selectedRows == [0, 2, 3])
        #expect(try bench.came("escape") == "clearSelection:")
        #expect(table.selectedRows.isEmpty)
    }

    @Test("KK-6 arrows replace the selection, tell of it apart and show it; Return and Space open the row")
    func selecting() throws {
        final class Told: KeyboardTableView {
            var described: [[Int]] = []
            override func selectionDidChangeByKeyboard() { described.append(selectedRows) }
        }
        let table = Told(id: "table", sections: [10])
        table.allowsMultipleSelection = true
        table.viewport = Extent(width: 100, height: 100)
        table.select([3, 5])
        let opener = Opener(id: "vc")
        let bench = try ComponentBench(root: opener, view: table)
        #expect(
            try bench.effects("down") == [
                Effect(id: "table", kind: .selection, value: .numbers([6])),
                Effect(id: "table", kind: .offset, value: .numbers([0, 208])),
            ])
        #expect(table.described == [[6]] && opener.opened.isEmpty)
        #expect(try bench.came("return") == "openSelectedRow:")
        #expect(try bench.came("space") == "openSelectedRow:")
        #expect(opener.opened == [6, 6] && table.described.count == 1)
    }

    @Test("KK-7 up and down go round, Option goes to the ends, rows that do not highlight are passed by")
    func table() throws {
        let table = table([2, 0, 3])
        table.unselectableRows = [0, 3]
        let bench = try ComponentBench(view: table)
        var path: [[Int]] = []
        for _ in 0..<4 {
            try bench.press("down")
            path.append(table.selectedRows)
        }
        #expect(path == [[1], [2], [4], [1]])
        try bench.press("up")
        #expect(table.selectedRows == [4])
        try bench.press("opt+up")
        #expect(table.selectedRows == [1])
        try bench.press("opt+down")
        #expect(table.selectedRows == [4])
        #expect(try bench.came("opt+down") == "unhandled")
        #expect(try bench.came("left") == "unhandled")
        // One row alone is nowhere to go.
        let single = self.table([1], selected: [0])
        let other = try ComponentBench(view: single)
        #expect(try other.came("down") == "unhandled")
    }

    private func grid(_ layout: CollectionLayout, _ sections: [Int], selected: [Int] = []) -> KeyboardCollectionView {
        let grid = KeyboardCollectionView(id: "grid", sections: sections)
        grid.collectionLayout = layout
        grid.viewport = Extent(width: 320, height: 480)
        grid.select(selected)
        return grid
    }

    private func frames(_ places: [(Int, Int)]) -> CollectionLayout {
        CollectionLayout(frames: places.map { Frame(x: $0.0, y: $0.1, width: 100, height: 100) })
    }

    @Test("KK-8 a strip as wide as the item, the nearest centre in it, first within 500 points")
    func spatial() throws {
        // 0 and 1 side by side, 2 far below 0, 3 a little aside of it, 4 hidden between them.
        let layout = CollectionLayout(
            frames: [(0, 0), (200, 0), (0, 400), (60, 400), (0, 200)].map {
                Frame(x: $0.0, y: $0.1, width: 100, height: 100)
            }, hidden: [4])
        let grid = grid(layout, [5], selected: [0])
        let bench = try ComponentBench(view: grid)
        try bench.press("down")
        #expect(grid.selectedRows == [2])
        try bench.press("up")
        #expect(grid.selectedRows == [0])
        try bench.press("right")
        #expect(grid.selectedRows == [1])
        // Nothing below 1: round to the farthest above, which is itself, so that the key is free.
        #expect(try bench.came("down") == "unhandled")
        // From the other side round to the farthest in the strip.
        try bench.press("right")
        #expect(grid.selectedRows == [0])
    }

    @Test("KK-8 nothing selected: the first item; at the end Option stays, and farther than 3000 points nothing is")
    func reach() throws {
        let grid = grid(frames([(0, 0), (0, 2900), (0, 9000)]), [3])
        let bench = try ComponentBench(view: grid)
        try bench.press("left")
        #expect(grid.selectedRows == [0])
        try bench.press("down")
        #expect(grid.selectedRows == [1])
        // Too far: round to the top.
        try bench.press("down")
        #expect(grid.selectedRows == [0])
        try bench.press("opt+down")
        #expect(grid.selectedRows == [2])
        #expect(try bench.came("opt+down") == "unhandled")
    }

    @Test("KK-9 a flow layout is sequential along its lines and spatial across them")
    func flow() throws {
        // Three items a line.
        let grid = grid(FlowLayout(itemSize: Extent(width: 100, height: 100), spacing: 10), [4, 2], selected: [2])
        let bench = try ComponentBench(view: grid)
        try bench.press("right")
        #expect(grid.selectedRows == [3])
        try bench.press("right")
        #expect(grid.selectedRows == [4])
        try bench.press("up")
        #expect(grid.selectedRows == [3])
        try bench.press("up")
        #expect(grid.selectedRows == [0])
        try bench.press("left")
        #expect(grid.selectedRows == [5])
        try bench.press("right")
        #expect(grid.selectedRows == [0])
    }

    @Test("KK-9 in a right-to-left interface a layout that flips goes the other way")
    func rightToLeft() throws {
        for (flips, expected) in [(true, 1), (false, 5)] {
            let layout = FlowLayout(itemSize: Extent(width: 100, height: 100), spacing: 10)
            layout.flipsHorizontally = flips
            let grid = grid(layout, [6], selected: [0])
            let bench = try ComponentBench(view: grid, rightToLeft: true)
            try bench.press("left")
            #expect(grid.selectedRows == [expected])
        }
        let grid = grid(CompositionalLayout(itemSize: Extent(width: 100, height: 100), spacing: 10), [6], selected: [0])
        let bench = try ComponentBench(view: grid, rightToLeft: true)
        try bench.press("left")
        #expect(grid.selectedRows == [1])
    }

    @Test("KK-9 a compositional layout begins a selection along its scrolling axis only")
    func compositional() throws {
        for (key, expected) in [("down", [0]), ("up", [5]), ("left", []), ("right", [])] {
            let grid = grid(CompositionalLayout(itemSize: Extent(width: 100, height: 100), spacing: 10), [6])
            let bench = try ComponentBench(view: grid)
            try bench.press(key)
            #expect(grid.selectedRows == expected, "\(key)")
        }
    }

    @Test("KK-10 rows move one place at a time, across sections and into empty ones")
    func moving() throws {
        let table = table([2, 0, 1], selected: [1])
        table.allowsMovingRows = true
        let bench = try ComponentBench(view: table)
        try bench.press("opt+cmd+down")
        #expect(table.sections == [1, 1, 1] && table.selectedRows == [1])
        try bench.press("opt+cmd+down")
        #expect(table.sections == [1, 0, 2] && table.selectedRows == [1])
        try bench.press("opt+cmd+down")
        #expect(table.sections == [1, 0, 2] && table.selectedRows == [2])
        #expect(try bench.came("opt+cmd+down") == "blockedUnperformable")
        for _ in 0..<4 { try bench.press("opt+cmd+up") }
        #expect(table.sections == [2, 0, 1] && table.selectedRows == [0])
    }

    @Test("KK-10 a delegate may send a row elsewhere, and the row is gone from its place before")
    func retargeting() throws {
        final class Pinned: KeyboardTableView {
            override func targetForMove(from source: RowPosition, proposed: RowPosition) -> RowPosition {
                RowPosition(section: 1, row: 0)
            }
        }
        let table = Pinned(id: "table", sections: [2, 1])
        table.allowsMovingRows = true
        table.select([0])
        let bench = try ComponentBench(view: table)
        #expect(
            try bench.effects("opt+cmd+down") == [Effect(id: "table", kind: .selection, value: .numbers([1]))])
        #expect(table.sections == [1, 2])
    }

    @Test("Delete removes the selected rows and selects the next one, else the one before (spec 8.3)")
    func deleting() throws {
        let table = table([3, 2], selected: [])
        table.allowsMultipleSelection = true
        table.unselectableRows = [3]
        let bench = try ComponentBench(view: table)
        #expect(try bench.came("delete") == "unhandled")
        table.commitsDeletion = true
        table.select([1, 2])
        let press = try bench.press("delete")
        #expect(press.action == "delete:" && press.target?.id == "table.table")
        #expect(table.sections == [1, 2] && table.selectedRows == [2] && table.unselectableRows == [1])
        try bench.press("delete")
        #expect(table.sections == [1, 1] && table.selectedRows == [0])
    }

    @Test("clicks select one, a range with Shift, or add and remove with Command")
    func clicks() {
        let table = table([5])
        table.allowsMultipleSelection = true
        table.unselectableRows = [2]
        table.click(1)
        table.click(3, modifiers: .shift)
        #expect(table.selectedRows == [1, 3])
        table.click(4, modifiers: .command)
        table.click(1, modifiers: .command)
        #expect(table.selectedRows == [3, 4])
        table.click(2)
        #expect(table.selectedRows == [3, 4])
    }

    @Test("a row in the middle of 100000 costs as many looks as one of ten")
    func looks() throws {
        let looks = try [10, 100_000].map { rows in
            let table = table([rows / 2, rows / 2], selected: [rows / 2])
            let bench = try ComponentBench(view: table)
            try bench.press("down")
            let before = table.examinedRows
            for _ in 0..<3 { try bench.press("down") }
            return table.examinedRows - before
        }
        #expect(looks == [18, 18])
    }
}
