/// The key commands cached between questions, and the counts of their use.
final class CommandCache {
    var policy: CachePolicy
    /// Reads everything afresh at each hit and counts the answers that differ.
    var shadowCheck = false
    /// The index of policy `chain`.
    private(set) var index: CommandIndex?
    /// A link changed since the index was made: its chain must be compared before it is used again.
    private(set) var indexNeedsCheck = false
    /// A link changed since the lists of held keys were compared with the chain.
    var pressListsNeedCheck = false
    /// The lists of policy `responder`.
    private var lists: [ObjectIdentifier: CachedList] = [:]
    /// Since they were taken last.
    private(set) var counts = CacheCounts()

    init(_ policy: CachePolicy) { self.policy = policy }

    func countLookup(isHit: Bool, isStale: Bool = false) {
        if isHit { counts.hits += 1 } else { counts.misses += 1 }
        if isStale { counts.stale += 1 }
    }

    func takeCounts() -> CacheCounts {
        defer { counts = CacheCounts() }
        return counts
    }

    func list(of responder: Responder) -> CachedList? { lists[ObjectIdentifier(responder)] }

    func keep(_ list: CachedList) { lists[ObjectIdentifier(list.responder)] = list }

    func keep(_ made: CommandIndex) { index = made }

    /// The index of the chain from here, where nothing that it depends on has changed.
    func index(from start: Responder?) -> CommandIndex? {
        guard !indexNeedsCheck, let index, index.start === start else { return nil }
        return index
    }

    // MARK: Invalidation. Each entry that is dropped counts.

    /// Returns the responders whose answers followed the links, and were dropped.
    func linksChanged() -> [Responder] {
        (indexNeedsCheck, pressListsNeedCheck) = (true, true)
        var followers = lists.values.map(\.responder).filter(\.followsStructure)
        for responder in followers { lists[ObjectIdentifier(responder)] = nil }
        counts.invalidations += followers.count
        if let follower = index?.follower {
            if followers.isEmpty { followers = [follower] }
            dropIndex()
        }
        // They are recorded, and a dictionary has another order each time.
        return followers.count < 2 ? followers : followers.sorted { $0.id < $1.id }
    }

    /// After a change of links, the index is good only for the chain it was made of.
    func check(_ start: Responder?, _ members: ResponderList, hosts: [Responder]) {
        guard indexNeedsCheck || index?.start !== start else { return }
        indexNeedsCheck = false
        guard let index else { return }
        if !(index.members.isSame(as: members) && index.hosts.elementsEqual(hosts, by: ===)) { dropIndex() }
    }

    func commandsChanged(of responder: Responder) {
        if lists.removeValue(forKey: ObjectIdentifier(responder)) != nil { counts.invalidations += 1 }
        if index?.concerns(responder) == true { dropIndex() }
    }

    func dropIndex() {
        guard index != nil else { return }
        index = nil
        counts.invalidations += 1
    }

    func dropAll() {
        counts.invalidations += lists.count
        lists = [:]
        dropIndex()
    }

    /// Lists that presses kept under policy `press`.
    func countPressLists(_ dropped: Int) { if policy == .press { counts.invalidations += dropped } }
}
