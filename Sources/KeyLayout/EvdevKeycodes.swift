import KeyModel

/// XKB keycodes, which are the kernel's key codes and 8 more.
enum EvdevKeycodes {
    /// The last usage of the keyboard page that types something: the modifier keys, E0 to E7, type nothing.
    private static let last: UInt16 = 0xA4

    /// The XKB keycode of a usage of page 7; `nil` where the kernel maps none.
    static func xkbKeycode(usage: UInt16) -> UInt32? {
        guard usage <= last, let code = EvdevCodes.code(of: .keyboard(usage)), code != EvdevCodes.unknown else {
            return nil
        }
        return UInt32(code) + 8
    }
}
