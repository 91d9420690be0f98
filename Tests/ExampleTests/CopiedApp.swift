import UIKitNames

/// The delegates of apps, and controllers of lists and documents, as apps have them.

/// A menu that takes the place of the system's, and one that comes and goes.
final class TaskAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private var showsArchive = false {
        didSet { UIMenuSystem.main.setNeedsRebuild() }
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        showsArchive = false
        return true
    }

    override func buildMenu(with builder: any UIMenuBuilder) {
        super.buildMenu(with: builder)
        guard builder.system == .main else { return }
        let add = UIKeyCommand(
            title: "New Task", image: UIImage(systemName: "plus"), action: "addTask:", input: "n",
            modifierFlags: .command)
        let toggle = UIKeyCommand(
            title: "Show Archive", action: "toggleArchive:", input: "t", modifierFlags: [.command, .shift])
        builder.replace(
            menu: .newScene,
            with: UIMenu(
                title: "", subtitle: "Tasks", image: nil, identifier: nil, options: .displayInline,
                preferredElementSize: .large, children: [add, toggle]))
        builder.replaceChildren(ofMenu: .help) { _ in [UICommand(title: "Help", action: "showTaskHelp:")] }
        guard showsArchive else { return }
        let archive = UIKeyCommand(
            title: "Archive", action: "archive:", input: "a", modifierFlags: [.command, .shift])
        builder.insertChild(UIMenu(title: "Archive", children: [archive]), atEndOfMenu: .file)
    }

    func toggleArchive(_ sender: Any?) { showsArchive.toggle() }

    override class var actions: [Action] { super.actions + [Action("toggleArchive:", toggleArchive)] }
}

/// A window for each scene.
final class TaskSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UINavigationController(rootViewController: TaskListController())
        window.makeKeyAndVisible()
        self.window = window
    }
}

/// A list of tasks: ⌘N adds one, ⌫ deletes the selected one, Return opens it.
final class TaskListController: UITableViewController {
    private(set) var tasks = ["Call", "Sign"]
    private(set) var archived: [String] = []

    init() { super.init(style: .insetGrouped) }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Tasks"
        reload()
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        tableView.becomeFirstResponder()
    }

    private func reload() { tableView.sections = [tasks.count] }

    override var keyCommands: [UIKeyCommand]? {
        let open = UIKeyCommand(input: "\r", modifierFlags: [], action: "openTask:")
        open.wantsPriorityOverSystemBehavior = true
        return [
            UIKeyCommand(
                title: "Delete", action: "deleteTask:", input: UIKeyCommand.inputDelete, modifierFlags: [],
                attributes: .destructive),
            open,
        ]
    }

    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        switch action {
        case "deleteTask:", "archive:", "openTask:": return !tableView.selectedRows.isEmpty
        default: return super.canPerformAction(action, withSender: sender)
        }
    }

    func addTask(_ sender: Any?) {
        tasks.append("New task")
        reload()
        tableView.select([tasks.count - 1])
    }

    func deleteTask(_ sender: Any?) {
        guard let row = tableView.selectedRows.first else { return }
        tasks.remove(at: row)
        reload()
    }

    func archive(_ sender: Any?) {
        guard let row = tableView.selectedRows.first else { return }
        archived.append(tasks[row])
        deleteTask(sender)
    }

    func openTask(_ sender: Any?) { show(TaskController(), sender: self) }

    override class var actions: [Action] {
        super.actions + [
            Action("addTask:", addTask), Action("deleteTask:", deleteTask), Action("archive:", archive),
            Action("openTask:", openTask),
        ]
    }
}

/// A task's text, with a bar over the keyboard. Escape ends editing, and once more goes back to the list.
final class TaskController: UIViewController {
    let textView = SnippetView()
    private let bar = UIInputView(height: 44)
    private(set) var saves = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(textView)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        textView.becomeFirstResponder()
    }

    override var canBecomeFirstResponder: Bool { true }
    override var inputAccessoryView: UIView? { bar }

    override var keyCommands: [UIKeyCommand]? {
        let end = UIKeyCommand(input: UIKeyCommand.inputEscape, modifierFlags: [], action: "endEditing")
        end.wantsPriorityOverSystemBehavior = true
        return [end, UIKeyCommand(input: "s", modifierFlags: .command, action: "saveAndClose:")]
    }

    func endEditing() {
        if view.endEditing(true) {
            becomeFirstResponder()
        } else {
            navigationController?.popToRootViewController(animated: true)
        }
    }

    func saveAndClose(_ sender: Any?) {
        UIApplication.shared.sendAction("save:", to: nil, from: self, for: nil)
        guard let list = navigationController?.viewControllers.first else { return }
        navigationController?.popToViewController(list, animated: true)
    }

    func save(_ sender: Any?) { saves += 1 }

    override class var actions: [Action] {
        super.actions + [
            Action("endEditing", endEditing), Action("saveAndClose:", saveAndClose), Action("save:", save),
        ]
    }
}

/// Text that counts what is pasted.
final class SnippetView: UITextView {
    private(set) var pastes = 0
    var locksText = false

    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        if action == "cut:" { return !locksText && super.canPerformAction(action, withSender: sender) }
        return super.canPerformAction(action, withSender: sender)
    }

    override func paste(_ sender: Any?) {
        pastes += 1
        super.paste(sender)
    }
}

/// A terminal: what is typed goes to a program, and the arrows are commands.
final class TerminalView: UIView, UIKeyInput {
    private(set) var sent = ""

    override var canBecomeFirstResponder: Bool { true }
    var hasText: Bool { !sent.isEmpty }
    func insertText(_ text: String) { sent += text }
    func deleteBackward() { sent += "\u{7F}" }

    override var keyCommands: [UIKeyCommand]? {
        let up = UIKeyCommand(input: UIKeyCommand.inputUpArrow, modifierFlags: [], action: "sendUp:")
        up.wantsPriorityOverSystemBehavior = true
        return [up]
    }

    func sendUp(_ sender: Any?) { sent += "\u{1B}[A" }

    override class var actions: [Action] { super.actions + [Action("sendUp:", sendUp)] }
}

/// A drawing, whose copy and paste are of shapes.
final class DrawingController: UIViewController {
    private(set) var shapes = ["circle", "square"]
    private(set) var selection: [String] = []
    private var copied: [String] = []
    private(set) var changes = 0

    override var canBecomeFirstResponder: Bool { true }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        becomeFirstResponder()
    }

    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        switch action {
        case "copy:", "cut:": return !selection.isEmpty
        case "paste:": return !copied.isEmpty
        default: return super.canPerformAction(action, withSender: sender)
        }
    }

    override func copy(_ sender: Any?) { copied = selection }

    override func cut(_ sender: Any?) {
        copy(sender)
        shapes.removeAll { selection.contains($0) }
        selection = []
    }

    override func paste(_ sender: Any?) { shapes += copied }
    override func selectAll(_ sender: Any?) { selection = shapes }

    /// Not for keys.
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        changes += 1
        super.pressesChanged(presses, with: event)
    }

    override class var actions: [Action] {
        super.actions + [
            Action("copy:", copy), Action("cut:", cut), Action("paste:", paste), Action("selectAll:", selectAll),
        ]
    }
}

/// The app's menus.
final class ReaderAppDelegate: UIResponder, UIApplicationDelegate {
    var isOnline = true
    private(set) var refreshes = 0

    override func buildMenu(with builder: any UIMenuBuilder) {
        guard builder.system == .main else { return }
        let refresh = UIKeyCommand(
            title: "Refresh", image: UIImage(systemName: "arrow.clockwise"), action: "refresh:", input: "r",
            modifierFlags: .command)
        builder.insertChild(
            UIMenu(
                title: "", image: nil, identifier: UIMenu.Identifier("app.refresh"), options: .displayInline,
                children: [refresh]),
            atStartOfMenu: .view)
        builder.remove(menu: .format)
    }

    override func validate(_ command: UICommand) {
        super.validate(command)
        if command.action == "refresh:", !isOnline { command.attributes = .disabled }
    }

    func refresh(_ sender: Any?) { refreshes += 1 }

    override class var actions: [Action] { super.actions + [Action("refresh:", refresh)] }
}
