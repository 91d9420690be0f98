import ArgumentParser

struct Completions: Verb {
    static let configuration = CommandConfiguration(verb: "completions")

    @Argument(help: "bash, zsh or fish.") var shell: Shell
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    var usesSettings: Bool { false }

    func perform(on console: Console) throws -> ExitStatus {
        let script = CompletionShell(rawValue: shell.rawValue).map { Keyflight.completionScript(for: $0) } ?? ""
        try console.output.line(Completions.withoutParsersHelp(script))
        if shell == .bash { try console.output.write(PackageResources.completions_bash) }
        return .fine
    }

    /// The parser adds a verb `help` of its own, whose words would take the place of ours.
    private static func withoutParsersHelp(_ script: String) -> String {
        let places = script.ranges(of: "\n_keyflight_help() {\n")
        guard places.count > 1, let last = places.last,
            let end = script[last.upperBound...].firstRange(of: "\n}\n")?.upperBound
        else { return script }
        return script[...last.lowerBound] + String(script[end...])
    }
}
