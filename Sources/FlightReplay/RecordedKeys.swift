import KeyModel

/// Follows the keys of a recording: what may be kept of each, and the modifiers held after each event.
struct RecordedKeys {
    private let showsKeys: Bool
    private var mask = KeyMask()
    private var keyboards: [(device: UInt16, modifiers: ModifierState)] = []
    private var down: [(device: UInt16, usage: KeyUsage)] = []

    init(showsKeys: Bool) { self.showsKeys = showsKeys }

    /// Applies an event; all must come, in order.
    mutating func apply(_ event: KeyEvent) -> (key: KeyIdentity, modifiers: KeyModifiers) {
        guard let usage = event.key.usage else { return (event.key, flags) }
        switch event.phase {
        case .down: down.append((event.device, usage))
        case .up, .cancel:
            // Their order means nothing.
            for place in down.indices.reversed()
            where down[place].usage == usage && down[place].device == event.device {
                down[place] = down[down.count - 1]
                down.removeLast()
            }
        case .repeat: break
        }
        keyboards[index(of: event.device)].modifiers.apply(usage, event.phase)
        let key = mask.identity(of: usage, phase: event.phase, device: event.device)
        return (showsKeys ? event.key : key, usage.isKeypad ? flags.union(.numericPad) : flags)
    }

    /// No key is held any more as far as the system knows, so that a modifier whose release went elsewhere unmasks
    /// nothing.
    mutating func cancelAll() {
        keyboards.removeAll()
        for key in down {
            _ = mask.identity(of: key.usage, phase: .cancel, device: key.device)
        }
        down.removeAll()
    }

    /// Held on any keyboard: the system joins them.
    private var flags: KeyModifiers {
        if keyboards.count == 1 { return keyboards[0].modifiers.flags }
        return keyboards.reduce(into: []) { $0.formUnion($1.modifiers.flags) }
    }

    private mutating func index(of device: UInt16) -> Int {
        if let index = keyboards.firstIndex(where: { $0.device == device }) { return index }
        keyboards.append((device, ModifierState()))
        return keyboards.count - 1
    }
}
