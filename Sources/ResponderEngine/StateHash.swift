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
    ///    (selection, offset, date, tab, controllers, document length, caret, marked text or not).
    public func stateHash() -> UInt64 {
        if let recordedAnswers, let state = recordedAnswers.recordedState { return state }
        var hash = hashOfFirstResponder()
        hash.combine(held.count)
        if held.count == 1 {
            hash.combine(held[0].hashCode)
        } else if held.count > 1 {
            combineHeldKeys(into: &hash)
        }
        hash.combine(UInt64(heldFlags.rawValue))
        hash.combine(application.isActive)
        hash.combine(isKeyboardAttached)
        for responder in tracked {
            hash.combine(responder.id)
            responder.combineState(into: &hash)
        }
        return hash.value
    }

    /// In ascending order. A chord is a few keys: they are put in order where they are written down.
    private func combineHeldKeys(into hash: inout StableHash) {
        if held.count > 16 {
            for code in held.map(\.hashCode).sorted() { hash.combine(code) }
            return
        }
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: held.count) { codes in
            for (count, key) in held.enumerated() {
                let code = key.hashCode
                var place = count
                while place > 0, codes[place - 1] > code {
                    codes[place] = codes[place - 1]
                    place -= 1
                }
                codes[place] = code
            }
            for code in codes { hash.combine(code) }
        }
    }

    /// Of the first two, which hold names: the last one as long as they are the same.
    private func hashOfFirstResponder() -> StableHash {
        if let known = hashedNames, known.linkVersion == tree.linkVersion, steadyMembers() != nil { return known.hash }
        let first = firstResponder.map(ObjectIdentifier.init)
        let window = application.keyWindow.map(ObjectIdentifier.init)
        // Another object can come to the same place only with a change of the number.
        if let known = hashedNames, known.linkVersion == tree.linkVersion, known.first == first,
            known.window == window
        {
            return known.hash
        }
        var hash = StableHash()
        hash.combine(firstResponder?.id ?? "")
        hash.combine(application.keyWindow?.id ?? "")
        hashedNames = HashedNames(linkVersion: tree.linkVersion, first: first, window: window, hash: hash)
        return hash
    }
}

/// What a state hash begins with, and what it was made of.
struct HashedNames {
    let linkVersion: UInt64
    let first: ObjectIdentifier?
    let window: ObjectIdentifier?
    let hash: StableHash
}

extension HeldPress {
    fileprivate var hashCode: UInt64 { UInt64(device) << 32 | UInt64(key.hashCode) }
}

extension KeyIdentity {
    fileprivate var hashCode: UInt32 {
        switch self {
        case .clear(let usage): usage.rawValue
        case .masked(let maskedClass): 0xFFFF_0000 | UInt32(maskedClass.rawValue)
        }
    }
}
