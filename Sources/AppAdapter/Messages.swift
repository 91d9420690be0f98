import CObjCHooks

/// Messages that the adapter sends. All but those with an underscore are public API of their toolkit.
struct Messages {
    let type = selector("type")
    let keyCode = selector("keyCode")
    let modifierFlags = selector("modifierFlags")
    let timestamp = selector("timestamp")
    let keyWindow = selector("keyWindow")
    let mainWindow = selector("mainWindow")
    let firstResponder = selector("firstResponder")
    let nextResponder = selector("nextResponder")
    let delegate = selector("delegate")
    let supermenu = selector("supermenu")
    let title = selector("title")
    let charactersIgnoringModifiers = selector("charactersIgnoringModifiers")
    let utf8 = selector("UTF8String")
    let itemArray = selector("itemArray")
    let count = selector("count")
    let objectAtIndex = selector("objectAtIndex:")
    let itemAtIndex = selector("itemAtIndex:")
    let hasSubmenu = selector("hasSubmenu")
    let keyEquivalent = selector("keyEquivalent")
    let action = selector("action")
    let representedObject = selector("representedObject")
    let keyEquivalentModifierMask = selector("keyEquivalentModifierMask")
    let mainMenu = selector("mainMenu")
    let menu = selector("menu")
    let servicesMenu = selector("servicesMenu")
    let isRepeat = selector("isARepeat")
    // UIKit.
    let allPresses = selector("allPresses")
    let allObjects = selector("allObjects")
    let key = selector("key")
    let phase = selector("phase")
    let responder = selector("responder")
    let window = selector("window")
    let input = selector("input")
    let attributes = selector("attributes")
    let alternates = selector("alternates")
    let wantsPriority = selector("wantsPriorityOverSystemBehavior")
    let sharedApplication = selector("sharedApplication")
    let isSecureTextEntry = selector("isSecureTextEntry")
    let textContentType = selector("textContentType")
    private let editable = selector("isEditable")
    let insertText = selector("insertText:")
    let length = selector("length")
    let currentDevice = selector("currentDevice")
    let focusSystem = selector("focusSystemForEnvironment:")
    let focusedItem = selector("focusedItem")
    let userInterfaceIdiom = selector("userInterfaceIdiom")
    let nextFocusedItem = selector("nextFocusedItem")
    let presenting = selector("presentingViewController")
    let presented = selector("presentedViewController")
    let privateKeyCode = selector("_keyCode")
    let privateIsKeyDown = selector("_isKeyDown")
    let privateModifierFlags = selector("_modifierFlags")
    let privateIsRepeat = selector("_isARepeat")

    private static func selector(_ name: StaticString) -> keyflight_selector? {
        name.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { keyflight_selector_named($0.baseAddress) }
        }
    }

    func word(_ object: keyflight_object?, _ selector: keyflight_selector?, _ argument: UInt = 0) -> UInt {
        var result: UInt = 0
        guard let object, keyflight_responds(object, selector) else { return 0 }
        keyflight_send(object, selector, argument, 0, &result)
        return result
    }

    func isTrue(_ object: keyflight_object?, _ selector: keyflight_selector?) -> Bool {
        UInt8(truncatingIfNeeded: word(object, selector)) != 0
    }

    /// True also for text that is always edited, such as a field.
    func isEditable(_ text: keyflight_object?) -> Bool {
        text.map { !keyflight_responds($0, editable) || isTrue($0, editable) } ?? true
    }

    func object(
        _ object: keyflight_object?, _ selector: keyflight_selector?, _ argument: UInt = 0
    ) -> keyflight_object? { keyflight_object(bitPattern: word(object, selector, argument)) }

    /// Sends a message with an object as result, to classes as well, and for messages that are sent once.
    func object(_ object: keyflight_object?, named name: String, _ argument: UInt = 0) -> keyflight_object? {
        var result: UInt = 0
        keyflight_send(object, keyflight_selector_named(name), argument, 0, &result)
        return keyflight_object(bitPattern: result)
    }

    func double(_ object: keyflight_object, _ selector: keyflight_selector?) -> Double {
        var result = 0.0
        keyflight_send_double(object, selector, &result)
        return result
    }

    func text(_ string: keyflight_object?) -> String {
        guard let bytes = UnsafePointer<CChar>(bitPattern: word(string, utf8)) else { return "" }
        return String(cString: bytes)
    }

    /// An autoreleased string of the toolkit.
    func string(_ text: String) -> keyflight_object? {
        text.withCString { bytes in
            object(keyflight_class_named("NSString"), named: "stringWithUTF8String:", UInt(bitPattern: bytes))
        }
    }
}

/// A class of the toolkit by name, looked up until it is there.
final class ToolkitClass {
    private let name: StaticString
    private var type: keyflight_class?

    init(_ name: StaticString) { self.name = name }

    func isKind(_ object: keyflight_object?) -> Bool {
        guard let object else { return false }
        if type == nil {
            type = name.withUTF8Buffer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { keyflight_class_named($0.baseAddress) }
            }
        }
        guard let type else { return false }
        return keyflight_class_descends(keyflight_class_of(object), type)
    }
}
