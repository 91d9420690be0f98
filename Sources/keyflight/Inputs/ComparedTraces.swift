import LatencyAnalysis
import RegressionGate
import TraceReports

/// Two inputs with their resolutions, and how they differ.
struct ComparedTraces {
    private let base: RecordSource
    private let head: RecordSource
    private(set) var diff: TraceDiff
    /// The status of reading both.
    let status: ExitStatus

    /// Throws where they cannot be compared.
    init(_ base: Input, _ head: Input) throws {
        let console = base.console
        self.base = try base.resolutions(takesKeys: true)
        self.head = try head.resolutions(takesKeys: true)
        let sides = (
            try ComparedTraces.results(self.base, console), try ComparedTraces.results(self.head, console)
        )
        let comparability = Comparability(
            base: (self.base.header, sides.0.results), head: (self.head.header, sides.1.results))
        if let mismatch = comparability.mismatch {
            throw Failure(
                .notComparable,
                "\(self.head.name): \(mismatch.what): expected \(mismatch.base), as in \(self.base.name),"
                    + " found \(mismatch.head)")
        }
        let counts = (sides.0.results.results.count, sides.1.results.results.count)
        console.progress.begin("comparing \(counts.0) and \(counts.1) presses")
        diff = TraceDiff(
            base: sides.0.results, named: self.base.name, head: sides.1.results, named: self.head.name,
            comparability: comparability)
        status = sides.0.status.joined(with: sides.1.status)
    }

    private static func results(
        _ source: RecordSource, _ console: Console
    ) throws -> (results: PressResults, status: ExitStatus) {
        var source = source
        var results = PressResults()
        try source.feed(&results)
        guard !results.isTooLong else {
            throw Failure(
                .notComparable,
                "\(source.name): presses: expected at most \(PressResults.limit) to compare, found more;"
                    + " keyflight cut takes a part")
        }
        results.finish(source.definitions)
        return (results, source.status(console))
    }

    /// The page of both.
    func page(above limit: TailAnalysis.Threshold?, _ progress: ProgressLine) throws -> [UInt8] {
        let (old, new) = (try base.facts(above: limit, progress).facts, try head.facts(above: limit, progress).facts)
        // Each pair is two of them.
        return try Report.fitting(ReportPage.Room(presses: 2 * diff.pairs.count, sides: 2)) { room in
            let shown = PressChoice.pairs(diff.pairs, base: old, head: new, limit: room.presses / 2)
            return ReportPage(
                base: try base.side(old, showing: shown.base, in: room, progress),
                head: try head.side(new, showing: shown.head, in: room, progress),
                comparison: diff.write, generator: Report.generator)
        }
    }
}
