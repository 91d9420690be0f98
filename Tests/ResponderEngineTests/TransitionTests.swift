import KeyModel
import ResponderEngine
import ResponderKit
import Testing

private func time(_ milliseconds: Int64) -> TraceTime {
    TraceTime.zero.advanced(by: TraceDuration(nanoseconds: milliseconds * 1_000_000))
}

@Suite("Transitions, focus and sent actions")
struct TransitionTests {
    @Test("FR-3 T-28 during a transition becoming first responder fails, and succeeds once it is over")
    func presenting() throws {
        let bench = try Bench("ios15")
        bench.engine.advance(to: time(0))
        let sheet = ProbeController(id: "sheet")
        sheet.transitionDuration = TraceDuration(nanoseconds: 400_000_000)
        bench.vc.present(sheet)
        #expect(!sheet.becomeFirstResponder() && bench.engine.firstResponder === bench.view)
        bench.engine.advance(to: time(399))
        #expect(!sheet.becomeFirstResponder())
        bench.engine.advance(to: time(400))
        #expect(sheet.becomeFirstResponder())
    }

    @Test("FR-3 what a dismissal or a pop uncovers is in transition too; key events move time on")
    func uncovering() throws {
        let bench = try Bench("ios15")
        let sheet = ProbeController(id: "sheet")
        bench.vc.present(sheet)
        sheet.becomeFirstResponder()
        sheet.transitionDuration = TraceDuration(nanoseconds: 300_000_000)
        bench.vc.dismiss()
        #expect(!bench.vc.becomeFirstResponder())
        _ = bench.engine.keyDown(.clear(.keyboard(0x0E)), at: time(300))
        #expect(bench.vc.becomeFirstResponder())
        let navigation = NavigationController(id: "nav", rootViewController: ProbeController(id: "list"))
        bench.window.rootViewController = navigation
        bench.engine.focus(navigation)
        let page = ProbeController(id: "page")
        page.transitionDuration = TraceDuration(nanoseconds: 300_000_000)
        navigation.pushViewController(page)
        #expect(!page.becomeFirstResponder())
        bench.engine.advance(to: time(600))
        #expect(page.becomeFirstResponder())
        navigation.popViewController()
        #expect(navigation.topViewController?.becomeFirstResponder() == false)
        bench.engine.advance(to: time(900))
        #expect(navigation.topViewController?.becomeFirstResponder() == true)
    }

    @Test("FR-4 activating a window makes it first responder where it can be and nobody in it is")
    func activating() throws {
        let bench = try Bench("ios15")
        let other = FirstWindow(id: "other")
        bench.scene.addWindow(other)
        bench.engine.activate(other)
        #expect(bench.engine.firstResponder === other)
        #expect(try bench.press("k").receivers.map(\.id) == ["other", "scn", "app"])
        bench.engine.activate(bench.window)
        #expect(bench.engine.firstResponder === bench.view)
    }

    @Test("FR-5 from iOS 15 Tab moves the focus and with it the first responder, over what can have the focus")
    func focusMoves() throws {
        let bench = try Bench("ios15")
        bench.engine.hasFocusSystem = true
        let (first, locked, last) = (TextField(id: "first"), TextField(id: "locked"), TextField(id: "last"))
        locked.isEditable = false
        let list = TableView(id: "list", sections: [2])
        for view in [first, locked, list, last] as [View] { bench.view.addSubview(view) }
        let resolution = try bench.press("tab")
        #expect(resolution.takenBy == .focus && bench.engine.focusedItem === first)
        #expect(resolution.effects.contains(Effect(id: "first", kind: .focus, value: .text("first"))))
        try bench.press("tab")
        #expect(bench.engine.firstResponder === last)
        list.allowsFocus = true
        try bench.press("shift+tab")
        #expect(bench.engine.firstResponder === list)
        bench.engine.focus(first, asking: true)
        #expect(bench.engine.focusedItem === first, "the focus follows the first responder")
        let old = try Bench("ios134")
        old.engine.hasFocusSystem = true
        old.view.addSubview(TextField(id: "field"))
        #expect(try old.press("tab").outcome == .unhandled && old.engine.focusedItem == nil)
    }

    @Test("FR-5 EV-14 the focus stays inside what is presented on top")
    func focusInSheet() throws {
        let bench = try Bench("ios15")
        bench.engine.hasFocusSystem = true
        bench.view.addSubview(TextField(id: "below"))
        let sheet = ProbeController(id: "sheet")
        let content = View(id: "content")
        let field = TextField(id: "field")
        content.addSubview(field)
        sheet.view = content
        bench.vc.present(sheet)
        try bench.press("tab")
        try bench.press("tab")
        #expect(bench.engine.firstResponder === field)
    }

    @Test("FR-9 a probe is reported every change of first responder, also of those that hold it for a while")
    func everyChange() throws {
        let bench = try Bench("ios15")
        let log = ChangeLog()
        bench.engine.probe = log
        let menu = ProbeController(id: "editMenu")
        bench.vc.present(menu)
        menu.becomeFirstResponder()
        bench.vc.dismiss()
        bench.vc.becomeFirstResponder()
        #expect(log.changes == ["view>", ">editMenu", "editMenu>", ">vc"])
    }

    @Test("EV-16 while another app's text field has key focus the app gets no key, and is not told of any")
    func otherApp() throws {
        let bench = try Bench("ios15")
        let field = bench.addTextField()
        bench.engine.deactivate()
        let resolution = try bench.press("a")
        #expect(resolution.outcome == .noStart && resolution.receivers.isEmpty && field.text.isEmpty)
        bench.engine.activate()
        #expect(try bench.press("a").text == "a")
    }

    @Test("DS-6 sendAction without a target asks up from the first responder, and nobody when there is none")
    func sending() throws {
        let bench = try Bench("ios15")
        bench.vc.implemented = ["act:", "mine"]
        bench.vc.commands = [command("k", .command, "act:")]
        #expect(bench.application.sendAction("act:", to: nil, from: nil))
        #expect(!bench.application.sendAction("other:", to: nil, from: nil))
        bench.engine.focus(nil)
        #expect(!bench.application.sendAction("act:", to: nil, from: nil))
        #expect(try bench.press("cmd+k").outcome == .performed, "keys start at the deepest responder")
        #expect(bench.application.sendAction("mine", to: bench.vc, from: bench.view))
        #expect(!bench.application.sendAction("mine", to: bench.view, from: nil))
        #expect(bench.vc.performed == ["act:", "act:", "mine"])
    }

    @Test("DS-6 DS-4 DS-7 a sent action honours redirections and passes presenters by")
    func sendingFarther() throws {
        let bench = try Bench("ios15")
        let outside = ProbeController(id: "outside")
        bench.vc.redirect = ["far:": outside]
        #expect(bench.application.sendAction("far:", to: nil, from: nil) && outside.performed == ["far:"])
        let sheet = ProbeController(id: "sheet")
        bench.vc.present(sheet)
        bench.vc.performsActionsWhilePresentingModally = false
        bench.vc.implemented = ["act:"]
        sheet.becomeFirstResponder()
        #expect(!bench.application.sendAction("act:", to: nil, from: nil))
    }
}

private final class FirstWindow: Window {
    override var canBecomeFirstResponder: Bool { true }
}

private final class ChangeLog: EngineProbe {
    var changes: [String] = []
    func engine(_ engine: KeyboardEngine, reports report: EngineReport) {
        if case .firstResponder(let old, let new) = report { changes.append("\(old?.id ?? "")>\(new?.id ?? "")") }
    }
}
