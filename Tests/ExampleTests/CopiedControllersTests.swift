import Testing
import UIKitNames

@Suite("Controllers copied from apps")
struct CopiedControllersTests {
    private func engine(_ root: UIViewController) throws -> KeyboardEngine {
        KeyboardEngine(rootViewController: root, layout: try Layout.named("us"))
    }

    @Test func tabsAreSelectedAndTheirControllersAppear() throws {
        let tabs = NumberedTabsController()
        let engine = try engine(tabs)
        #expect(tabs.viewControllers.count == 3 && tabs.selectedIndex == 0)
        let navigation = tabs.viewControllers.first as? UINavigationController
        let list = try #require(navigation?.topViewController as? ListController)
        #expect(list.events == ["load", "will appear", "did appear"])
        #expect(try engine.press("⌘2")?.outcome == .performed && tabs.selectedIndex == 1)
        #expect(list.events.suffix(2) == ["will disappear", "did disappear"])
        // A field that was never first is not now: its controller does not ask for it.
        #expect(engine.firstResponder == nil)
        #expect(try engine.press("⌘1")?.outcome == .performed)
        #expect(list.events.suffix(2) == ["will appear", "did appear"] && list.view.isFirstResponder)
    }

    @Test func aPushedControllerTakesTheKeyboardAndGivesItBack() throws {
        let list = ListController()
        let navigation = UINavigationController(rootViewController: list)
        let engine = try engine(navigation)
        #expect(try engine.press("return")?.target === list)
        let detail = try #require(navigation.topViewController as? DetailController)
        #expect(detail.isFirstResponder && detail.navigationController === navigation)
        #expect(try engine.press("⌘←")?.target === detail)
        #expect(navigation.viewControllers.count == 1 && list.view.isFirstResponder)
        // On the last one the command is not performed.
        #expect(try engine.press("⌘←")?.target == nil)
    }

    @Test func aSearchFieldIsReachedAndLeft() throws {
        let search = SearchController()
        let engine = try engine(search)
        search.becomeFirstResponder()
        #expect(try engine.press("⌘F")?.target === search && search.searchField.isFirstResponder)
        for key in ["c", "a", "t"] { try engine.press(key) }
        #expect(search.searchField.text?.isEmpty == false)
        #expect(try engine.press("escape")?.target === search)
        #expect(search.searchField.text == "" && search.isFirstResponder)
    }

    @Test func aControllerTakesPressesOfItsOwn() throws {
        let notes = NotesController()
        let engine = try engine(notes)
        #expect(try engine.press("escape")?.takenBy == .presses && notes.escapes == 1)
        #expect(try engine.press("a")?.text == "a")
    }

    @Test func anAlertIsAskedAndAnswered() throws {
        let controller = DeletingController()
        let engine = try engine(controller)
        #expect(try engine.press("cmd+delete")?.target === controller && controller.isAsked)
        let alert = try #require(controller.presentedViewController as? UIAlertController)
        #expect(alert.isFirstResponder && alert.actions.map(\.title) == ["Cancel", "Delete"])
        alert.choose(alert.actions[1])
        #expect(controller.isDeleted && controller.presentedViewController == nil)
        // No sheet that goes makes what is below it appear: it has no first responder any more.
        #expect(engine.firstResponder == nil)
    }

    @Test func columnsOfASplitViewAppear() throws {
        let split = MailSplitController()
        let engine = try engine(split)
        let list = try #require(split.viewController(for: .primary) as? MailListController)
        #expect(list.isFirstResponder && list.splitViewController === split)
        #expect(try engine.press("cmd+return")?.target === list)
        #expect(split.viewController(for: .secondary)?.isFirstResponder == true)
    }

    @Test func pagesTurn() throws {
        let reader = ReaderController()
        let engine = try engine(reader)
        #expect(try engine.press("right")?.target === reader)
        #expect((engine.firstResponder as? PageController)?.number == 1)
        #expect(try engine.press("left")?.target === reader && reader.viewControllers?.first?.isFirstResponder == true)
    }

    @Test func aContainerShowsAndHidesAChild() throws {
        let container = DrawerController()
        let engine = try engine(container)
        #expect(try engine.press("⌥⌘D")?.target === container)
        #expect(container.events == ["load", "will appear", "did appear"])
        #expect(try engine.press("⌥⌘D")?.target === container)
        #expect(container.events.suffix(2) == ["will disappear", "did disappear"] && engine.firstResponder == nil)
    }

    @Test func aFullScreenSheetGivesTheKeyboardBackAsWhatItCoveredAppears() throws {
        let grid = GridController()
        let engine = try engine(grid)
        #expect(try engine.press("⌘I")?.target === grid && grid.sheet.isFirstResponder)
        #expect(try engine.press("⌘W")?.target === grid)
        #expect(grid.presentedViewController == nil && grid.view.isFirstResponder)
        // The controller's own answer to who performs it ends the search.
        #expect(try engine.press("⌘W")?.target == nil)
    }

    @Test func theDelegateBuildsTheMenu() throws {
        let engine = try engine(GridController())
        let delegate = ReaderAppDelegate()
        engine.application.delegate = delegate
        let menus = engine.mainMenu.children.compactMap { $0 as? UIMenu }
        let first = menus.first { $0.identifier == .view }?.children.first as? UIMenu
        #expect(first?.identifier == "app.refresh" && !menus.contains { $0.identifier == .format })
        let refreshed = try engine.press("⌘R")
        #expect(refreshed?.takenBy == .mainMenu && refreshed?.target === delegate && delegate.refreshes == 1)
        delegate.isOnline = false
        engine.application.setNeedsRevalidate()
        #expect(try engine.press("⌘R")?.outcome == .unhandled && delegate.refreshes == 1)
    }

    @Test(arguments: ["ios15", "ios26"])
    func aDelegateReplacesAMenuOfTheSystem(profile: String) throws {
        let list = TaskListController()
        let engine = KeyboardEngine(
            rootViewController: list, profile: try #require(Profile.named(profile)), layout: try Layout.named("us"))
        // From iOS 26 on ⌘N is the system's until its menu is replaced.
        #expect(try engine.press("⌘N")?.takenBy == (profile == "ios26" ? .system : nil) && list.tasks.count == 2)
        let delegate = TaskAppDelegate()
        engine.application.delegate = delegate
        try engine.shared {
            #expect(delegate.application(.shared, didFinishLaunchingWithOptions: nil))
            let added = try engine.press("⌘N")
            #expect(added?.takenBy == .mainMenu && added?.target === list && list.tasks.last == "New task")
            #expect(try engine.press("shift+cmd+a")?.target == nil)
            #expect(try engine.press("shift+cmd+t")?.target === delegate)
            let archived = try engine.press("shift+cmd+a")
            #expect(archived?.target === list && archived?.calls.buildMenu == 2 && list.archived == ["New task"])
            #expect(archived?.effects.contains { $0.kind == .menuRaised || $0.kind == .menuDropped } == false)
        }
    }

    @Test func aTableDeletesWhatIsSelected() throws {
        let list = TaskListController()
        let engine = try engine(list)
        #expect(try engine.press("delete")?.target == nil && list.tasks == ["Call", "Sign"])
        list.tableView.select([0])
        #expect(try engine.press("delete")?.target === list && list.tasks == ["Sign"])
        #expect(list.tableView.sections == [1] && list.tableView.selectedRows.isEmpty)
    }

    @Test func aSceneDelegateMakesItsWindow() throws {
        let application = UIApplication()
        let engine = KeyboardEngine(application: application, layout: try Layout.named("us"))
        let (scene, delegate) = (UIWindowScene(), TaskSceneDelegate())
        scene.delegate = delegate
        application.connect(scene)
        #expect(application.keyWindow === delegate.window && delegate.window?.windowScene === scene)
        let navigation = try #require(delegate.window?.rootViewController as? UINavigationController)
        let list = try #require(navigation.topViewController as? TaskListController)
        #expect(list.view.isFirstResponder && list.view.window === delegate.window)

        list.tableView.select([1])
        #expect(try engine.press("return")?.target === list)
        let task = try #require(navigation.topViewController as? TaskController)
        #expect(task.textView.isFirstResponder && engine.softwareKeyboard.accessoryHeight == 44)
        #expect(try engine.press("escape")?.target === task && task.isFirstResponder)
        #expect(try engine.press("escape")?.target === task && navigation.topViewController === list)

        try engine.press("return")
        let other = try #require(navigation.topViewController as? TaskController)
        let saved = try engine.shared { try engine.press("⌘S") }
        #expect(saved?.target === other && other.saves == 1 && navigation.viewControllers.count == 1)
    }

    @Test func textPastesAsItsSubclassDoes() throws {
        let task = TaskController()
        let engine = try engine(task)
        for key in ["a", "⌘A", "⌘X", "⌘V", "⌘V"] { try engine.press(key) }
        #expect(task.textView.text == "aa" && task.textView.pastes == 2)
        task.textView.locksText = true
        try engine.press("⌘A")
        #expect(try engine.press("⌘X")?.target !== task.textView && task.textView.text == "aa")
    }

    @Test func aControllerCopiesAndPastesWhatItHas() throws {
        let drawing = DrawingController()
        let engine = try engine(drawing)
        #expect(try engine.press("⌘V")?.target == nil)
        #expect(try engine.press("⌘C")?.target == nil)
        #expect(try engine.press("⌘A")?.target === drawing && drawing.selection == ["circle", "square"])
        #expect(try engine.press("⌘X")?.target === drawing && drawing.shapes.isEmpty)
        for _ in 0..<2 { #expect(try engine.press("⌘V")?.action == "paste:") }
        #expect(drawing.shapes == ["circle", "square", "circle", "square"] && drawing.changes == 0)
    }

    @Test func aTerminalIsSentWhatIsTyped() throws {
        let (controller, terminal) = (UIViewController(), TerminalView())
        let engine = try engine(controller)
        controller.view.addSubview(terminal)
        terminal.becomeFirstResponder()
        for key in ["l", "s", "return", "delete", "⇧a"] { #expect(try engine.press(key)?.outcome == .consumedByText) }
        #expect(try engine.press("up")?.target === terminal)
        #expect(try engine.press("left")?.outcome != .consumedByText)
        #expect(terminal.sent == "ls\n\u{7F}A\u{1B}[A")
    }

    @Test func theFocusMovesAndItsControllerIsAsked() throws {
        let shelf = ShelfController()
        let engine = try engine(shelf)
        try engine.press("tab")
        #expect(engine.focusedItem === shelf.books[1] && shelf.updates == ["nothing to second"])
        try engine.press("tab")
        #expect(shelf.updates.last == "second to third" && shelf.books[2].isLit && !shelf.books[1].isLit)
        shelf.isLocked = true
        try engine.press("tab")
        #expect(engine.focusedItem === shelf.books[2] && shelf.updates.count == 2)
        shelf.isLocked = false
        shelf.show(0)
        #expect(engine.focusedItem === shelf.books[0] && shelf.updates.last == "third to first")
        // Text that becomes first responder has the focus; what the first responder was has it no more.
        shelf.search.becomeFirstResponder()
        #expect(engine.focusedItem === shelf.search && shelf.updates.last == "first to search")
        #expect(!shelf.books[0].isLit && shelf.updates.count == 4)
    }

    @Test func whatWaitsForATransitionComesAtItsEnd() throws {
        let controller = DeletingController()
        let engine = try engine(controller)
        let sheet = DetailController()
        sheet.transitionDuration = TraceDuration(nanoseconds: 400_000_000)
        var isPresented = false
        controller.present(sheet, animated: true) { isPresented = true }
        #expect(!isPresented && !sheet.isFirstResponder)
        engine.advance(to: .zero.advanced(by: sheet.transitionDuration))
        #expect(isPresented && sheet.isFirstResponder)
    }
}
