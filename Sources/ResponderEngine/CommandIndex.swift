import KeyModel

/// All commands of one chain by input and modifiers, and what each pressed chord came to. Serves policy `chain`:
/// in a steady state a press is one lookup, however many commands there are.
final class CommandIndex {
    let start: Responder
    let members: [Responder]
    /// In order of precedence, the main menu's included.
    let commands: [CollectedCommand]
    /// The chain's part of `commands`, without the main menu, for comparison with a fresh answer.
    let chainCommands: [CollectedCommand]
    private let matching: Matching

    /// Open addressing: the first command of each key, −1 where free; the rest hang on `following`.
    private var heads: [Int32]
    private var following: [Int32]
    private let mask: Int

    /// Open addressing over pressed chords; a free place has no list.
    @exclusivity(unchecked) private var chords: [(chord: UInt64, list: CandidateList?)]
    @exclusivity(unchecked) private var chordCount = 0

    init(
        start: Responder, members: [Responder], commands: [CollectedCommand], chainCommands: [CollectedCommand],
        matching: Matching
    ) {
        self.start = start
        self.members = members
        self.commands = commands
        self.chainCommands = chainCommands
        self.matching = matching
        var capacity = 16
        while capacity < commands.count * 2 { capacity *= 2 }
        mask = capacity - 1
        heads = Array(repeating: -1, count: capacity)
        following = Array(repeating: -1, count: commands.count)
        chords = Array(repeating: (0, nil), count: 64)
        // Backwards, so that each key's commands hang in order of precedence.
        for index in commands.indices.reversed() where commands[index].input != .none {
            let slot = slot(of: key(of: commands[index]))
            following[index] = heads[slot]
            heads[slot] = Int32(truncatingIfNeeded: index)
        }
    }

    private func key(of command: CollectedCommand) -> CommandKey {
        CommandKey(input: command.input, modifiers: command.modifiers.intersection(matching.mask))
    }

    /// The place of a key, or the free place where it belongs.
    private func slot(of key: CommandKey) -> Int {
        var slot = Int(truncatingIfNeeded: CommandIndex.mix(key.input.rawValue ^ UInt64(key.modifiers.rawValue) << 32))
            & mask
        while heads[slot] >= 0, self.key(of: commands[Int(heads[slot])]) != key { slot = (slot + 1) & mask }
        return slot
    }

    /// The commands that a press matches.
    func candidates(_ stroke: Stroke) -> CandidateList {
        guard let usage = stroke.usage else { return .empty }
        let chord = UInt64(usage.rawValue) << 8 | UInt64(stroke.flags.packed) | 1 << 63
        var slot = Int(truncatingIfNeeded: CommandIndex.mix(chord)) & (chords.count - 1)
        while let list = chords[slot].list {
            if chords[slot].chord == chord { return list }
            slot = (slot + 1) & (chords.count - 1)
        }
        let list = CandidateList(collect(stroke))
        remember(chord, list)
        return list
    }

    private func collect(_ stroke: Stroke) -> [CollectedCommand] {
        if matching.plainMatchesAny { return matching.candidates(commands, stroke) }
        let keys = matching.keys(stroke)
        let isKeypad = stroke.flags.contains(.numericPad)
        var found: [CollectedCommand] = []
        for key in keys.inOrder {
            var index = heads[slot(of: key)]
            while index >= 0 {
                let command = commands[Int(index)]
                if isKeypad || !command.wantsKeypad { found.append(command) }
                index = following[Int(index)]
            }
        }
        return found
    }

    private func remember(_ chord: UInt64, _ list: CandidateList) {
        chordCount += 1
        if chordCount * 2 > chords.count {
            let old = chords
            chords = Array(repeating: (0, nil), count: old.count * 2)
            for entry in old { if let list = entry.list { place(entry.chord, list) } }
        }
        place(chord, list)
    }

    private func place(_ chord: UInt64, _ list: CandidateList) {
        var slot = Int(truncatingIfNeeded: CommandIndex.mix(chord)) & (chords.count - 1)
        while chords[slot].list != nil { slot = (slot + 1) & (chords.count - 1) }
        chords[slot] = (chord, list)
    }

    /// Spreads neighbouring keys over the table (the finaliser of SplitMix64).
    private static func mix(_ value: UInt64) -> UInt64 {
        var value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
