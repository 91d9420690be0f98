import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("The system's own keys")
struct StandardKeysTests {
    private static let everyVersion = [
        ("cmd+x", "cut:"), ("cmd+c", "copy:"), ("cmd+v", "paste:"), ("cmd+a", "selectAll:"), ("cmd+z", "undo:"),
        ("shift+cmd+z", "redo:"), ("cmd+b", "toggleBoldface:"), ("cmd+i", "toggleItalics:"),
        ("cmd+u", "toggleUnderline:"), ("shift+cmd+plus", "increaseSize:"), ("cmd+minus", "decreaseSize:"),
        ("cmd+,", "orderFrontPreferencesPanel:"), ("cmd+t", "orderFrontFontPanel:"),
        ("opt+cmd+t", "toggleToolbarShown:"), ("shift+cmd+/", "showHelp:"),
    ]
    private static let fromIOS15 = [
        ("opt+shift+cmd+v", "pasteAndMatchStyle:"), ("cmd+p", "print:"), ("ctrl+cmd+s", "toggleSidebar:"),
    ]
    private static let fromIOS16 = [
        ("cmd+f", "find:"), ("opt+cmd+f", "findAndReplace:"), ("cmd+g", "findNext:"), ("shift+cmd+g", "findPrevious:"),
        ("cmd+e", "useSelectionForFind:"),
    ]

    @Test("DT-8 each standard key goes to whoever performs its action", arguments: Profile.versionNames)
    func keys(profile: String) throws {
        for (chord, action) in Self.everyVersion + Self.fromIOS15 + Self.fromIOS16 {
            let bench = try Bench(profile)
            bench.application.supportsPrintCommand = true
            bench.vc.implemented = [action]
            let isOld = ["ios7", "ios9", "ios13", "ios134"].contains(profile)
            let isThere =
                Self.everyVersion.contains { $0.1 == action }
                || Self.fromIOS15.contains { $0.1 == action } && !isOld || ["ios16", "ios26", "ios27"].contains(profile)
            let resolution = try bench.press(chord)
            #expect(resolution.action?.name == (isThere ? action : nil), "\(chord)")
            #expect(resolution.takenBy == (isThere ? .standardEdit : nil), "\(chord)")
        }
    }

    @Test("DT-8 delete: has no key, and a key whose action nobody performs is free")
    func free() throws {
        let bench = try Bench("ios26")
        bench.vc.implemented = ["delete:"]
        #expect(try bench.press("cmd+delete").outcome == .unhandled)
        for (chord, _) in Self.everyVersion { #expect(try bench.press(chord).outcome == .unhandled) }
    }

    @Test("DT-8 ⌘P prints only in an application that says so")
    func printing() throws {
        let bench = try Bench("ios15")
        bench.vc.implemented = ["print:"]
        #expect(try bench.press("cmd+p").outcome == .unhandled)
        bench.application.supportsPrintCommand = true
        #expect(try bench.press("cmd+p").target === bench.vc)
    }

    @Test("MM-9 an app's command comes before the system's key for the rest, not for cut, copy and paste")
    func precedence() throws {
        let bench = try Bench("ios26")
        bench.vc.commands = [
            command("w", .command, "mine"), command("f", .command, "mine"), command("c", .command, "mine"),
        ]
        bench.vc.implemented = ["mine", "performClose:", "find:", "copy:"]
        #expect(try bench.press("cmd+w").action == "mine")
        #expect(try bench.press("cmd+f").action == "mine")
        #expect(try bench.press("cmd+c").action == "copy:")
    }

    @Test("MM-7 with the menu of text sizes its keys go, for those too who would perform them")
    func removedMenu() throws {
        let bench = try Bench("ios15")
        bench.vc.implemented = ["decreaseSize:", "undo:"]
        #expect(try bench.press("cmd+minus").action == "decreaseSize:")
        bench.application.menuChanges = [.remove(.textSize)]
        bench.engine.setNeedsRebuild()
        #expect(try bench.press("cmd+minus").outcome == .unhandled)
        #expect(try bench.press("cmd+z").action == "undo:")
    }

    @Test("§1.6 text undoes by itself; outside text somebody up the chain does", arguments: Profile.versionNames)
    func undo(profile: String) throws {
        let bench = try Bench(profile)
        bench.vc.implemented = ["undo:"]
        #expect(try bench.press("cmd+z").target === bench.vc)
        let field = bench.addTextField()
        try bench.press("a")
        #expect(try bench.press("cmd+z").target === field && field.text.isEmpty)
    }

    @Test("§1.6 ⌘` makes the application's next window key, from iOS 15 on and where there are two")
    func windows() throws {
        let bench = try Bench("ios15")
        #expect(try bench.press("cmd+`").outcome == .unhandled)
        let other = Window(id: "other")
        bench.scene.addWindow(other)
        #expect(try bench.press("cmd+`").target === bench.application)
        #expect(bench.application.keyWindow === other)
        try bench.press("cmd+`")
        #expect(bench.application.keyWindow === bench.window)
        let old = try Bench("ios134")
        old.scene.addWindow(Window(id: "other"))
        #expect(try old.press("cmd+`").outcome == .unhandled)
    }

    @Test("KC-3 from iOS 15 a navigation controller with something to go back to supplies ⌘[")
    func back() throws {
        for profile in Profile.versionNames {
            let bench = try Bench(profile)
            let navigation = NavigationController(id: "nav", rootViewController: bench.vc)
            bench.window.rootViewController = navigation
            bench.engine.focus(bench.vc)
            #expect(try bench.press("cmd+[").outcome == .unhandled)
            let detail = ProbeController(id: "detail")
            navigation.pushViewController(detail)
            bench.engine.focus(detail)
            let isNew = ["ios15", "ios16", "ios26", "ios27"].contains(profile)
            let resolution = try bench.press("cmd+[")
            #expect(resolution.outcome == (isNew ? .performed : .unhandled))
            #expect((resolution.target === navigation) == isNew)
            #expect(navigation.topViewController === (isNew ? bench.vc : detail))
        }
    }

    @Test("T-19 of two navigation controllers on a chain the nearest goes back, or under one beta the outermost")
    func twoNavigations() throws {
        for (rule, popped) in [("nearest", "inner"), ("outermost", "outer")] {
            let bench = try Bench("ios15")
            try bench.engine.profile.set("systemBackCommand", to: rule)
            let inner = NavigationController(id: "inner", rootViewController: ViewController(id: "a"))
            let outer = NavigationController(id: "outer", rootViewController: ViewController(id: "list"))
            bench.window.rootViewController = outer
            outer.pushViewController(inner)
            let page = ProbeController(id: "page")
            inner.pushViewController(page)
            bench.engine.focus(page)
            #expect(try bench.press("cmd+[").target?.id == popped)
            #expect(outer.children.count == (rule == "nearest" ? 2 : 1))
        }
    }

    @Test("KC-3 ⌘[ is gone from every cache once there is nothing to go back to", arguments: CachePolicy.allCases)
    func backAndCaches(policy: CachePolicy) throws {
        let bench = try Bench("ios15", cache: policy)
        let navigation = NavigationController(id: "nav", rootViewController: bench.vc)
        bench.window.rootViewController = navigation
        // The page that is pushed does not take the first responder along.
        bench.engine.focus(navigation)
        navigation.pushViewController(ProbeController(id: "detail"))
        bench.engine.shadowCheck = true
        #expect(try bench.press("cmd+[").outcome == .performed)
        #expect(try bench.press("cmd+[").outcome == .unhandled)
    }
}
