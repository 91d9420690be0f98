import KeyModel

extension KeyboardEngine {
    /// A hash of what decides the next press and of what a user sees. Never of text. In this order:
    ///
    /// 1. the first responder's id, empty when there is none;
    /// 2. the key window's id, empty when there is none;
    /// 3. the number of held keys, then for each, ascending by device and key: device, page and usage, or
    ///    `FFFF_0000` + class for a masked one;
    /// 4. the modifier flags, application active, keyboard attached;
    /// 5. for each tracked responder with state, in the order given to `track`: its id, then what it adds
    ///    (selection, offset, date, tab, controllers, document length, caret, marked text or not);
    /// 6. the id of an item that has the focus without being first responder, where there is one.
    public func stateHash() -> UInt64 {
        if isRecorded, let state = recordedAnswers?.recordedState { return state }
        var hash = hashOfFirstResponder()
        heldKeys.combine(into: &hash)
        hash.combine(UInt64(heldKeys.flags.rawValue))
        hash.combine(application.isActive)
        hash.combine(isKeyboardAttached)
        for responder in tracked {
            hash.combine(responder.id)
            responder.combineState(into: &hash)
        }
        if focus.isSet, usesFocus, let item = focus.item { hash.combine(item.id) }
        return hash.value
    }

    /// The hash of the first two, which hold names: the last one until a link changed.
    private func hashOfFirstResponder() -> StableHash {
        if let known = hashedNames, known.linkVersion == tree.linkVersion { return known.hash }
        var hash = StableHash()
        hash.combine(firstResponder?.id ?? "")
        hash.combine(application.keyWindow?.id ?? "")
        hashedNames = (tree.linkVersion, hash)
        return hash
    }
}

extension HeldKeys.Key {
    fileprivate var hashCode: UInt64 { UInt64(device) << 32 | UInt64(key.hashCode) }
}

extension HeldKeys {
    /// Their number, then each, ascending by device and key. On the stack, since a recorder hashes after each press.
    fileprivate func combine(into hash: inout StableHash) {
        hash.combine(count)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { room in
            var codes = room
            for place in codes.indices { codes.initializeElement(at: place, to: self[place].hashCode) }
            codes.sort()
            for code in codes { hash.combine(code) }
        }
    }
}

extension KeyIdentity {
    fileprivate var hashCode: UInt32 {
        switch self {
        case .clear(let usage): usage.rawValue
        case .masked(let maskedClass): 0xFFFF_0000 | UInt32(maskedClass.rawValue)
        }
    }
}
