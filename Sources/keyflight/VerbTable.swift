import ArgumentParser

/// The verbs in the order of help.
enum VerbTable {
    /// A type is made when it is asked for: those of all verbs take longer than what most verbs do.
    static let rows: [(name: String, type: @Sendable () -> any Verb.Type)] = [
        ("demo", { Demo.self }), ("record", { Record.self }), ("launch", { Launch.self }), ("watch", { Watch.self }),
        ("import", { Import.self }), ("info", { Info.self }), ("show", { Show.self }),
        ("assemble", { Assemble.self }), ("replay", { Replay.self }), ("verify", { Verify.self }),
        ("stats", { Stats.self }), ("explain", { Explain.self }), ("bindings", { Bindings.self }),
        ("lint", { Lint.self }), ("top", { Top.self }), ("tail", { Tail.self }), ("report", { Report.self }),
        ("diff", { Diff.self }), ("gate", { Gate.self }), ("bisect-run", { BisectRun.self }),
        ("review", { Review.self }), ("accept", { Accept.self }), ("minimise", { Minimise.self }),
        ("cut", { Cut.self }), ("merge", { Merge.self }), ("redact", { Redact.self }), ("repair", { Repair.self }),
        ("verify-format", { VerifyFormat.self }), ("query", { Query.self }), ("export", { Export.self }),
        ("fleet", { Fleet.self }), ("devices", { Devices.self }), ("doctor", { Doctor.self }),
        ("completions", { Completions.self }), ("man", { Manual.self }), ("help", { Help.self }),
    ]

    /// The verb of a command line that begins with this word.
    static func type(named word: String) -> (any Verb.Type)? {
        // The parser of any verb knows the option.
        rows.first { $0.name == (word == "--version" ? "demo" : word) }?.type()
    }

    /// Parses a command line that begins with the name of this verb.
    static func parse(_ arguments: [String], _ verb: any Verb.Type) throws -> any ParsableCommand {
        func parse<V: Verb>(_: V.Type) throws -> any ParsableCommand { try OneVerb<V>.parseAsRoot(arguments) }
        return try parse(verb)
    }
}

/// The program with one verb: its parser, errors and help of the verb are those of the program with all of them.
struct OneVerb<Only: Verb>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "keyflight", version: BuildStamp.text, subcommands: [Only.self])
    }
}
