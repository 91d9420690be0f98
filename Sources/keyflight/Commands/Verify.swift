import ArgumentParser
import FlightReplay
import KeyModel
import RegressionGate
import ResponderEngine
import TraceFormat

struct Verify: Verb {
    static let configuration = CommandConfiguration(verb: "verify")

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(help: "What was typed, as a key script or another trace: did each key arrive? Replays nothing.")
    var script: String?
    @Option(help: "The form of the report.") var format = ReportFormat.text
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func validate() throws {
        if script != nil, !replay.rules.options.isEmpty {
            throw ValidationError("--script replays nothing: options of a replay do not go with it.")
        }
        if let script { try [input.input, script].expectOneStream() }
    }

    func perform(on console: Console) throws -> ExitStatus {
        do {
            if let script { return try compareKeys(with: script, console) }
            return try compareReplays(console)
        } catch let failure as Failure where failure.id == .notComparable && format == .json {
            let schema = script == nil ? "keyflight.verify/1" : "keyflight.delivery/1"
            try console.output.line(JSONObject.incomparable(schema, failure.line).text)
            throw failure
        }
    }

    private func compareReplays(_ console: Console) throws -> ExitStatus {
        let input = try Input(input, console, replay: replay)
        let rules = try input.rules()
        guard rules.scene != nil || input.recordsCalls else { throw try input.missingResponders }
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
        var verification = try job.verification()
        verification.lacksResolutions = job.recordedResolutions == nil && input.recordsResolutions
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
            .joined(with: verification.isWhole ? .fine : .notComparable)
    }

    /// Compares the keys that arrived with those that were typed.
    private func compareKeys(with script: String, _ console: Console) throws -> ExitStatus {
        let name = input.input
        let layout = try input.reading.layout ?? console.settings.checkedLayout()
        let check = try DeliveryCheck(
            of: Input(input, console), named: name, with: script, layout: layout, console)
        switch format {
        case .text: try console.show(check.text)
        case .json: try console.output.line(check.delivery.json)
        }
        return check.status.joined(with: check.delivery.unrecorded > 0 ? .notComparable : .fine)
    }
}
