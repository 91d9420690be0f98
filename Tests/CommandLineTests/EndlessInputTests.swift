import Testing

@testable import keyflight

/// Sources without an end, and files that are larger than memory: a limit that is told, or a walk.
@Suite struct EndlessInputTests {
    @Test(arguments: [
        "$keyflight info /dev/zero", "$keyflight show - </dev/zero", "yes | $keyflight verify-format -",
        "yes | $keyflight info -", "$keyflight assemble /dev/zero -o -", "$keyflight cut --press 1 -o - /dev/zero",
        "yes | $keyflight replay - --scene \(HostileInputTests.scene)",
    ])
    func anInputWithoutAnEndIsRefused(_ line: String) throws {
        let run = try ProgramRun(shell: line)
        #expect(run.status == 2 && !run.wasSignalled, "\(run.notes)")
        #expect(run.notes.contains("expected at most 268435456 bytes, found more [KF0201]"), "\(run.notes)")
    }

    /// What was read is never held twice while room is made for more.
    @Test func anInputWithoutAnEndTakesTheMemoryOfItsLimit() throws {
        let run = try ProgramRun(shell: "ulimit -d 393216; $keyflight info /dev/zero")
        #expect(run.status == 2 && !run.wasSignalled, "\(run.notes)")
        #expect(run.notes.contains("expected at most 268435456 bytes, found more [KF0201]"), "\(run.notes)")
    }

    @Test func aSceneWithoutAnEndIsRefusedAtItsLimit() throws {
        let run = try ProgramRun(shell: "echo press a | $keyflight replay - --scene /dev/zero")
        #expect(run.status == 2)
        #expect(run.notes.contains("/dev/zero: content: expected at most 1048576 bytes, found more"), "\(run.notes)")
    }

    /// A scene comes with a repository of others. What it names is a file, and is neither waited for nor quoted.
    @Test(arguments: ["profile: ./other", "responders: [{id: a, kind: textView, keyBindings: [./other]}]"])
    func whatASceneNamesIsAFileThatIsNotQuoted(_ line: String) throws {
        try Files.withFolder { folder in
            let rest = line.hasPrefix("profile") ? "responders: [{id: a, kind: view}]" : ""
            try Files.write(Array("scene: 1\n\(line)\n\(rest)\n".utf8), to: folder + "/a.yaml")
            let replay = "echo press a | $keyflight replay - --scene \(folder)/a.yaml"
            let pipe = try ProgramRun(shell: "mkfifo \(folder)/other; \(replay)")
            #expect(pipe.status != 0 && pipe.notes.contains("expected a regular file"), "\(pipe.notes)")
            let secret = "<plist><dict><key>a</key><topsecret/></dict></plist> password topsecret"
            let text = try ProgramRun(shell: "rm \(folder)/other; echo '\(secret)' >\(folder)/other; \(replay)")
            #expect(text.status != 0 && !text.notes.contains("topsecret"), "\(text.notes)")
            let device = try ProgramRun(shell: "rm \(folder)/other; ln -s /dev/zero \(folder)/other; \(replay)")
            #expect(device.status != 0 && device.notes.contains("expected a regular file"), "\(device.notes)")
        }
    }

    @Test func aFileThatIsTooLongForTextIsRefusedUnread() throws {
        try Files.withFolder { folder in
            let script = folder + "/a.keys"
            let run = try ProgramRun(
                shell: "yes press a | head -c 4096 >\(script); truncate -s 40G \(script); $keyflight info \(script)")
            #expect(run.status == 2 && run.notes.contains("[KF0202]"), "\(run.notes)")
        }
    }

    /// Packets without a byte, far more than the heap it may have.
    @Test func aCaptureIsWalked() throws {
        try Files.withFolder { folder in
            let capture = folder + "/sparse.pcap"
            let sound = Files.bytes(Files.path("Traces/captures/usb-keyboard-viewer.pcap"))
            try Files.write(Array(sound.prefix(24)), to: capture)
            let run = try ProgramRun(
                shell: "truncate -s 50331672 \(capture); ulimit -d 65536; $keyflight info \(capture)")
            #expect(!run.wasSignalled && run.notes.contains("keyboard: expected one, found none"), "\(run.notes)")
        }
    }
}
