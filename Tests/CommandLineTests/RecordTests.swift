import Foundation
import TestRequirements
import Testing

@testable import keyflight

/// Recording while keys are pressed. Each test runs the program in a terminal that script(1) makes.
@Suite struct RecordTests {
    /// Runs a recording of a terminal into which `typing`, lines of shell, types.
    static func inTerminal(_ folder: String, _ arguments: String, typing: String) async throws -> ProgramRun {
        try await ProgramRun(
            asleep: """
                cd '\(folder)'
                wait_for() { for i in $(seq 100); do [ -s "$1" ] && return; sleep 0.05; done; }
                { wait_for t.keyflight; \(typing); } |
                  TERM=dumb timeout 30 script -qec "'$keyflight' record --tty -o t.keyflight \(arguments)" log >printed
                echo "status $?"
                """)
    }

    @Test("a terminal is recorded, masked, until Ctrl-C, which is not in the recording", .needs("script", "timeout"))
    func terminal() async throws {
        try await Files.withFolder { folder in
            let typing = #"printf 'zebra'; sleep 0.3; printf '\033[A\030\r\003'"#
            let run = try await Self.inTerminal(folder, "", typing: typing)
            #expect(run.output == "status 130\n", "\(run.notes)")
            let info = CommandRun("info", folder + "/t.keyflight")
            #expect(info.status == 0)
            #expect(info.text.contains("complete") && info.text.contains("masked"))
            let shown = CommandRun("show", folder + "/t.keyflight").text
            #expect(shown.contains("key=UpArrow") && shown.contains("key=X") && shown.contains("class=letter"))
            #expect(!shown.contains("key=C ") && !shown.contains("key=Z"))
            #expect(shown.split(separator: "\n").count { $0.contains("phase=down") } == 9)
            #expect(Files.permissions(folder + "/t.keyflight") == 0o600)
            let printed = Files.text(folder + "/printed")
            #expect(printed.contains("Recording keys, text masked"))
            #expect(!printed.contains("zebra"))
        }
    }

    @Test("--for ends it with 0; SIGTERM with 130; the file is complete both times", .needs("script", "timeout"))
    func ends() async throws {
        try await Files.withFolder { folder in
            let timed = try await Self.inTerminal(folder, "--for 800ms", typing: "printf a; sleep 1.5")
            #expect(timed.output == "status 0\n", "\(timed.notes)")
            #expect(CommandRun("info", folder + "/t.keyflight").status == 0)
        }
        try await Files.withFolder { folder in
            let ended = try await Self.inTerminal(
                folder, #"& id=\$!; sleep 1; kill -TERM \$id; wait \$id"#, typing: "printf a; sleep 1")
            #expect(ended.output == "status 130\n", "\(ended.notes)")
            #expect(CommandRun("info", folder + "/t.keyflight").status == 0)
        }
    }

    @Test(
        "a killed recording can be read: all but its last moments, and that it is not complete",
        .needs("script", "timeout"))
    func killed() async throws {
        try await Files.withFolder { folder in
            _ = try await Self.inTerminal(
                folder, #"& id=\$!; sleep 1.5; kill -KILL \$id; wait \$id"#, typing: "printf abc; sleep 2")
            let info = CommandRun("info", "--format", "json", folder + "/t.keyflight")
            #expect(info.status == 2)
            #expect(info.text.contains("\"complete\":false") && info.text.contains("\"presses\":3"))
            let repaired = CommandRun("repair", folder + "/t.keyflight", "-o", folder + "/whole.keyflight")
            #expect(repaired.status == 0)
            #expect(CommandRun("info", folder + "/whole.keyflight").status == 0)
        }
    }

    @Test("the terminal is as it was, however the recording ends", .needs("script", "timeout", "stty"))
    func restored() async throws {
        try await Files.withFolder { folder in
            let endings = ["INT", "TERM", "HUP"]
            // Side by side: they sleep most of the time. The run ends when the last of them closes its output. The end
            // of its input would end a session that a busy machine holds up.
            let sessions = endings.map { ending in
                let commands = """
                    stty -a >before; '$keyflight' record --tty -o t.keyflight & id=\\$!; \
                    until stty -a >during; grep -q -e -icanon during; do sleep 0.1; done; \
                    sleep 0.7; kill -\(ending) \\$id; wait \\$id; stty -a >after
                    """
                return """
                    mkdir \(ending) && cd \(ending) && mkfifo open && { TERM=dumb timeout 60 \
                      script -qec "\(commands)" log <>open >printed; } &

                    """
            }
            _ = try await ProgramRun(asleep: "cd '\(folder)'\n" + sessions.joined())
            for ending in endings {
                let before = Files.text("\(folder)/\(ending)/before")
                #expect(!before.isEmpty && before == Files.text("\(folder)/\(ending)/after"), "\(ending)")
                #expect(Files.text("\(folder)/\(ending)/during").contains("-icanon"), "\(ending)")
            }
        }
    }

    @Test("what cannot be opened ends with 5, its remedy and the terminal, which needs no permission")
    func refusals() throws {
        try Files.withFolder { folder in
            let path = folder + "/t.keyflight"
            let device = CommandRun("record", "--evdev", "/dev/input/event99", "-o", path)
            #expect(device.status == 5)
            #expect(device.noteLines.count == 1)
            #expect(device.notes.contains("/dev/input/event99: open: ") && device.notes.contains("--tty"))
            let interface = CommandRun("record", "--pcap-interface", "nonexistent0", "-o", path)
            #expect(interface.status == 5, "\(interface.notes)")
            #expect(interface.notes.hasPrefix("nonexistent0: open: "))
            #expect(Files.names(folder) == [])
        }
    }

    @Test("a recording never takes the place of a file", .needs("script", "timeout"))
    func existing() async throws {
        try await Files.withFolder { folder in
            try Files.write([1, 2, 3], to: folder + "/t.keyflight")
            let run = try await Self.inTerminal(folder, "--for 1s", typing: "sleep 0.1")
            #expect(run.output == "status 64\n")
            #expect(Files.bytes(folder + "/t.keyflight") == [1, 2, 3])
        }
    }

    /// Mounting takes root, and a container that permits it.
    @Sendable private static func canMount() throws -> Bool {
        try ProgramRun(
            shell: """
                folder=$(mktemp -d) && mount -t tmpfs -o size=4k keyflight "$folder" && umount "$folder"
                status=$?; rmdir "$folder"; exit $status
                """
        ).status == 0
    }

    @Test(
        "a full disk ends it with 5, and what was recorded before can be read", .needs("script", "timeout"),
        .needs("permission to mount a tmpfs", canMount))
    func fullDisk() async throws {
        try await Files.withFolder { folder in
            let small = folder + "/small"
            let run = try await ProgramRun(
                asleep: """
                    mkdir -m 700 '\(small)' && mount -t tmpfs -o size=4k,mode=700 keyflight '\(small)' || exit 1
                    cd '\(small)'
                    arrows() { for i in $(seq $1); do printf '\\033[A\\033[B\\033[C\\033[D'; done; }
                    { sleep 1; arrows 10; sleep 1.5; arrows 500; sleep 1; } |
                      TERM=dumb timeout 30 script -qec "'$keyflight' record --tty -o t.keyflight --for 9s" \
                      '\(folder)/log' >'\(folder)/printed'
                    echo "status $?"
                    cp t.keyflight '\(folder)/t.keyflight'; cd /; umount '\(small)'
                    """)
            #expect(run.output == "status 5\n", "\(run.notes)")
            #expect(Files.text(folder + "/printed").contains("No space left on device"))
            let info = CommandRun("info", folder + "/t.keyflight")
            #expect(info.status == 2)
            #expect(info.text.contains("damage"))
            let shown = CommandRun("show", folder + "/t.keyflight").lines
            #expect(shown.count { $0.contains("phase=down") } >= 40)
        }
    }

    @Test(
        "a network is refused with what to record instead, whoever asks",
        .needs("a loopback interface") { FileManager.default.fileExists(atPath: "/sys/class/net/lo") })
    func network() {
        let run = CommandRun("record", "--pcap-interface", "lo", "-o", "/nowhere/x.keyflight")
        #expect(run.status == 5 && run.output.isEmpty)
        #expect(run.notes.contains("a network, of which no keys are read"), "\(run.notes)")
        #expect(run.notes.contains("keyflight devices lists the keyboards"), "\(run.notes)")
    }
}
