import TraceFormat

/// Adds up the exact counts of paired presses.
struct CountLedger {
    private var sums: [String: TraceDiff.CountChange] = [:]
    private var names: [String] = []
    /// So many presses are named with each count.
    private static let named = 8

    static let callNames = CallKind.allCases.map { "calls.\($0.name)" }
    static let cacheNames = ["cache.hits", "cache.misses", "cache.stale", "cache.invalidations"]

    init(_ pairs: some Sequence<(PressResult, PressResult)>) {
        let names = CountLedger.callNames + ["callsOnRelease.keyCommands"]
        for (base, head) in pairs {
            for name in names { add(name, base.counts[name] ?? 0, head.counts[name] ?? 0, head) }
            for responder in Set(base.counts.keyCommands.keys).union(head.counts.keyCommands.keys).sorted() {
                add(
                    "keyCommands of \(responder)", base.counts.keyCommands[responder] ?? 0,
                    head.counts.keyCommands[responder] ?? 0, head)
            }
            for name in CountLedger.cacheNames {
                if let old = base.counts[name], let new = head.counts[name] { add(name, old, new, head) }
            }
        }
    }

    private mutating func add(_ name: String, _ base: UInt64, _ head: UInt64, _ press: PressResult) {
        if sums[name] == nil {
            names.append(name)
            sums[name] = TraceDiff.CountChange(name: name, base: 0, head: 0, presses: [], affected: 0)
        }
        sums[name]?.base += base
        sums[name]?.head += head
        guard base != head else { return }
        sums[name]?.affected += 1
        if (sums[name]?.presses.count ?? 0) < CountLedger.named { sums[name]?.presses.append(press.at.press) }
    }

    /// Those that differ in some press, even where the sums are the same.
    var changes: [TraceDiff.CountChange] { names.compactMap { sums[$0] }.filter { $0.affected > 0 } }
}

extension PressResult.Counts {
    /// A count by the name that reports and budgets use; `nil` where it was not recorded.
    subscript(_ name: String) -> UInt64? {
        switch name {
        case "callsOnRelease.keyCommands": callsOnRelease
        case "cache.hits": cache?.hits
        case "cache.misses": cache?.misses
        case "cache.stale": cache?.stale
        case "cache.invalidations": cache?.invalidations
        default: CountLedger.callNames.firstIndex(of: name).map { calls[$0] }
        }
    }
}
