import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Golden vectors of components")
struct ComponentVectorTests {
    private final class Player: ViewController {
        override class var actions: [Action] { super.actions + [Action("rewind:", rewind)] }
        func rewind() {}
    }

    @Test("G18 back goes before a rewind button, which has ⌘← where there is no way back")
    func g18() throws {
        let navigation = KeyboardNavigationController(id: "nav", rootViewController: Player(id: "root"))
        navigation.navigationItem.trailingItems = [KeyboardBarButtonItem(systemItem: .rewind, action: "rewind:")]
        let top = Player(id: "top")
        navigation.pushViewController(top)
        let bench = try ComponentBench(root: navigation)
        bench.engine.focus(top)
        #expect(try bench.came("cmd+left") == "goBack:")
        #expect(navigation.viewControllers.map(\.id) == ["root"])
        bench.engine.focus(navigation.topViewController)
        #expect(try bench.came("cmd+left") == "rewind:")
    }

    @Test("G19 up from the first row of a table selects the last")
    func g19() throws {
        let table = KeyboardTableView(id: "table", sections: [3])
        table.select([0])
        let bench = try ComponentBench(view: table)
        let press = try bench.press("up")
        #expect(press.effects.contains(Effect(id: "table", kind: .selection, value: .numbers([2]))))
        #expect(press.supplierID == "table.selection" && press.target?.id == "table.selection")
    }

    @Test("G20 down scrolls three lines of body text; up at the top is not the scroll view's")
    func g20() throws {
        let scroll = KeyboardScrollView(id: "scroll")
        scroll.contentSize = Extent(width: 100, height: 1000)
        scroll.viewport = Extent(width: 100, height: 200)
        let bench = try ComponentBench(view: scroll)
        #expect(try bench.came("up") == "unhandled")
        #expect(try bench.effects("down") == [Effect(id: "scroll", kind: .offset, value: .numbers([0, 51]))])
    }

    @Test("G21 Escape in a window that presents nothing is performed and comes to nothing")
    func g21() throws {
        let bench = try ComponentBench(window: KeyboardWindow(id: "win"))
        let press = try bench.press("escape")
        #expect(press.outcome == .performed && press.target?.id == "win" && press.effects.isEmpty)
    }

    @Test("G22 a date out of range falls through up to iOS 14, and blocks the key from 15 on")
    func g22() throws {
        for (profile, expected) in [("ios134", "nextPage:"), ("ios15", "blockedUnperformable")] {
            let picker = KeyboardDatePicker(id: "date", date: try #require(CalendarDay(text: "2026-11-21")))
            picker.maximumDate = picker.date
            let root = Turner(id: "vc")
            root.addKeyCommand(
                KeyCommand(input: KeyCommand.inputRightArrow, modifierFlags: [], action: "nextPage:"))
            let bench = try ComponentBench(profile, root: root, view: picker)
            #expect(try bench.came("right") == expected)
            #expect(try bench.effects("left") == [Effect(id: "date", kind: .date, value: .text("2026-11-20"))])
        }
    }

    private final class Turner: ViewController {
        override class var actions: [Action] { super.actions + [Action("nextPage:", nextPage)] }
        func nextPage() {}
    }
}
