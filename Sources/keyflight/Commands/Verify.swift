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
        let input = try Input(input, console, replay: replay)
        let rules = try input.rules()
        guard rules.scene != nil || input.recordsCalls else { throw input.missingResponders }
        var job = try ReplayJob(input, rules)
        if let recorded = job.recordedResolutions {
            let facts = ReplayFacts(recorded)
            if rules.cache == nil { job.replay.options.cachePolicy = facts.cachePolicy ?? .none }
            if facts.shadowCheck { job.replay.options.shadowCheck = true }
            if let other = facts.mismatch(with: try job.facts()) {
                throw Failure(
                    .notComparable,
                    "\(input.name): \(other.fact): expected \(other.expected), as recorded, found \(other.found)")
            }
        }
        let verification = try job.verification()
        switch format {
        case .text: try console.show(verification.text(name: input.name))
        case .json: try console.output.line(verification.json)
        }
        if verification.isIdentical, verification.lines == 0 {
            let reason = verification.notCompared.count > 0
                ? "no press could be compared: their keys are masked, or answers are not recorded"
                : "presses: expected one to compare, found none"
            return job.status.joined(with: console.fail(.notComparable, "\(input.name): \(reason)"))
        }
        return job.status.joined(with: verification.isIdentical ? .fine : .findings)
            .joined(with: verification.lost > 0 ? .notComparable : .fine)
    }
}
