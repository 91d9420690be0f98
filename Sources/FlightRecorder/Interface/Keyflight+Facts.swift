public import KeyModel

/// Facts of a recording about the app, its keyboards and its layout. All of them are stored as they are, at every
/// level.
extension Keyflight {
    /// A fact such as `app.version` or `os.version`. A later one of the same name replaces it.
    public static func fact(_ name: String, _ value: @autoclosure () -> String) {
        entry(0) { $0.record(.fact, more: 1, halves($0.text(name), $0.text(value()))) }
    }

    package static func fact(cName: UnsafePointer<CChar>, cValue: UnsafePointer<CChar>) {
        entry(0) { $0.record(.fact, more: 1, halves($0.text(cName), $0.text(cValue))) }
    }

    /// Roles of the modifier keys from here on, where they are known only after the recording began. Before the first
    /// key event, or while no modifier key is held.
    public static func modifierRoles(_ roles: ModifierRoles) {
        if isCompiledIn { RecorderControl.shared.setRoles(roles) }
    }

    /// Name of the keyboard with this number. Names that people gave their keyboards are better left out.
    public static func keyboard(_ device: UInt16, name: @autoclosure () -> String) {
        entry(0) { $0.record(.device, wide: UInt32(device), more: 1, UInt64($0.text(name()))) }
    }

    package static func keyboard(_ device: UInt16, cName: UnsafePointer<CChar>) {
        entry(0) { $0.record(.device, wide: UInt32(device), more: 1, UInt64($0.text(cName))) }
    }

    /// The keyboard layout from here on, by its name, and the characters of its keys where the app has them. A name
    /// alone, `us` for example, means Apple's layout.
    public static func layout(_ name: @autoclosure () -> String, table: Layout? = nil) {
        if table == nil { fact(Layout.tablesFact.name, Layout.tablesFact.value) }
        entry(0) { $0.record(.layout, more: 2, halves($0.text(name()), $0.text(table?.text)), table?.hash ?? 0) }
    }

    package static func layout(cName: UnsafePointer<CChar>) {
        fact(Layout.tablesFact.name, Layout.tablesFact.value)
        entry(0) { $0.record(.layout, more: 2, UInt64($0.text(cName)), 0) }
    }
}
