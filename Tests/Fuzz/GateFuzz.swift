// seeds: Traces/golden
import RegressionGate

/// What a gate reads beside inputs and scenes: accepted texts, budgets, findings and its history. A text that can be
/// read is compared with itself and with its first half, and reported in every form.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let text = String(decoding: input, as: UTF8.self)
    let golden = GoldenCase(folder: "/nonexistent/golden")
    if let rows = try? GoldenRows(text) {
        let again = GoldenComparison(golden, found: text, again: text)
        guard case .notDeterministic(let diff) = again.verdict else { fatalError("it cannot be compared with itself") }
        guard diff.isIdentical, diff.renames.isEmpty else { fatalError("a text differs from itself") }
        let half = String(decoding: input.prefix(count / 2), as: UTF8.self)
        let report = GateReport(comparisons: [GoldenComparison(golden, found: text, again: half)])
        for form in [report.text(), report.json, report.junit, report.github, report.codeQuality, report.summary()] {
            guard !form.isEmpty else { fatalError("an empty report of \(rows.results.count) presses") }
        }
    }
    if let budgets = try? CountBudgets(text, file: "budgets.txt"), let rows = try? GoldenRows(text) {
        _ = budgets.excesses(of: rows.results)
    }
    _ = try? GoldenFindings(text, file: "findings.txt").text
    _ = (try? GateHistory(input, file: "history.jsonl", machine: "any"))?.lines
    return 0
}
