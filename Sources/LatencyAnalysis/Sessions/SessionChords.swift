import KeyModel
import TraceFormat
import TracePresses

/// Number of times that a chord had the same outcome in a session. Keys that type text are excluded: they are masked.
package struct SessionChord: Hashable, Sendable {
    /// By position: `shift+cmd+w`.
    package var chord: String
    package var outcome: String
    package var firstResponder: String?
    package var action: String?
    /// Presses; their repeats are not counted.
    package var presses: Int64
    /// Cached answers at these presses that differed from a fresh one.
    package var stale: Int64
}

/// Collects `SessionChord`s.
struct SessionChords: Sendable {
    private var assembler = PressAssembler([.keys, .texts, .cache, .resolutions], .decided)
    private var counts: [Key: (presses: Int64, stale: Int64)] = [:]
    /// Different ends that are kept; no real session comes near it.
    private static let limit = 65_536
    private(set) var isFull = false

    private struct Key: Hashable {
        var chord: Chord
        var outcome: Outcome
        var firstResponder: ResponderRef?
        var action: StringRef?
    }

    mutating func consume(_ record: TraceRecord) {
        assembler.consume(record)
        countDecided()
    }

    private mutating func countDecided() {
        while let press = assembler.next() {
            guard !press.isText, !press.isRepeat, let chord = press.chord, let resolution = press.resolution else {
                continue
            }
            let key = Key(
                chord: chord, outcome: resolution.outcome, firstResponder: resolution.start, action: resolution.action)
            guard counts.count < SessionChords.limit || counts[key] != nil else {
                isFull = true
                continue
            }
            counts[key, default: (0, 0)].presses += 1
            counts[key]?.stale += press.cache.map { Int64(clamping: $0.stale) } ?? 0
        }
    }

    /// In the order of their texts, which does not reveal the order of the presses.
    mutating func finish(_ definitions: TraceDefinitions, name: (String?) -> String) -> [SessionChord] {
        assembler.finish()
        countDecided()
        var merged: [[String]: SessionChord] = [:]
        for (key, count) in counts {
            let responder = key.firstResponder.map { name(definitions[$0]?.id) }
            let action = key.action.map { name(definitions[$0]) }
            let row = SessionChord(
                chord: key.chord.text, outcome: key.outcome.name, firstResponder: responder, action: action,
                presses: 0, stale: 0)
            // No name has a line end.
            let order = [row.chord, row.outcome, responder ?? "\n", action ?? "\n"]
            merged[order, default: row].presses += count.presses
            merged[order]?.stale += count.stale
        }
        return merged.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }
}
