import Testing

@testable import RegressionGate

/// Goldens are compared on several threads; what is found does not depend on how many.
@Suite struct ComparisonPoolTests {
    /// Fourteen goldens of which every third changed, every fifth was never accepted and every seventh is torn.
    private func goldens(_ folder: String) throws -> [GoldenCase] {
        let scene = GoldenTesting.scene("\(GoldenTesting.close), \(GoldenTesting.new)")
        for number in 1...14 {
            let script = (0..<20 + number).map { $0.isMultiple(of: number) ? "press cmd+w" : "press cmd+t" }
                .joined(separator: "\n")
            let name = number < 10 ? "g0\(number)" : "g\(number)"
            let golden = try GoldenTesting.make("\(folder)/\(name)", scene: scene, script: script)
            if number.isMultiple(of: 3) {
                try GoldenTesting.write(GoldenTesting.scene(GoldenTesting.new), "\(golden.folder)/scene.yaml")
            }
            if number.isMultiple(of: 5) { try TextFile.remove(golden.path) }
            if number.isMultiple(of: 7) {
                let text = try #require(try golden.expected())
                try GoldenTesting.write(String(text.dropLast(9)), golden.path)
            }
        }
        return try GoldenStore(folder).cases()
    }

    @Test func theReportIsTheSameOnAnyNumberOfThreads() throws {
        try GoldenTesting.withFolder { folder in
            let cases = try goldens(folder)
            #expect(cases.count == 14)
            func report(_ threads: Int) -> GateReport {
                GateReport(
                    comparisons: GoldenComparison.all(cases, resources: GoldenTesting.resources, threads: threads))
            }
            let alone = report(1)
            #expect(alone.comparisons.map(\.golden) == cases && alone.passed == 6 && alone.findings.count == 8)
            for threads in [2, 3, 8, 40] {
                let other = report(threads)
                #expect(other.text() == alone.text() && other.json == alone.json && other.junit == alone.junit)
            }
        }
    }

    @Test func noGoldenAtAllIsNoComparison() {
        #expect(GoldenComparison.all([], resources: GoldenTesting.resources).isEmpty)
    }

    /// Cached answers are checked again only where the accepted text says so, and not where somebody typed the words.
    @Test func shadowReadsAreAColumnAtTheEndOfARow() {
        #expect(GoldenRows.containsShadowReads("# a\n1 | x | shadow reads 12\n2 | x\n"))
        #expect(!GoldenRows.containsShadowReads("# a\n1 | x | text \" | shadow reads 12\"\n"))
        #expect(!GoldenRows.containsShadowReads("# a\n1 | x | shadow reads \n"))
        #expect(!GoldenRows.containsShadowReads("# a"))
    }
}
