import CObjCHooks
import FlightRecorder

/// The first responder, the key window and the text input as recorded in the trace.
struct UIKitFocus {
    var responder: keyflight_object?
    var window: keyflight_object?
    /// The item that the focus system gave the focus, and the fact about it that the trace has.
    var item: keyflight_object?
    var itemFact = ""
    /// The first responder takes text, and whether it is secure; `nil` where it takes none.
    var isSecure: Bool?
    /// False for text that is only read.
    var isEditable = true
    /// The chain may have changed since it was walked.
    var isDirty = true
    var isApplicationCovered = false
    var hasDeviceFacts = false
}

extension UIKitSession {
    // MARK: Changes that hooks see

    func focusMoved(to responder: keyflight_object?, _ cause: FocusCause) {
        guard focus.responder != responder else { return }
        focus.responder = responder
        focus.isDirty = true
        events.last?.press?.hasMovedFocus = true
        Keyflight.firstResponder(name(responder), cause: cause)
        updateTextInput(isNew: true, cause)
        recordFocusedItem()
    }

    /// UIKit sends the update to everything around the old and the new item. An item need not be a responder.
    func itemFocusMoved(to item: keyflight_object?) {
        if let item, let window = messages.object(item, messages.window), window != focus.window { return }
        open?.hasMovedFocus = true
        setFocusedItem(item)
    }

    private func setFocusedItem(_ item: keyflight_object?) {
        let item = item.flatMap { responderClass.isKind($0) ? $0 : nil }
        guard focus.item != item else { return }
        focus.item = item
        // Its place in the chain comes before the focus, as a replay needs it.
        walkChain()
        recordFocusedItem()
    }

    private func recordFocusedItem() {
        guard focus.isSecure != true else { return }
        let item = focus.item.flatMap { $0 == focus.responder ? nil : names.id($0) } ?? ""
        guard item != focus.itemFact else { return }
        focus.itemFact = item
        Keyflight.fact(EnvironmentFact.focusedItem, item)
    }

    func keyWindowChanged(to window: keyflight_object?) {
        guard focus.window != window else { return }
        focus.window = window
        focus.isDirty = true
        Keyflight.keyWindow(name(window), cause: .windowChange)
        // Each window has a focus of its own.
        if let window { setFocusedItem(messages.object(focusSystem(of: window), messages.focusedItem)) }
    }

    private func focusSystem(of window: keyflight_object) -> keyflight_object? {
        messages.object(keyflight_class_named("UIFocusSystem"), messages.focusSystem, UInt(bitPattern: window))
    }

    /// The controller that presents `controller`, or that `controller` presents something from.
    func presenter(_ controller: keyflight_object) -> keyflight_object? {
        if let presenting = messages.object(controller, messages.presenting) { return presenting }
        return messages.object(controller, messages.presented) == nil ? nil : controller
    }

    func presented(_ controller: RecordedResponder?, by presenter: RecordedResponder?) {
        focus.isDirty = true
        if let presenter { Keyflight.presentation(by: presenter, of: controller) }
    }

    func forget(_ object: keyflight_object) {
        if focus.item == object {
            focus.item = nil
            recordFocusedItem()
        }
        names.forget(object)
        if focus.responder == object { focusMoved(to: nil, .removal) }
        if focus.window == object { focus.window = nil }
    }

    private func name(_ object: keyflight_object?) -> RecordedResponder {
        object.map { names.name($0) } ?? RecordedResponder(number: 0)
    }

    // MARK: Context of a key

    /// Updates the context before a key is recorded. `press`, if it begins, names its first responder, in case no hook
    /// has recorded that one, or the focused item. A secure field is left only where a hook has recorded it.
    func updateContext(press: keyflight_object?) {
        if let window = messages.object(press, messages.window), focus.window == nil { keyWindowChanged(to: window) }
        if focus.isSecure != true, let responder = messages.object(press, messages.responder), responder != focus.item {
            focusMoved(to: responder, .unknown)
        }
        updateTextInput(isNew: false)
        walkChain()
        recordDevice()
    }

    /// Idiom and focus system decide which rules hold; the latter is that of a window.
    private func recordDevice() {
        guard !focus.hasDeviceFacts, let window = focus.window else { return }
        focus.hasDeviceFacts = true
        let device = messages.object(keyflight_class_named("UIDevice"), messages.currentDevice)
        if let device {
            // UIUserInterfaceIdiomPhone is 0; a Mac's Catalyst app has the menus and the focus of an iPad.
            let isPhone = messages.word(device, messages.userInterfaceIdiom) == 0
            Keyflight.fact(EnvironmentFact.device, isPhone ? "iphone" : "ipad")
        }
        Keyflight.fact(EnvironmentFact.focusSystem, focusSystem(of: window) == nil ? "false" : "true")
    }

    /// A field may become secure while it is edited, and a text read-only.
    private func updateTextInput(isNew: Bool, _ cause: FocusCause = .unknown) {
        let isInput = focus.responder.map { keyflight_responds($0, messages.insertText) } ?? false
        let isSecure = isInput ? focus.responder.map { messages.isSecure($0) } : nil
        let isEditable = isSecure != false || messages.isEditable(focus.responder)
        if isEditable != focus.isEditable {
            focus.isEditable = isEditable
            Keyflight.fact(EnvironmentFact.textIsEditable, "\(isEditable)")
        }
        guard isNew ? isSecure != nil || focus.isSecure != nil : isSecure != focus.isSecure else { return }
        // Nothing is stored once the entry is secure, not even what led there.
        if isSecure == true, let open, open.action != nil { conclude(open) }
        let wasSecure = focus.isSecure == true
        focus.isSecure = isSecure
        Keyflight.textInput(isInput ? name(focus.responder) : RecordedResponder(number: 0), isSecure: isSecure == true)
        if wasSecure, isSecure != true { recordContextAgain(cause) }
    }

    /// Changes during a secure entry were not stored.
    private func recordContextAgain(_ cause: FocusCause) {
        Keyflight.keyWindow(name(focus.window), cause: .windowChange)
        Keyflight.firstResponder(name(focus.responder), cause: cause)
        recordFocusedItem()
        if !focus.isEditable { Keyflight.fact(EnvironmentFact.textIsEditable, "false") }
        names.forgetLinks()
        focus.isDirty = true
    }

    /// Records the links of the chain that changed, and replaces the methods of classes that are new in it. Its objects
    /// exist, so their classes are in use.
    func walkChain() {
        focus.isDirty = false
        var next = focus.item ?? focus.responder ?? focus.window
        for _ in 0..<64 {
            guard let object = next else { break }
            keyflight_hooks_cover(object)
            next = messages.object(object, messages.nextResponder)
            if let own = names.link(object, to: next) {
                Keyflight.link(own, to: next.map { names.name($0) }, window: focus.window.map { names.name($0) })
            }
        }
    }

    // MARK: Idle

    /// The main run loop is about to wait.
    func idle() {
        if let settling { Keyflight.end(settling) }
        concludeOpen()
        settling = nil
        if events.isEmpty { Keyflight.leavePress() }
        earlyAction = nil
        suppliers.isStale = true
        coverApplication()
        if focus.isDirty { walkChain() }
        recordDevice()
        UIKitAdapter.writeHookFacts(self)
    }

    /// The application and its delegate are asked for key commands whatever the first responder.
    private func coverApplication() {
        guard !focus.isApplicationCovered, let type = keyflight_class_named("UIApplication") else { return }
        let app = messages.object(type, messages.sharedApplication)
        guard let app else { return }
        focus.isApplicationCovered = true
        keyflight_hooks_cover(app)
        if let delegate = messages.object(app, messages.delegate) { keyflight_hooks_cover(delegate) }
    }
}
