/// Refuses the parts of YAML that scenes do not use before a YAML reader sees them: anchors and aliases, which
/// can blow a kilobyte up to terabytes, tags, and keys that are not plain text.
///
/// It looks at places where a node can begin, without following quotes: it may refuse a text such as `"a, *b"` (the
/// message contains how to write it) but never misses an anchor, an alias, a tag or a complex key.
enum YAMLGuard {
    static func check(_ text: String, file: String) throws(SourceTextError) {
        let bytes = Array(text.utf8)
        var line = 1
        // True where a node can begin: after a line's indentation, an indicator and blanks.
        var isNodeStart = true
        for at in bytes.indices {
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                isNodeStart = true
            case UInt8(ascii: "\r"), 0x85, 0xA8, 0xA9:
                // CR, and the last bytes of NEL and of the line and paragraph separators.
                isNodeStart = true
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break
            case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"):
                isNodeStart = true
            default:
                if isNodeStart, let what = refused(byte, next: at + 1 < bytes.count ? bytes[at + 1] : 0x20) {
                    throw SourceTextError(
                        file: file, line: line, subject: "YAML", expected: "plain keys and values", found: what,
                        remedy: "in a text, put it in double quotes and write "
                            + "\\x26 for &, \\x2a for *, \\x21 for !, \\x3f for ?")
                }
                isNodeStart = false
            }
        }
    }

    private static func refused(_ byte: UInt8, next: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&") where isName(next): "an anchor"
        case UInt8(ascii: "*") where isName(next): "an alias"
        case UInt8(ascii: "!"): "a tag"
        case UInt8(ascii: "?"): "a key introduced by ?"
        default: nil
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
