/// One key, named the way keyboards name it: a usage page and a usage of the HID Usage Tables.
///
/// The keyboard page is 0x07, the consumer page 0x0C. `UIKeyboardHIDUsage` has the same values for page 7
/// (spec DT-3). A usage is a *position*; what it types depends on the layout (spec DT-4).
public struct KeyUsage: RawRepresentable, Hashable, Comparable, Sendable {
    /// Page in the high 16 bits, usage in the low 16 bits.
    public let rawValue: UInt32

    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

    @inlinable public init(page: UInt16, usage: UInt16) {
        rawValue = UInt32(page) << 16 | UInt32(usage)
    }

    /// A usage of the keyboard page 0x07.
    @inlinable public static func keyboard(_ usage: UInt16) -> KeyUsage { KeyUsage(page: keyboardPage, usage: usage) }

    @inlinable public var page: UInt16 { UInt16(truncatingIfNeeded: rawValue >> 16) }
    @inlinable public var usage: UInt16 { UInt16(truncatingIfNeeded: rawValue) }
    @inlinable public var isKeyboardPage: Bool { page == KeyUsage.keyboardPage }

    /// HID Usage Tables, section "Keyboard/Keypad Page (0x07)".
    @inlinable public static var keyboardPage: UInt16 { 0x07 }
    /// HID Usage Tables, section "Consumer Page (0x0C)".
    public static let consumerPage: UInt16 = 0x0C
    /// Keys of Linux's input layer whose code no usage has; the usage is the code.
    public static let codePage: UInt16 = 0xFFEC
    /// Switches that are no keys of a keyboard (HID Usage Tables, Button).
    public static let buttonPage: UInt16 = 0x09

    @inlinable public static func < (a: KeyUsage, b: KeyUsage) -> Bool { a.rawValue < b.rawValue }
}

extension KeyUsage {
    /// True for the eight keys E0–E7 of page 7 (left and right Control, Shift, Alt, GUI).
    @inlinable public var isModifier: Bool { rawValue >= 0x0007_00E0 && rawValue <= 0x0007_00E7 }

    /// The physical modifier key, when this is one of E0–E7.
    @inlinable public var modifierKey: ModifierKeys? {
        isModifier ? ModifierKeys(rawValue: 1 << UInt8(truncatingIfNeeded: rawValue & 7)) : nil
    }

    /// True for the keypad keys whose events carry the numericPad flag: usages 53–67 of page 7 without
    /// 64 (NonUSBackslash), 65 (Application) and 66 (Power) (spec DT-2).
    @inlinable public var isKeypad: Bool {
        isKeyboardPage && usage >= 0x53 && usage <= 0x67 && !(usage >= 0x64 && usage <= 0x66)
    }

    /// True for the four arrow keys.
    @inlinable public var isArrow: Bool { isKeyboardPage && usage >= 0x4F && usage <= 0x52 }

    /// Fn, or Globe, of Apple's keyboards, on a page of the vendor's own.
    public static let appleFn = KeyUsage(page: 0x00FF, usage: 3)
    public static let returnOrEnter = keyboard(0x28)
    public static let escape = keyboard(0x29)
    public static let deleteOrBackspace = keyboard(0x2A)
    public static let tab = keyboard(0x2B)
    public static let spacebar = keyboard(0x2C)
    public static let hyphen = keyboard(0x2D)
    public static let equalSign = keyboard(0x2E)
    public static let period = keyboard(0x37)
    @inlinable public static var capsLock: KeyUsage { keyboard(0x39) }
    public static let home = keyboard(0x4A)
    public static let pageUp = keyboard(0x4B)
    public static let deleteForward = keyboard(0x4C)
    public static let end = keyboard(0x4D)
    public static let pageDown = keyboard(0x4E)
    public static let rightArrow = keyboard(0x4F)
    public static let leftArrow = keyboard(0x50)
    public static let downArrow = keyboard(0x51)
    public static let upArrow = keyboard(0x52)
    public static let keypadNumLock = keyboard(0x53)
    public static let keypadEnter = keyboard(0x58)
    public static let leftControl = keyboard(0xE0)
    public static let leftShift = keyboard(0xE1)
    public static let leftAlt = keyboard(0xE2)
    public static let leftGUI = keyboard(0xE3)
    public static let rightControl = keyboard(0xE4)
    public static let rightShift = keyboard(0xE5)
    public static let rightAlt = keyboard(0xE6)
    public static let rightGUI = keyboard(0xE7)
}
