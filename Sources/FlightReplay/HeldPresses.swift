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
    /// The ordinal given last.
    private var lastPress: UInt32 = 0

    /// The ordinal of the next press, where its source gives none.
    var nextPress: UInt32 { lastPress == .max ? .max : lastPress + 1 }

    /// Removes the key that goes down once more without having come up: its earlier press has ended.
    mutating func takeEarlier(_ event: KeyEvent) -> Entry? {
        guard event.key.usage != nil else { return nil }
        return up(event, recorded: nil)
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
        return press
    }

    /// Removes the key that comes up: by its press where it is known, else the one that went down first.
    mutating func up(_ event: KeyEvent, recorded: UInt32?) -> Entry? {
        let exact = recorded.flatMap { press in
            entries.firstIndex { $0.press == press && $0.device == event.device && $0.key == event.key }
        }
        guard let index = exact ?? entries.firstIndex(where: { $0.device == event.device && $0.key == event.key })
        else { return nil }
        return entries.remove(at: index)
    }

    /// Removes the key on whichever keyboard: the system cancelled it.
    mutating func cancel(_ key: KeyIdentity) -> Entry? {
        entries.firstIndex { $0.key == key }.map { entries.remove(at: $0) }
    }

    func entry(ofPress press: UInt32) -> Entry? { entries.first { $0.press == press } }
}
