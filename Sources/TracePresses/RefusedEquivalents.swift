import KeyModel
package import TraceFormat

/// Key equivalents that responders refused, as a cache would store them. An acceptance is not stored, since it has
/// effects.
package struct RefusedEquivalents: Sendable {
    private struct Refusal: Hashable {
        var responder: ResponderRef
        var chord: Chord
        /// Number of the query among those of the responder at one press: the main menu's comes first, then that of the
        /// services.
        var turn: Int
    }

    /// Of the keys that are down; those that are masked have none.
    private var chords: [UInt32: Chord] = [:]
    private var refused: Set<Refusal> = []
    /// Number of queries to each responder at the press that was queried last.
    private var turns: (at: PressTick?, [ResponderRef: Int]) = (nil, [:])

    package init() {}

    /// Follows a key that goes down or up.
    package mutating func note(_ key: KeyRecord) {
        guard let press = key.press else { return }
        switch key.phase {
        case .down:
            if chords.count >= PressAssembler.heldLimit { chords.removeAll() }
            chords[press] = key.key.usage.map { Chord(modifiers: key.modifiers, usage: $0) }
        case .repeat: break
        case .up, .cancel: chords[press] = nil
        }
    }

    /// Looks up a message; `nil` where the receiver must be asked, and its refusal is stored.
    ///
    /// - Returns: True when the stored refusal is wrong now.
    package mutating func serve(_ message: InvocationRecord) -> Bool? {
        guard message.kind == .keyEquivalent, message.occasion != .release, let chord = chords[message.at.press],
            message.answer == .no || message.answer == .yes
        else { return nil }
        if turns.at != message.at { turns = (message.at, [:]) }
        turns.1[message.responder, default: 0] += 1
        let refusal = Refusal(responder: message.responder, chord: chord, turn: turns.1[message.responder] ?? 0)
        if refused.contains(refusal) { return message.answer == .yes }
        if message.answer == .no { refused.insert(refusal) }
        return nil
    }

    /// Removes the refusals of a responder, or all.
    package mutating func invalidate(_ record: InvalidationRecord) {
        guard record.scope == .responder, let responder = record.responder else { return removeAll() }
        refused = refused.filter { $0.responder != responder }
    }

    /// Removes all refusals.
    package mutating func removeAll() { refused.removeAll() }
}
