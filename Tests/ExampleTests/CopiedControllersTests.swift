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
        engine.application.delegate = ReaderAppDelegate()
        engine.application.setNeedsRebuild()
        #expect(try engine.press("⌘R")?.outcome != .performed)
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
