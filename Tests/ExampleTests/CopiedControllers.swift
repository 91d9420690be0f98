import UIKitNames

/// Controllers as apps have them: what changes is the import, `@objc`, and `#selector(…)` in quotes, with the list of
/// the actions, which a platform without Objective-C has no other way to know.

/// Tabs by ⌘1 to ⌘9.
final class NumberedTabsController: UITabBarController {
    override func viewDidLoad() {
        super.viewDidLoad()
        let list = UINavigationController(rootViewController: ListController())
        viewControllers = [list, SearchController(), NotesController()]
        selectedIndex = 0
    }

    override var keyCommands: [UIKeyCommand]? {
        (viewControllers ?? []).enumerated().map { index, controller in
            UIKeyCommand(
                title: controller.title ?? "Tab", image: UIImage(systemName: "\(index + 1).circle"),
                action: "selectTab:", input: "\(index + 1)", modifierFlags: .command,
                discoverabilityTitle: "Show tab \(index + 1)")
        }
    }

    func selectTab(_ sender: UIKeyCommand) {
        guard let input = sender.input, let number = Int(input) else { return }
        selectedIndex = number - 1
    }

    override class var actions: [Action] { super.actions + [Action("selectTab:", selectTab)] }
}

/// A list that pushes what is chosen, and ⌘← to go back.
final class ListController: UIViewController {
    private let table = UITableView()
    private(set) var events: [String] = []

    override func loadView() { view = table }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "List"
        let open = UIKeyCommand(input: "\r", modifierFlags: [], action: "open", discoverabilityTitle: "Open")
        open.wantsPriorityOverSystemBehavior = true
        addKeyCommand(open)
        events.append("load")
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        events.append("will appear")
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        events.append("did appear")
        table.becomeFirstResponder()
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        events.append("will disappear")
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        events.append("did disappear")
    }

    func open() { navigationController?.pushViewController(DetailController(), animated: true) }

    override class var actions: [Action] { super.actions + [Action("open", open)] }
}

final class DetailController: UIViewController {
    override var canBecomeFirstResponder: Bool { true }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        becomeFirstResponder()
    }

    override var keyCommands: [UIKeyCommand]? {
        let back = UIKeyCommand(
            title: "Back", action: "goBack:", input: UIKeyCommand.inputLeftArrow, modifierFlags: .command)
        back.wantsPriorityOverSystemBehavior = true
        return [back]
    }

    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        if action == "goBack:" { return (navigationController?.viewControllers.count ?? 0) > 1 }
        return super.canPerformAction(action, withSender: sender)
    }

    func goBack(_ sender: Any?) { navigationController?.popViewController(animated: true) }

    override class var actions: [Action] { super.actions + [Action("goBack:", goBack)] }
}

/// A search field that Escape leaves, and ⌘F reaches.
final class SearchController: UIViewController, UITextFieldDelegate {
    let searchField = UISearchTextField()

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Search"
        searchField.delegate = self
        view.addSubview(searchField)
    }

    override var canBecomeFirstResponder: Bool { true }

    override var keyCommands: [UIKeyCommand]? {
        var commands = [UIKeyCommand(input: "f", modifierFlags: .command, action: "focusSearch:")]
        if searchField.isFirstResponder {
            let cancel = UIKeyCommand(input: UIKeyCommand.inputEscape, modifierFlags: [], action: "cancelSearch:")
            cancel.wantsPriorityOverSystemBehavior = true
            commands.append(cancel)
        }
        return commands
    }

    func focusSearch(_ sender: UIKeyCommand?) { searchField.becomeFirstResponder() }
    func cancelSearch(_ sender: UIKeyCommand?) {
        searchField.text = ""
        searchField.resignFirstResponder()
        becomeFirstResponder()
    }

    override class var actions: [Action] {
        super.actions + [Action("focusSearch:", focusSearch), Action("cancelSearch:", cancelSearch)]
    }
}

/// A text view, and presses of its own.
final class NotesController: UIViewController, UITextViewDelegate {
    private let textView = UITextView()
    private(set) var escapes = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Notes"
        textView.delegate = self
        view.addSubview(textView)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        textView.becomeFirstResponder()
    }

    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        guard presses.contains(where: { $0.key?.keyCode == .keyboardEscape }) else {
            return super.pressesBegan(presses, with: event)
        }
        escapes += 1
    }
}

/// An alert before something is deleted.
final class DeletingController: UIViewController {
    private(set) var isDeleted = false
    private(set) var isAsked = false

    override var canBecomeFirstResponder: Bool { true }
    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        becomeFirstResponder()
    }

    override var keyCommands: [UIKeyCommand]? {
        [
            UIKeyCommand(
                title: "Delete", image: nil, action: "confirmDelete:", input: UIKeyCommand.inputDelete,
                modifierFlags: .command, attributes: .destructive)
        ]
    }

    func confirmDelete(_ sender: Any?) {
        let alert = UIAlertController(title: "Delete?", message: nil, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        alert.addAction(UIAlertAction(title: "Delete", style: .destructive) { [weak self] _ in self?.isDeleted = true })
        present(alert, animated: true) { [weak self] in self?.isAsked = true }
    }

    override class var actions: [Action] { super.actions + [Action("confirmDelete:", confirmDelete)] }
}

/// A sidebar and a detail, each with keys of its own.
final class MailSplitController: UISplitViewController {
    init() {
        super.init(style: .doubleColumn)
        setViewController(MailListController(), for: .primary)
        setViewController(MessageController(), for: .secondary)
    }
}

final class MailListController: UIViewController {
    override var canBecomeFirstResponder: Bool { true }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        becomeFirstResponder()
    }

    override var keyCommands: [UIKeyCommand]? {
        [UIKeyCommand(input: "\r", modifierFlags: .command, action: "showMessage:")]
    }

    func showMessage(_ sender: Any?) {
        splitViewController?.viewController(for: .secondary)?.becomeFirstResponder()
    }

    override class var actions: [Action] { super.actions + [Action("showMessage:", showMessage)] }
}

final class MessageController: UIViewController {
    override var canBecomeFirstResponder: Bool { true }
}

/// Pages by the arrows.
final class ReaderController: UIPageViewController {
    private var page = 0
    private let pages = (0..<3).map { PageController(number: $0) }

    override func viewDidLoad() {
        super.viewDidLoad()
        setViewControllers([pages[0]], direction: .forward, animated: false)
    }

    override var keyCommands: [UIKeyCommand]? {
        [(UIKeyCommand.inputLeftArrow, "previousPage"), (UIKeyCommand.inputRightArrow, "nextPage")].map {
            let command = UIKeyCommand(input: $0, modifierFlags: [], action: Selector($1))
            command.wantsPriorityOverSystemBehavior = true
            return command
        }
    }

    func previousPage() { turn(to: page - 1) }
    func nextPage() { turn(to: page + 1) }

    private func turn(to number: Int) {
        guard pages.indices.contains(number) else { return }
        setViewControllers([pages[number]], direction: number > page ? .forward : .reverse, animated: true)
        page = number
    }

    override class var actions: [Action] {
        super.actions + [Action("previousPage", previousPage), Action("nextPage", nextPage)]
    }
}

final class PageController: UIViewController {
    let number: Int

    init(number: Int) {
        self.number = number
        super.init(nibName: nil, bundle: nil)
    }

    override var canBecomeFirstResponder: Bool { true }
    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        becomeFirstResponder()
    }
}

/// A container that shows one child at a time.
final class DrawerController: UIViewController {
    private let content = MessageController()
    private let drawer = ListController()

    override func viewDidLoad() {
        super.viewDidLoad()
        addChild(content)
        view.addSubview(content.view)
        content.didMove(toParent: self)
    }

    override var keyCommands: [UIKeyCommand]? {
        [UIKeyCommand(input: "d", modifierFlags: [.command, .alternate], action: "toggleDrawer:")]
    }

    func toggleDrawer(_ sender: Any?) {
        if drawer.parent == nil {
            addChild(drawer)
            view.addSubview(drawer.view)
            drawer.didMove(toParent: self)
        } else {
            drawer.willMove(toParent: nil)
            drawer.view.removeFromSuperview()
            drawer.removeFromParent()
        }
    }

    var events: [String] { drawer.events }

    override class var actions: [Action] { super.actions + [Action("toggleDrawer:", toggleDrawer)] }
}

/// A grid whose sheet takes the keyboard and gives it back.
final class GridController: UIViewController {
    private let grid = UICollectionView()
    let sheet = MessageController()

    override func loadView() { view = grid }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        grid.becomeFirstResponder()
    }

    override var keyCommands: [UIKeyCommand]? {
        [
            UIKeyCommand(input: "i", modifierFlags: .command, action: "showInfo:"),
            UIKeyCommand(input: "w", modifierFlags: .command, action: "closeInfo:"),
        ]
    }

    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        action == "closeInfo:" ? presentedViewController != nil : super.canPerformAction(action, withSender: sender)
    }

    override func target(forAction action: Selector, withSender sender: Any?) -> Any? {
        if action == "closeInfo:", presentedViewController == nil { return nil }
        return super.target(forAction: action, withSender: sender)
    }

    func showInfo(_ sender: Any?) {
        sheet.modalPresentationStyle = .fullScreen
        present(sheet, animated: true, completion: nil)
        sheet.becomeFirstResponder()
    }

    func closeInfo(_ sender: Any?) { dismiss(animated: true) }

    override class var actions: [Action] {
        super.actions + [Action("showInfo:", showInfo), Action("closeInfo:", closeInfo)]
    }
}

/// Books that light up with the focus.
final class ShelfController: UIViewController {
    final class BookView: UIView {
        private(set) var isLit = false
        override var canBecomeFocused: Bool { true }

        override func didUpdateFocus(
            in context: UIFocusUpdateContext, with coordinator: UIFocusAnimationCoordinator
        ) {
            super.didUpdateFocus(in: context, with: coordinator)
            coordinator.addCoordinatedAnimations({ self.isLit = context.nextFocusedView === self }, completion: nil)
        }
    }

    let books = ["first", "second", "third"].map { BookView(id: $0) }
    let search = UISearchTextField(id: "search")
    private var preferred = 1
    var isLocked = false
    private(set) var updates: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        for book in books { view.addSubview(book) }
        view.addSubview(search)
    }

    override var preferredFocusEnvironments: [any UIFocusEnvironment] { [books[preferred]] }

    func show(_ number: Int) {
        preferred = number
        setNeedsFocusUpdate()
        updateFocusIfNeeded()
    }

    override func shouldUpdateFocus(in context: UIFocusUpdateContext) -> Bool { !isLocked }

    override func didUpdateFocus(in context: UIFocusUpdateContext, with coordinator: UIFocusAnimationCoordinator) {
        super.didUpdateFocus(in: context, with: coordinator)
        let items = [context.previouslyFocusedItem, context.nextFocusedItem]
        updates.append(items.map { $0?.id ?? "nothing" }.joined(separator: " to "))
    }
}
