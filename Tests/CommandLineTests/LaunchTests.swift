import Foundation
import KeyModel
import Libc
import RegressionGate
import Testing

@testable import keyflight

/// `launch` as far as it goes without an app to record.
@Suite struct LaunchTests {
    @Test(arguments: [
        ["launch"], ["launch", "--"], ["launch", "--for-simulator", "--", "App"],
        ["launch", "--print-environment", "--for-simulator", "--for-device", "--", "App"],
        ["launch", "-o", "-", "--", "App"], ["launch", "--print-environment", "--explain", "--", "App"],
        ["launch", "--level", "all", "--", "App"], ["launch", "--pace", "recorded", "--", "App"],
        ["launch", "--layout", "fr", "--", "App"],
        ["launch", "--print-environment", "--adapter", "/tmp/a", "--", "App"],
        ["launch", "--print-environment", "--keys", "s.keys", "--", "App"],
        ["launch", "--attach", "1", "--", "App"], ["launch", "--attach", "x"],
        ["launch", "--attach", "1", "--keys", "s.keys"], ["launch", "--attach", "1", "--print-environment"],
        ["watch", "--attach", "1", "--", "App"], ["watch", "--attach", "1", "t.keyflight"],
        ["watch", "--attach", "1", "--keys", "s.keys"],
    ])
    func wrongUsageEndsWith64(_ arguments: [String]) {
        let run = CommandRun(arguments)
        #expect(run.status == 64, "\(arguments): \(run.notes)")
        #expect(run.noteLines.count == 1)
    }

    @Test func anotherLauncherIsToldWhatToSet() {
        let run = CommandRun(
            "launch", "--print-environment", "--for-device", "-o", "Documents/t.keyflight", "--level", "keys",
            "--show-keys", "--fact", "app.version=4", "--", "App")
        #expect(run.status == 0, "\(run.notes)")
        #expect(run.lines == [
            "DEVICECTL_CHILD_KEYFLIGHT_FACTS=app.version=4", "DEVICECTL_CHILD_KEYFLIGHT_LEVEL=keys",
            "DEVICECTL_CHILD_KEYFLIGHT_SHOW_KEYS=1", "DEVICECTL_CHILD_KEYFLIGHT_TRACE=Documents/t.keyflight",
        ])
        // In the container of the app there is no folder of this machine.
        for (output, path) in [
            (["-o", "Documents/x.keyflight"], "Documents/x"), (["-o", "x.keyflight"], "Documents/x"),
            ([], "Documents/App"),
        ] {
            let run = CommandRun(["launch", "--print-environment", "--for-device"] + output + ["--", "App"])
            #expect(run.lines.last == "DEVICECTL_CHILD_KEYFLIGHT_TRACE=\(path).keyflight")
        }
        for path in ["/tmp/x.keyflight", "../x.keyflight"] {
            let run = CommandRun("launch", "--print-environment", "--for-device", "-o", path, "--", "App")
            #expect(run.status == 64 && run.text.isEmpty, "\(path)")
        }
        // A simulator loads no library that was built for the system of this program.
        let simulator = ["launch", "--print-environment", "--for-simulator"]
        let ofLinux = CommandRun(simulator + ["--adapter", ProgramRun.path, "--", "App"])
        #expect(ofLinux.status == 5 && ofLinux.notes.contains("built for simulators"), "\(ofLinux.notes)")
        for adapter in [[], ["--adapter", "Adapter"]] {
            let run = CommandRun(simulator + adapter + ["--", "App"])
            #expect(run.status == 5 && run.text.isEmpty, "\(run.text)")
            #expect(run.notes.contains("name it with --adapter"), "\(run.notes)")
        }
        let named = CommandRun(simulator + ["--adapter", "/tmp/KeyflightAdapter", "--", "App"])
        #expect(named.status == 0 && named.lines.contains("SIMCTL_CHILD_DYLD_INSERT_LIBRARIES=/tmp/KeyflightAdapter"))
    }

    @Test(arguments: [
        ("press a\ndo focus field\n", "line 2: do focus field: expected a step that a live app follows", 64),
        ("insert x\n", "line 1: insert: expected a step that a live app follows", 64),
        (
            "keys 1\ntype ш\n",
            "line 2: type: expected characters that layout us types, found \"ш\"; an app is typed into by keys alone",
            64
        ),
        ("press a b\n", "line 1", 2),
    ])
    func aScriptThatCannotBeTypedStartsNothing(_ text: String, _ words: String, _ status: Int32) throws {
        try Files.withFolder { folder in
            let (script, trace) = (folder + "/s.keys", folder + "/t.keyflight")
            try text.write(toFile: script, atomically: true, encoding: .utf8)
            let run = CommandRun("launch", "-o", trace, "--keys", script, "--", "touch", folder + "/started")
            #expect(run.status == status, "\(run.notes)")
            #expect(run.notes.contains(words), "\(run.notes)")
            #expect(run.noteLines.count == 1)
            #expect(!FileManager.default.fileExists(atPath: folder + "/started"))
        }
    }

    @Test func theListOfKeysHasNoNameAndCountsWhatWasTyped() throws {
        try Files.withFolder { folder in
            let path = folder + "/s.keys"
            try "type ab\nhold c 1s\n".write(toFile: path, atomically: true, encoding: .utf8)
            let script = try TypedScript(path, layout: nil, Console(stdin: [], environment: .none))
            #expect(script.presses == 3)
            let list = try String(contentsOfFile: script.path, encoding: .utf8)
            #expect(list.split(separator: "\n").allSatisfy { TypedStep(line: $0) != nil })
            #expect(script.progress == 0)
            let file = try #require(FileHandle(forUpdatingAtPath: script.path))
            try file.seekToEnd()
            try file.write(contentsOf: Data("..".utf8))
            #expect(script.progress == 2)
        }
    }

    @Test func aTraceThatExistsIsNotWrittenOver() throws {
        try Files.withFolder { folder in
            let path = folder + "/t.keyflight"
            try "x".write(toFile: path, atomically: true, encoding: .utf8)
            let run = CommandRun("launch", "-o", path, "--", "true")
            #expect(run.status == 64)
            #expect(run.notes.contains("[KF6401]"))
            #expect(Files.text(path) == "x")
        }
    }

    @Test func aTraceThatCannotBeCreatedIsNamedBeforeTheAppStarts() throws {
        try Files.withFolder { folder in
            let nowhere = CommandRun("launch", "-o", folder + "/none/t.keyflight", "--", "true")
            #expect(nowhere.notes.contains("expected a folder that can be written to"), "\(nowhere.notes)")
            #expect(nowhere.noteLines.count == 1)
            let link = folder + "/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/none")
            #expect(CommandRun("launch", "-o", link, "--", "true").status == 64)
        }
    }

    @Test func whatCannotBeStartedIsNamed() throws {
        try Files.withFolder { folder in
            let trace = folder + "/t.keyflight"
            func launched(_ app: String) -> CommandRun {
                CommandRun(
                    ["launch", "-o", trace, "--", app],
                    environment: ProcessEnvironment(["PATH": folder]))
            }
            #expect(launched("NoSuchApp").notes.contains("NoSuchApp: run: expected a program, found none in PATH"))
            #expect(launched(folder).notes.contains("found a folder"))
            #expect(launched(folder + "/x").notes.contains("found nothing"))
            try "x".write(toFile: folder + "/file", atomically: true, encoding: .utf8)
            #expect(launched(folder + "/file").notes.contains("found a file that may not be executed"))
            #expect(!FileManager.default.fileExists(atPath: trace))
        }
    }

    #if os(Linux) && arch(x86_64)
        @Test func aProcessThatIsNoAppOfGNUstepIsNotAttachedTo() throws {
            try Files.withFolder { folder in
                func attached(_ process: pid_t) -> CommandRun {
                    CommandRun("launch", "-o", folder + "/t.keyflight", "--attach", "\(process)")
                }
                var spawn = Spawn()
                spawn.files = [(0, "/dev/null", O_RDONLY)]
                let sleeper = try spawn.start(["sleep", "600"])
                defer {
                    kill(sleeper, SIGKILL)
                    waitpid(sleeper, nil, 0)
                }
                for (process, words) in [
                    (pid_t.max, "found none of this number"), (0, "found none of this number"),
                    (sleeper, "found a program without GNUstep's AppKit (libgnustep-gui)"),
                ] {
                    let run = attached(process)
                    #expect(run.status == 5 && run.notes.contains(words), "\(run.notes)")
                    #expect(run.notes.hasPrefix("--attach \(process): ") && run.notes.contains("[KF0509]"))
                }
                kill(sleeper, SIGSTOP)
                let state = ProcessFile("/proc/\(sleeper)/stat")
                while let now = ProcessState(state), now.obstacle == nil { usleep(1000) }
                #expect(attached(sleeper).notes.contains("kill -CONT lets it go on"))
                #expect(!FileManager.default.fileExists(atPath: folder + "/t.keyflight"))
            }
        }
    #endif

    @Test(arguments: [
        ("keyflight: waiting\nkeyflight: calling\nkeyflight: done 0\n", Injector.Answer.done(0)),
        ("keyflight: calling\nkeyflight: done 5\n[Inferior 1 detached]\n", .done(5)),
        ("keyflight: waiting\nkeyflight: busy\n", .busy),
        ("keyflight: failed Couldn't write extended state status: Bad address.\n",
            .failed("Couldn't write extended state status: Bad address.")),
        ("keyflight: calling\nkeyflight: done x\n", .failed("no result")),
        ("Python scripting is not supported\n", .failed("Python scripting is not supported")),
        ("", .failed("no answer of gdb")),
    ])
    func answersOfGDBAreRead(_ said: String, _ answer: Injector.Answer) { #expect(Injector.answer(said) == answer) }

    @Test func theAdapterIsBesideTheProgram() throws {
        try Files.withFolder { folder in
            let program = folder + "/bin/keyflight"
            let failure = #expect(throws: Failure.self) { try AdapterLibrary.beside(program) }
            #expect(failure?.id == .notLaunchable)
            #expect(failure?.line.contains("\(folder)/lib/\(AdapterLibrary.fileName)") == true)
            for place in ["bin", "lib"] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(place)", withIntermediateDirectories: false)
                let library = "\(folder)/\(place)/\(AdapterLibrary.fileName)"
                try "x".write(toFile: library, atomically: true, encoding: .utf8)
                // Where it is installed comes first.
                let found = try AdapterLibrary.beside(program).path
                #expect(found == library)
            }
        }
    }

    @Test func anAdapterWhosePathTheLoaderWouldSplitIsRefused() throws {
        try Files.withFolder { folder in
            let place = folder + "/x y:z"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            try "x".write(toFile: "\(place)/\(AdapterLibrary.fileName)", atomically: true, encoding: .utf8)
            let failure = #expect(throws: Failure.self) { try AdapterLibrary.beside(place + "/keyflight") }
            #expect(failure?.line.contains("expected a path without") == true)
        }
    }

    /// As in a terminal that `launch --show-keys` runs, of whose settings none is for what is launched in it.
    @Test func settingsOfAnotherLaunchAreNotInherited() throws {
        try Files.withFolder { folder in
            let line = """
                export KEYFLIGHT_SHOW_KEYS=1 KEYFLIGHT_KEYS=/dev/fd/1 KEYFLIGHT_FACTS=a=b KEYFLIGHT_HOOKS=-text
                trap '' CHLD
                exec "$keyflight" launch -o '\(folder)/t.keyflight' --fact c=d -- env
                """
            let run = try ProgramRun(shell: line)
            #expect(run.status == 5, "\(run.notes)")
            let found = run.output.split(separator: "\n").filter { $0.hasPrefix("KEYFLIGHT_") }.sorted()
            #expect(found.map { $0.prefix { $0 != "=" } } == [
                "KEYFLIGHT_FACTS", "KEYFLIGHT_HOOKS", "KEYFLIGHT_LEVEL", "KEYFLIGHT_MEMORY", "KEYFLIGHT_PROCESS",
                "KEYFLIGHT_TRACE",
            ], "\(found)")
            #expect(found.first == "KEYFLIGHT_FACTS=c=d")
        }
    }

    @Test func aProgramTellsWhyNoAdapterCanBeInIt() throws {
        try Files.withFolder { folder in
            func obstacle(_ bytes: [UInt8]) throws -> String? {
                let path = folder + "/app"
                try Data(bytes).write(to: URL(filePath: path))
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
                return try AppProgram(named: path, paths: nil).obstacle
            }
            let script = try obstacle(Array("#!/bin/sh\nexec true # with more\n".utf8))
            #expect(script?.hasPrefix("a script") == true)
            #if os(Linux)
                var program = Array(Files.bytes("/proc/self/exe").prefix(8192))
                let own = try obstacle(program)
                #expect(own == nil)
                program[18] ^= 0x55
                let other = try obstacle(program)
                #expect(other == "a program for another architecture")
            #endif
        }
    }
}
