import ArgumentParser

struct Completions: Verb {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "A script that teaches a shell to complete keyflight's words.",
        discussion: """
            Beside verbs and options it offers the chords and the press numbers of the trace that the line names.
              bash   keyflight completions bash > ~/.local/share/bash-completion/completions/keyflight
              zsh    keyflight completions zsh > a folder of fpath, as _keyflight
              fish   keyflight completions fish > ~/.config/fish/completions/keyflight.fish
            """)

    @Argument(help: "bash, zsh or fish.") var shell: Shell
    @OptionGroup(title: "Terminal") var terminal: TerminalOptions

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    var usesSettings: Bool { false }

    func perform(on console: Console) throws -> ExitStatus {
        let kind: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        try console.output.line(Keyflight.completionScript(for: kind))
        return .fine
    }
}
