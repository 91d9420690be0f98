import CObjCHooks
import FlightRecorder
import KeyModel

extension Messages {
    /// The bytes of a string; they live as long as the app's autorelease pool.
    func cString(_ string: keyflight_object?) -> UnsafePointer<CChar>? {
        UnsafePointer(bitPattern: word(string, utf8))
    }

    /// The elements of an array.
    func forEach(in array: keyflight_object?, _ body: (keyflight_object) -> Void) {
        for index in 0..<min(word(array, count), 4_096) {
            if let element = object(array, objectAtIndex, index) { body(element) }
        }
    }

    func actionName(_ command: keyflight_object?) -> UnsafePointer<CChar>? {
        keyflight_selector(bitPattern: word(command, action)).map { keyflight_selector_name($0) }
    }

    /// A key command. Its title is left out: titles are often made of what a person wrote.
    func strings(_ command: keyflight_object) -> CommandStrings {
        var attributes: CommandDefinition.Attributes = []
        let flags = word(command, self.attributes)
        if flags & 1 != 0 { attributes.insert(.disabled) }
        if flags & 4 != 0 { attributes.insert(.hidden) }
        if isTrue(command, wantsPriority) { attributes.insert(.wantsPriority) }
        return CommandStrings(
            input: cString(object(command, input)), modifiers: modifiers(command), action: actionName(command),
            publicTitle: nil, attributes: attributes)
    }

    /// An alternate of a command, which adds modifiers to its own (MT-12).
    func strings(_ alternate: keyflight_object, of command: keyflight_object) -> CommandStrings {
        CommandStrings(
            input: cString(object(command, input)),
            modifiers: KeyModifiers(rawValue: modifiers(command).rawValue | modifiers(alternate).rawValue),
            action: actionName(alternate), publicTitle: nil, attributes: .alternate)
    }

    private func modifiers(_ object: keyflight_object) -> KeyModifiers {
        KeyModifiers(rawValue: UInt32(truncatingIfNeeded: word(object, modifierFlags)))
    }

    /// Returns true if no typing into the object may be recorded: passwords, one-time codes, and web views, whose
    /// fields are of unknown kind.
    func isSecure(_ input: keyflight_object) -> Bool {
        if isTrue(input, isSecureTextEntry) { return true }
        let content = text(object(input, textContentType))
        if ["password", "new-password", "one-time-code"].contains(content) { return true }
        var type = keyflight_class_of(input)
        while let known = type {
            let name = String(cString: keyflight_class_name(known))
            if ["WKWebView", "WKContentView", "UIWebView", "UIWebBrowserView"].contains(name) { return true }
            type = keyflight_superclass(known)
        }
        return false
    }
}
