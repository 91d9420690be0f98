import KeyModel

/// The keys that are down and the press that each belongs to.
struct HeldPresses {
    struct Entry: Equatable {
        var device: UInt16
        var key: KeyIdentity
        /// `nil` for modifier keys.
        var press: UInt32?
    }

    private var entries: [Entry] = []
    /// Device and key of each entry as one number, to be searched.
    private var codes: [UInt64] = []
    /// The ordinal given last.
    private var lastPress: UInt32 = 0

    /// The ordinal of the next press, where its source gives none.
    var nextPress: UInt32 { lastPress == .max ? .max : lastPress + 1 }

    private static func code(_ key: KeyIdentity, _ device: UInt16) -> UInt64 {
        switch key {
        case .clear(let usage): UInt64(device) << 32 | UInt64(usage.rawValue)
        case .masked(let maskedClass): 1 << 63 | UInt64(device) << 32 | UInt64(maskedClass.rawValue)
        }
    }

    /// The one that went down first.
    private func place(_ key: KeyIdentity, _ device: UInt16) -> Int? {
        let code = HeldPresses.code(key, device)
        for place in codes.indices where codes[place] == code { return place }
        return nil
    }

    private mutating func remove(at place: Int) -> Entry {
        if place == entries.count - 1 {
            codes.removeLast()
            return entries.removeLast()
        }
        codes.remove(at: place)
        return entries.remove(at: place)
    }

    /// Removes the key that goes down once more without having come up: its earlier press has ended.
    mutating func takeEarlier(_ event: KeyEvent) -> Entry? {
        guard event.key.usage != nil else { return nil }
        return place(event.key, event.device).map { remove(at: $0) }
    }

    /// The ordinal of a key that goes down: the recorded one, else the next; `nil` for modifier keys.
    mutating func down(_ event: KeyEvent, recorded: UInt32?) -> UInt32? {
        var press: UInt32?
        if event.key.usage?.isModifier != true {
            let next = recorded ?? nextPress
            lastPress = max(lastPress, next)
            press = next
        }
        entries.append(Entry(device: event.device, key: event.key, press: press))
        codes.append(HeldPresses.code(event.key, event.device))
        return press
    }

    /// Removes the key that comes up: by its press where it is known, else the one that went down first.
    mutating func up(_ event: KeyEvent, recorded: UInt32?) -> Entry? {
        let exact = recorded.flatMap { press in
            entries.firstIndex { $0.press == press && $0.device == event.device && $0.key == event.key }
        }
        return (exact ?? place(event.key, event.device)).map { remove(at: $0) }
    }

    /// Removes the key on whichever keyboard: the system cancelled it.
    mutating func cancel(_ key: KeyIdentity) -> Entry? {
        entries.firstIndex { $0.key == key }.map { remove(at: $0) }
    }

    func entry(ofPress press: UInt32) -> Entry? { entries.first { $0.press == press } }
}
