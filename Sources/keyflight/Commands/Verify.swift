import ArgumentParser
import FlightReplay
import ResponderEngine

struct Verify: Verb {
    static let configuration = CommandConfiguration(verb: "verify")

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "The form of the report.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func perform(on console: Console) throws -> ExitStatus {
        let file = try InputFile(input.input, console)
        let replay = try replay.settled(for: file, console)
        let input = try input.settled(for: file, console)
        guard replay.scene != nil || file.recordsCalls else { throw ReplayJob.nothingToReplayWith(file) }
        var job = try ReplayJob(file, input, replay, console)
        if let recorded = job.recordedResolutions {
            let facts = ReplayFacts(recorded)
            if replay.cache == nil { job.replay.options.cachePolicy = facts.cachePolicy ?? .none }
            if facts.shadowCheck { job.replay.options.shadowCheck = true }
            if let other = facts.mismatch(with: try job.facts()) {
                throw Failure(
                    .notComparable,
                    "\(file.name): \(other.fact): expected \(other.expected), as recorded, found \(other.found)")
            }
        }
        let verification = try job.verification()
        switch format {
        case .text: try console.show(verification.text(name: file.name))
        case .json: try console.output.line(verification.json)
        }
        if verification.isIdentical, verification.lines == 0, verification.notCompared.count > 0 {
            throw Failure(
                .notComparable,
                "\(file.name): no press could be compared: their keys are masked, or answers are not recorded")
        }
        return job.status.joined(with: verification.isIdentical ? .fine : .findings)
    }
}
