public import KeyModel

/// The layouts that are part of the package, so that goldens do not depend on the machine's keyboard files.
/// Their files in `Shipped/` are what xkeyboard-config 2.35.1 and the compose table of libX11 1.8.4 give.
public enum ShippedLayouts {
    /// In the order in which they are listed.
    public static var names: [String] { layouts.map(\.name) }

    /// `nil` for a name that is not shipped.
    public static func named(_ name: String) -> Layout? { layouts.first { $0.name == name }?.layout() }

    private static let layouts: [(name: String, layout: @Sendable () -> Layout?)] = [
        ("us", { us }), ("fr", { fr }), ("de", { de }), ("us:dvorak", { dvorak }),
    ]

    // Each is read when it is first asked for: one takes longer than a replay of a hundred presses.
    private static let us = layout(PackageResources.us_layout)
    private static let fr = layout(PackageResources.fr_layout)
    private static let de = layout(PackageResources.de_layout)
    private static let dvorak = layout(PackageResources.us_dvorak_layout)

    private static func layout(_ bytes: [UInt8]) -> Layout? {
        try? Layout(text: String(decoding: bytes, as: UTF8.self))
    }
}

extension Layout {
    /// The shipped layout of this name, else the one that the machine's XKB files give.
    public static func named(_ name: String) throws(LayoutError) -> Layout {
        if let layout = ShippedLayouts.named(name) { return layout }
        return try XKBLayouts.named(name)
    }
}
