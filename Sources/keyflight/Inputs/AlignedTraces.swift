import KeyModel
import TraceFormat
import TraceReports
import TraceTools

/// Two traces of the same typing, written as one, with a line on standard error about their clocks.
struct AlignedTraces {
    /// Two.
    let files: [TraceBytes]
    let result: WrittenTrace
    /// The remedy where they cannot be aligned, behind the reason.
    var remedy = ""

    func write(_ console: Console) throws -> ExitStatus {
        let summary: TraceAlignment.Summary
        do {
            summary = try result.write(console) { sink in
                try TraceAlignment(files[0], files[1], showsKeys: result.showKeys).run(to: sink)
            }
        } catch let refusal as TraceAlignment.Refusal {
            let names = files.map { $0.file ?? "" }.joined(separator: ", ")
            throw Failure(.notAligned, "\(names): \(refusal)\(remedy)")
        }
        let joined = [files[1 - summary.earlierIndex], files[summary.earlierIndex]]
        let status = TraceToTrace.status(summary.join, joined, console)
        for line in AlignmentReport(summary: summary).lines { console.note(line) }
        TraceToTrace.noteDropped(summary.join, console)
        return status
    }
}

/// The result of an alignment, in words.
struct AlignmentReport {
    let summary: TraceAlignment.Summary

    var lines: [String] {
        let relation = summary.relation
        var clocks = "\(relation.source) → \(relation.reference): \(relation.matches) presses in common of "
            + "\(summary.earlier) and \(summary.later); \(InfoReport.clockWords(relation))"
        clocks += summary.isOneClock ? "; one clock" : ""
        var lines = [clocks]
        let origin = summary.isOneClock ? "" : ", counted from the fastest press: the clocks are two"
        if let delays = summary.delays { lines.append("\(summary.stage.name): \(words(delays))\(origin)") }
        if summary.stage == .hid {
            if let releases = summary.releaseDelays { lines.append("hid of releases: \(words(releases))") }
            if let poll = summary.poll { lines.append(words(poll)) }
        }
        if summary.lost > 0 {
            let presses = HumanNumbers.counted(summary.lost, "press", "presses")
            lines.append("\(presses) of \(relation.source) never reached \(relation.reference)")
        }
        return lines
    }

    private func words(_ delays: DurationStatistics) -> String {
        var words = "p50 \(HumanNumbers.duration(delays.p50 ?? delays.max))"
        if let p99 = delays.p99 { words += ", p99 \(HumanNumbers.duration(p99))" }
        words += ", \(HumanNumbers.duration(delays.min)) to \(HumanNumbers.duration(delays.max))"
        return words + " of " + HumanNumbers.counted(delays.count, "press", "presses")
    }

    private func words(_ poll: PollFacts) -> String {
        let declared = poll.declared.map { "bInterval \(HumanNumbers.duration($0))" } ?? "bInterval not captured"
        let measured = poll.measured.map { "measured grid \(HumanNumbers.duration($0))" } ?? "no grid measured"
        let phase =
            poll.cluster.map {
                "the switch keeps time with the poll (phase clusters at \(HumanNumbers.duration($0))): latencies are "
                    + "biased, close it at times spread evenly"
            } ?? "presses spread evenly over it"
        return "poll: \(declared), \(measured); \(phase)"
    }
}
