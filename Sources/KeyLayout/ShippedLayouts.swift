public import KeyModel

/// The layouts that are part of the package, so that goldens do not depend on the machine's keyboard files.
/// Their files in `Shipped/` are what xkeyboard-config 2.35.1 and the compose table of libX11 1.8.4 give.
public enum ShippedLayouts {
    /// In the order in which they are listed.
    public static var names: [String] { files.map(\.name) }

    /// `nil` for a name that is not shipped.
    public static func named(_ name: String) -> Layout? { layouts[name] }

    private static let files: [(name: String, bytes: [UInt8])] = [
        ("us", PackageResources.us_layout),
        ("fr", PackageResources.fr_layout),
        ("de", PackageResources.de_layout),
        ("us:dvorak", PackageResources.us_dvorak_layout),
    ]

    private static let layouts: [String: Layout] = {
        var layouts: [String: Layout] = [:]
        for file in files { layouts[file.name] = try? Layout(text: String(decoding: file.bytes, as: UTF8.self)) }
        return layouts
    }()
}

extension Layout {
    /// The shipped layout of this name, else the one that the machine's XKB files give.
    public static func named(_ name: String) throws(LayoutError) -> Layout {
        if let layout = ShippedLayouts.named(name) { return layout }
        return try XKBLayouts.named(name)
    }
}
