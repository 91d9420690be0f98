import KeyModel

/// The key commands of one chain by the key and modifiers that they match: policy `chain`.
///
/// Valid until a member announces other commands or the chain has other members. A chord's candidates are matched at
/// its first press; from then on a press is one look-up, however many commands there are.
final class CommandIndex {
    /// The responder where presses enter the chain.
    let start: Responder
    let members: ResponderList
    /// The commands in order of precedence, the main menu's included.
    let commands: [CollectedCommand]
    /// The first member whose commands depend on the first responder or on what is presented.
    let follower: Responder?
    /// Responders beside the chain whose commands were read (spec KC-7).
    private let others: [Responder]
    /// Controllers whose SwiftUI shortcuts are in it, wherever they are.
    let hosts: [Responder]
    private let matching: Matching
    /// Of the presses so far, by the number of their stroke.
    private var candidates: [CandidateList?] = []

    init(
        start: Responder, members: ResponderList, suppliers: [Responder], commands: [CollectedCommand],
        hosts: [Responder] = [], matching: Matching
    ) {
        self.start = start
        self.members = members
        self.commands = commands
        self.hosts = hosts
        self.matching = matching
        follower = members.array.first { $0.followsStructure }
        others = suppliers.count == members.array.count
            ? [] : suppliers.filter { supplier in !members.array.contains { $0 === supplier } }
    }

    /// The commands that a press matches.
    func candidates(of held: PressesEvent) -> CandidateList {
        guard held.stroke.usage != nil else { return .empty }
        let number = held.stroke.number
        if let number, number < candidates.count, let known = candidates[number] { return known }
        let found = CandidateList(matching.candidates(commands, held.stroke))
        guard let number else { return found }
        // Moved out, changed and put back: a change in place would be checked for overlaps at every read.
        var lists = candidates
        candidates = []
        if lists.count <= number { lists += Array(repeating: nil, count: number + 1 - lists.count) }
        lists[number] = found
        candidates = lists
        return found
    }

    /// True when commands of this responder are in it, or would be if it had any.
    func concerns(_ responder: Responder) -> Bool {
        members.array.contains { $0 === responder } || others.contains { $0 === responder }
            || hosts.contains { $0 === responder }
    }
}
