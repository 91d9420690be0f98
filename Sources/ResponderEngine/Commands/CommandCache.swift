/// The key commands cached between questions, and the counts of their use.
final class CommandCache {
    var policy: CachePolicy
    /// Reads everything afresh at each hit and counts the answers that differ.
    var shadowCheck = false
    /// The index of policy `chain`.
    private(set) var index: CommandIndex?
    /// A link changed since the index was made: its chain must be compared before it is used again.
    private(set) var indexNeedsCheck = false
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

    // MARK: Invalidation. Each returns the number of entries it dropped, which are counted.

    func linksChanged() -> Int {
        indexNeedsCheck = true
        let followers = lists.filter { $0.value.responder.followsStructure }.map(\.key)
        for key in followers { lists[key] = nil }
        return counted(followers.count) + (index?.followsStructure == true ? dropIndex() : 0)
    }

    /// After a change of links, the index is good only for the chain it was made of.
    func check(_ start: Responder?, _ members: ResponderList, hosts: [Responder] = []) -> Int {
        guard indexNeedsCheck || index?.start !== start else { return 0 }
        indexNeedsCheck = false
        guard let index, !(index.members.isSame(as: members) && index.hosts.elementsEqual(hosts, by: ===)) else {
            return 0
        }
        return dropIndex()
    }

    func commandsChanged(of responder: Responder) -> Int {
        let hadList = lists.removeValue(forKey: ObjectIdentifier(responder)) != nil
        return counted(hadList ? 1 : 0) + (index?.concerns(responder) == true ? dropIndex() : 0)
    }

    func dropIndex() -> Int {
        guard index != nil else { return 0 }
        index = nil
        return counted(1)
    }

    func dropAll() -> Int {
        let dropped = lists.count
        lists = [:]
        return counted(dropped) + dropIndex()
    }

    /// Lists that presses kept under policy `press`.
    func countPressLists(_ dropped: Int) -> Int { policy == .press ? counted(dropped) : 0 }

    private func counted(_ dropped: Int) -> Int {
        counts.invalidations += dropped
        return dropped
    }
}
