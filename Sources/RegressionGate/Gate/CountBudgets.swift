import TraceFormat

/// Most that a golden's exact counts may come to, as text in the repository: `budgets.txt` beside the golden.
///
///     # one a line: a count, `press` (the largest of one press) or `total`, and the most allowed
///     calls.keyCommands press 12
///     cache.misses total 40
///     bytes total 4096
///     findings total 1
///     receivers ignore
///
/// A count with a budget may be any number up to it; one without must equal the golden's. `bytes` is the size of
/// the trace that the replay writes, `findings` the number of `lint` findings. An ignored field may be anything.
package struct CountBudgets: Hashable, Sendable {
    package struct Budget: Hashable, Sendable {
        package enum Span: String, Hashable, Sendable { case press, total }
        package var count: String
        package var span: Span
        package var most: UInt64
    }

    package private(set) var budgets: [Budget] = []
    package private(set) var ignored: Set<GoldenField> = []

    package init() {}

    /// Names that a budget may be for.
    static let names =
        CountAccumulator.callNames + ["callsOnRelease.keyCommands"] + CountAccumulator.cacheNames
    /// Budgets of a whole golden, not of its presses.
    static let sums = [GoldenField.bytes.rawValue, GoldenField.findings.rawValue]

    package init(_ text: String, file: String) throws(VerdictError) {
        for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let name = String(first)
            let found = String(line.prefix(80))
            if words.count == 2, words[1] == "ignore", let field = GoldenField(rawValue: name) {
                ignored.insert(field)
                continue
            }
            guard CountBudgets.names.contains(name) || CountBudgets.sums.contains(name) else {
                throw VerdictError(
                    .usage, "\(file): line \(place + 1)", "count",
                    expected: (CountBudgets.names + CountBudgets.sums).joined(separator: ", "), found: found)
            }
            guard words.count == 3, let span = Budget.Span(rawValue: String(words[1])), let most = UInt64(words[2]),
                span == .total || !CountBudgets.sums.contains(name)
            else {
                throw VerdictError(
                    .usage, "\(file): line \(place + 1)", "budget",
                    expected: "COUNT press|total NUMBER, or FIELD ignore", found: found)
            }
            budgets.append(Budget(count: name, span: span, most: most))
        }
    }

    /// Adds the classes that a test sets itself.
    func adding(_ classes: [GoldenField: FieldClass]) -> CountBudgets {
        var all = self
        for field in GoldenField.allCases {
            switch classes[field] {
            case nil, .mustMatch: break
            case .ignore: all.ignored.insert(field)
            case .budget(let most): all.budgets.append(Budget(count: field.rawValue, span: .press, most: most))
            case .total(let most): all.budgets.append(Budget(count: field.rawValue, span: .total, most: most))
            }
        }
        return all
    }

    /// A class that its field cannot have, in words; `nil` where there is none.
    var mistake: String? {
        for budget in budgets where !CountBudgets.names.contains(budget.count) {
            if !CountBudgets.sums.contains(budget.count) { return "\(budget.count): expected a count to give a budget" }
            if budget.span == .press {
                return "\(budget.count): expected a budget for the total, found one for a press"
            }
        }
        return nil
    }

    var isEmpty: Bool { budgets.isEmpty && ignored.isEmpty }

    /// Presses may have other outcomes than accepted, and so may the digest of their lines.
    var leavesRoom: Bool { !covered.isEmpty || !ignored.isSubset(of: [.bytes, .findings]) }

    /// Has room for `field`, by a budget or because it is ignored.
    func frees(_ field: GoldenField) -> Bool {
        ignored.contains(field) || budgets.contains { $0.count == field.rawValue }
    }

    /// A budget that was not kept.
    package struct Excess: Hashable, Sendable {
        package var budget: Budget
        package var found: UInt64
        /// The first press above it, for a budget of one press.
        package var press: UInt32?
    }

    package func excesses(of results: [PressResult]) -> [Excess] {
        budgets.filter { CountBudgets.names.contains($0.count) }.compactMap { budget in
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

    /// Excess of one of the sums.
    func excess(of field: GoldenField, _ found: UInt64) -> [Excess] {
        budgets.filter { $0.count == field.rawValue && found > $0.most }
            .map { Excess(budget: $0, found: found, press: nil) }
    }

    /// Counts of presses that are not compared at equality.
    var covered: Set<String> {
        Set(budgets.map(\.count).filter { CountBudgets.names.contains($0) })
            .union(ignored.filter(\.isCount).map(\.rawValue))
    }
}
