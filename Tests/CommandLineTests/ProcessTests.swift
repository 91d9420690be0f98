import Testing

@testable import keyflight

/// What only a process of its own shows.
@Suite struct ProcessTests {
    @Test func aReaderThatGoesAwayIsNoError() throws {
        let run = try ProgramRun(
            shell: #"{ "$keyflight" demo; echo "status $?" >&2; } | head -n 1"#)
        #expect(run.notes == "status 0\n")
        #expect(run.output.split(separator: "\n").count == 1)
    }

    @Test func anInterruptionEndsWith130AndLeavesNothing() throws {
        try Files.withFolder { folder in
            // The program waits for its input, which never comes.
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && mkfifo pipe && exec 3<>pipe
                    "$keyflight" import pipe -o out.keyflight & id=$!
                    sleep 0.5; kill -INT $id; wait $id; echo "status $?"; rm pipe; ls -A
                    """)
            #expect(run.output == "status 130\n", "\(run.notes)")
        }
    }

    @Test func aFullDiskIsSaid() throws {
        let run = try ProgramRun(shell: #""$keyflight" demo >/dev/full; echo "status $?""#)
        #expect(run.output == "status 5\n")
        #expect(run.notes.hasPrefix("standard output: write: "))
        #expect(run.notes.split(separator: "\n").count == 1)
    }

    @Test func nothingOfTheSurroundingsShows() throws {
        let plain = try ProgramRun(shell: #""$keyflight" demo"#)
        let other = try ProgramRun(
            shell: """
                export TZ=Asia/Kathmandu LANG=tr_TR.UTF-8 LC_ALL=de_DE.UTF-8 HOME=/nonexistent COLUMNS=40
                cd / && "$keyflight" demo
                """)
        #expect(plain.status == 0)
        #expect(plain.output == other.output)
        #expect(!plain.output.contains("\u{1B}"))
        let coloured = try ProgramRun(shell: #"CLICOLOR_FORCE=1 "$keyflight" demo"#)
        #expect(coloured.output.contains("\u{1B}["))
    }

    @Test func completionsAreThere() throws {
        for shell in ["bash", "zsh", "fish"] {
            let run = CommandRun("completions", shell)
            #expect(run.status == 0 && run.text.contains("explain"))
        }
        #expect(CommandRun("completions", "tcsh").status == 64)
    }

    /// A shell asks the program itself what to offer of the trace in the line.
    @Test func bashOffersTheChordsAndPressesOfTheTrace() throws {
        try Files.withFolder { folder in
            let script = Array("press cmd+w\npress cmd+shift+t\n".utf8)
            let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")
            let trace = folder + "/t.keyflight"
            #expect(CommandRun(["replay", "-", "--scene", scene, "-o", trace], stdin: script).status == 0)
            func offered(_ words: String, at place: Int) throws -> Set<String> {
                let run = try ProgramRun(
                    shell: """
                        cd '\(folder)' && ln -sf "$keyflight" keyflight && cat > c <<'END'
                        PATH=$PWD:$PATH
                        source <(./keyflight completions bash)
                        COMP_WORDS=(\(words)); COMP_CWORD=\(place)
                        COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
                        _keyflight keyflight "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                        printf '%s\\n' "${COMPREPLY[@]}"
                        END
                        bash c
                        """)
                return Set(run.output.split(separator: "\n").map { $0.filter { $0 != " " } })
            }
            #expect(try offered("keyflight explain t.keyflight --press ''", at: 4).isSuperset(of: ["1", "2"]))
            let chords = try offered("keyflight explain t.keyflight ''", at: 3)
            #expect(chords.contains("cmd+w"), "\(chords)")
        }
    }
}
