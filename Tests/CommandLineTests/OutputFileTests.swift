import Foundation
import Testing

@testable import keyflight

/// Outputs and inputs that are named wrongly: no file, a folder, or the file that is being read.
@Suite struct OutputFileTests {
    /// A folder with a trace, the script and the scene that it was made of, its text, a capture and a subfolder.
    private static func withInputs(_ body: (String) throws -> Void) throws {
        try Files.withFolder { folder in
            try TabsApp.put("keys 1\npress cmd+t\npress cmd+w\ntype ab\n", folder + "/a.keys")
            try TabsApp.put(TabsApp.scene(), folder + "/scene.yaml")
            let trace = folder + "/a.keyflight"
            let replay = CommandRun(
                "replay", folder + "/a.keys", "--scene", folder + "/scene.yaml", "-o", trace, "--show-keys")
            try #require(replay.status == 0, "\(replay.notes)")
            try TabsApp.put(CommandRun("show", trace).text, folder + "/a.txt")
            try Files.write(Files.bytes(Files.path("Traces/captures/usb-keyboard-viewer.pcap")), to: folder + "/a.pcap")
            try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: false)
            try body(folder)
        }
    }

    private static func words(_ line: String, _ folder: String) -> [String] {
        line.split(separator: " ").map { $0 == "''" ? "" : String($0).replacing("DIR", with: folder) }
    }

    // MARK: No file

    @Test(arguments: [
        ("gate DIR --junit ''", "Name a file with --junit"), ("gate DIR --summary ''", "Name a file with --summary"),
        ("gate DIR --code-quality ''", "Name a file with --code-quality"),
        ("gate DIR --metrics ''", "Name a file with --metrics"),
        ("gate DIR --history ''", "Name a file with --history"),
        ("gate --base true --head true --keep ''", "Name a folder with --keep"),
        ("gate DIR --junit -", "with --junit: it does not go"),
        ("gate DIR --summary -", "with --summary: it does not go"),
        ("gate DIR --code-quality -", "with --code-quality: it does not go"),
        ("gate DIR --metrics -", "with --metrics: it does not go"),
        ("gate DIR --history -", "with --history: it does not go"),
        ("gate --base true --head true --keep -", "with --keep: it does not go"),
        ("minimise DIR/a.keys --test true -o ''", "Name a folder with -o"),
        ("minimise DIR/a.keys --test true -o -", "with -o: it does not go"),
        ("demo --save ''", "Name a folder with --save"), ("demo --save -", "with --save: it does not go"),
        ("report DIR/a.keyflight -o ''", "Name a file with -o"), ("cut DIR/a.keyflight --press 1 -o ''", "with -o"),
        ("redact DIR/a.keyflight -o ''", "with -o"), ("repair DIR/a.keyflight -o ''", "with -o"),
        ("merge DIR/a.keyflight DIR/a.keyflight -o ''", "with -o"), ("import DIR/a.pcap -o ''", "with -o"),
        ("assemble DIR/a.txt -o ''", "with -o"), ("export DIR/a.keyflight --format jsonl -o ''", "with -o"),
        ("replay DIR/a.keyflight -o ''", "with -o"), ("record --tty -o ''", "with -o"),
        ("launch -o '' -- true", "name one with -o"), ("launch -o - -- true", "name one with -o"),
        ("fleet report DIR -o ''", "Name the output with -o"), ("fleet ingest DIR -o -", "A lake is a folder"),
    ])
    func anOutputThatIsNoFileIsWrongUsage(_ line: String, _ message: String) throws {
        try Self.withInputs { folder in
            let before = Files.names(folder)
            let run = CommandRun(Self.words(line, folder))
            #expect(run.status == 64 && run.noteLines.count == 1 && run.notes.contains(message), "\(run.notes)")
            #expect(Files.names(folder) == before && !FileManager.default.fileExists(atPath: "-"))
        }
    }

    // MARK: A folder

    @Test(arguments: [
        "info DIR/sub", "show DIR/sub", "show DIR/sub --follow", "verify-format DIR/sub", "assemble DIR/sub -o DIR/x",
        "import DIR/sub -o DIR/x", "import --csv DIR/sub --as stimulus -o DIR/x",
        "import DIR/a.pcap --descriptor DIR/sub -o DIR/x", "redact DIR/sub --check", "merge DIR/sub DIR/sub -o DIR/x",
        "minimise DIR/sub --test true -o DIR/x", "minimise DIR/a.keys --scene DIR/sub --test true -o DIR/x",
        "stats DIR/a.keyflight --scene DIR/sub", "replay DIR/a.keys --scene DIR/scene.yaml --profile DIR/sub",
        "launch --keys DIR/sub -o DIR/x -- true", "diff DIR/sub DIR/a.keyflight", "query DIR/sub",
        "export --table sessions --files-from DIR/sub --format csv -o -",
        "export DIR/a.keyflight --table sessions --format csv -o - --allow-ids DIR/sub",
    ])
    func aFolderInPlaceOfAnInputIsNamed(_ line: String) throws {
        try Self.withInputs { folder in
            let run = CommandRun(Self.words(line, folder))
            #expect(run.status == 2)
            #expect(run.notes == "\(folder)/sub: is a folder; name a file [KF0201]\n")
        }
    }

    /// What a scene or the settings name, a row of many traces, and outputs.
    @Test func aFolderIsNamedWhereverAFileIsMeant() throws {
        try Self.withInputs { folder in
            let rows = CommandRun("export", folder + "/sub", "--table", "sessions", "--format", "csv", "-o", "-")
            #expect(rows.status == 2 && rows.text.contains("is a folder; name a file"), "\(rows.text)")
            for verb in [["repair"], ["cut", "--press", "1"]] {
                let run = CommandRun(verb + [folder + "/a.keyflight", "-o", folder + "/sub", "--force"])
                #expect(run.status == 64 && run.notes.contains("found a folder; name a file"), "\(run.notes)")
            }
            let environment = ProcessEnvironment(["KEYFLIGHT_SCENE": folder + "/sub"])
            let scene = CommandRun(["replay", folder + "/a.keys"], environment: environment)
            #expect(scene.status != 0 && scene.notes.contains("is a folder; name a file"), "\(scene.notes)")
            let junit = CommandRun("gate", Files.path("Traces/golden"), "--filter", "g05*", "--junit", folder + "/sub")
            #expect(junit.status == 5 && junit.notes.contains("/sub: is a folder; name a file"), "\(junit.notes)")
        }
    }

    // MARK: The input

    @Test(arguments: [
        ("report DIR/a.keyflight -o DIR/a.keyflight", "a.keyflight"),
        ("report DIR/a.keyflight DIR/a.keyflight -o DIR/a.keyflight", "a.keyflight"),
        ("report DIR/a.keys --scene DIR/scene.yaml -o DIR/scene.yaml", "scene.yaml"),
        ("export DIR/a.keyflight --format jsonl -o DIR/a.keyflight", "a.keyflight"),
        ("export DIR/a.keyflight --format sqlite -o DIR/a.keyflight", "a.keyflight"),
        ("export DIR/a.keyflight --format pcapng -o DIR/sub/../a.keyflight", "a.keyflight"),
        ("export DIR/a.keyflight --table sessions --format csv -o DIR/a.keyflight", "a.keyflight"),
        ("replay DIR/a.keys --scene DIR/scene.yaml -o DIR/a.keys", "a.keys"),
        ("replay DIR/a.keys --scene DIR/scene.yaml -o DIR/scene.yaml", "scene.yaml"),
        ("import DIR/a.pcap -o DIR/a.pcap", "a.pcap"), ("assemble DIR/a.txt -o DIR/a.txt", "a.txt"),
        ("minimise DIR/a.keys --scene DIR/scene.yaml --test true -o DIR", "scene.yaml"),
    ])
    func anInputIsNotReplacedByWhatIsNoVersionOfIt(_ line: String, _ name: String) throws {
        try Self.withInputs { folder in
            let file = "\(folder)/\(name)"
            let before = Files.bytes(file)
            for force in [[], ["--force"]] {
                let run = CommandRun(Self.words(line, folder) + force)
                #expect(run.status == 64 && run.noteLines.count >= 1, "\(run.notes)")
                #expect(run.notes.contains(": is the input, which the output cannot take the place of"), "\(run.notes)")
                #expect(Files.bytes(file) == before)
            }
        }
    }

    @Test func aTraceOfAListIsNotReplaced() throws {
        try Self.withInputs { folder in
            let before = Files.bytes(folder + "/a.keyflight")
            let line = "export --table sessions --files-from - --format csv --force -o DIR/a.keyflight"
            let other = folder + "/b.keyflight"
            try Files.write(before, to: other)
            let names = Array("\(other)\n\(folder)/a.keyflight\n".utf8)
            let run = CommandRun(Self.words(line, folder), stdin: names)
            #expect(run.status == 64 && run.notes.contains("a.keyflight: is the input, which"), "\(run.notes)")
            #expect(Files.bytes(folder + "/a.keyflight") == before)
        }
    }

    @Test func aReportTakesThePlaceOfNothingThatIsCompared() throws {
        try FailureModeTests.withGolden { folder, goldens in
            try Files.write(Array("@Test func tabs() { expectGolden(\"tabs\") }\n".utf8), to: folder + "/T.swift")
            let files = ["goldens/tabs/expected.txt", "goldens/tabs/scene.yaml", "goldens/tabs/input.keys", "T.swift"]
            let before = files.map { Files.bytes("\(folder)/\($0)") }
            for option in ["--junit", "--summary", "--code-quality", "--metrics", "--history"] {
                for file in files {
                    let run = CommandRun("gate", goldens, "--tests", folder, option, "\(folder)/goldens/../\(file)")
                    #expect(run.status == 64 && run.notes.contains("is the input, which"), "\(option): \(run.notes)")
                }
            }
            #expect(files.map { Files.bytes("\(folder)/\($0)") } == before)
            // An earlier report is replaced wherever it is, but not by another one of the same gate.
            let report = goldens + "/tabs/report.xml"
            for _ in 0..<2 { #expect(CommandRun("gate", goldens, "--junit", report).status == 0) }
            let twice = CommandRun("gate", goldens, "--junit", report, "--metrics", report)
            #expect(twice.status == 64 && twice.notes.contains("report.xml: two reports have this name"))
        }
    }

    /// Traces that are made of the trace whose place they take: written aside, and there once they are whole.
    @Test(arguments: [
        "redact DIR/a.keyflight", "repair DIR/a.keyflight", "cut DIR/a.keyflight --press 2",
        "merge DIR/a.keyflight DIR/b.keyflight", "replay DIR/a.keyflight",
    ])
    func aTraceTakesThePlaceOfItsInputOnceItIsWhole(_ line: String) throws {
        try Self.withInputs { folder in
            let file = folder + "/a.keyflight"
            let whole = Files.bytes(file)
            try Files.write(whole, to: folder + "/b.keyflight")
            let torn = Array(whole.dropLast(20))
            for input in [whole, torn] {
                try Files.write(input, to: file)
                let words = Self.words(line, folder)
                let copy = folder + "/c.keyflight"
                try? FileManager.default.removeItem(atPath: copy)
                let apart = CommandRun(words + ["-o", copy])
                let refused = CommandRun(words + ["-o", file])
                #expect(refused.status == 64 && Files.bytes(file) == input, "\(refused.notes)")
                let placed = CommandRun(words + ["-o", file, "--force"])
                #expect(placed.status == apart.status && placed.status != 64, "\(placed.notes)")
                // Of a torn trace there may be nothing left to write.
                let isWritten = FileManager.default.fileExists(atPath: copy)
                #expect(isWritten || input == torn)
                #expect(Files.bytes(file) == (isWritten ? Files.bytes(copy) : input))
            }
            // Nothing is published that ends early: no such press, no room.
            try Files.write(whole, to: file)
            #expect(CommandRun("cut", file, "--press", "99", "-o", file, "--force").status == 3)
            #expect(Files.bytes(file) == whole)
            let full = try ProgramRun(
                shell: "trap '' XFSZ; ulimit -f 0; \"$keyflight\" \(words(line, folder)) -o '\(file)' --force")
            #expect(full.status == 5 && Files.bytes(file) == whole, "\(full.notes)")
            #expect(!Files.names(folder).contains { $0.hasSuffix(".tmp") })
        }
    }

    private func words(_ line: String, _ folder: String) -> String {
        Self.words(line, folder).map { "'\($0)'" }.joined(separator: " ")
    }
}
