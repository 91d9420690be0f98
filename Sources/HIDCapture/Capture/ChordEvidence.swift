import KeyModel

/// Decides whether ⌃ and ⌘ of a stream are evidence of chords, whose keys stay in clear where typed text is masked.
///
/// What is taken for a modifier may be the id of a report, a button or a counter, also where a report without it comes
/// now and then: then most of what is typed comes under it. They are no evidence where there are more than half as many
/// presses in words under them, on whichever keyboard, as the stream itself has presses:
/// 1. Key events contain their modifiers, which are evidence.
/// 2. Reports with a descriptor of their own: more than `mostKeys` different keys in one hold are words. A person holds
///    ⌃ or ⌘ for a few keys.
/// 3. Reports whose layout is guessed: every press in a hold is a word, and one on another stream is enough.
///
/// A hold with words in it by rule 2, of key events as well, is no evidence by itself: its release was lost, or the
/// reports changed. Nor is one whose release a recording lacks.
struct ChordEvidence {
    /// Those of select all, cut, copy and paste.
    private static let mostKeys = 4

    /// The holds of ⌃ and ⌘, left and right, of a stream.
    struct Hold {
        private static let modifiers = ModifierKeys(rawValue: 0x99)
        var held: ModifierKeys = []
        private(set) var number = 0

        /// Follows a modifier; false for others.
        mutating func note(_ key: ModifierKeys, _ phase: KeyPhase) -> Bool {
            guard phase != .repeat, Hold.modifiers.contains(key) else { return false }
            if held.isEmpty, phase == .down { number += 1 }
            if phase == .down { held.insert(key) } else { held.remove(key) }
            return true
        }
    }

    private struct Stream {
        var origin = ReportLayoutOrigin.keyEvents
        var hold = Hold()
        /// Numbers of holds that are no evidence.
        var doubtedHolds: Set<Int> = []
        /// Text keys pressed in this hold, and how often.
        var typed: Set<KeyUsage> = []
        var presses = 0
        /// All own presses of text keys, and those in words of whichever keyboard.
        var all = 0
        var words = 0
        /// Another stream typed in a hold of this one, which is guessed.
        var isOfAnother = false

        var isDoubted: Bool { isOfAnother || 2 * words > all }
        var isHoldDoubted: Bool { isDoubted || doubtedHolds.contains(hold.number) }

        mutating func type(_ usage: KeyUsage, isOfAnother another: Bool) {
            let isGuessed = origin != .reportDescriptor
            let most = isGuessed ? 0 : ChordEvidence.mostKeys
            let wereWords = typed.count > most
            typed.insert(usage)
            presses += 1
            if typed.count > ChordEvidence.mostKeys { doubtedHolds.insert(hold.number) }
            guard origin != .keyEvents, typed.count > most else { return }
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

    /// By stream the numbers of the holds that are doubted.
    var doubtedHolds: [Int: Set<Int>] {
        Dictionary(uniqueKeysWithValues: streams.indices.map { ($0, streams[$0].doubtedHolds) }).filter { !$1.isEmpty }
    }

    /// Notes a key event of a stream whose layout has this origin. `isLost`: the release that it takes the place of
    /// was lost.
    /// - Returns: The modifiers held by each stream that is doubted from here on.
    @discardableResult
    mutating func note(
        _ usage: KeyUsage, _ phase: KeyPhase, of stream: Int, _ origin: ReportLayoutOrigin, isLost: Bool = false
    ) -> [(stream: Int, held: ModifierKeys)] {
        while streams.count <= stream { streams.append(Stream()) }
        if let key = usage.modifierKey {
            let wasFree = streams[stream].hold.held.isEmpty
            guard streams[stream].hold.note(key, phase) else { return [] }
            let isFree = streams[stream].hold.held.isEmpty
            if isLost { streams[stream].doubtedHolds.insert(streams[stream].hold.number) }
            if wasFree, !isFree {
                streams[stream].origin = origin
                (streams[stream].typed, streams[stream].presses) = ([], 0)
                holders.append(stream)
            } else if isFree {
                holders.removeAll { $0 == stream }
            }
            return []
        }
        guard phase == .down, TextKeyClass(usage) != nil else { return [] }
        let known = holders.filter { streams[$0].isHoldDoubted }
        streams[stream].all += 1
        return holders.compactMap { holder in
            streams[holder].type(usage, isOfAnother: holder != stream)
            let isNew = streams[holder].isHoldDoubted && !known.contains(holder)
            return isNew ? (holder, streams[holder].hold.held) : nil
        }
    }
}
