import ArgumentParser
import FlightReplay
import ResponderEngine

struct Verify: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Replays twice, and compares with each other and with what was recorded.",
        discussion: """
            The first divergence is named: press, field, expected, found, and the difference in the chain that \
            explains it. Presses whose key is masked are compared by outcome, takenBy and target. Unless --cache is \
            given, the cache policy is the recorded one; under another one counts are not compared.

            Exit codes: 0 identical, 1 different, 2 the input is unreadable or incomplete, 4 not comparable (recorded \
            with another scene, profile or layout, or no press could be compared), 64 nothing to replay against.
            """)

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
