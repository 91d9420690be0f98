import CObjCHooks

/// Messages that the adapter sends. Each is public API of its toolkit.
struct Messages {
    private func selector(_ name: StaticString) -> keyflight_selector? {
        name.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { keyflight_selector_named($0.baseAddress) }
        }
    }
    private(set) var type, keyCode, modifierFlags, timestamp, keyWindow, mainWindow, firstResponder, nextResponder,
        delegate, supermenu, title, charactersIgnoringModifiers, utf8, itemArray, count, objectAtIndex, hasSubmenu,
        keyEquivalent, action, servicesMenu: keyflight_selector?

    init() {
        type = selector("type")
        keyCode = selector("keyCode")
        modifierFlags = selector("modifierFlags")
        timestamp = selector("timestamp")
        keyWindow = selector("keyWindow")
        mainWindow = selector("mainWindow")
        firstResponder = selector("firstResponder")
        nextResponder = selector("nextResponder")
        delegate = selector("delegate")
        supermenu = selector("supermenu")
        title = selector("title")
        charactersIgnoringModifiers = selector("charactersIgnoringModifiers")
        utf8 = selector("UTF8String")
        itemArray = selector("itemArray")
        count = selector("count")
        objectAtIndex = selector("objectAtIndex:")
        hasSubmenu = selector("hasSubmenu")
        keyEquivalent = selector("keyEquivalent")
        action = selector("action")
        servicesMenu = selector("servicesMenu")
    }

    func word(_ object: keyflight_object?, _ selector: keyflight_selector?, _ argument: UInt = 0) -> UInt {
        var result: UInt = 0
        guard let object, keyflight_responds(object, selector) else { return 0 }
        keyflight_send(object, selector, argument, 0, &result)
        return result
    }

    func object(
        _ object: keyflight_object?, _ selector: keyflight_selector?, _ argument: UInt = 0
    ) -> keyflight_object? { keyflight_object(bitPattern: word(object, selector, argument)) }

    func double(_ object: keyflight_object, _ selector: keyflight_selector?) -> Double {
        var result = 0.0
        keyflight_send_double(object, selector, &result)
        return result
    }

    func text(_ string: keyflight_object?) -> String {
        guard let bytes = UnsafePointer<CChar>(bitPattern: word(string, utf8)) else { return "" }
        return String(cString: bytes)
    }
}

func isKind(_ object: keyflight_object?, of name: String) -> Bool {
    guard let object, let type = keyflight_class_named(name) else { return false }
    return keyflight_class_descends(keyflight_class_of(object), type)
}
