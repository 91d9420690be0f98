import ArgumentParser
import FlightReplay
import TraceExport

struct Replay: Verb {
    static let configuration = CommandConfiguration(verb: "replay")

    enum Cadence: String, ExpressibleByArgument, CaseIterable {
        case virtual, recorded, saturated
    }

    /// The destination of keys instead of a replay.
    enum Destination: String, ExpressibleByArgument, CaseIterable {
        case evemu, hidreports, xtest
    }

    @OptionGroup var input: InputOptions
    @Option(
        help: """
            Replay nothing, but print the keys for another program at their recorded times, each with how late it was: \
            evemu text or HID reports (hidreports); or type them into the window that has the keyboard of the X \
            display (xtest). --cadence virtual does not wait.
            """)
    var to: Destination?
    @OptionGroup(title: "Replay") var replay: ReplayOptions
    @Option(
        help: """
            When events reach the responders: at their times on a virtual clock (virtual), the same and waiting for \
            each on this machine's clock (recorded; jsonl says how late each was), or each as soon as the one before \
            is served (saturated). virtual unless given.
            """)
    var cadence: Cadence?
    @Option(help: "The form of the lines.") var format = LineFormat.text
    @Option(
        name: .customLong("what-if"), help: ArgumentHelp(stringLiteral: WhatIfChoice.help),
        completion: Completion.whatIfs)
    var whatIf: [String] = []
    @Flag(help: "Add lines for the up and the cancel of presses (jsonl).") var phases = false
    @Option(name: [.short, .long], help: "Record the replay in this trace, masked unless --show-keys; - prints it.")
    var output: String?
    @OptionGroup var provenance: FactOptions
    @Flag(help: "Replace OUTPUT if it is a regular file.") var force = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    func validate() throws {
        if !whatIf.isEmpty, output != nil || to != nil || phases || cadence != nil {
            throw ValidationError("--what-if goes with none of -o, --to, --phases and --cadence.")
        }
        try OutputDestination.check(output)
        if output == nil, !provenance.facts.isEmpty { throw ValidationError("--fact goes with -o only.") }
        if to != nil, output != nil || cadence == .saturated {
            throw ValidationError("--to goes without -o, and with --cadence recorded or virtual.")
        }
        if output != nil, cadence ?? .virtual != .virtual {
            throw ValidationError("-o goes with --cadence virtual only.")
        }
    }

    func perform(on console: Console) throws -> ExitStatus {
        let input = try Input(input, console, replay: replay)
        if let to {
            let waits = cadence ?? .recorded == .recorded
            guard let form = KeyPlayback.Form(rawValue: to.rawValue) else {
                return try KeyTypist.type(input, waits: waits, console)
            }
            return try ExportedKeys.play(form, input, waits: waits, console)
        }
        if !whatIf.isEmpty { return try answerWhatIf(input, on: console) }
        let rules = try input.rules()
        guard rules.scene != nil || input.recordsCalls else { throw try input.missingResponders }
        let variants = Replay.variants(of: rules)
        let jobs = try variants.map { variant in
            var job = try ReplayJob(input, variant)
            job.replay.options.phases = phases
            job.replay.options.isCompared = variants.count > 1
            job.replay.options.cadence =
                switch cadence ?? .virtual {
                case .virtual: .virtual
                case .recorded: .recorded { WallClockPacer() }
                case .saturated: .saturated
                }
            return job
        }
        if let output {
            guard jobs.count == 1 else { throw Failure(.usage, "-o: expected one profile and layout, found several") }
            // Of a trace the recorded replay is another version, of a script, a capture or a scene it is none.
            let inputs = (input.isTrace ? [] : [self.input.input]) + rules.files
            try OutputDestination(path: output, replaces: force, inputs: inputs).write(console) { sink in
                try jobs[0].write(showsKeys: self.input.reading.showKeys, facts: provenance.records, to: sink)
            }
        }
        if output != "-" { try ReplayPrinter(format: format).print(jobs, on: console) }
        return jobs.reduce(.fine) { $0.joined(with: $1.status) }
    }

    /// The rules once for each combination of profile and layout, profiles first.
    private static func variants(of rules: ReplayRules) -> [ReplayRules] {
        func names(_ list: String?) -> [String?] { list?.split(separator: ",").map { String($0) } ?? [nil] }
        return names(rules.profile).flatMap { profile in
            names(rules.layout).map { layout in
                var variant = rules
                (variant.profile, variant.layout) = (profile, layout)
                return variant
            }
        }
    }
}
