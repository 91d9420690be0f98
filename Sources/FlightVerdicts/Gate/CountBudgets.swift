import TraceFormat

/// Most that a golden's exact counts may come to, as text in the repository: `budgets.txt` beside the golden.
///
///     # one a line: a count, `press` (the largest of one press) or `total`, and the most allowed
///     calls.keyCommands press 12
///     cache.misses total 40
///
/// A count with a budget may be any number up to it; one without must be what the golden says.
public struct CountBudgets: Hashable, Sendable {
    public struct Budget: Hashable, Sendable {
        public enum Span: String, Hashable, Sendable { case press, total }
        public var count: String
        public var span: Span
        public var most: UInt64
    }

    public private(set) var budgets: [Budget] = []

    public init() {}

    /// Names that a budget may be for.
    static let names =
        CountLedger.callNames + ["callsOnRelease.keyCommands"] + CountLedger.cacheNames

    public init(_ text: String, file: String) throws(VerdictError) {
        for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let name = String(first)
            let found = String(line.prefix(80))
            guard CountBudgets.names.contains(name) else {
                throw VerdictError(
                    .usage, "\(file): line \(place + 1)", "count",
                    expected: CountBudgets.names.joined(separator: ", "), found: found)
            }
            guard words.count == 3, let span = Budget.Span(rawValue: String(words[1])), let most = UInt64(words[2])
            else {
                throw VerdictError(
                    .usage, "\(file): line \(place + 1)", "budget", expected: "COUNT press|total NUMBER", found: found)
            }
            budgets.append(Budget(count: name, span: span, most: most))
        }
    }

    /// A budget that was not kept.
    public struct Excess: Hashable, Sendable {
        public var budget: Budget
        public var found: UInt64
        /// The first press above it, for a budget of one press.
        public var press: UInt32?
    }

    public func excesses(of results: [PressResult]) -> [Excess] {
        budgets.compactMap { budget in
            var (sum, largest) = (UInt64(0), UInt64(0))
            var press: UInt32?
            for result in results {
                let value = result.counts[budget.count] ?? 0
                sum += value
                largest = max(largest, value)
                if press == nil, value > budget.most { press = result.at.press }
            }
            switch budget.span {
            case .press: return largest > budget.most ? Excess(budget: budget, found: largest, press: press) : nil
            case .total: return sum > budget.most ? Excess(budget: budget, found: sum, press: nil) : nil
            }
        }
    }

    /// Counts that are not compared at equality.
    var covered: Set<String> { Set(budgets.map(\.count)) }
}
