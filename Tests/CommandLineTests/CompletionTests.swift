import Foundation
import TestRequirements
import Testing

@testable import keyflight

/// What a shell offers of the trace or the scene in a line, and of what the program knows anyway.
@Suite struct CompletionTests {
    /// A folder with `t.keyflight`, `scene.yaml` and the program.
    static func withTrace<R>(_ body: (String) throws -> R) throws -> R {
        try Files.withFolder { folder in
            try FailureModeTests.record(folder, folder + "/t.keyflight")
            try TabsApp.put(TabsApp.scene(), folder + "/scene.yaml")
            try Files.link(folder + "/keyflight", to: ProgramRun.path)
            return try body(folder)
        }
    }

    @Test func thereIsAScriptForEachShell() {
        for shell in ["bash", "zsh", "fish"] {
            let run = CommandRun("completions", shell)
            #expect(run.status == 0 && run.text.contains("explain"))
        }
        #expect(CommandRun("completions", "tcsh").status == 64)
    }

    /// What the program answers to a shell: the option or argument, the words of the line, and the last one so far.
    private static func answer(
        _ verb: String, _ argument: String, _ words: [String], in folder: String
    ) throws -> [String] {
        let all = (["keyflight", verb] + words).map { "'\($0)'" }.joined(separator: " ")
        let run = try ProgramRun(
            shell: "cd '\(folder)' && SAP_SHELL=bash timeout 20 \"$keyflight\" ---completion \(verb) -- \(argument)"
                + " \(words.count + 1) \(words.last?.count ?? 0) \(all)")
        #expect(run.status == 0, "\(run.notes)")
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        ("explain", "--press", ["t.keyflight", "--press", ""], ["1", "2"]),
        ("explain", "positional@1", ["t.keyflight", ""], ["cmd+t", "cmd+w"]),
        ("bindings", "--chord", ["t.keyflight", "--chord", ""], ["cmd+w"]),
        ("cut", "--press", ["t.keyflight", "--press", ""], ["2"]),
        ("show", "--press", ["t.keyflight", "--press", ""], ["2"]),
        ("replay", "--what-if", ["t.keyflight", "--what-if", ""],
         ["cache=tabs", "cost=tabs.keyCommands:", "profile=ios26", "layout=fr", "cache=chain"]),
        ("replay", "--what-if", ["a.keys", "--scene", "scene.yaml", "--what-if", ""], ["cache=view"]),
        ("stats", "--where", ["t.keyflight", "--where", ""], ["responder == \\\"tabs\\\"", "chord == \\\"cmd+w\\\""]),
        ("replay", "--profile", ["t.keyflight", "--profile", "ios15,"], ["ios15,ios26"]),
        ("stats", "--layout", ["t.keyflight", "--layout", ""], ["us:dvorak"]),
        ("help", "positional@0", [""], ["stages", "text-stolen", "KF0201", "explain"]),
    ])
    func whatIsInTheLineIsOffered(_ verb: String, _ argument: String, _ words: [String], _ expected: [String]) throws {
        try Self.withTrace { folder in
            let found = try Self.answer(verb, argument, words, in: folder)
            for word in expected { #expect(found.contains(word), "\(word): \(found)") }
            #expect(Set(found).count == found.count)
        }
    }

    @Test func wordsThatDoNotDependOnTheLineStandInTheScript() {
        let script = CommandRun("completions", "bash").text
        for word in ["p99.9", "chordWait", "hid..app"] { #expect(script.contains(word), "\(word)") }
    }

    /// A pipe that nobody writes to, a terminal, a folder, and a trace that is nothing but damage after its beginning.
    @Test func aShellIsNeverKeptWaiting() throws {
        try Self.withTrace { folder in
            let head = Files.bytes(folder + "/t.keyflight").prefix(64)
            try Files.write(Array(head), to: folder + "/damaged.keyflight")
            let made = try ProgramRun(shell: "cd '\(folder)' && mkfifo pipe && truncate -s 4G damaged.keyflight")
            #expect(made.status == 0, "\(made.notes)")
            for input in ["pipe", "/dev/tty", "/dev/zero", ".", "damaged.keyflight", "nowhere", "-"] {
                let found = try Self.answer("explain", "--press", [input, "--press", ""], in: folder)
                #expect(found == [], "\(input)")
                let others = try Self.answer("replay", "--what-if", [input, "--what-if", ""], in: folder)
                #expect(others.contains("cache=press"))
            }
        }
    }

    /// bash expands what it is offered: a name that is a command must not reach it.
    @Test func namesOfATraceAreNoCommands() throws {
        try Self.withTrace { folder in
            let text = CommandRun("show", folder + "/t.keyflight").text
            for name in ["$(touch made)", "`touch made`", "a b", "x;y", "${HOME}", "~", "*"] {
                try TabsApp.put(text.replacing("\"tabs\"", with: "\"\(name)\""), folder + "/t.txt")
                let made = CommandRun("assemble", folder + "/t.txt", "-o", folder + "/h.keyflight", "--force")
                #expect(made.status == 0, "\(made.notes)")
                let found = try Self.answer("replay", "--what-if", ["h.keyflight", "--what-if", ""], in: folder)
                #expect(found.contains("cache=view") && !found.contains { $0.contains(name) }, "\(found)")
            }
        }
    }

    // MARK: The shells themselves

    @Test func bashOffersWhatIsInTheTrace() throws {
        try Self.withTrace { folder in
            func offered(_ words: String, at place: Int, line: String? = nil) throws -> Set<String> {
                let run = try ProgramRun(
                    shell: """
                        cd '\(folder)' && cat > c <<'END'
                        PATH=$PWD:$PATH
                        source <(./keyflight completions bash)
                        COMP_WORDS=(\(words)); COMP_CWORD=\(place)
                        COMP_LINE=\(line.map { "'\($0)'" } ?? "\"${COMP_WORDS[*]}\""); COMP_POINT=${#COMP_LINE}
                        _keyflight_whole_words keyflight "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                        printf '%s\\n' "${COMPREPLY[@]}"
                        END
                        bash c
                        """)
                return Set(run.output.split(separator: "\n").map { $0.filter { $0 != " " } })
            }
            #expect(try offered("keyflight explain t.keyflight --press ''", at: 4).isSuperset(of: ["1", "2"]))
            let chords = try offered("keyflight explain t.keyflight ''", at: 3)
            #expect(chords.contains("cmd+w"), "\(chords)")
            #expect(try offered("keyflight replay t.keyflight --what-if cache", at: 4).contains("cache=tabs"))
            // bash breaks the word.
            let line = "keyflight replay t.keyflight --what-if cache=t"
            #expect(try offered("keyflight replay t.keyflight --what-if cache = t", at: 6, line: line) == ["tabs"])
            #expect(try offered("keyflight help st", at: 2).isSuperset(of: ["stats", "stages", "stuck-modifier"]))
        }
    }

    @Test(.needs("zsh")) func zshOffersWhatIsInTheTrace() throws {
        try Self.withTrace { folder throws in
            func offered(_ line: String) throws -> Set<String> {
                let run = try ProgramRun(
                    shell: """
                        cd '\(folder)' && PATH=$PWD:$PATH && ./keyflight completions zsh > _keyflight && cat > c <<'END'
                        zmodload zsh/zpty
                        zpty z "TERM=dumb zsh -f -i"
                        zpty -w z 'PS1=; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; \
                        autoload -Uz _keyflight; \
                        compdef _keyflight keyflight; compadd() { local -a found; builtin compadd -A found "$@"; \
                        print -rl -- "" "<"${^found}">"; builtin compadd "$@" }; \
                        offer() { zle complete-word; print -r DO""NE }; zle -N offer; bindkey "^T" offer; print REA""DY'
                        zpty -r -m z ready '*READY*'
                        zpty -w -n z "$1"$'\\x14'
                        zpty -r -m z out '*DONE*'
                        print -r -- "$out"
                        END
                        timeout 60 zsh -f c '\(line)'
                        """)
                let lines = run.output.split(whereSeparator: \.isNewline).map { $0.filter { $0 != "\r" } }
                let words = lines.filter { $0.hasPrefix("<") && $0.hasSuffix(">") }
                return Set(words.map { String($0.dropFirst().dropLast()) })
            }
            #expect(try offered("keyflight explain t.keyflight --press ").isSuperset(of: ["1", "2"]))
            #expect(try offered("keyflight explain t.keyflight cmd").contains("cmd+w"))
        }
    }

    @Test(.needs("fish")) func fishOffersWhatIsInTheTrace() throws {
        try Self.withTrace { folder throws in
            func offered(_ line: String) throws -> Set<String> {
                // Asked for completions by a script, fish has no cursor to tell of.
                let run = try ProgramRun(
                    shell: """
                        cd '\(folder)' && PATH=$PWD:$PATH && export HOME=$PWD && ./keyflight completions fish > c.fish
                        timeout 60 fish -c 'source c.fish; function commandline; if contains -- -tC $argv; \
                        echo 0; else; builtin commandline $argv; end; end; complete -C "\(line)"'
                        """)
                return Set(run.output.split(separator: "\n").map { String($0.split(separator: "\t").first ?? "") })
            }
            #expect(try offered("keyflight explain t.keyflight --press ").isSuperset(of: ["1", "2"]))
            #expect(try offered("keyflight explain t.keyflight ").contains("cmd+w"))
            #expect(try offered("keyflight replay t.keyflight --what-if cache").contains("cache=tabs"))
            #expect(try offered("keyflight tail t.keyflight --above ").contains("p99"))
        }
    }
}
