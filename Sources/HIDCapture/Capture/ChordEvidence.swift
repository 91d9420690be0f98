import KeyModel

/// Whether ⌃ and ⌘ of a keyboard are evidence of chords, whose keys stay in clear where typed text is masked.
///
/// What is taken for a modifier may be the id of a report, a button or a counter, also where a report without it comes
/// now and then: then most of what is typed is words under it. A person holds ⌃ or ⌘ for a few keys.
struct ChordEvidence {
    /// Most different keys that type text in one hold of ⌃ or ⌘: those of select all, cut, copy and paste.
    private static let mostKeys = 4
    private static let modifiers = Set([0xE0, 0xE3, 0xE4, 0xE7].map(KeyUsage.keyboard))

    private struct Hold {
        var modifiers: Set<KeyUsage> = []
        /// What was typed since, on whichever keyboard.
        var typed: Set<KeyUsage> = []
        var presses: UInt64 = 0
    }

    private var holds: [Int: Hold] = [:]
    /// Presses of keys that type text, and by stream those in holds of more different ones than `mostKeys`.
    private var presses: UInt64 = 0
    private var pressesInWords: [Int: UInt64] = [:]
    private var reported: Set<Int> = []

    /// Streams whose modifiers are no evidence: more than half of all that was typed is words under them.
    var doubted: Set<Int> { Set(pressesInWords.keys.filter { isDoubted($0) }) }

    func isDoubted(_ stream: Int) -> Bool { 2 * (pressesInWords[stream] ?? 0) > presses }

    /// Notes a key event of a stream, whose modifiers are never doubted where they are certain.
    /// - Returns: The modifiers held by each stream that is doubted for the first time.
    @discardableResult
    mutating func note(
        _ usage: KeyUsage, _ phase: KeyPhase, of stream: Int, isCertain: Bool = false
    ) -> [(stream: Int, held: Set<KeyUsage>)] {
        if ChordEvidence.modifiers.contains(usage) {
            if isCertain { return [] }
            if phase == .down {
                holds[stream, default: Hold()].modifiers.insert(usage)
            } else if phase != .repeat {
                holds[stream]?.modifiers.remove(usage)
                if holds[stream]?.modifiers.isEmpty == true { holds[stream] = nil }
            }
            return []
        }
        guard phase == .down, TextKeyClass(usage) != nil else { return [] }
        presses += 1
        guard !holds.isEmpty else { return [] }
        var found: [(stream: Int, held: Set<KeyUsage>)] = []
        for holder in Array(holds.keys) {
            guard var hold = holds[holder] else { continue }
            let wasLong = hold.typed.count > ChordEvidence.mostKeys
            hold.typed.insert(usage)
            hold.presses += 1
            holds[holder] = hold
            guard hold.typed.count > ChordEvidence.mostKeys else { continue }
            pressesInWords[holder, default: 0] += wasLong ? 1 : hold.presses
            if isDoubted(holder), reported.insert(holder).inserted { found.append((holder, hold.modifiers)) }
        }
        return found
    }
}
