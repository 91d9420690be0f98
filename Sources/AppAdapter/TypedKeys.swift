import CObjCHooks
import KeyModel

/// The keys that a script holds, and the events that it makes of them.
struct TypedKeys {
    private let roles: ModifierRoles
    private var held = ModifierState()
    /// State after the event that was made last.
    private var next = ModifierState()

    init(_ roles: ModifierRoles) {
        self.roles = roles
        held.roles = roles
        next.roles = roles
    }

    /// The event was posted.
    mutating func commit() { held = next }

    /// An autoreleased event of the toolkit; `nil` for the role of no key. Nothing is held or released by it until
    /// `commit`.
    mutating func event(
        _ action: TypedStep.Action, at time: UInt64, _ window: UInt, _ messages: KeyMessages
    ) -> keyflight_object? {
        next = held
        switch action {
        case .key(let usage, let phase, let characters, let unmodified):
            return event(usage, phase, (characters, unmodified), at: time, window, messages)
        case .role(let role, let isDown):
            guard let usage = key(of: role) else { return nil }
            return event(usage, isDown ? .down : .up, ("", ""), at: time, window, messages)
        case .activate, .end: return nil
        }
    }

    /// The first key that gives it.
    private func key(of role: KeyModifiers) -> KeyUsage? {
        (0..<8).map { KeyUsage.keyboard(0xE0 + $0) }.first { roles[$0] == role }
    }

    private mutating func event(
        _ usage: KeyUsage, _ phase: KeyPhase, _ texts: (characters: String, unmodified: String), at time: UInt64,
        _ window: UInt, _ messages: KeyMessages
    ) -> keyflight_object? {
        guard let code = EvdevCodes.code(of: usage) else { return nil }
        next.apply(usage, phase)
        let isModifier = AppKitSession.isModifier(usage)
        var flags = UInt(next.flags(for: .clear(usage)).rawValue)
        // GNUstep's Help, of a key without a role.
        if next.keys(of: 1).usages.contains(where: { roles[$0].isEmpty }) { flags |= 1 << 22 }
        // NSFunctionKeyMask.
        if let scalar = texts.unmodified.unicodeScalars.first, (0xF700...0xF8FF).contains(scalar.value) {
            flags |= 1 << 23
        }
        var characters = texts.characters
        if next.flags.contains(.control) { characters = TypedKeys.withControl(characters) }
        return messages.event(
            KeyMessages.Event(
                type: isModifier ? .flags : phase == .up ? .up : .down, flags: flags, time: time, window: window,
                characters: characters, unmodified: texts.unmodified, isRepeat: phase == .repeat,
                // X's key codes are those of Linux and 8.
                code: UInt(code) + 8))
    }

    /// Control makes `a` U+0001; of what has no control character, and of `@`, which would be none at all, it leaves
    /// what it is.
    private static func withControl(_ text: String) -> String {
        guard text.unicodeScalars.count == 1, let value = text.unicodeScalars.first?.value,
            (0x41...0x5F).contains(value) || (0x61...0x7A).contains(value)
        else { return text }
        return Unicode.Scalar(value & 0x1F).map { String(Character($0)) } ?? text
    }
}
