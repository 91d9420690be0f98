public import KeyModel

/// The layouts that are part of the package, so that goldens do not depend on the machine's keyboard files.
///
/// `us`, `fr`, `de` and `us:dvorak` are Apple's: level 3 is Option. Their cells are those of the Unicode CLDR keyboard
/// data for macOS (`keyboards/osx`, releases up to 43), which agree in all 768 cells and dead keys with the mappings
/// that Visual Studio Code's contributors recorded on Macs (`keyboardLayouts/*.darwin.ts`). A dead key followed by
/// Space types its accent. The grave accent and section keys are by position: usage 35 is left of 1, usage 64 left of
/// Z; Apple's own ISO keyboards report the two the other way round. Caps Lock is CLDR's as well: Shift changes nothing
/// under it, é è à have capitals on `fr`, and not all Option levels follow it. Not included: the accent that a dead key
/// leaves before a letter it does not combine with.
///
/// `us:pc`, `fr:pc`, `de:pc` and `us:dvorak-pc` are what xkeyboard-config 2.35.1 and the compose table of libX11 1.8.4
/// give for the same names.
public enum ShippedLayouts {
    /// In the order in which they are listed.
    public static var names: [String] { layouts.map(\.name) }

    /// `nil` for a name that is not shipped.
    public static func named(_ name: String) -> Layout? { layouts.first { $0.name == name }?.layout() }

    private static let layouts: [(name: String, layout: @Sendable () -> Layout?)] = [
        ("us", { us }), ("fr", { fr }), ("de", { de }), ("us:dvorak", { dvorak }),
        ("us:pc", { usPC }), ("fr:pc", { frPC }), ("de:pc", { dePC }), ("us:dvorak-pc", { dvorakPC }),
    ]

    // Each is read at its first use: reading one takes longer than a replay of a hundred presses.
    private static let us = layout(PackageResources.us_layout)
    private static let fr = layout(PackageResources.fr_layout)
    private static let de = layout(PackageResources.de_layout)
    private static let dvorak = layout(PackageResources.us_dvorak_layout)
    private static let usPC = layout(PackageResources.us_pc_layout)
    private static let frPC = layout(PackageResources.fr_pc_layout)
    private static let dePC = layout(PackageResources.de_pc_layout)
    private static let dvorakPC = layout(PackageResources.us_dvorak_pc_layout)

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
