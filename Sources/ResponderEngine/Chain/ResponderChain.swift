/// Follows `next` from a responder, each `next` read once, and ends where a chain would go round in a circle
/// (spec FR-1). Constant memory: the circle is found by Brent's method, so some members of it come twice before.
package struct ChainWalk {
    private var upcoming: Responder?
    private var landmark: Responder?
    private var steps = 0
    private var distance = 1
    private(set) var foundCycle = false

    package init(from start: Responder?) { upcoming = start }

    package mutating func step() -> Responder? {
        guard let here = upcoming else { return nil }
        if here === landmark {
            foundCycle = true
            upcoming = nil
            return nil
        }
        if steps == distance {
            landmark = here
            distance *= 2
            steps = 0
        }
        steps += 1
        upcoming = here.next
        return here
    }
}

/// A chain that never ends: its members from the first that comes again, in order.
public struct ChainCycle {
    public let members: [Responder]

    /// `a → b → a`
    public var description: String {
        (members + members.prefix(1)).map(\.id).joined(separator: " → ")
    }
}

/// The responders from a start to the end of the chain, each once.
struct ResponderChain {
    var members = ResponderList([])
    var cycle: ChainCycle?
    /// The tree's link version at the walk.
    var linkVersion: UInt64 = 0
    /// Some view of the chain has gesture recognisers.
    var hasGestureRecognizers = false

    init() {}

    /// Walks the chain and takes its members into the tree. `reusing` gives its list when nothing changed, so that a
    /// chain that stays the same allocates nothing.
    init(from start: Responder?, tree: ResponderTree, reusing last: ResponderChain) {
        linkVersion = tree.linkVersion
        var walk = ChainWalk(from: start)
        let former = last.members.array
        var count = 0
        var differs = false
        var fresh: [Responder] = []
        while let responder = walk.step() {
            if responder.tree !== tree { responder.tree = tree }
            if responder.hasGestureRecognizers { hasGestureRecognizers = true }
            if !differs {
                if count < former.count, former[count] === responder {
                    count += 1
                    continue
                }
                differs = true
                fresh = Array(former.prefix(count))
            }
            fresh.append(responder)
        }
        if !differs, count == former.count {
            members = last.members
        } else {
            members = ResponderList(differs ? fresh : Array(former.prefix(count)))
        }
        if walk.foundCycle { cutAtCycle() }
    }

    /// True when every member answers `next` by its class's own rules or by `explicitNext`, so that a change of
    /// the chain shows in the link version.
    var isAnnounced: Bool { members.array.allSatisfy { $0.answersNextByRule } }

    /// Leaves each member once and names the circle.
    private mutating func cutAtCycle() {
        let members = members.array
        var seen: [ObjectIdentifier: Int] = [:]
        for (index, member) in members.enumerated() {
            guard let first = seen[ObjectIdentifier(member)] else {
                seen[ObjectIdentifier(member)] = index
                continue
            }
            cycle = ChainCycle(members: Array(members[first..<index]))
            self.members = ResponderList(Array(members[..<index]))
            return
        }
        // The walk ends just before the first repetition when the landmark is the first member of the circle.
        guard let last = members.last, let again = last.next, let first = seen[ObjectIdentifier(again)] else { return }
        cycle = ChainCycle(members: Array(members[first...]))
    }
}

/// Finds `window` of many responders between which no link changes, following each link once.
package struct WindowSearch {
    /// The window further up, for responders that were passed.
    private var known: [ObjectIdentifier: Window?] = [:]
    /// The same, by containers.
    private var containing: [ObjectIdentifier: Window?] = [:]

    package init() {}

    package mutating func window(of responder: Responder) -> Window? {
        if let window = containingWindow(of: responder) { return window }
        var walk = ChainWalk(from: responder)
        var passed: [ObjectIdentifier] = []
        var found: Window?
        while let here = walk.step() {
            found = here as? Window
            if found != nil { break }
            if let known = known[ObjectIdentifier(here)] {
                found = known
                break
            }
            passed.append(ObjectIdentifier(here))
        }
        for here in passed { known[here] = .some(found) }
        return found
    }

    private mutating func containingWindow(of responder: Responder) -> Window? {
        var here: Responder? = responder
        var passed: [ObjectIdentifier] = []
        var found: Window?
        while let responder = here {
            found = responder as? Window
            if found != nil { break }
            let id = ObjectIdentifier(responder)
            if let known = containing[id] {
                found = known
                break
            }
            // A circle of containers ends where it is met again.
            containing[id] = .some(nil)
            passed.append(id)
            here = responder.container
        }
        for id in passed { containing[id] = .some(found) }
        return found
    }
}

extension Responder {
    /// True when `next` is the result of the rules and `explicitNext`, so that an override would be seen.
    package final var answersNextByRule: Bool { next === nextByRule }
}
