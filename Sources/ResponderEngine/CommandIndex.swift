import KeyModel

/// All commands of one chain by input and modifiers, and what each pressed chord came to. Serves policy `chain`:
/// in a steady state a press is one lookup, however many commands there are.
///
/// An index that is no longer good is filled again with what the chain answers then: nothing is allocated for commands
/// as long as they are no more than before.
final class CommandIndex {
    @exclusivity(unchecked) private(set) var start: Responder?
    @exclusivity(unchecked) private(set) var members: [Responder] = []
    /// Suppliers that are not on the chain.
    @exclusivity(unchecked) private var others: [Responder] = []
    /// Some member's commands depend on the first responder or on what is presented.
    @exclusivity(unchecked) private(set) var followsStructure = false
    /// In order of precedence, the main menu's included.
    @exclusivity(unchecked) private var lists: [SuppliedCommands] = []
    /// The first `count` are those of the lists.
    @exclusivity(unchecked) private var facts = UnsafeMutableBufferPointer<CommandFacts>(start: nil, count: 0)
    @exclusivity(unchecked) private var count = 0
    /// How many of `facts` were ever written, and how many were found as they had been in the last filling.
    @exclusivity(unchecked) private var known = 0
    @exclusivity(unchecked) private var unchanged = 0
    /// How many commands the last filling found.
    @exclusivity(unchecked) private var former = 0
    @exclusivity(unchecked) private var order = Order()
    /// The chain's part of `facts`, without the main menu.
    @exclusivity(unchecked) private var chainPart = 0..<0
    @exclusivity(unchecked) private var matching: Matching
    /// The link version at which it was last tried whether the chain is steady.
    @exclusivity(unchecked) var triedSteadiness: UInt64 = .max

    /// Open addressing: the first command of each key, −1 where free; the rest hang on `following`.
    @exclusivity(unchecked) private var heads = UnsafeMutableBufferPointer<Int32>(start: nil, count: 0)
    @exclusivity(unchecked) private var following = UnsafeMutableBufferPointer<Int32>(start: nil, count: 0)
    /// The modifiers that commands hang by.
    @exclusivity(unchecked) private var spreadMask: KeyModifiers = []
    /// One less than how many of `heads` are used, a power of two.
    @exclusivity(unchecked) private var mask = 0

    /// Open addressing over pressed chords; a free place has no list. Empty before the first.
    @exclusivity(unchecked) private var chords: [(chord: UInt64, list: CandidateList?)] = []
    @exclusivity(unchecked) private var chordCount = 0

    init(_ matching: Matching) { self.matching = matching }

    deinit {
        facts.deallocate()
        heads.deallocate()
        following.deallocate()
    }

    // MARK: Filling

    /// In which order commands take precedence, and what they are matched by.
    struct Order {
        var isMenuFirst = false
        var isFarthestFirst = false
        var alternates = Profile.AlternatePrecedence.afterParent
        /// A command's input on this layout, where that may not be its own.
        var movedInput: ((KeyCommand) -> CommandInput)?

        /// Lists take precedence as they come.
        var isThatOfLists: Bool { !isMenuFirst && !isFarthestFirst }
    }

    /// Empties it. The lists follow in the order of the chain.
    func begin(start: Responder, members: [Responder], matching: Matching, order: Order) {
        self.start = start
        self.members = members
        followsStructure = members.contains { $0.followsStructure }
        self.matching = matching
        self.order = order
        triedSteadiness = .max
        former = count
        count = 0
        unchanged = 0
        lists.removeAll(keepingCapacity: true)
        if !others.isEmpty { others = [] }
        guard chordCount > 0 else { return }
        chordCount = 0
        for place in chords.indices { chords[place] = (0, nil) }
    }

    /// The facts are read while the list is at hand, which saves counting its references once more.
    @inline(__always)
    func add(_ commands: consuming [KeyCommand], of responder: Responder, isOnChain: Bool) {
        if !isOnChain { others.append(responder) }
        if order.isThatOfLists { collect(commands, of: lists.count) }
        lists.append(SuppliedCommands(.passUnretained(responder), commands))
    }

    /// All lists are there, and `menu` are the main menu's commands.
    func finish(menu: [KeyCommand]) {
        if order.isThatOfLists {
            chainPart = 0..<count
            collect(menu, of: lists.count)
            lists.append(SuppliedCommands(nil, menu))
        } else {
            if order.isFarthestFirst { lists.reverse() }
            let chainLists = lists.indices
            lists.append(SuppliedCommands(nil, menu))
            if order.isMenuFirst { collect(menu, of: chainLists.upperBound) }
            let begin = count
            for list in chainLists { collect(lists[list].commands, of: list) }
            chainPart = begin..<count
            if !order.isMenuFirst { collect(menu, of: chainLists.upperBound) }
        }
        order.movedInput = nil
        // Where the same commands were answered again, each hangs where it did.
        if count != former || unchanged != count || spreadMask != matching.mask { spread() }
    }

    /// Adds the facts of a list with alternates beside their parents (spec MT-12).
    private func collect(_ commands: [KeyCommand], of list: Int) {
        commands.withUnsafeBufferPointer { commands in
            if count + commands.count > facts.count { reserve(count + commands.count) }
            guard let base = commands.baseAddress else { return }
            // Without this each command's references would be counted.
            let links = UnsafeRawPointer(base).assumingMemoryBound(to: Unmanaged<KeyCommand>.self)
            let plain = order.movedInput == nil ? collectPlain(links, commands.count, of: list) : 0
            for place in plain..<commands.count {
                links[place]._withUnsafeGuaranteedRef { collect($0, of: list, at: place) }
            }
        }
    }

    /// Adds facts up to the first command that has alternates. Says how many.
    private func collectPlain(_ links: UnsafePointer<Unmanaged<KeyCommand>>, _ wanted: Int, of list: Int) -> Int {
        guard let written = facts.baseAddress.map({ $0 + count }) else { return 0 }
        let known = known - count
        var (place, same) = (0, 0)
        while place < wanted {
            let isPlain = links[place]._withUnsafeGuaranteedRef { command in
                guard command.hasNoAlternates else { return false }
                let new = CommandFacts(command, input: command.commandInput, list: list, place: place)
                if place < known, written[place] == new { same += 1 } else { written[place] = new }
                return true
            }
            if !isPlain { break }
            place += 1
        }
        count += place
        unchanged += same
        self.known = max(self.known, count)
        return place
    }

    private func collect(_ command: KeyCommand, of list: Int, at place: Int) {
        let input = order.movedInput?(command) ?? command.commandInput
        if command.hasNoAlternates {
            append(CommandFacts(command, input: input, list: list, place: place))
            return
        }
        let alternates = command.alternates.indices.map {
            CommandFacts(command, alternate: $0, input: input, list: list, place: place)
        }
        if order.alternates == .beforeParent { for facts in alternates { append(facts) } }
        append(CommandFacts(command, input: input, list: list, place: place))
        if order.alternates == .afterParent { for facts in alternates { append(facts) } }
    }

    @inline(__always)
    private func append(_ new: CommandFacts) {
        if count == facts.count { reserve(count + 1) }
        if known > count, facts[count] == new {
            unchanged += 1
        } else {
            facts[count] = new
            known = max(known, count + 1)
        }
        count += 1
    }

    private func reserve(_ wanted: Int) {
        let larger = UnsafeMutableBufferPointer<CommandFacts>.allocate(capacity: max(16, wanted, facts.count * 2))
        for index in 0..<known { larger[index] = facts[index] }
        facts.deallocate()
        facts = larger
    }

    /// Hangs each command on its key.
    private func spread() {
        var capacity = 16
        while capacity < count * 2 { capacity *= 2 }
        if capacity > heads.count {
            heads.deallocate()
            heads = .allocate(capacity: capacity)
        }
        if count > following.count {
            following.deallocate()
            following = .allocate(capacity: facts.count)
        }
        mask = capacity - 1
        spreadMask = matching.mask
        let (facts, heads, following, mask, modifierMask) = (facts, heads, following, mask, matching.mask)
        for slot in 0...mask { heads[slot] = -1 }
        // Backwards, so that each key's commands hang in order of precedence.
        for index in (0..<count).reversed() {
            let (input, modifiers) = (facts[index].input, facts[index].modifiers.intersection(modifierMask))
            guard input != 0 else {
                following[index] = -1
                continue
            }
            var slot = Int(truncatingIfNeeded: CommandIndex.hash(input, modifiers)) & mask
            while heads[slot] >= 0 {
                let other = Int(heads[slot])
                if facts[other].input == input, facts[other].modifiers.intersection(modifierMask) == modifiers { break }
                slot = (slot &+ 1) & mask
            }
            following[index] = heads[slot]
            heads[slot] = Int32(truncatingIfNeeded: index)
        }
    }

    // MARK: What it has

    /// All commands, in order of precedence. Made anew on every read.
    var commands: [CollectedCommand] { facts[..<count].map { CollectedCommand($0, of: lists[Int($0.list)]) } }

    /// True when a fresh answer of the chain would resolve every press alike.
    func isSame(as fresh: [CollectedCommand]) -> Bool {
        let part = facts[chainPart]
        return part.count == fresh.count
            && zip(part, fresh).allSatisfy { $0.isSame(as: $1, supplier: lists[Int($0.list)].supplier) }
    }

    /// True when commands of this responder are in it, or would be if it had any.
    func concerns(_ responder: Responder) -> Bool {
        lists.contains { $0.isOf(responder) } || members.contains { $0 === responder }
    }

    /// The first command for a key, −1 for none.
    private func first(_ key: CommandKey) -> Int32 {
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
