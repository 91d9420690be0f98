public import KeyModel

/// Facts of a recording about the app, its keyboards and its layout. All of them are stored as they are, at every
/// level.
extension Keyflight {
    /// A fact such as `app.version` or `os.version`. A later one of the same name replaces it.
    public static func fact(_ name: String, _ value: @autoclosure () -> String) {
        entry(0) { buffer in
            let numbers = (name: buffer.text(name), value: buffer.text(value()))
            buffer.record(.fact, more: 1, UInt64(numbers.name) | UInt64(numbers.value) << 32)
        }
    }

    package static func fact(cName: UnsafePointer<CChar>, cValue: UnsafePointer<CChar>) {
        entry(0) { buffer in
            let (name, value) = (buffer.text(cName), buffer.text(cValue))
            buffer.record(.fact, more: 1, UInt64(name) | UInt64(value) << 32)
        }
    }

    /// Roles of the modifier keys from here on, where they are known only after the recording began. Before the first
    /// key event, or while no modifier key is held.
    public static func modifierRoles(_ roles: ModifierRoles) {
        if isCompiledIn { RecorderControl.shared.setRoles(roles) }
    }

    /// Name of the keyboard with this number. Names that people gave their keyboards are better left out.
    public static func keyboard(_ device: UInt16, name: @autoclosure () -> String) {
        entry(0) { buffer in
            let number = buffer.text(name())
            buffer.record(.device, wide: UInt32(device), more: 1, UInt64(number))
        }
    }

    package static func keyboard(_ device: UInt16, cName: UnsafePointer<CChar>) {
        entry(0) { buffer in
            let name = buffer.text(cName)
            buffer.record(.device, wide: UInt32(device), more: 1, UInt64(name))
        }
    }

    /// The keyboard layout from here on, by its name, and the characters of its keys where the app has them. A name
    /// alone, `us` for example, means Apple's layout.
    public static func layout(_ name: @autoclosure () -> String, table: Layout? = nil) {
        if table == nil { fact(Layout.tablesFact.name, Layout.tablesFact.value) }
        entry(0) { buffer in
            let numbers = (name: buffer.text(name()), table: buffer.text(table?.text))
            buffer.record(
                .layout, more: 2, UInt64(numbers.name) | UInt64(numbers.table) << 32, table?.hash ?? 0)
        }
    }

    package static func layout(cName: UnsafePointer<CChar>) {
        fact(Layout.tablesFact.name, Layout.tablesFact.value)
        entry(0) { buffer in
            let name = buffer.text(cName)
            buffer.record(.layout, more: 2, UInt64(name), 0)
        }
    }
}
