import ArgumentParser
import KeyModel
import RegressionGate

/// The program: its verbs, and how a run of it begins and ends.
struct Keyflight: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "keyflight", version: BuildStamp.text, subcommands: VerbTable.rows.map { $0.type() })

    static let version = BuildStamp.version

    /// The names of its verbs.
    static var verbs: [String] { VerbTable.rows.map(\.name) }

    /// The parser of a command line.
    typealias Parser = ([String]) throws -> any ParsableCommand

    /// Runs the program on the given streams. This is the whole program but for `exit`.
    static func run(_ arguments: [String], on console: Console, parser: Parser = parsed) -> ExitStatus {
        defer { console.finish() }
        let status = status(of: arguments, on: console, parser)
        // git bisect run takes each other number below 128 for a bad commit; wrong usage is a person's to see.
        let isVerdict = [.fine, .findings, .usage, .interrupted].contains(status)
        return arguments.first == BisectRun.configuration.commandName && !isVerdict ? .skip : status
    }

    private static func status(of arguments: [String], on console: Console, _ parser: Parser) -> ExitStatus {
        do {
            let status = try perform(arguments, parser, console)
            try console.output.flush()
            return status
        } catch is OutputClosed {
            return .fine
        } catch {
            // Output printed before the failure is whole and stays.
            try? console.output.flush()
            return report(error, of: arguments, console)
        }
    }

    /// The output of `keyflight` alone.
    private static let tour = """
        keyflight demo                                   capture, trace, replay and statistics on bundled data
        keyflight import usb.pcap -o my.keyflight        a capture becomes a trace; typed text is masked
        keyflight info my.keyflight                      one screen of facts, loss first
        keyflight stats my.keyflight --scene app.scene.yaml       calls, caches and stages of every press
        keyflight explain my.keyflight --scene app.scene.yaml '⌘W' --last      one press: who got it, and why

        """

    static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        guard let word = arguments.first, let verb = VerbTable.type(named: word) else {
            return try parseAsRoot(arguments)
        }
        return try VerbTable.parse(arguments, verb)
    }

    private static func perform(_ arguments: [String], _ parser: Parser, _ console: Console) throws -> ExitStatus {
        if arguments.isEmpty {
            try console.output.write(tour)
            return .fine
        }
        var command: any ParsableCommand
        do {
            command = try parser(arguments)
            try checkOptions(arguments)
        } catch where arguments.first == Gate.configuration.commandName && exitCode(for: error) == .validationFailure {
            Gate.writeRefusal(of: arguments, Self.message(for: error), console)
            throw error
        }
        guard let verb = command as? any Verb else {
            // Help and version, which end by throwing what is to be printed.
            try command.run()
            return .fine
        }
        console.output.dropsWhenClosed = verb.judges
        if verb.usesSettings {
            do {
                try console.environment.checkNames()
                try console.environment.checkFiles()
                console.settings = try Settings(console.environment)
            } catch {
                verb.writeRefusal(error, console)
                throw error
            }
        }
        verb.terminal.apply(to: console)
        if verb.isPaged { console.page() }
        return try verb.perform(on: console)
    }

    /// Of an option that is given twice the parser takes the last, and what the first asked for would not be done.
    private static func checkOptions(_ arguments: [String]) throws {
        var seen: Set<String> = []
        let options = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.prefix { $0 != "=" }) }
        let twice = options.filter { !seen.insert($0).inserted }
        guard !twice.isEmpty, let verb = arguments.first,
            let known = try CommandDescription.ofProgram().subcommands?.first(where: { $0.commandName == verb })
        else { return }
        let single = (known.arguments ?? []).filter { $0.takesValue && !$0.isRepeating }
            .flatMap { ($0.names ?? []).map(\.written) }
        if let option = twice.first(where: single.contains) {
            throw ValidationError("\(option) is given twice; name it once.")
        }
    }

    /// Prints why a run stopped, in one line, and gives the status for it.
    private static func report(_ error: any Error, of arguments: [String], _ console: Console) -> ExitStatus {
        let word = arguments.first { !$0.hasPrefix("-") } ?? arguments.first
        if let failure = error as? Failure { return console.note(failure) }
        if let error = error as? VerdictError { return console.note(Failure(error)) }
        if let stopped = error as? Stopped { return stopped.status }
        if error is Interrupted { return .interrupted }
        let code = exitCode(for: error)
        guard code != .success else {
            do {
                try console.output.line(fullMessage(for: error, columns: console.columns))
                try console.output.flush()
                return .fine
            } catch is OutputClosed {
                return .fine
            } catch {
                return report(error, of: arguments, console)
            }
        }
        var message = Self.message(for: error).split(separator: "\n").joined(separator: " ")
        if message.hasSuffix(".") { message.removeLast() }
        if code == .validationFailure {
            if let word, !word.hasPrefix("-"), !verbs.contains(word) {
                let near = EditDistance.nearest(to: word, among: verbs).map { " such as \($0)" } ?? ""
                return console.fail(
                    .usage,
                    "keyflight: verb: expected one\(near), found \(VisibleText.escaped(word));"
                        + " keyflight help lists them")
            }
            let verb = word.flatMap { verbs.contains($0) ? " " + $0 : nil } ?? ""
            return console.fail(.usage, "keyflight\(verb): \(message); see keyflight help\(verb)")
        }
        return console.fail(.defect, "keyflight: \(message): this is a defect of keyflight, please report it")
    }
}

/// A subcommand: parse, call, print.
protocol Verb: ParsableCommand {
    var terminal: TerminalOptions { get }
    /// Long output of it goes through a pager at a terminal.
    var isPaged: Bool { get }
    /// Environment variables stand for its options; a wrong one stops it.
    var usesSettings: Bool { get }
    /// Its status is a verdict, also where standard output is closed before the end.
    var judges: Bool { get }

    func perform(on console: Console) throws -> ExitStatus
    /// Writes the reports that were asked for, of a run that does not begin.
    func writeRefusal(_ error: any Error, _ console: Console)
}

extension Verb {
    var isPaged: Bool { false }
    var usesSettings: Bool { true }
    var judges: Bool { false }
    func writeRefusal(_ error: any Error, _ console: Console) {}
}
