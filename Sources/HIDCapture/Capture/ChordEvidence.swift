import KeyModel

/// Decides whether ⌃ and ⌘ of a stream are evidence of chords, whose keys stay in clear where typed text is masked.
///
/// What is taken for a modifier may be the id of a report, a button or a counter, also where a report without it comes
/// now and then: then most of what is typed comes under it. They are no evidence where there are more than half as many
/// presses in words under them, on whichever keyboard, as the stream itself has presses:
/// 1. Key events contain their modifiers, which are evidence always.
/// 2. Reports with a descriptor of their own: more than `mostKeys` different keys in one hold are words. A person holds
///    ⌃ or ⌘ for a few keys.
/// 3. Reports whose layout is guessed: every press in a hold is a word, and one on another stream is enough.
struct ChordEvidence {
    /// Those of select all, cut, copy and paste.
    private static let mostKeys = 4
    /// ⌃ and ⌘, left and right.
    private static let modifiers = ModifierKeys(rawValue: 0x99)

    private struct Stream {
        var isGuessed = false
        var held: ModifierKeys = []
        /// Text keys pressed in this hold, and how often.
        var typed: Set<KeyUsage> = []
        var presses = 0
        /// All own presses of text keys, and those in words of whichever keyboard.
        var all = 0
        var words = 0
        /// Another stream typed in a hold of this one, which is guessed.
        var isOfAnother = false

        var isDoubted: Bool { isOfAnother || 2 * words > all }

        mutating func type(_ usage: KeyUsage, isOfAnother another: Bool) {
            let most = isGuessed ? 0 : ChordEvidence.mostKeys
            let wereWords = typed.count > most
            typed.insert(usage)
            presses += 1
            guard typed.count > most else { return }
            words += wereWords ? 1 : presses
            isOfAnother = isOfAnother || isGuessed && another
        }
    }

    private var streams: [Stream] = []
    /// Streams of which ⌃ or ⌘ is held.
    private var holders: [Int] = []

    /// Streams whose modifiers are no evidence.
    var doubted: Set<Int> { Set(streams.indices.filter { streams[$0].isDoubted }) }

    func isDoubted(_ stream: Int) -> Bool { stream < streams.count && streams[stream].isDoubted }

    /// Notes a key event of a stream whose layout has this origin.
    /// - Returns: The modifiers held by each stream that is doubted from here on.
    @discardableResult
    mutating func note(
        _ usage: KeyUsage, _ phase: KeyPhase, of stream: Int, _ origin: ReportLayoutOrigin
    ) -> [(stream: Int, held: ModifierKeys)] {
        while streams.count <= stream { streams.append(Stream()) }
        if let key = usage.modifierKey {
            guard origin != .keyEvents, phase != .repeat, ChordEvidence.modifiers.contains(key) else { return [] }
            let wasFree = streams[stream].held.isEmpty
            if phase == .down { streams[stream].held.insert(key) } else { streams[stream].held.remove(key) }
            let isFree = streams[stream].held.isEmpty
            if wasFree, !isFree {
                streams[stream].isGuessed = origin != .reportDescriptor
                (streams[stream].typed, streams[stream].presses) = ([], 0)
                holders.append(stream)
            } else if isFree {
                holders.removeAll { $0 == stream }
            }
            return []
        }
        guard phase == .down, TextKeyClass(usage) != nil else { return [] }
        let known = holders.filter(isDoubted)
        streams[stream].all += 1
        return holders.compactMap { holder in
            streams[holder].type(usage, isOfAnother: holder != stream)
            return streams[holder].isDoubted && !known.contains(holder) ? (holder, streams[holder].held) : nil
        }
    }
}
