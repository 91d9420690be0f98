import ResponderEngine
import ResponderKit

/// Makes live responders of a scene and hangs them together.
struct SceneBuilder {
    let scene: Scene
    let links: SceneLinks
    private(set) var responders: [Responder] = []
    private(set) var answers: [SceneAnswers] = []

    /// The scene's application; an unlinked one where it has none, since an engine needs one.
    private(set) var application: Application

    init(_ scene: Scene) throws(SourceTextError) {
        self.scene = scene
        links = try SceneLinks(scene)
        application = Application(id: "application")
        responders.reserveCapacity(scene.responders.count)
        answers.reserveCapacity(scene.responders.count)
        for description in scene.responders {
            let answer = SceneAnswers(description, isFirstResponder: description.id == scene.firstResponder)
            let responder = SceneBuilder.make(description, answer)
            if let made = responder as? Application { application = made }
            answers.append(answer)
            responders.append(responder)
        }
        // Contained before containers: no link then walks up a long chain.
        for at in links.deepestFirst() { contain(at) }
        application.menuChanges = MenuDescription.changes(scene.mainMenu)
        try addKeyPressHandlers()
        putItemsIntoBars()
    }

    /// Adds handlers to their views, which are all there by now.
    private func addKeyPressHandlers() throws(SourceTextError) {
        for (at, description) in scene.responders.enumerated() {
            guard let host = responders[at] as? HostingController else { continue }
            host.shortcuts = description.hosted.shortcuts.map(KeyCommand.init)
            var handlers: [HostingController.KeyPressHandler] = []
            for handler in description.hosted.keyPressHandlers {
                var view: View?
                if let id = handler.view {
                    view = links.index[id].flatMap { responders[$0] as? View }
                    guard view != nil else {
                        throw SourceTextError(
                            file: scene.file, line: handler.line, subject: "onKeyPress.view",
                            expected: "the id of a view", found: SourceTextError.quoted(id))
                    }
                }
                handlers.append(
                    .init(
                        view: view, keys: handler.keys, phases: handler.phases, isHandled: handler.result == .handled))
            }
            host.keyPressHandlers = handlers
        }
    }

    /// Sets what each controller puts into the bars of every navigation controller, pushed or not.
    private func putItemsIntoBars() {
        let bars = responders.compactMap { $0 as? KeyboardNavigationController }
        guard !bars.isEmpty else { return }
        for (at, description) in scene.responders.enumerated() {
            guard let controller = responders[at] as? ViewController,
                let item = description.controller.navigationItem
            else { continue }
            if let bar = controller as? KeyboardNavigationController { bar.navigationItem = item }
            for bar in bars where bar !== controller { bar.setNavigationItem(item, of: controller) }
        }
    }

    /// Explicit links, once the responders share an engine.
    func linkChain() {
        for (at, description) in scene.responders.enumerated() where description.next != nil {
            if let next = links.nexts[at] { responders[at].explicitNext = responders[next] }
        }
    }

    /// The window that is key at the start: the one declared so, else that of the first responder, else the first.
    var keyWindow: Window? {
        let windows = scene.responders.indices.filter { scene.responders[$0].kind.base == .window }
        if let declared = windows.first(where: { scene.responders[$0].containment.isKeyWindow == true }) {
            return responders[declared] as? Window
        }
        if let first = scene.firstResponder.flatMap({ links.index[$0] }), let window = responders[first].windowOfChain {
            return window
        }
        return windows.first.flatMap { responders[$0] as? Window }
    }

    /// Windows that are key in scenes of their own.
    var otherKeyWindows: [Window] {
        scene.responders.indices.filter { scene.responders[$0].containment.isKeyWindow == true }
            .dropFirst().compactMap { responders[$0] as? Window }
    }

    // MARK: Responders

    private static func make(_ description: ResponderDescription, _ answers: SceneAnswers) -> Responder {
        let responder = make(description)
        responder.declared = answers
        (responder as? ViewController)?.title = description.title
        description.apply(to: responder, when: .isMade)
        description.apply(to: responder, when: .isConfigured)
        return responder
    }

    private static func make(_ description: ResponderDescription) -> Responder {
        let id = description.id
        return switch description.kind {
        case .responder: Responder(id: id)
        case .view: View(id: id)
        case .viewController: ViewController(id: id)
        case .navigationController: NavigationController(id: id)
        case .tabBarController: TabBarController(id: id)
        case .splitViewController: SplitViewController(id: id)
        case .hostingController: HostingController(id: id)
        case .alertController: AlertController(id: id)
        case .webView: WebView(id: id, text: description.text.text ?? "")
        case .window: Window(id: id)
        case .windowScene: WindowScene(id: id)
        case .application: Application(id: id)
        case .appDelegate: DeclaredApplicationDelegate(id: id)
        case .keyInputView: KeyInputView(id: id)
        case .textField: TextField(id: id, text: description.text.text ?? "")
        case .textView: TextView(id: id, text: description.text.text ?? "")
        case .keyboardTextView: KeyboardTextView(id: id, text: description.text.text ?? "")
        case .scrollView: ScrollView(id: id)
        case .tableView: TableView(id: id, sections: description.content.sections ?? [])
        case .collectionView: CollectionView(id: id, sections: description.content.sections ?? [])
        case .datePicker: DatePicker(id: id, date: description.content.firstDate)
        case .keyboardApplication: KeyboardApplication(id: id)
        case .keyboardWindowScene: KeyboardWindowScene(id: id)
        case .keyboardWindow: KeyboardWindow(id: id)
        case .keyboardTabBarController: KeyboardTabBarController(id: id)
        case .keyboardNavigationController: KeyboardNavigationController(id: id)
        case .keyboardTableView: KeyboardTableView(id: id, sections: description.content.sections ?? [])
        case .keyboardCollectionView: KeyboardCollectionView(id: id, sections: description.content.sections ?? [])
        case .keyboardScrollView: KeyboardScrollView(id: id)
        case .keyboardDatePicker: KeyboardDatePicker(id: id, date: description.content.firstDate)
        case .keyboardMapView: KeyboardMapView(id: id)
        case .keyboardSplitViewController: KeyboardSplitViewController(id: id)
        }
    }

    // MARK: Containment

    /// Hangs what a responder contains on it, in order.
    private func contain(_ at: Int) {
        let owner = responders[at]
        for item in links.owned[at] {
            guard let holding = links.owners[item]?.holding else { continue }
            let inside = responders[item]
            switch holding {
            case .subview: if let inside = inside as? View { (owner as? View)?.addSubview(inside) }
            case .rootView: (owner as? ViewController)?.view = inside as? View
            case .rootController: (owner as? Window)?.rootViewController = inside as? ViewController
            case .child: if let inside = inside as? ViewController { (owner as? ViewController)?.addChild(inside) }
            case .presented: if let inside = inside as? ViewController { (owner as? ViewController)?.present(inside) }
            case .sceneWindow: if let inside = inside as? Window { (owner as? WindowScene)?.addWindow(inside) }
            case .applicationWindow: if let inside = inside as? Window { (owner as? Application)?.addWindow(inside) }
            case .connectedScene: if let inside = inside as? WindowScene { (owner as? Application)?.connect(inside) }
            case .delegate: (owner as? Application)?.delegate = inside as? any ApplicationDelegate
            }
        }
        scene.responders[at].apply(to: owner, when: .hasChildren)
    }
}
