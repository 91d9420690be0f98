import CObjCHooks
import FlightRecorder

/// Windows, the first responder and the chain from it, as they change.
extension AppKitSession {
    /// The one application object, once there is one.
    var app: keyflight_object? {
        if shared == nil {
            shared = messages.object(keyflight_class_named("NSApplication"), named: "sharedApplication")
        }
        return shared
    }

    func updateFocus(_ cause: FocusCause) {
        let app = app
        let window = messages.object(app, messages.keyWindow)
        let main = messages.object(app, messages.mainWindow)
        let responder = messages.object(window, messages.firstResponder)
        let isSecure = isSecureText(responder)
        if isEntrySecure, !isSecure {
            // What changed in a secure entry was not stored.
            Keyflight.textInput(none)
            for presenter in endedInSecureEntry { Keyflight.presentation(by: presenter, of: nil) }
            endedInSecureEntry = []
            names.forgetLinks()
            isFocusKnown = false
        }
        // An editor of several fields may become secure and stay the first responder.
        let hasBecomeSecure = isSecure && !isEntrySecure
        isEntrySecure = isSecure
        if !isFocusKnown || window != focus.window {
            place &+= 1
            Keyflight.keyWindow(window.map { names.name($0) } ?? none, cause: cause)
        }
        if !isFocusKnown || main != focus.main { Keyflight.mainWindow(main.map { names.name($0) }) }
        linkChain(responder, window)
        // Of a secure entry nothing is stored.
        let isEditable = isSecure || !textClass.isKind(responder) || messages.isEditable(responder)
        if isEditable != isTextEditable {
            isTextEditable = isEditable
            Keyflight.fact(EnvironmentFact.textIsEditable, "\(isEditable)")
        }
        if !isFocusKnown || hasBecomeSecure || responder != focus.responder { firstResponder(responder, cause) }
        focus = (window, main, responder)
        isFocusKnown = true
    }

    private func isSecureText(_ responder: keyflight_object?) -> Bool {
        guard let responder, textClass.isKind(responder) else { return false }
        return secureFieldClass.isKind(messages.object(responder, messages.delegate))
            || secureViewClass.isKind(responder)
    }

    private func firstResponder(_ responder: keyflight_object?, _ cause: FocusCause) {
        guard let responder else {
            Keyflight.firstResponder(none, cause: cause)
            return Keyflight.textInput(none)
        }
        let name = names.name(responder)
        Keyflight.firstResponder(name, cause: cause)
        guard textClass.isKind(responder) else { return Keyflight.textInput(none) }
        if isEntrySecure { endBeforeSecureEntry() }
        Keyflight.textInput(name, isSecure: isEntrySecure)
    }

    private func linkChain(_ responder: keyflight_object?, _ window: keyflight_object?) {
        let app = app
        var at = responder
        for _ in 0..<64 {
            guard let object = at else { return }
            let next = messages.object(object, messages.nextResponder)
            if let name = names.link(object, to: next) {
                // The application is behind every window, and in none.
                let own = object == app ? nil : window
                Keyflight.link(name, to: next.map { names.name($0) }, window: own.map { names.name($0) })
            }
            at = next
        }
    }
}
