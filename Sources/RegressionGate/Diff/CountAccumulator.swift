import KeyModel
import TraceFormat

/// Adds up the exact counts of paired presses.
struct CountAccumulator {
    private var sums: [ByteName: TraceDiff.Count] = [:]
    private var names: [ByteName] = []
    /// Most presses that are named with each count.
    private static let named = 8

    static let callNames = CallKind.allCases.map { "calls.\($0.name)" }
    static let cacheNames = ["cache.hits", "cache.misses", "cache.stale", "cache.invalidations"]

    init(_ pairs: some Sequence<(PressResult, PressResult)>) {
        // Most presses count the same as the one before, in both traces: they are added up together.
        var last: (base: PressResult.Counts, head: PressResult.Counts, press: UInt32, times: UInt64)?
        for (base, head) in pairs {
            if let same = last, same.base == base.counts, same.head == head.counts, base.counts == head.counts {
                last?.times += 1
                continue
            }
            if let last { add(last.base, last.head, last.press, last.times) }
            last = (base.counts, head.counts, head.at.press, 1)
        }
        if let last { add(last.base, last.head, last.press, last.times) }
    }

    private mutating func add(
        _ base: PressResult.Counts, _ head: PressResult.Counts, _ press: UInt32, _ times: UInt64
    ) {
        for name in CountAccumulator.callNames + ["callsOnRelease.keyCommands"] {
            add(name, (base[name] ?? 0) &* times, (head[name] ?? 0) &* times, press)
        }
        for responder in Set(base.keyCommands.keys).union(head.keyCommands.keys).sorted() {
            add(
                "keyCommands of \(responder.text)", (base.keyCommands[responder] ?? 0) &* times,
                (head.keyCommands[responder] ?? 0) &* times, press)
        }
        for name in CountAccumulator.cacheNames {
            if let old = base[name], let new = head[name] { add(name, old &* times, new &* times, press) }
        }
    }

    private mutating func add(_ name: String, _ base: UInt64, _ head: UInt64, _ press: UInt32) {
        let key = ByteName(name)
        if sums[key] == nil { names.append(key) }
        var sum = sums[key] ?? TraceDiff.Count(name: name, base: 0, head: 0, affected: 0, presses: [])
        sum.base = sum.base.addingSaturated(base)
        sum.head = sum.head.addingSaturated(head)
        if base != head {
            sum.affected += 1
            if sum.presses.count < CountAccumulator.named { sum.presses.append(press) }
        }
        sums[key] = sum
    }

    /// Sums of the second trace, but for those of single responders.
    var sumsOfHead: [String: UInt64] {
        Dictionary(
            uniqueKeysWithValues: sums.values.filter { !$0.name.hasPrefix("keyCommands of ") && $0.head > 0 }
                .map { ($0.name, $0.head) })
    }

    /// Counts that differ in some press, even where the sums are the same.
    var changes: [TraceDiff.Count] { names.compactMap { sums[$0] }.filter { $0.affected > 0 } }
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
        default: CountAccumulator.callNames.firstIndex(of: name).map { calls[$0] }
        }
    }
}
