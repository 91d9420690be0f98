import CXKBCommon

/// XKB's names for the symbols of keys, as reported by an X display.
public enum XKBKeysyms {
    /// The text of a keysym; empty for keys that type nothing, and for dead keys.
    public static func text(_ keysym: UInt32) -> String {
        let code = xkb_keysym_to_utf32(keysym)
        guard code >= 0x20, code != 0x7F, let scalar = Unicode.Scalar(code) else { return "" }
        return String(Character(scalar))
    }
}
