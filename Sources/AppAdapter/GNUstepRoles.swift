import CObjCHooks
import KeyModel

/// The keys that give ⌃, ⌥ and ⌘ in a GNUstep app on X11: its user defaults name them by key symbol.
enum GNUstepRoles {
    /// A default, the key symbol where it is not set, and the role of the key. Of a key with two roles the later
    /// counts.
    private static let settings: [(name: String, preset: String?, role: KeyModifiers)] = [
        ("GSFirstControlKey", "Control_L", .control), ("GSSecondControlKey", "Control_R", .control),
        ("GSFirstAlternateKey", "Alt_R", .option), ("GSSecondAlternateKey", nil, .option),
        ("GSFirstCommandKey", "Alt_L", .command), ("GSSecondCommandKey", nil, .command),
    ]

    private static let usages: [String: UInt16] = [
        "Control_L": 0xE0, "Shift_L": 0xE1, "Alt_L": 0xE2, "Super_L": 0xE3, "Control_R": 0xE4, "Shift_R": 0xE5,
        "Alt_R": 0xE6, "ISO_Level3_Shift": 0xE6, "Mode_switch": 0xE6, "Super_R": 0xE7,
    ]

    /// Roles without any defaults.
    static let preset = roles { _ in nil }

    /// Roles in this app. On the main thread, once the app handles events.
    static func ofApp(_ messages: Messages) -> ModifierRoles {
        let defaults = messages.object(keyflight_class_named("NSUserDefaults"), named: "standardUserDefaults")
        guard defaults != nil else { return preset }
        return roles { name in
            let key = messages.string(name)
            let value = messages.object(defaults, named: "stringForKey:", UInt(bitPattern: key))
            return value.map { messages.text($0) }
        }
    }

    private static func roles(_ symbol: (String) -> String?) -> ModifierRoles {
        var roles = ModifierRoles.physical
        for usage in [UInt16(0xE0), 0xE2, 0xE3, 0xE4, 0xE6, 0xE7] { roles.set(.keyboard(usage), to: []) }
        for setting in settings {
            guard let symbol = symbol(setting.name) ?? setting.preset, let usage = usages[symbol] else { continue }
            roles.set(.keyboard(usage), to: setting.role)
        }
        return roles
    }
}
