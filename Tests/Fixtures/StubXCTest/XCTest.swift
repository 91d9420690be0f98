// What an exported test of XCUITest uses of XCTest, with Apple's names: each key is printed instead of typed.

open class XCTestCase {
    public init() {}
}

public struct XCUIKeyboardKey: Sendable {
    public let name: String

    public static let `return` = XCUIKeyboardKey(name: "ReturnOrEnter")
    public static let enter = XCUIKeyboardKey(name: "KeypadEnter")
    public static let escape = XCUIKeyboardKey(name: "Escape")
    public static let delete = XCUIKeyboardKey(name: "DeleteOrBackspace")
    public static let forwardDelete = XCUIKeyboardKey(name: "DeleteForward")
    public static let tab = XCUIKeyboardKey(name: "Tab")
    public static let space = XCUIKeyboardKey(name: "Spacebar")
    public static let capsLock = XCUIKeyboardKey(name: "CapsLock")
    public static let home = XCUIKeyboardKey(name: "Home")
    public static let end = XCUIKeyboardKey(name: "End")
    public static let pageUp = XCUIKeyboardKey(name: "PageUp")
    public static let pageDown = XCUIKeyboardKey(name: "PageDown")
    public static let upArrow = XCUIKeyboardKey(name: "UpArrow")
    public static let downArrow = XCUIKeyboardKey(name: "DownArrow")
    public static let leftArrow = XCUIKeyboardKey(name: "LeftArrow")
    public static let rightArrow = XCUIKeyboardKey(name: "RightArrow")
    public static let help = XCUIKeyboardKey(name: "Help")
    public static let F1 = XCUIKeyboardKey(name: "F1")
    public static let F2 = XCUIKeyboardKey(name: "F2")
    public static let F5 = XCUIKeyboardKey(name: "F5")
    public static let F19 = XCUIKeyboardKey(name: "F19")
}

@MainActor open class XCUIElement {
    public init() {}

    public struct KeyModifierFlags: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let shift = KeyModifierFlags(rawValue: 1 << 1)
        public static let control = KeyModifierFlags(rawValue: 1 << 2)
        public static let option = KeyModifierFlags(rawValue: 1 << 3)
        public static let command = KeyModifierFlags(rawValue: 1 << 4)
    }

    public func typeKey(_ key: String, modifierFlags: KeyModifierFlags) { report(key, modifierFlags) }

    public func typeKey(_ key: XCUIKeyboardKey, modifierFlags: KeyModifierFlags) { report(key.name, modifierFlags) }

    private func report(_ key: String, _ flags: KeyModifierFlags) {
        let names: [(KeyModifierFlags, String)] = [
            (.control, "control"), (.option, "option"), (.shift, "shift"), (.command, "command"),
        ]
        print((names.filter { flags.contains($0.0) }.map(\.1) + [key]).joined(separator: " "))
    }
}

@MainActor public final class XCUIApplication: XCUIElement {
    public func launch() {}
}
