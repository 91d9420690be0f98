import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Keys of split views")
struct SplitViewKeyTests {
    private func split(_ columns: Int, _ mode: SplitViewController.DisplayMode? = nil) -> KeyboardSplitViewController {
        let names = columns == 3 ? ["primary", "supplementary", "secondary"] : ["primary", "secondary"]
        let split = KeyboardSplitViewController(id: "split", columns: names.map { ViewController(id: $0) })
        if let mode { split.begin(with: mode) }
        return split
    }

    @Test("KK-15 Tab goes round, arrows do not, and exist where there is a column that way")
    func columns() throws {
        let split = split(3, .twoBesideSecondary)
        let bench = try ComponentBench(root: split)
        func focused(_ key: String) throws -> String {
            try bench.press(key)
            return split.focusedColumn?.rawValue ?? "none"
        }
        #expect(split.listed == ["⇥", "⇧⇥", "→", "←"])
        #expect(try focused("tab") == "primary")
        #expect(split.listed == ["⇥", "⇧⇥", "→"])
        #expect(try focused("right") == "supplementary")
        #expect(try focused("tab") == "secondary")
        #expect(try bench.came("right") == "unhandled")
        #expect(try focused("tab") == "primary")
        #expect(try focused("shift+tab") == "secondary")
        #expect(try focused("left") == "supplementary")
        #expect(
            try bench.effects("shift+tab") == [Effect(id: "split", kind: .focus, value: .text("primary"))])
    }

    @Test("KK-15 right-to-left and a trailing primary edge turn the arrows round, both together do not")
    func directions() throws {
        for (rightToLeft, edge, expected) in [
            (false, SplitViewController.PrimaryEdge.leading, "right"), (true, .leading, "left"),
            (false, .trailing, "left"), (true, .trailing, "right"),
        ] {
            let split = split(2)
            split.primaryEdge = edge
            let bench = try ComponentBench(root: split, rightToLeft: rightToLeft)
            try bench.press("tab")
            #expect(split.focusedColumn == .primary)
            try bench.press(expected)
            #expect(split.focusedColumn == .secondary, "\(rightToLeft) \(edge)")
        }
    }

    @Test("KK-15 nothing while collapsed, presenting or editing, or without columns")
    func inactive() throws {
        let split = split(2)
        let bench = try ComponentBench(root: split)
        split.isCollapsed = true
        #expect(split.listed == [])
        split.isCollapsed = false
        let field = TextField(id: "field")
        bench.window.addSubview(field)
        bench.engine.focus(field)
        #expect(split.listed == [])
        bench.engine.focus(split)
        #expect(split.listed == ["⇥", "⇧⇥", "→"])
        split.present(ViewController(id: "sheet"))
        #expect(split.listed == [])
        #expect(KeyboardSplitViewController(id: "one", columns: [ViewController(id: "a")]).listed == [])
    }

    private typealias Mode = SplitViewController.DisplayMode

    @Test("KK-15 Escape ends what is over or displaces the secondary column, with a focus system too")
    func escape() throws {
        for (mode, columns, after, focused) in [
            (Mode.oneOverSecondary, 2, Mode.secondaryOnly, "secondary"),
            (.twoOverSecondary, 3, .secondaryOnly, "secondary"),
            (.twoDisplaceSecondary, 3, .oneBesideSecondary, "supplementary"),
        ] {
            let split = split(columns, mode)
            let bench = try ComponentBench(root: split, focusSystem: true)
            bench.engine.focus(split)
            #expect(split.listed == ["esc"])
            #expect(try bench.came("escape") == "dismissTemporaryColumn:")
            #expect(split.displayMode == after && split.focusedColumn?.rawValue == focused)
            #expect(split.listed == [])
        }
    }

    @Test("KK-16 the focused column after a change of display")
    func afterChange() {
        typealias Column = SplitViewController.Column
        func after(_ mode: Mode, columns: Int, from begin: Mode, focused: Column? = nil) -> Column? {
            let split = split(columns, begin)
            if focused == .secondary { split.setDisplayMode(.secondaryOnly) }
            if focused == .primary { split.setDisplayMode(columns == 3 ? .twoOverSecondary : .oneOverSecondary) }
            split.setDisplayMode(mode)
            return split.focusedColumn
        }
        #expect(after(.secondaryOnly, columns: 2, from: .oneBesideSecondary) == .secondary)
        #expect(after(.oneBesideSecondary, columns: 2, from: .secondaryOnly) == .primary)
        #expect(after(.oneBesideSecondary, columns: 2, from: .oneOverSecondary, focused: .secondary) == .secondary)
        #expect(after(.oneBesideSecondary, columns: 3, from: .secondaryOnly) == .supplementary)
        #expect(after(.oneBesideSecondary, columns: 3, from: .secondaryOnly, focused: .primary) == .supplementary)
        #expect(after(.oneOverSecondary, columns: 2, from: .secondaryOnly) == .primary)
        #expect(after(.oneOverSecondary, columns: 3, from: .secondaryOnly) == .supplementary)
        #expect(after(.twoBesideSecondary, columns: 3, from: .secondaryOnly) == nil)
        #expect(after(.twoOverSecondary, columns: 3, from: .oneBesideSecondary, focused: .secondary) == .primary)
        #expect(after(.twoDisplaceSecondary, columns: 3, from: .secondaryOnly, focused: .primary) == .primary)
        let collapsing = split(2)
        collapsing.setDisplayMode(.oneOverSecondary)
        collapsing.isCollapsed = true
        #expect(collapsing.focusedColumn == nil)
    }

    @Test("without a focus the way towards the secondary column begins at the primary, and the other way round")
    func beginnings() throws {
        for (key, expected) in [("tab", "primary"), ("shift+tab", "secondary")] {
            let split = split(2)
            let bench = try ComponentBench(root: split)
            try bench.press(key)
            #expect(split.focusedColumn?.rawValue == expected)
        }
    }

    @Test("a column out of sight is brought in, but not before iOS 15 while the last one is coming (T-30)")
    func hidden() throws {
        for (profile, expected) in [("ios134", "supplementary"), ("ios15", "primary")] {
            let split = split(3, .secondaryOnly)
            split.transitionDuration = TraceDuration(nanoseconds: 400_000_000)
            let bench = try ComponentBench(profile, root: split)
            for time in 0..<3 { try bench.press("shift+tab", at: Int64(time) * 100) }
            #expect(split.focusedColumn?.rawValue == expected, "\(profile)")
        }
    }
}
