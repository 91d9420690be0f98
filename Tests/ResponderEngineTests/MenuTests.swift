import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("Building menus")
struct MenuTests {
    /// The identifiers and titles of a menu's entries, one level deep.
    private func entries(_ menu: Menu?) -> [String] {
        (menu?.children ?? []).map { element in
            guard let menu = element as? Menu else { return element.title }
            return menu.identifier.name.replacing("com.apple.menu.", with: "")
        }
    }

    private func built(
        _ profile: String = "ios15", _ change: @escaping (any MenuBuilder) -> Void
    ) throws -> (bench: Bench, menu: Menu) {
        let bench = try Bench(profile)
        let delegate = BuildingDelegate(change)
        bench.application.delegate = delegate
        return (bench, bench.engine.mainMenu)
    }

    private func menu(_ name: String, _ children: [MenuElement] = []) -> Menu {
        Menu(title: name, identifier: .system(name), children: children)
    }

    private func find(_ name: String, in menu: Menu) -> Menu? {
        var rest = [menu]
        while let next = rest.popLast() {
            if next.identifier == .system(name) { return next }
            rest += next.children.compactMap { $0 as? Menu }
        }
        return nil
    }

    @Test("MM-3 siblings go before or after a menu, children to its start or end")
    func mm3insert() throws {
        let (_, root) = try built { builder in
            builder.insertSibling(self.menu("a"), beforeMenu: .edit)
            builder.insertSibling(self.menu("b"), afterMenu: .edit)
            builder.insertChild(self.menu("c"), atStartOfMenu: .file)
            builder.insertChild(self.menu("d"), atEndOfMenu: .file)
        }
        #expect(entries(root) == ["application", "file", "a", "edit", "b", "format", "view", "window", "help"])
        #expect(
            entries(find("file", in: root))
                == ["c", "new-scene", "open", "open-recent", "close", "document", "print", "d"])
    }

    @Test("MM-3 a menu is removed with all inside it, replaced, or given other children; menus are values")
    func mm3change() throws {
        let (_, root) = try built { builder in
            let before = builder.menu(for: .edit)
            builder.remove(menu: .standardEdit)
            #expect(self.entries(before).contains("standard-edit"))
            #expect(!self.entries(builder.menu(for: .edit)).contains("standard-edit"))
            #expect(builder.command(for: "cut:") == nil && builder.command(for: "undo:")?.title == "Undo")
            builder.replace(menu: .view, with: self.menu("view", [command("l", .command, "list:")]))
            builder.replaceChildren(ofMenu: .help) { $0 + [Command(title: "Tour", action: "tour:")] }
            builder.replaceChildren(ofMenu: .textStyle) { Array($0.reversed()) }
            #expect(builder.command(for: "tour:", propertyList: nil) != nil)
        }
        #expect(entries(find("help", in: root)) == ["Tour"])
        #expect(entries(find("text-style", in: root)) == ["Underline", "Italic", "Bold"])
        #expect(find("sidebar", in: root) == nil)
    }

    @Test("MM-4 a key, command or identifier that is there already is dropped by insert and raised by replace")
    func mm4() throws {
        let list = KeyCommand(title: "", action: "x:", input: "1", modifierFlags: .command, propertyList: "a")
        let other = KeyCommand(title: "", action: "x:", input: "2", modifierFlags: .command, propertyList: "b")
        let own = menu("own", [list, other])
        let cases: [(Menu, MenuViolation)] = [
            (menu("k", [command("C", .command, "own:")]), .duplicateKey("⌘C", "own:")),
            (
                menu("k", [KeyCommand(title: "", action: "x:", input: "3", propertyList: "a")]),
                .duplicateCommand("x:", propertyList: "a")
            ),
            (menu("k", [menu("find")]), .duplicateMenu(.find)),
            (menu("k", [KeyCommand(title: "", action: "y:", input: nil)]), .incompleteKeyCommand("y:")),
            (menu("k", [command("4", [], "a:"), command("4", [], "b:")]), .repeats(.duplicateKey("4", "b:"))),
        ]
        _ = try built { builder in
            builder.insertChild(own, atEndOfMenu: .file)
            #expect(builder.dropped.isEmpty)
            for (menu, violation) in cases {
                builder.insertSibling(menu, afterMenu: .file)
                #expect(builder.dropped.last == violation)
            }
            #expect(builder.dropped.count == cases.count && builder.raised == nil)
            builder.insertChild(self.menu("k"), atEndOfMenu: "nowhere")
            #expect(builder.dropped.last == .noSuchMenu("nowhere"))
            builder.insertSibling(self.menu("k"), afterMenu: .root)
            #expect(builder.dropped.last == .rootHasNoSiblings)
        }
        for (menu, violation) in cases {
            let changes = [MenuChange.replace(.window, with: menu), .replaceChildren(of: .window, with: menu.children)]
            for change in changes {
                let (_, root) = try built { builder in
                    builder.insertChild(own, atEndOfMenu: .file)
                    builder.apply(change)
                    #expect(builder.raised == violation)
                    // Nothing is built after the exception.
                    builder.remove(menu: .window)
                }
                #expect(find("own", in: root) != nil && find("window", in: root) != nil)
            }
        }
    }

    @Test("MM-4 what a replacement puts in the place of may come again in it")
    func mm4again() throws {
        let (_, root) = try built { builder in
            if let style = builder.menu(for: .textStyle) {
                builder.replace(menu: .textStyle, with: style.replacingChildren(style.children.dropLast()))
            }
            #expect(builder.command(for: "toggleBoldface:") != nil && builder.command(for: "toggleUnderline:") == nil)
            builder.insertChild(self.menu("own", [command("u", .command, "own:")]), atEndOfMenu: .format)
            #expect(builder.dropped.isEmpty)
        }
        #expect(find("own", in: root) != nil)
    }

    @Test("G24 ⌘B added while the default menu has its text style menu is dropped and logged; replacing raises")
    func g24() throws {
        let bench = try Bench("ios15")
        bench.vc.implemented = ["bookmark:"]
        let own = menu("own", [command("b", .command, "bookmark:")])
        bench.application.menuChanges = [.insertAfter(.edit, own)]
        let dropped = try bench.press("cmd+b")
        #expect(dropped.outcome == .unhandled)
        #expect(dropped.effects.map(\.kind) == [.menuDropped] && dropped.effects.map(\.id) == ["app"])
        bench.application.menuChanges = [.replace(.help, with: own)]
        bench.application.setNeedsRebuild()
        let raised = try bench.press("cmd+b")
        #expect(raised.outcome == .unhandled && raised.effects.map(\.kind) == [.menuRaised])
        let owner = "bookmark: (⌘B): the menu has a command with this key, the system's toggleBoldface:"
        #expect(raised.effects.first?.value == .text(owner))
        bench.application.menuChanges = [.remove(.textStyle), .insertAfter(.edit, own)]
        bench.application.setNeedsRebuild()
        let performed = try bench.press("cmd+b")
        #expect(performed.outcome == .performed && performed.takenBy == .mainMenu && performed.effects.isEmpty)
    }

    @Test("MM-5 one action with different property lists is several commands")
    func mm5() throws {
        let (_, root) = try built { builder in
            let tabs = (1...3).map {
                KeyCommand(
                    title: "Tab \($0)", action: "tab:", input: "\($0)", modifierFlags: .command, propertyList: "\($0)")
            }
            builder.insertChild(self.menu("tabs", tabs), atEndOfMenu: .window)
            #expect(builder.command(for: "tab:", propertyList: "2")?.title == "Tab 2")
        }
        #expect(entries(find("tabs", in: root)) == ["Tab 1", "Tab 2", "Tab 3"])
    }

    @Test("MM-1 T-29 the main menu asks the application and its delegate only; a context menu asks the chain")
    func mm1() throws {
        let bench = try Bench("ios15")
        let near = BuildingController(id: "near")
        near.explicitNext = bench.vc
        bench.engine.focus(near)
        _ = try bench.press("cmd+k")
        bench.engine.setNeedsRebuild()
        #expect(try bench.press("cmd+k").calls.buildMenu == 1)
        #expect(near.asked.isEmpty)
        bench.application.mainMenu = [menu("own")]
        #expect(entries(bench.engine.contextMenu(for: near)) == ["near"])
        #expect(near.asked == [.context])
    }

    @Test("MM-8 from iOS 26 a build handler takes over from buildMenu", arguments: ["ios15", "ios26"])
    func mm8(profile: String) throws {
        let bench = try Bench(profile)
        bench.vc.implemented = ["own:", "handled:"]
        bench.application.mainMenu = [menu("own", [command("k", .command, "own:")])]
        #expect(try bench.press("cmd+k").action == "own:")
        bench.application.setMainMenuBuildHandler { builder in
            builder.insertChild(self.menu("own", [command("k", .command, "handled:")]), atEndOfMenu: .file)
        }
        #expect(try bench.press("cmd+k").action == (profile == "ios26" ? "handled:" : "own:"))
    }

    @Test("MM-4 the default menu's own keys are no matches of the application's commands")
    func defaults() throws {
        let bench = try Bench("ios15")
        let resolution = try bench.press("cmd+z")
        #expect(resolution.outcome == .unhandled && resolution.takenBy == nil && resolution.shadowed.isEmpty)
    }

    @Test("DS-5 T-21 DS-8 validation passes a command that is no key command, a key press one that is")
    func ds5() throws {
        let bench = try Bench("ios15")
        let near = CastingController(id: "near")
        near.explicitNext = bench.vc
        bench.engine.focus(near)
        bench.application.mainMenu = [menu("own", [command("k", .command, "move:")])]
        bench.engine.setNeedsRevalidate()
        let resolution = try bench.press("cmd+k")
        #expect(resolution.outcome == .performed && resolution.target === near)
        #expect(resolution.calls.validate == 0 && near.senders == [false, true])
    }

    @Test("MM-2 each validation begins with what the menu was built with")
    func mm2() throws {
        let bench = try Bench("ios15")
        let near = TitlingController(id: "near")
        near.explicitNext = bench.vc
        bench.engine.focus(near)
        bench.application.mainMenu = [menu("own", [command("k", .command, "move:")])]
        near.isOff = true
        bench.engine.setNeedsRevalidate()
        #expect(try bench.press("cmd+k").outcome == .unhandled)
        near.isOff = false
        #expect(try bench.press("cmd+k").outcome == .unhandled)
        bench.engine.setNeedsRevalidate()
        #expect(try bench.press("cmd+k").outcome == .performed)
    }
}

final class BuildingDelegate: Responder, ApplicationDelegate {
    private let change: (any MenuBuilder) -> Void

    init(_ change: @escaping (any MenuBuilder) -> Void) {
        self.change = change
        super.init(id: "delegate")
    }

    override func buildMenu(with builder: any MenuBuilder) {
        super.buildMenu(with: builder)
        change(builder)
    }
}

private final class BuildingController: ViewController {
    var asked: [MenuSystem] = []

    override func buildMenu(with builder: any MenuBuilder) {
        super.buildMenu(with: builder)
        asked.append(builder.system)
        builder.insertChild(Menu(title: id, identifier: .system("near")), atEndOfMenu: .root)
    }
}

/// Performs only what a key command asks for, as code that casts its sender does.
final class CastingController: ViewController {
    var senders: [Bool] = []

    override func responds(to action: Selector) -> Bool { action == "move:" }
    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        guard super.canPerformAction(action, withSender: sender) else { return false }
        senders.append(sender is KeyCommand)
        return sender is KeyCommand
    }
}

private final class TitlingController: ViewController {
    var isOff = false

    override func responds(to action: Selector) -> Bool { action == "move:" }
    override func validate(_ command: Command) { if isOff { command.attributes.insert(.disabled) } }
}
