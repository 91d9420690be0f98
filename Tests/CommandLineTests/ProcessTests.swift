import Testing
import TraceReports

@testable import keyflight

/// What only a process of its own shows.
@Suite struct ProcessTests {
    @Test(arguments: [
        ("gate Traces/golden --filter held-close-closes-one --expect 2", 4),
        ("gate Traces/golden --filter held-close-closes-one --expect 2 --format json", 4),
        ("lint Traces/golden/held-close-closes-everything/input.keys"
            + " --scene Traces/golden/held-close-closes-everything/scene.yaml", 1),
    ])
    func aVerdictIsNotLostWithItsReader(_ line: String, _ status: Int) throws {
        let words = line.replacing("Traces/", with: Files.path("Traces") + "/")
        let run = try ProgramRun(shell: "{ sleep 0.2; \"$keyflight\" \(words); echo $? >&3; } 3>&2 2>/dev/null | true")
        #expect(run.notes == "\(status)\n")
    }

    @Test func aReaderThatGoesAwayIsNoError() throws {
        let run = try ProgramRun(
            shell: #"{ "$keyflight" demo; echo "status $?" >&2; } | head -n 1"#)
        #expect(run.notes == "status 0\n")
        #expect(run.output.split(separator: "\n").count == 1)
    }

    /// The capture never ends, so that its trace lies beside its place when the signal comes. Who runs the tests may
    /// ignore SIGHUP, and the program would too.
    @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
    func aResultThatIsInterruptedLeavesNothing(_ signal: String, _ status: Int) throws {
        try Files.withFolder { folder in
            let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")
            let run = try ProgramRun(
                shell: """
                    cd '\(folder)' && mkfifo pipe && exec 3<>pipe && cat '\(capture)' >&3
                    env --default-signal=\(signal) "$keyflight" import pipe -o out.keyflight & id=$!
                    for n in $(seq 600); do ls -A | grep -q '[.]tmp$' && break; sleep 0.05; done
                    ls -A | grep -c '[.]tmp$'; kill -\(signal) $id; wait $id; echo "status $?"; ls -A
                    """)
            #expect(run.output == "1\nstatus \(status)\npipe\n", "\(run.notes)")
        }
    }

    @Test func aFullDiskIsSaid() throws {
        for arguments in ["demo", "--help", "info --help", "--version"] {
            let run = try ProgramRun(shell: "\"$keyflight\" \(arguments) >/dev/full; echo \"status $?\"")
            #expect(run.output == "status 5\n", "\(arguments)")
            #expect(run.notes.hasPrefix("standard output: write: "))
            #expect(run.notes.split(separator: "\n").count == 1)
        }
    }

    /// As at a terminal of that width.
    @Test func columnsHoldInAPipe() throws {
        let top = """
            "$keyflight" stats Traces/golden/pdf-viewer/input.keys --scene Traces/golden/pdf-viewer/scene.yaml
            """
        let wide = try ProgramRun(shell: "cd '\(Files.path(""))' && " + top)
        let narrow = try ProgramRun(shell: "cd '\(Files.path(""))' && COLUMNS=40 " + top)
        #expect(wide.output.split(separator: "\n").contains { DisplayWidth.of(String($0)) > 80 })
        let rows = narrow.output.split(separator: "\n").filter { row in
            ["  document ", "  action "].contains { row.hasPrefix($0) }
        }
        #expect(rows.count == 2 && rows.allSatisfy { DisplayWidth.of(String($0)) <= 40 }, "\(narrow.output)")
    }

    @Test func nothingOfTheSurroundingsShows() throws {
        let plain = try ProgramRun(shell: #""$keyflight" demo"#)
        let other = try ProgramRun(
            shell: """
                export TZ=Asia/Kathmandu LANG=tr_TR.UTF-8 LC_ALL=de_DE.UTF-8 HOME=/nonexistent
                cd / && "$keyflight" demo
                """)
        #expect(plain.status == 0)
        #expect(plain.output == other.output)
        #expect(!plain.output.contains("\u{1B}"))
        let coloured = try ProgramRun(shell: #"CLICOLOR_FORCE=1 "$keyflight" demo"#)
        #expect(coloured.output.contains("\u{1B}["))
    }
}
