import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@Suite("What components stand on")
struct PlumbingTests {
    private func chain(_ responder: Responder?) -> [String] {
        var ids: [String] = []
        var here = responder
        while let responder = here {
            ids.append(responder.id)
            here = responder.next
        }
        return ids
    }

    @Test("KK-1 handlers stand behind the view, in order, and go on to what came next")
    func injection() throws {
        let table = KeyboardTableView(id: "table", sections: [2])
        let bench = try ComponentBench(view: table)
        #expect(
            chain(table) == ["table", "table.table", "table.selection", "table.scroll", "vc", "win", "scn", "app"])
        #expect(chain(KeyboardCollectionView(id: "grid")) == ["grid", "grid.selection", "grid.scroll"])
        #expect(chain(KeyboardScrollView(id: "scroll")) == ["scroll", "scroll.scroll"])
        // An explicit next comes after the handlers, and so does what it is taken back to.
        let other = Responder(id: "other")
        table.explicitNext = other
        #expect(chain(table) == ["table", "table.table", "table.selection", "table.scroll", "other"])
        #expect(table.explicitNext === other)
        table.explicitNext = nil
        #expect(chain(table).dropFirst(4).first == "vc")
        _ = bench
    }

    @Test("KK-1 controllers inject at themselves, so that their keys work when the controller is first")
    func controllers() throws {
        let controller = KeyboardTableViewController(id: "list", tableView: TableView(id: "table", sections: [3]))
        let bench = try ComponentBench(root: controller)
        bench.engine.focus(controller)
        #expect(
            chain(controller) == ["list", "list.table", "list.selection", "list.scroll", "win", "scn", "app"])
        #expect(try bench.effects("down") == [Effect(id: "table", kind: .selection, value: .numbers([0]))])
        let grid = KeyboardCollectionViewController(id: "grid", collectionView: CollectionView(id: "items"))
        #expect(chain(grid) == ["grid", "grid.selection", "grid.scroll"])
    }

    @Test("KK-2 the first responder is found, and whether a component is on its chain")
    func firstResponder() throws {
        let table = KeyboardTableView(id: "table", sections: [3])
        let field = TextField(id: "field")
        let bench = try ComponentBench(view: table)
        bench.window.addSubview(field)
        #expect(table.currentFirstResponder === table && table.isInResponderChain)
        bench.engine.focus(field)
        #expect(table.currentFirstResponder === field && !table.isInResponderChain)
        #expect(table.find("table.selection")?.keyCommands == nil)
    }

    @Test("KK-3 text is active where it can be edited")
    func text() throws {
        let field = TextField(id: "field")
        let view = TextView(id: "text")
        let bench = try ComponentBench(view: field)
        bench.window.addSubview(view)
        #expect(field.isTextInputActive)
        bench.engine.focus(view)
        #expect(field.isTextInputActive)
        view.isEditable = false
        #expect(!field.isTextInputActive)
        bench.engine.focus(bench.root)
        #expect(!field.isTextInputActive)
    }

    @Test("KK-4 a command that stands in the main menu is left out of the chain")
    func discoverable() throws {
        let tabs = KeyboardTabBarController(
            id: "tabs", viewControllers: [ViewController(id: "a"), ViewController(id: "b")])
        _ = try ComponentBench(root: tabs)
        let first = try #require(tabs.keyCommands?.first as? DiscoverableKeyCommand)
        #expect(first.shouldBeIncludedInResponderChainKeyCommands && tabs.listed == ["⌘1", "⌘2"])
        first.shouldBeIncludedInResponderChainKeyCommands = false
        #expect(tabs.listed == ["⌘2"])
    }

    @Test("answers that look at the first responder are read anew under every cache", arguments: CachePolicy.allCases)
    func caches(policy: CachePolicy) throws {
        let table = KeyboardTableView(id: "table", sections: [3])
        let field = TextField(id: "field")
        let bench = try ComponentBench("ios134", view: table, cache: policy)
        table.addSubview(field)
        #expect(try bench.came("down") == "selectBelow:")
        bench.engine.focus(field)
        #expect(try bench.came("down") == "consumedByText")
        bench.engine.focus(table)
        #expect(try bench.came("down") == "selectBelow:")
        #expect(table.selectedRows == [1])
        #expect(try bench.came("up") == "selectAbove:")
        #expect(table.selectedRows == [0])
    }
}
