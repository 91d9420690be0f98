import FlightReplay
import KeyModel
import TraceFormat

/// Prints the rows of one replay, or of several under different profiles and layouts and what differs.
struct ReplayPrinter {
    var format: Replay.Format

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
        case .text: try console.output.write(comparison.text)
        case .jsonl: try console.output.line(comparison.json)
        }
    }

    private func print(_ job: ReplayJob, on console: Console, _ visit: @escaping (ReplayLine) -> Void) throws {
        var failure: (any Error)?
        var golden = format == .text ? GoldenText(try job.heading()) : nil
        var latest: TraceDuration?
        try job.run { row in
            if case .resolution(let line) = row {
                if let error = line.pacingError { latest = max(latest ?? error, error) }
                visit(line)
                golden?.append(line)
            }
            guard format == .jsonl, failure == nil else { return }
            do { try console.output.line(row.json) } catch { failure = error }
        }
        if let failure { throw failure }
        if let golden { try console.output.write(golden.text) }
        if let latest { console.note("\(job.name): at most \(latest.text) after the recorded times") }
    }
}
