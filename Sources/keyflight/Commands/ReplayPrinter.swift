import FlightReplay
import KeyModel

/// Prints the rows of one replay, or of several under different profiles and layouts and what differs.
struct ReplayPrinter {
    /// The text form begins with a digest of all lines. Text of more bytes is not kept until then: it is made twice.
    private static let keptText = 16 << 20

    var format: LineFormat

    func print(_ variants: [ReplayJob], on console: Console) throws {
        guard variants.count > 1 else {
            for only in variants { try print(only, on: console) { _ in } }
            return
        }
        var comparison = ReplayComparison()
        for variant in variants {
            let heading = try variant.heading()
            comparison.begin(profile: heading.profile, layout: heading.layout)
            try print(variant, on: console) { comparison.add($0) }
        }
        switch format {
        case .text: try console.show(comparison.text)
        case .jsonl: try console.output.line(comparison.json)
        }
    }

    private func print(_ job: ReplayJob, on console: Console, _ visit: @escaping (ReplayLine) -> Void) throws {
        var golden = format == .text ? GoldenText(try job.heading(), limit: ReplayPrinter.keptText) : nil
        var latest: TraceDuration?
        try job.run { row in
            if case .resolution(let line) = row {
                if let error = line.pacingError { latest = max(latest ?? error, error) }
                visit(line)
                golden?.append(line)
            }
            if format == .jsonl { try console.output.line(row.json) }
        }
        if let golden { try print(golden, job, on: console) }
        if let latest { console.note("\(job.name): at most \(latest.text) after the recorded times") }
    }

    private func print(_ golden: GoldenText, _ job: ReplayJob, on console: Console) throws {
        guard !golden.isWhole else { return try console.output.write(golden.text) }
        try console.output.write(golden.firstLine)
        var job = job
        // The second run does not wait again, and how late a line was is no part of it.
        if case .recorded = job.replay.options.cadence { job.replay.options.cadence = .virtual }
        try job.run { row in
            if case .resolution(let line) = row { try console.output.write(GoldenText.row(line)) }
        }
    }
}
