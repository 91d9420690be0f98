extension GeneratedCase {
    /// The smallest case found that still fails: parts are taken away, large ones first, as long as it does.
    package func shrunk(while fails: (GeneratedCase) -> Bool) -> GeneratedCase {
        var smallest = self
        var didShrink = true
        while didShrink {
            didShrink = false
            for shrink in GeneratedCase.shrinks {
                // From halves down to single parts.
                var size = max(1, shrink.count(smallest) / 2)
                while true {
                    var place = 0
                    while place < shrink.count(smallest) {
                        var smaller = smallest
                        shrink.remove(&smaller, place..<min(place + size, shrink.count(smallest)))
                        if smaller != smallest, fails(smaller) {
                            smallest = smaller
                            didShrink = true
                        } else {
                            place += size
                        }
                    }
                    if size == 1 { break }
                    size /= 2
                }
            }
        }
        return smallest
    }

    private struct Shrink {
        let count: (GeneratedCase) -> Int
        let remove: (inout GeneratedCase, Range<Int>) -> Void
    }

    private static var shrinks: [Shrink] {
        [
            Shrink(count: { $0.steps.count }) { $0.steps.removeSubrange($1) },
            Shrink(count: { $0.members.count }) { $0.removeMembers($1) },
            Shrink(count: { $0.hasField ? 1 : 0 }) { smaller, _ in smaller.removeField() },
            Shrink(count: { $0.menu.count }) { $0.menu.removeSubrange($1) },
            Shrink(count: { $0.otherMenu.count }) { $0.otherMenu.removeSubrange($1) },
            Shrink(count: { $0.applicationCommands.count }) { $0.applicationCommands.removeSubrange($1) },
            Shrink(count: { $0.applicationActions.count }) { $0.applicationActions.removeSubrange($1) },
            inMembers(\.commands), inMembers(\.busy), inMembers(\.actions),
        ]
    }

    /// Parts of the members, one after the other.
    private static func inMembers<Part>(_ parts: WritableKeyPath<Member, [Part]>) -> Shrink {
        Shrink(count: { $0.members.reduce(0) { $0 + $1[keyPath: parts].count } }) { smaller, range in
            var first = 0
            for at in smaller.members.indices {
                let count = smaller.members[at][keyPath: parts].count
                let here = range.clamped(to: first..<first + count)
                first += count
                guard !here.isEmpty else { continue }
                let start = first - count
                smaller.members[at][keyPath: parts].removeSubrange(here.lowerBound - start..<here.upperBound - start)
            }
        }
    }

    private mutating func removeMembers(_ range: Range<Int>) {
        let gone = Set(members[range].map(\.id))
        members.removeSubrange(range)
        forget(gone)
    }

    private mutating func removeField() {
        hasField = false
        forget(["field"])
    }

    /// What mentions them goes, too.
    private mutating func forget(_ gone: Set<String>) {
        steps.removeAll { !gone.isDisjoint(with: $0.mentions) }
        if gone.contains(first) { first = members.first?.id ?? (hasField ? "field" : "null") }
    }
}
