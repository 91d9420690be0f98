import KeyModel

/// All commands of one chain by input and modifiers, and what each pressed chord came to. Serves policy `chain`:
/// in a steady state a press is one lookup, however many commands there are.
final class CommandIndex {
    let start: Responder
    let members: [Responder]
    let followsStructure: Bool
    /// In order of precedence, the main menu's included.
    private let lists: [SuppliedCommands]
    private let facts: [CommandFacts]
    /// The chain's part of `facts`, without the main menu.
    private let chainPart: Range<Int>
    private let matching: Matching
    /// The chain, once it was found to be steady.
    @exclusivity(unchecked) var steady: SteadyChain?
    /// The link version at which that was tried last.
    @exclusivity(unchecked) var triedSteadiness: UInt64 = .max

    /// Open addressing: the first command of each key, −1 where free; the rest hang on `following`.
    private let heads: [Int32]
    private let following: [Int32]

    /// Open addressing over pressed chords; a free place has no list. Empty before the first.
    @exclusivity(unchecked) private var chords: [(chord: UInt64, list: CandidateList?)] = []
    @exclusivity(unchecked) private var chordCount = 0

    /// `chainPart` are the places of those of `facts` that are not the main menu's.
    init(
        start: Responder, members: [Responder], lists: [SuppliedCommands], facts: [CommandFacts],
        chainPart: Range<Int>, matching: Matching
    ) {
        self.start = start
        self.members = members
        followsStructure = members.contains { $0.followsStructure }
        self.lists = lists
        self.facts = facts
        self.chainPart = chainPart
        self.matching = matching
        var capacity = 16
        while capacity < facts.count * 2 { capacity *= 2 }
        let modifierMask = matching.mask
        var heads = [Int32](repeating: -1, count: capacity)
        var following = [Int32](repeating: -1, count: facts.count)
        facts.withUnsafeBufferPointer { facts in
            heads.withUnsafeMutableBufferPointer { heads in
                following.withUnsafeMutableBufferPointer { following in
                    // Backwards, so that each key's commands hang in order of precedence.
                    for index in facts.indices.reversed() where facts[index].input != 0 {
                        let key = (facts[index].input, facts[index].modifiers.intersection(modifierMask))
                        let slot = CommandIndex.slot(of: key, heads, facts, modifierMask)
                        following[index] = heads[slot]
                        heads[slot] = Int32(truncatingIfNeeded: index)
                    }
                }
            }
        }
        self.heads = heads
        self.following = following
    }

    /// All commands, in order of precedence. Made anew on every read.
    var commands: [CollectedCommand] { facts.map { CollectedCommand($0, of: lists[Int($0.list)]) } }

    /// True when a fresh answer of the chain would resolve every press alike.
    func isSame(as fresh: [CollectedCommand]) -> Bool {
        let part = facts[chainPart]
        return part.count == fresh.count
            && zip(part, fresh).allSatisfy { $0.isSame(as: $1, supplier: lists[Int($0.list)].supplier) }
    }

    /// True when commands of this responder are in it, or would be if it had any.
    func concerns(_ responder: Responder) -> Bool {
        members.contains { $0 === responder } || lists.contains { $0.supplier === responder }
    }

    /// The place of a key, or the free place where it belongs.
    @inline(__always)
    private static func slot(
        of key: (input: UInt64, modifiers: KeyModifiers), _ heads: UnsafeMutableBufferPointer<Int32>,
        _ facts: UnsafeBufferPointer<CommandFacts>, _ modifierMask: KeyModifiers
    ) -> Int {
        let mask = heads.count - 1
        var slot = Int(truncatingIfNeeded: hash(key.input, key.modifiers)) & mask
        while heads[slot] >= 0 {
            let other = Int(heads[slot])
            if facts[other].input == key.input, facts[other].modifiers.intersection(modifierMask) == key.modifiers {
                break
            }
            slot = (slot &+ 1) & mask
        }
        return slot
    }

    /// The first command for a key, −1 for none.
    private func first(_ key: CommandKey) -> Int32 {
        let mask = heads.count - 1
        var slot = Int(truncatingIfNeeded: CommandIndex.hash(key.input.rawValue, key.modifiers)) & mask
        while heads[slot] >= 0 {
            let other = facts[Int(heads[slot])]
            if other.input == key.input.rawValue, other.modifiers.intersection(matching.mask) == key.modifiers { break }
            slot = (slot + 1) & mask
        }
        return heads[slot]
    }

    @inline(__always)
    private static func hash(_ input: UInt64, _ modifiers: KeyModifiers) -> UInt64 {
        let product = (input ^ UInt64(modifiers.rawValue) << 24).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    /// The commands that a press matches.
    func candidates(_ stroke: Stroke) -> CandidateList {
        guard let usage = stroke.usage else { return .empty }
        let chord = UInt64(usage.rawValue) << 8 | UInt64(stroke.flags.packed) | 1 << 63
        if !chords.isEmpty {
            var slot = Int(truncatingIfNeeded: CommandIndex.mix(chord)) & (chords.count - 1)
            while let list = chords[slot].list {
                if chords[slot].chord == chord { return list }
                slot = (slot + 1) & (chords.count - 1)
            }
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
            var index = first(key)
            while index >= 0 {
                let facts = facts[Int(index)]
                if isKeypad || !facts.modifiers.contains(.numericPad) {
                    found.append(CollectedCommand(facts, of: lists[Int(facts.list)]))
                }
                index = following[Int(index)]
            }
        }
        return found
    }

    private func remember(_ chord: UInt64, _ list: CandidateList) {
        chordCount += 1
        if chordCount * 2 > chords.count {
            let old = chords
            chords = Array(repeating: (0, nil), count: max(8, old.count * 2))
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
