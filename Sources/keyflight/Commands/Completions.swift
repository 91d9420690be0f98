import ArgumentParser

struct Completions: Verb {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "A script that teaches a shell to complete keyflight's words.",
        discussion: """
            Beside verbs and options it offers the chords, the press numbers and the responders of the trace that the \
            line names, or of its scene.
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
        try console.output.line(Completions.withoutParsersHelp(Keyflight.completionScript(for: kind)))
        if shell == .bash { try console.output.write(Completions.wholeWords) }
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

    /// bash breaks words at = and :, so that cache=nav would be three of them.
    private static let wholeWords = #"""

        # Words as keyflight takes them: bash breaks cache=nav at its =.
        _keyflight_whole_words() {
            local rest=$COMP_LINE before word current head
            local -a words=()
            local -i place number=0
            for place in "${!COMP_WORDS[@]}"; do
                word=${COMP_WORDS[place]}
                before=$rest
                rest=${rest#"${rest%%[![:space:]]*}"}
                if [[ $place -gt 0 && $rest == "$before" ]]; then
                    words[${#words[@]}-1]+=$word
                else
                    words+=("$word")
                fi
                rest=${rest#"$word"}
                if [[ $place -eq $COMP_CWORD ]]; then number=${#words[@]}-1; fi
            done
            COMP_WORDS=("${words[@]}")
            COMP_CWORD=$number
            current=${words[number]}
            _keyflight "$1" "$current" "${words[number > 0 ? number - 1 : 0]}"
            head=${current%"${current##*[=:]}"}
            if [[ -n $head ]]; then COMPREPLY=("${COMPREPLY[@]#"$head"}"); fi
        }
        complete -o filenames -F _keyflight_whole_words keyflight

        """#
}
