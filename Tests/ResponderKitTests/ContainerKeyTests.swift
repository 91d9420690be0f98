import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Keys of tabs, navigation, windows, dates and maps")
struct ContainerKeyTests {
    private class Acting: ViewController {
        var performed: [String] = []
        var implemented: Set<String> = []
        override func responds(to action: Selector) -> Bool { implemented.contains(action.name) }
        override func perform(_ action: Selector, sender: Any?, event: PressesEvent?) { performed.append(action.name) }
    }

    // MARK: Tabs

    private func controllers(_ count: Int) -> [ViewController] {
        (0..<count).map { index in
            let controller = ViewController(id: "c\(index)")
            controller.title = "Tab \(index)"
            return controller
        }
    }

    @Test("⌘1 to ⌘9 select tabs, tell of the selected one again, and have their titles")
    func tabs() throws {
        final class Tabs: KeyboardTabBarController {
            var described: [String] = []
            var refused = ""
            override func shouldSelect(_ controller: ViewController) -> Bool { controller.id != refused }
            override func didSelect(_ controller: ViewController) { described.append(controller.id) }
        }
        let tabs = Tabs(id: "tabs", viewControllers: controllers(3))
        let bench = try ComponentBench(root: tabs)
        #expect(tabs.listed == ["⌘1", "⌘2", "⌘3"] && tabs.keyCommands?[1].title == "Tab 1")
        #expect(try bench.effects("cmd+2") == [Effect(id: "tabs", kind: .tab, value: .number(1))])
        #expect(try bench.came("cmd+2") == "selectTab2:")
        tabs.refused = "c0"
        #expect(try bench.came("cmd+1") == "selectTab1:")
        #expect(tabs.selectedIndex == 1 && tabs.described == ["c1", "c1"])
        #expect(try bench.came("cmd+4") == "unhandled")
        // A menu's copies get titles, or are dimmed.
        let copies = [1, 9].map { KeyCommand(title: "", action: Selector("selectTab\($0):"), input: "\($0)") }
        for copy in copies { tabs.validate(copy) }
        #expect(copies[0].title == "Tab 0" && copies[1].attributes.contains(.disabled))
        tabs.present(ViewController(id: "sheet"))
        #expect(tabs.listed == [])
        #expect(KeyboardTabBarController(viewControllers: controllers(10)).listed == [])
    }

    @Test("FR-4 selecting another tab or pushing takes the first responder from what is covered")
    func covered() throws {
        let view = View(id: "page")
        let first = ViewController(id: "first")
        first.view = view
        let navigation = KeyboardNavigationController(id: "nav", rootViewController: first)
        let tabs = KeyboardTabBarController(id: "tabs", viewControllers: [navigation, ViewController(id: "other")])
        let bench = try ComponentBench(root: tabs)
        bench.engine.focus(view)
        #expect(try bench.came("cmd+1") == "selectTab1:")
        #expect(bench.engine.firstResponder === view)
        #expect(
            try bench.effects("cmd+2") == [
                Effect(id: "page", kind: .firstResponder, value: .flag(false)),
                Effect(id: "tabs", kind: .tab, value: .number(1)),
            ])
        tabs.selectedIndex = 0
        bench.engine.focus(view)
        navigation.pushViewController(ViewController(id: "second"))
        #expect(bench.engine.firstResponder == nil)
        // Above what is covered nobody loses it.
        bench.engine.focus(tabs)
        tabs.selectedIndex = 1
        #expect(bench.engine.firstResponder === tabs)
    }

    // MARK: Navigation

    private func navigation(_ profile: String, rightToLeft: Bool = false) throws -> (
        KeyboardNavigationController, ComponentBench
    ) {
        let navigation = KeyboardNavigationController(id: "nav", rootViewController: Acting(id: "root"))
        navigation.pushViewController(Acting(id: "top"))
        let bench = try ComponentBench(profile, root: navigation, rightToLeft: rightToLeft)
        bench.engine.focus(navigation.topViewController)
        return (navigation, bench)
    }

    @Test("back by ⌘← and ⌘[, once, where there is a way back and a button for it")
    func back() throws {
        let (navigation, bench) = try navigation("ios15")
        // The system's own ⌘[ is not there twice.
        #expect(navigation.listed == ["⌘←", "⌘["])
        navigation.navigationItem.hidesBackButton = true
        #expect(navigation.listed == [])
        navigation.navigationItem.hidesBackButton = false
        navigation.navigationItem.leadingItems = [BarButtonItem(systemItem: .edit, action: "edit:")]
        #expect(navigation.listed == [])
        navigation.navigationItem.leadingItemsSupplementBackButton = true
        #expect(navigation.listed == ["⌘←", "⌘["])
        #expect(try bench.effects("cmd+[").contains(Effect(id: "nav", kind: .pop, value: .text("top"))))
        #expect(navigation.listed == [])
    }

    @Test("the bar's delegate may refuse to pop")
    func refused() throws {
        final class Kept: KeyboardNavigationController {
            override func shouldPop(_ controller: ViewController) -> Bool { false }
        }
        let navigation = Kept(id: "nav", rootViewController: ViewController(id: "root"))
        navigation.pushViewController(ViewController(id: "top"))
        let bench = try ComponentBench(root: navigation)
        #expect(try bench.came("cmd+left") == "goBack:")
        #expect(navigation.viewControllers.count == 2)
    }

    @Test("in a right-to-left interface back is ⌘→, by the system from iOS 15 on and by the component before")
    func backRightToLeft() throws {
        for profile in ["ios134", "ios15"] {
            let (navigation, bench) = try navigation(profile, rightToLeft: true)
            #expect(navigation.listed == (profile == "ios15" ? ["⌘←", "⌘["] : ["⌘→", "⌘]"]))
            #expect(try bench.came("cmd+left") == "unhandled")
            #expect(try bench.came("cmd+]") == "goBack:")
        }
    }

    @Test("leading buttons, trailing ones from the far end, the toolbar's; those of the kit that are enabled")
    func bars() throws {
        let (navigation, bench) = try navigation("ios15")
        func item(_ item: BarButtonItem.SystemItem) -> KeyboardBarButtonItem {
            KeyboardBarButtonItem(systemItem: item, action: Selector("\(item.rawValue):"))
        }
        let off = item(.save)
        off.isEnabled = false
        var bar = NavigationItem()
        bar.leadingItems = [item(.cancel)]
        bar.trailingItems = [item(.action), item(.add), off, BarButtonItem(systemItem: .edit, action: "edit:")]
        bar.toolbarItems = [item(.trash), item(.play)]
        navigation.setNavigationItem(bar, of: try #require(navigation.topViewController))
        #expect(navigation.listed == ["esc", "⌘N", "⌘I", "⌘⌫"])
        #expect(navigation.keyCommands?.map(\.title) == ["Cancel", "Add", "Action", "Trash"])
        let top = try #require(navigation.topViewController as? Acting)
        top.implemented = ["add:"]
        // Sent to nobody in particular: whoever can perform it.
        #expect(try bench.came("cmd+n") == "add:")
        #expect(top.performed == ["add:"])
    }

    @Test("before iOS 15 keys that text wants are left to it while it is edited")
    func textFilter() throws {
        for (profile, expected) in [("ios134", ["⌘["]), ("ios15", ["⌘←", "⌘["])] {
            let (navigation, bench) = try navigation(profile)
            let field = TextField(id: "field")
            let view = View(id: "view")
            view.addSubview(field)
            navigation.topViewController?.view = view
            bench.engine.focus(field)
            #expect(navigation.listed == expected)
        }
    }

    @Test("default keys of buttons (spec 8.3)")
    func equivalents() {
        var keys: [String] = []
        for item in BarButtonItem.SystemItem.allCases {
            guard let key = KeyboardBarButtonItem(systemItem: item, action: "x:").command else { continue }
            keys.append("\(item.rawValue) \(key.modifierFlags == .command ? "⌘" : "")\(key.input ?? "")")
        }
        #expect(
            keys == [
                "done ⌘\r", "cancel UIKeyInputEscape", "edit ⌘e", "save ⌘s", "add ⌘n", "compose ⌘n", "reply ⌘r",
                "action ⌘i", "bookmarks ⌘b", "search ⌘f", "refresh ⌘r", "trash ⌘\u{8}", "rewind ⌘UIKeyInputLeftArrow",
                "fastForward ⌘UIKeyInputRightArrow", "close ⌘w",
            ])
    }

    // MARK: Windows

    @Test("Escape and ⌘W dismiss the topmost sheet or popover, and ask first")
    func dismissal() throws {
        let window = KeyboardWindow(id: "win")
        let bench = try ComponentBench(window: window)
        let sheet = Acting(id: "sheet")
        sheet.modalPresentationStyle = .formSheet
        sheet.implemented = [
            "presentationWillDismiss:", "presentationDidDismiss:", "presentationDidAttemptToDismiss:",
        ]
        let full = ViewController(id: "full")
        full.modalPresentationStyle = .fullScreen
        bench.root.present(sheet)
        sheet.present(full)
        // What is on top is no sheet.
        #expect(try bench.effects("cmd+w") == [])
        sheet.dismiss()
        sheet.isModalInPresentation = true
        #expect(try bench.effects("escape") == [])
        #expect(sheet.performed == ["presentationDidAttemptToDismiss:"])
        sheet.isModalInPresentation = false
        sheet.performed = []
        #expect(try bench.effects("escape") == [Effect(id: "vc", kind: .dismiss, value: .text("sheet"))])
        #expect(sheet.performed == ["presentationWillDismiss:", "presentationDidDismiss:"])
        // A question that the controller answers no to.
        final class Stubborn: ViewController {
            override func responds(to action: Selector) -> Bool { action == KeyboardWindow.shouldDismissQuestion }
            override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool { false }
        }
        let stubborn = Stubborn(id: "stubborn")
        stubborn.modalPresentationStyle = .popover
        bench.root.present(stubborn)
        #expect(try bench.effects("cmd+w") == [])
        #expect(bench.root.presentedViewController === stubborn)
        #expect(!window.canBecomeFirstResponder)
    }

    @Test("a sheet that is on its way in is not dismissed")
    func transition() throws {
        let bench = try ComponentBench(window: KeyboardWindow(id: "win"))
        let sheet = ViewController(id: "sheet")
        sheet.transitionDuration = TraceDuration(nanoseconds: 500_000_000)
        bench.root.present(sheet)
        try bench.press("escape", at: 100)
        #expect(bench.root.presentedViewController === sheet)
        try bench.press("escape", at: 600)
        #expect(bench.root.presentedViewController == nil)
    }

    @Test("new windows and settings where the app has them")
    func application() throws {
        let application = KeyboardApplication(id: "app")
        _ = try ComponentBench(application: application)
        #expect(application.listed == [] && application.canBecomeFirstResponder)
        application.supportsMultipleScenes = true
        application.hasSettings = true
        #expect(application.listed == ["⌥⌘N", "⌘,"])
        #expect(application.keyCommands?.map(\.title) == ["New Window", "Settings"])
    }

    @Test("windows go round by ⌘` before iOS 15, and ⇧⌘W closes one")
    func scenes() throws {
        for profile in ["ios134", "ios15"] {
            let application = KeyboardApplication(id: "app")
            let scene = KeyboardWindowScene(id: "scn")
            let bench = try ComponentBench(profile, application: application, scene: scene)
            #expect(scene.listed == [])
            application.supportsMultipleScenes = true
            #expect(scene.listed == ["⇧⌘W"])
            let other = KeyboardWindowScene(id: "scn2")
            let window = Window(id: "win2")
            other.addWindow(window)
            application.connect(other)
            bench.engine.focus(bench.root)
            #expect(scene.listed == (profile == "ios134" ? ["⌘`", "⇧⌘W"] : ["⇧⌘W"]))
            if profile == "ios134" {
                #expect(try bench.came("cmd+`") == "cycleWindows:")
                #expect(application.keyWindow === window)
                application.makeKey(bench.window)
            }
            #expect(
                try bench.effects("shift+cmd+w") == [Effect(id: "app", kind: .dismiss, value: .text("scn"))])
            #expect(application.connectedScenes.map(\.id) == ["scn2"] && application.keyWindow === window)
        }
    }

    // MARK: Dates and maps

    @Test("arrows change a date by a day, a week, a month or a year; ⌘T goes to today within the limits")
    func dates() throws {
        let picker = KeyboardDatePicker(id: "date", date: try #require(CalendarDay(text: "2024-01-31")))
        let bench = try ComponentBench(view: picker)
        func date(_ key: String) throws -> String {
            try bench.press(key)
            return picker.date.text
        }
        #expect(try date("opt+right") == "2024-02-29")
        #expect(try date("opt+down") == "2025-02-28")
        #expect(try date("opt+up") == "2024-02-28")
        #expect(try date("down") == "2024-03-06")
        #expect(try date("up") == "2024-02-28")
        #expect(try date("right") == "2024-02-29")
        #expect(try date("right") == "2024-03-01")
        #expect(try date("opt+left") == "2024-02-01")
        #expect(try date("left") == "2024-01-31")
        picker.minimumDate = CalendarDay(text: "2024-01-01")
        picker.today = try #require(CalendarDay(text: "2020-05-05"))
        #expect(try date("cmd+t") == "2024-01-01")
        bench.engine.layoutDirection = .rtl
        #expect(try date("left") == "2024-01-02")
        #expect(try date("opt+right") == "2024-01-02")
        picker.style = .compact
        #expect(picker.listed == [])
        picker.style = .inline
        picker.mode = .time
        #expect(picker.listed == [])
        picker.mode = .dateAndTime
        #expect(picker.listed == ["←", "→", "↑", "↓", "⌥←", "⌥→", "⌥↑", "⌥↓", "⌘T"])
        #expect(picker.keyCommands?.prefix(8).allSatisfy { $0.wantsPriorityOverSystemBehavior } == true)
    }

    @Test("days are counted through centuries and back")
    func calendar() throws {
        let day = try #require(CalendarDay(text: "1999-12-31"))
        for days in [1, 59, 60, 365, 366, 36_524, 146_097, -1, -730_000] {
            let there = try #require(day.adding(days: days))
            #expect(there.adding(days: -days) == day, "\(days)")
        }
        #expect(day.adding(days: 60)?.text == "2000-02-29")
        #expect(day.adding(days: 3_000_000) == nil && day.adding(days: -730_119) == nil)
        #expect(day.adding(months: -24_000) == nil && day.adding(months: 2)?.text == "2000-02-29")
    }

    @Test("a map turns to the north and to where the user is, when that is known")
    func map() throws {
        let map = KeyboardMapView(id: "map")
        map.heading = 90
        let bench = try ComponentBench(view: map)
        #expect(map.listed == ["⇧⌘↑"])
        #expect(try bench.came("shift+cmd+up") == "snapToNorth:")
        #expect(map.heading == 0)
        map.showsUserLocation = true
        #expect(try bench.came("cmd+l") == "unhandled")
        map.userLocation = Extent(width: 4, height: 5)
        #expect(try bench.effects("cmd+l") == [Effect(id: "map", kind: .offset, value: .numbers([4, 5]))])
        map.isRotateEnabled = false
        #expect(map.listed == ["⌘L"])
    }
}
