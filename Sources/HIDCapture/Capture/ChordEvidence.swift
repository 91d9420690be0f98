import KeyModel

/// Whether ⌃ and ⌘ of a keyboard are evidence of chords, whose keys stay in clear where typed text is masked.
///
/// What is taken for a modifier may be the id of a report, a button or a counter, also where a report without it comes
/// now and then: then whole words are typed under it. A person holds ⌃ or ⌘ for a few keys.
struct ChordEvidence {
    /// Most different keys that type text in one hold of ⌃ or ⌘: those of select all, cut, copy and paste.
    private static let mostKeys = 4
    private static let modifiers = Set([0xE0, 0xE3, 0xE4, 0xE7].map(KeyUsage.keyboard))

    /// Of each stream that holds some: the modifiers, and what was typed since, on whichever keyboard.
    private var holds: [Int: (modifiers: Set<KeyUsage>, typed: Set<KeyUsage>)] = [:]
    /// Streams that are never doubted.
    var trusted: Set<Int> = []
    /// Streams whose modifiers are no evidence.
    private(set) var doubted: Set<Int> = []

    /// Notes a key event of a stream.
    /// - Returns: The modifiers held by each stream that is doubted from now on.
    @discardableResult
    mutating func note(_ usage: KeyUsage, _ phase: KeyPhase, of stream: Int) -> [(stream: Int, held: Set<KeyUsage>)] {
        if ChordEvidence.modifiers.contains(usage) {
            if phase == .down {
                holds[stream, default: ([], [])].modifiers.insert(usage)
            } else if phase != .repeat {
                holds[stream]?.modifiers.remove(usage)
                if holds[stream]?.modifiers.isEmpty == true { holds[stream] = nil }
            }
            return []
        }
        guard !holds.isEmpty, phase == .down, TextKeyClass(usage) != nil else { return [] }
        var found: [(stream: Int, held: Set<KeyUsage>)] = []
        for holder in Array(holds.keys) {
            holds[holder]?.typed.insert(usage)
            guard let hold = holds[holder], hold.typed.count > ChordEvidence.mostKeys, !trusted.contains(holder)
            else { continue }
            if doubted.insert(holder).inserted { found.append((holder, hold.modifiers)) }
        }
        return found
    }
}
