import KeyLayout
import KeyModel
import ResponderEngine
import ResponderKit
import Testing

@testable import Scenes

/// The keys of components in scenes, by what the live object is then.
@Suite("Components in scenes")
struct ComponentSceneTests {
    private func live<Kind: Responder>(_ text: String, _: Kind.Type) throws -> (Kind, SceneInstance) {
        let scene = try Scene(text: sceneText(text) + "\ndevice: iphone\n", file: "a.scene.yaml")
        let instance = try scene.instantiate(resources: SceneInstanceTests.resources)
        return (try #require(instance.responder("a") as? Kind), instance)
    }

    @Test("lists: rows, selection, holes, moving and deleting", arguments: ["tableView", "keyboardTableView"])
    func tables(kind: String) throws {
        let (table, _) = try live(
            """
            - id: a
              kind: \(kind)
              sections: [3, 2]
              unselectable: [1]
              selected: [0, 4]
              allowsMultipleSelection: true
              allowsFocus: true
              movesRows: true
              diffable: true
              deletesRows: true
              rowHeight: 30
              viewport: [100, 60]
              offset: [0, 20]
              paging: true
            """, TableView.self)
        #expect(table.sections == [3, 2] && table.unselectableRows == [1] && table.selectedRows == [0, 4])
        #expect(table.allowsFocus && table.allowsMovingRows && table.usesDiffableDataSource && table.commitsDeletion)
        #expect(table.scrollableSize == Extent(width: 100, height: 150) && table.isPagingEnabled)
        #expect(table.contentOffset == Extent(width: 0, height: 20))
        #expect((table is KeyboardTableView) == kind.hasPrefix("keyboard"))
        let handlers = kind == "tableView" ? [] : ["a.table", "a.selection", "a.scroll"]
        #expect(table.injectedResponders.map(\.id) == handlers)
    }

    @Test("collections: each layout", arguments: ["collectionView", "keyboardCollectionView"])
    func collections(kind: String) throws {
        for (layout, second) in [
            ("{kind: flow, itemSize: [40, 20], spacing: 5}", Frame(x: 45, y: 0, width: 40, height: 20)),
            ("{kind: compositional, itemSize: [90, 20], spacing: 5}", Frame(x: 0, y: 25, width: 90, height: 20)),
            ("{kind: frames, frames: [[0, 0, 9, 9], [1, 2, 3, 4]]}", Frame(x: 1, y: 2, width: 3, height: 4)),
        ] {
            let (grid, _) = try live(
                "- {id: a, kind: \(kind), rows: 2, viewport: [100, 100], itemLayout: \(layout)}", CollectionView.self)
            #expect(grid.frame(ofRow: 1) == second, "\(layout)")
        }
    }

    @Test("collections: lines across, mirrored ones, and items that are not seen")
    func directionsOfCollections() throws {
        let across = "{kind: flow, itemSize: [40, 20], spacing: 5, scrollsHorizontally: true}"
        let (grid, _) = try live(
            "- {id: a, kind: keyboardCollectionView, rows: 9, viewport: [100, 100], itemLayout: \(across)}",
            CollectionView.self)
        #expect(grid.frame(ofRow: 1) == Frame(x: 0, y: 25, width: 40, height: 20))
        #expect(grid.frame(ofRow: 4) == Frame(x: 45, y: 0, width: 40, height: 20))
        let frames = "{kind: frames, flips: true, hidden: [1], frames: [[0, 0, 9, 9], [10, 0, 9, 9], [20, 0, 9, 9]]}"
        let (mirrored, instance) = try live(
            """
            - {id: app, kind: application}
            - {id: win, kind: window, keyWindow: true}
            - {id: a, kind: keyboardCollectionView, superview: win, rows: 3, selected: [0], itemLayout: \(frames)}
            """, CollectionView.self)
        instance.engine.layoutDirection = .rtl
        #expect(mirrored.frame(ofRow: 0).x == 20)
        mirrored.becomeFirstResponder()
        // The item between them cannot be seen.
        #expect(try instance.engine.press("left")?.action == "selectLeft:" && mirrored.selectedRows == [2])
    }

    @Test("lists that are not selected in scroll by arrows")
    func scrollingLists() throws {
        let (table, _) = try live(
            "- {id: a, kind: keyboardTableView, rows: 9, viewport: [100, 100], allowsSelection: false}", TableView.self)
        #expect(!table.allowsSelection && table.arrowsScroll)
    }

    @Test("scrolling: sizes, zoom and refresh", arguments: ["scrollView", "keyboardScrollView"])
    func scrolling(kind: String) throws {
        let (view, _) = try live(
            """
            - id: a
              kind: \(kind)
              contentSize: [100, 900]
              viewport: [100, 300]
              offset: [0, 600]
              zoom: {min: 0.25, max: 3.125, current: 1.5}
              refresh: "reload:"
              scrollEnabled: false
            """, ScrollView.self)
        #expect(view.contentOffset.height == 600 && view.zoomScale == 1500 && view.refreshAction == "reload:")
        #expect(view.zoomLimits == ZoomLimits(minimum: 250, maximum: 3125) && !view.isScrollEnabled)
    }

    @Test("dates: limits, today, style and mode; without a date the nearest within the limits")
    func dates() throws {
        let (picker, _) = try live(
            "- {id: a, kind: keyboardDatePicker, minimumDate: 2020-01-01, today: 2021-02-03, style: wheels, "
                + "mode: time}",
            KeyboardDatePicker.self)
        #expect(picker.date.text == "2020-01-01" && picker.today.text == "2021-02-03")
        #expect(picker.style == .wheels && picker.mode == .time)
        let (plain, _) = try live("- {id: a, kind: datePicker, date: 2026-11-21}", DatePicker.self)
        #expect(plain.date.text == "2026-11-21")
    }

    @Test("containers: tabs, buttons in bars, columns")
    func containers() throws {
        let (tabs, _) = try live(
            """
            - {id: a, kind: keyboardTabBarController, viewControllers: [b, c], selectedIndex: 1}
            - {id: b, kind: viewController, title: One}
            - {id: c, kind: viewController, title: Two}
            """, KeyboardTabBarController.self)
        #expect(tabs.selectedIndex == 1 && tabs.viewControllers.map(\.title) == ["One", "Two"])
        let (navigation, _) = try live(
            """
            - id: a
              kind: keyboardNavigationController
              viewControllers: [b]
              trailingItems: [{systemItem: save, action: "save:"}]
            - {id: b, kind: viewController}
            """, KeyboardNavigationController.self)
        #expect(navigation.keyCommands?.map(\.action) == ["save:"])
        for (key, actions) in [
            ("leadingItemsSupplementBackButton: true", ["goBack:", "goBack:", "close:", "play:"]),
            ("leadingItemsSupplementBackButton: false", ["close:", "play:"]),
            ("hidesBackButton: true", ["close:", "play:"]),
        ] {
            let (stack, _) = try live(
                """
                - {id: a, kind: keyboardNavigationController, viewControllers: [b, c]}
                - {id: b, kind: viewController}
                - id: c
                  kind: viewController
                  leadingItems: [{systemItem: close, action: "close:"}, {title: Plain, action: "plain:"}]
                  toolbarItems: [{title: Play, action: "play:", input: p, modifiers: [command]}]
                  \(key)
                """, KeyboardNavigationController.self)
            #expect(stack.keyCommands?.map(\.action.name) == actions, "\(key)")
        }
        let (split, _) = try live(
            """
            - id: a
              kind: keyboardSplitViewController
              columns: [b, c, d]
              displayMode: twoOverSecondary
              splitBehavior: overlay
              primaryEdge: trailing
            - {id: b, kind: viewController}
            - {id: c, kind: viewController}
            - {id: d, kind: viewController}
            """, KeyboardSplitViewController.self)
        #expect(split.displayMode == .twoOverSecondary && split.primaryEdge == .trailing)
        #expect(split.splitBehavior == .overlay && split.isTriple && split.focusedColumn == nil)
        let (single, _) = try live(
            """
            - {id: a, kind: keyboardSplitViewController, columns: [b, c], collapsed: true}
            - {id: b, kind: viewController}
            - {id: c, kind: viewController}
            """, KeyboardSplitViewController.self)
        #expect(single.isCollapsed && single.keyCommands?.isEmpty != false)
    }

    @Test("what a scene declares goes before what a component does by itself")
    func declared() throws {
        let (table, instance) = try live(
            """
            - {id: app, kind: application}
            - {id: win, kind: window, keyWindow: true}
            - id: a
              kind: keyboardTabBarController
              next: win
              viewControllers: [b]
              keyCommands: [{input: 1, modifiers: [command], action: "own:"}]
              actions: ["own:"]
              canPerform: {"selectTab1:": false}
            - {id: b, kind: viewController}
            """, KeyboardTabBarController.self)
        #expect(table.keyCommands?.map(\.action) == ["own:", "selectTab1:"])
        #expect(try instance.engine.press("cmd+1")?.action == "own:")
    }

    @Test("applications, maps and sheets")
    func others() throws {
        let (app, _) = try live(
            "- {id: a, kind: keyboardApplication, supportsMultipleScenes: true, hasSettings: true}",
            KeyboardApplication.self)
        #expect(app.supportsMultipleScenes && app.hasSettings)
        let (map, _) = try live(
            "- {id: a, kind: keyboardMapView, heading: 45, rotateEnabled: false, userLocation: [1, 2]}",
            KeyboardMapView.self)
        #expect(map.heading == 45 && !map.isRotateEnabled && map.userLocation == Extent(width: 1, height: 2))
        let (sheet, _) = try live(
            "- {id: a, kind: viewController, isModalInPresentation: true, presentationStyle: popover}",
            ViewController.self)
        #expect(sheet.isModalInPresentation && sheet.modalPresentationStyle == .popover)
    }
}
