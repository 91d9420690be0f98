import KeyModel
import TraceFormat

/// Most and least that a golden's exact counts may come to, as text in the repository: `budgets.txt` beside the golden.
///
///     # one a line: a count, `press` (of any one press) or `total`, and the most allowed, or `min` and the least
///     calls.keyCommands press 12
///     cache.misses total 40
///     cache.hits total min 100
///     bytes total 4096
///     findings total 1
///     receivers ignore
///
/// A count with a budget may be any number that keeps it; one without must equal the golden's. `bytes` is the size of
/// the trace that the replay writes, `findings` the number of `lint` findings. An ignored field may be anything.
package struct CountBudgets: Hashable, Sendable {
    package struct Budget: Hashable, Sendable {
        package enum Span: String, Hashable, Sendable { case press, total }
        package var count: String
        package var span: Span
        /// The most allowed; the least, where `isFloor`.
        package var limit: UInt64
        package var isFloor = false

        func allows(_ value: UInt64) -> Bool { isFloor ? value >= limit : value <= limit }
        /// Both are the most, or the least, of one count.
        func hasPlace(of other: Budget) -> Bool {
            (count, span.rawValue) == (other.count, other.span.rawValue) && isFloor == other.isFloor
        }
        /// False where every number keeps it.
        var canFail: Bool { limit != (isFloor ? 0 : .max) }
        /// `12`, `at least 100`
        package var words: String { isFloor ? "at least \(limit)" : "\(limit)" }
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
        guard text.isEmpty || text.hasSuffix("\n") else {
            throw VerdictError(
                .notComparable, file, "end", expected: "a line break after the last line",
                found: "none: the file is torn")
        }
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
            let isFloor = words.count == 4 && words[2] == "min"
            guard words.count == 3 || isFloor, let span = Budget.Span(rawValue: String(words[1])),
                let limit = words.last.flatMap({ UInt64($0) }), span == .total || !CountBudgets.sums.contains(name)
            else {
                throw VerdictError(
                    .usage, "\(file): line \(place + 1)", "budget",
                    expected: "COUNT press|total [min] NUMBER, or FIELD ignore", found: found)
            }
            let budget = Budget(count: name, span: span, limit: limit, isFloor: isFloor)
            func refuse(_ expected: String) -> VerdictError {
                VerdictError(.usage, "\(file): line \(place + 1)", "budget", expected: expected, found: found)
            }
            guard budget.canFail else { throw refuse("a number that some count breaks") }
            guard !budgets.contains(where: budget.hasPlace(of:)) else {
                throw refuse("one budget of \(name) \(span.rawValue)")
            }
            budgets.append(budget)
        }
    }

    /// Adds the classes that a test sets itself.
    func adding(_ classes: [GoldenField: FieldClass]) -> CountBudgets {
        var all = self
        for field in GoldenField.allCases {
            switch classes[field] {
            case nil, .mustMatch: break
            case .ignore: all.ignored.insert(field)
            case .budget(let most): all.budgets.append(Budget(count: field.rawValue, span: .press, limit: most))
            case .total(let most): all.budgets.append(Budget(count: field.rawValue, span: .total, limit: most))
            case .atLeast(let least):
                all.budgets.append(Budget(count: field.rawValue, span: .total, limit: least, isFloor: true))
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
        for budget in budgets where !budget.canFail {
            return "\(budget.count): expected a number that some count breaks, found \(budget.words)"
        }
        return nil
    }

    /// No budget, and every field that some press has is ignored, so that only the keys are compared.
    func comparesNothing(of results: [PressResult]) -> Bool {
        // There is nothing to compare bytes with, and the digest goes with any field.
        budgets.isEmpty && !ignored.isEmpty && GoldenField.allCases.allSatisfy { field in
            [.bytes, .allocations, .stream].contains(field) || ignored.contains(field)
                || !results.contains(where: field.isIn)
        }
    }

    var isEmpty: Bool { budgets.isEmpty && ignored.isEmpty }

    /// Presses may have other outcomes than accepted, and so may the digest of their lines.
    var allowsAnyDifference: Bool { !covered.isEmpty || !ignored.isSubset(of: [.bytes, .findings, .allocations]) }

    /// Has room for `field`, by a budget or because it is ignored.
    func ignores(_ field: GoldenField) -> Bool {
        ignored.contains(field) || budgets.contains { $0.count == field.rawValue }
    }

    /// A budget that was not kept.
    package struct Excess: Hashable, Sendable {
        package var budget: Budget
        package var found: UInt64
        /// The first press that breaks it, for a budget of one press.
        package var press: UInt32?
    }

    package func excesses(of results: [PressResult]) -> [Excess] {
        budgets.filter { CountBudgets.names.contains($0.count) }.compactMap { budget -> Excess? in
            let values = results.lazy.map { $0.counts[budget.count] ?? 0 }
            switch budget.span {
            case .press:
                let worst = (budget.isFloor ? values.min() : values.max()) ?? 0
                let first = results.first { !budget.allows($0.counts[budget.count] ?? 0) }
                return budget.allows(worst) ? nil : Excess(budget: budget, found: worst, press: first?.at.press)
            case .total:
                let sum = values.reduce(UInt64(0)) { $0.addingSaturated($1) }
                return budget.allows(sum) ? nil : Excess(budget: budget, found: sum, press: nil)
            }
        }
    }

    /// Excess of one of the sums.
    func excess(of field: GoldenField, _ found: UInt64) -> [Excess] {
        budgets.filter { $0.count == field.rawValue && !$0.allows(found) }
            .map { Excess(budget: $0, found: found, press: nil) }
    }

    /// Counts of presses that are not compared at equality.
    var covered: Set<String> {
        Set(budgets.map(\.count).filter { CountBudgets.names.contains($0) })
            .union(ignored.filter(\.isCount).map(\.rawValue))
    }
}
