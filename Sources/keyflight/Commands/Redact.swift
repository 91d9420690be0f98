import ArgumentParser
import TraceFormat
import TraceTools

struct Redact: Verb {
    static let configuration = CommandConfiguration(verb: "redact")

    @Argument(help: "A trace; - is standard input.") var input: String
    @Option(name: [.short, .long], help: "The trace to write; - is standard output.") var output: String?
    @Flag(help: "Replace OUTPUT if it is a regular file.") var force = false
    @Flag(help: "Without --text: leave in clear what is in clear.") var showKeys = false
    @Flag(help: "Keys that type text, characters, text and marked text.") var text = false
    @Flag(help: "How many keys in a row typed text: they become one. With it lengths of documents.") var runs = false
    @Flag(help: "The rhythm of typing: keys come every 100 ms. Durations of stages and calls stay.") var timing = false
    @Flag(help: "Titles, marks, class and device names, serials and ids, host, user, paths.") var titles = false
    @Flag(help: "Only list what identifies somebody.") var check = false
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions
    var judges: Bool { true }

    func validate() throws {
        guard check != (output != nil) else {
            throw ValidationError(check ? "--check writes nothing: leave out -o." : "Name a file with -o, or --check.")
        }
        try OutputDestination.check(output)
    }

    /// The parts to take out: by the options, else by the environment, which never leaves typed text in.
    private func options(_ console: Console) -> Set<Redaction.Option> {
        let chosen: [(Bool, Redaction.Option)] = [(text, .text), (runs, .runs), (timing, .timing), (titles, .titles)]
        let options = Set(chosen.filter(\.0).map(\.1))
        guard options.isEmpty else { return options }
        guard let removed = console.settings.redactRemove else { return Set(Redaction.Option.allCases) }
        let left = Redaction.Option.allCases.filter { !removed.contains($0) }.map(\.rawValue)
        if !left.isEmpty {
            let variable = Settings.Variable.redactRemove.rawValue
            console.note("\(left.joined(separator: ", ")): left in, as \(variable) says")
        }
        return removed
    }

    func perform(on console: Console) throws -> ExitStatus {
        let bytes = try TraceToTrace.open(input, console)
        let redaction = Redaction(options(console), showsKeys: showKeys)
        guard let output else { return try list(redaction, bytes, console) }
        let summary = try OutputDestination(path: output, replaces: force).write(console) { sink in
            try Failure.reading { try redaction.run(bytes, to: sink) }
        }
        let status = TraceToTrace.status(summary.report, bytes, console)
        console.note("\(bytes.file ?? ""): taken out: \(summary.counts.isEmpty ? "nothing" : summary.counts.words)")
        return status
    }

    private func list(_ redaction: Redaction, _ bytes: TraceBytes, _ console: Console) throws -> ExitStatus {
        let summary = try redaction.check(bytes)
        let status = TraceToTrace.status(summary.report, bytes, console)
        let found = IdentifyingData.allCases.filter { summary.counts[$0] > 0 }
        for data in found {
            try console.output.line("\(data.name): \(summary.counts[data]) (--\(data.option.rawValue))")
        }
        guard !found.isEmpty else { return status }
        let kinds = found.count == 1 ? "1 kind remains" : "\(found.count) kinds remain"
        try console.output.line("\(kinds): do not share this file; redact -o COPY writes one without")
        return status.joined(with: .findings)
    }
}
