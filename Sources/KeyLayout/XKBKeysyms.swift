import CXKBCommon

/// Names that XKB has for what keys type, as an X display hands them out.
public enum XKBKeysyms {
    /// The text of a keysym; empty for keys that type nothing, and for dead keys.
    public static func text(_ keysym: UInt32) -> String {
        let code = xkb_keysym_to_utf32(keysym)
        guard code >= 0x20, code != 0x7F, let scalar = Unicode.Scalar(code) else { return "" }
        return String(Character(scalar))
    }
}
