import KeyModel
import ResponderEngine
import ResponderKit
import Testing

/// The focus system (spec EV-14, FR-5).
@Suite("Focus")
struct FocusTests {
    private func iPad(_ profile: String = "ios15") throws -> Bench {
        let bench = try Bench(profile)
        bench.engine.hasFocusSystem = true
        return bench
    }

    private final class Button: View {
        var presses = 0
        override var canBecomeFocused: Bool { true }
        override class var actions: [Action] {
            let press = Action("primaryActionTriggered:", performing: { (button: Button, _) in button.presses += 1 })
            return super.actions + [press]
        }
    }

    @Test("EV-14 Tab goes from group to group, back to where each was left; arrows stay inside one, up to its ends")
    func groups() throws {
        let bench = try iPad()
        let (bar, form) = (View(id: "bar"), View(id: "form"))
        bar.focusGroupIdentifier = "bar"
        form.focusGroupIdentifier = "form"
        let buttons = ["a", "b", "c"].map { Button(id: $0) }
        for button in buttons { bar.addSubview(button) }
        let field = TextField(id: "field")
        form.addSubview(field)
        for view in [bar, form] { bench.view.addSubview(view) }
        let course: [(String, String)] = [
            ("tab", "a"), ("right", "b"), ("right", "c"), ("right", "c"), ("left", "b"), ("tab", "field"),
            ("shift+tab", "b"), ("up", "a"), ("left", "a"), ("ctrl+tab", "field"), ("ctrl+shift+tab", "a"),
        ]
        for (chord, item) in course {
            #expect(try bench.press(chord).takenBy == .focus, "\(chord)")
            #expect(bench.engine.focusedItem?.id == item, "\(chord)")
        }
    }

    @Test("FR-5 an item that cannot be first responder has the focus inside the one that is, and gets the keys first")
    func focusInside() throws {
        let bench = try iPad()
        bench.vc.commands = [command("k", .command, "k:")]
        bench.vc.implemented = ["k:"]
        let button = Button(id: "button")
        bench.view.addSubview(button)
        let moved = try bench.press("tab")
        #expect(moved.effects.contains(Effect(id: "button", kind: .focus, value: .text("button"))))
        #expect(bench.engine.focusedItem === button && bench.engine.firstResponder === bench.view)
        let state = bench.engine.stateHash()
        #expect(try bench.press("cmd+k").receivers.map(\.id) == ["button", "view", "vc", "win", "scn", "app"])
        bench.engine.focus(bench.vc, asking: true)
        #expect(bench.engine.focusedItem == nil, "becoming first responder takes the focus")
        #expect(bench.engine.moveFocus(to: button) && bench.engine.focusedItem === button)
        button.removeFromSuperview()
        #expect(bench.engine.focusedItem == nil && bench.engine.stateHash() != state)
        bench.engine.hasFocusSystem = false
        #expect(!bench.engine.moveFocus(to: button))
    }

    @Test("EV-14 Return activates on an iPad, Space on a Mac")
    func activation() throws {
        for (profile, key, other) in [("ios15", "return", "space"), ("catalyst", "space", "return")] {
            let bench = try iPad(profile)
            let button = Button(id: "button")
            bench.view.addSubview(button)
            try bench.press("tab")
            #expect(try bench.press(key).takenBy == .focus && button.presses == 1)
            #expect(try bench.press(other).takenBy == nil && button.presses == 1)
        }
    }

    @Test("EV-14 a table that opts in moves the focus along its rows and opens one; another one takes no part")
    func rows() throws {
        let bench = try iPad()
        let (list, other) = (TableView(id: "list", sections: [3]), TableView(id: "other", sections: [3]))
        list.allowsFocus = true
        for view in [other, list] { bench.view.addSubview(view) }
        var opened: [Int] = []
        list.addAction(Action("didSelectRow:", performing: { (list: TableView, _) in opened = list.selectedRows }))
        try bench.press("tab")
        #expect(bench.engine.focusedItem === list && list.focusedRow == nil)
        for (key, row) in [("down", 0), ("down", 1), ("down", 2), ("down", 2), ("up", 1)] {
            #expect(try bench.press(key).takenBy == .focus)
            #expect(list.focusedRow == row && list.selectedRows.isEmpty, "\(key)")
        }
        try bench.press("return")
        #expect(opened == [1] && other.selectedRows.isEmpty)
    }

    @Test("EV-14 focusable says for any view whether it can have the focus")
    func focusable() throws {
        let bench = try iPad()
        let (plain, field) = (View(id: "plain"), TextField(id: "field"))
        for view in [plain, field] as [View] { bench.view.addSubview(view) }
        plain.isFocusable = true
        field.isFocusable = false
        try bench.press("tab")
        #expect(bench.engine.focusedItem === plain)
        try bench.press("tab")
        #expect(bench.engine.focusedItem === plain)
    }

    @Test("§12 emptyFocusConsumes: with nothing to focus the keys are kept, unless the parameter says otherwise")
    func emptyFocus() throws {
        for key in ["up", "tab", "ctrl+tab", "return"] {
            let bench = try iPad()
            let input = ["up": KeyCommand.inputUpArrow, "return": "\r"][key] ?? "\t"
            bench.vc.commands = [command(input, key == "ctrl+tab" ? .control : [], "act:")]
            bench.vc.implemented = ["act:"]
            #expect(try bench.press(key).takenBy == .focus)
            try bench.engine.profile.set("emptyFocusConsumes", to: "false")
            #expect(try bench.press(key).action == "act:")
            let field = TextField(id: "field")
            bench.view.addSubview(field)
            #expect(try bench.press(key).takenBy == .focus, "something can have the focus")
        }
    }

    @Test("EV-14 an iPhone and systems before iOS 15 have no focus system")
    func withoutFocus() throws {
        let phone = try Bench("ios15")
        #expect(try phone.press("up").outcome == .unhandled && phone.engine.focusedItem == nil)
        for profile in ["ios7", "ios9", "ios13", "ios134"] {
            #expect(try iPad(profile).press("up").outcome == .unhandled)
        }
    }
}
