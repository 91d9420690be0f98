/// The reason why there is no layout of a name.
public struct LayoutError: Error, Hashable, Sendable, CustomStringConvertible {
    public var name: String
    public var expected: String
    public var found: String
    public var remedy: String

    public var description: String { "layout \(name): expected \(expected), found \(found); \(remedy)" }

    static func malformed(_ name: String) -> LayoutError {
        LayoutError(
            name: name, expected: "LAYOUT or LAYOUT:VARIANT of letters, digits, _ and -", found: "another form",
            remedy: "write for example us, us:dvorak or us:pc")
    }

    static func unknown(_ name: String, directory: String) -> LayoutError {
        LayoutError(
            name: name, expected: "a layout of \(directory)", found: "none of that name and variant",
            remedy: "see the layouts and their variants in \(directory)/rules/base.lst, "
                + "or use a shipped one: \(ShippedLayouts.names.joined(separator: ", "))")
    }

    static func noKeyboardFiles(_ name: String) -> LayoutError {
        LayoutError(
            name: name, expected: "keyboard files in one of \(XKBFiles.directories.joined(separator: ", "))",
            found: "none",
            remedy: "install them (Debian, Ubuntu: apt-get install xkb-data), "
                + "or use a shipped layout: \(ShippedLayouts.names.joined(separator: ", "))")
    }
}
