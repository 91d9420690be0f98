import Foundation
import Testing

@testable import keyflight

/// What holds of every verb alike, whatever it does: help, usage, wrong inputs, JSON, pipes, colours and glyphs.
@Suite struct VerbAuditTests {
    /// One verb with arguments that work. `IN` is its input, `OUT` a file to write, `SCENE` a scene.
    struct Row: CustomTestStringConvertible, Sendable {
        var verb: String
        var arguments: [String]
        /// What a sound input ends with.
        var status: Int32 = 0
        /// What an input ends with that cannot be read.
        var unreadable: Int32 = 2
        /// What a trace with a damaged block ends with.
        var damaged: Int32 = 2

        init(
            _ verb: String, _ arguments: String = "", status: Int32 = 0, unreadable: Int32 = 2, damaged: Int32 = 2
        ) {
            self.verb = verb
            self.arguments = arguments.split(separator: " ").map(String.init)
            (self.status, self.unreadable, self.damaged) = (status, unreadable, damaged)
        }

        var testDescription: String { ([verb] + arguments).joined(separator: " ") }
        var hasInput: Bool { arguments.contains("IN") }

        func line(_ input: String, _ folder: String) -> [String] {
            [verb] + arguments.map { word in
                switch word {
                case "IN": input
                case "OUT": folder + "/out"
                case "SCENE": folder + "/scene.yaml"
                default: word
                }
            }
        }
    }

    static let rows: [Row] = [
        Row("demo"), Row("record", "--for 1s -o OUT", status: 64), Row("launch", "-o OUT", status: 64),
        Row("watch", status: 64),
        Row("import", "IN -o OUT"), Row("info", "IN"),
        Row("show", "IN"), Row("assemble", "IN -o OUT"), Row("replay", "IN --scene SCENE"),
        Row("verify", "IN --scene SCENE"), Row("stats", "IN"), Row("explain", "IN --press 1"), Row("bindings", "IN"),
        Row("lint", "IN"), Row("top", "IN"), Row("tail", "IN --above p50"), Row("report", "IN -o OUT"),
        Row("diff", "IN IN"), Row("gate", "IN", unreadable: 4, damaged: 4),
        Row("bisect-run", "IN", unreadable: 125, damaged: 125), Row("review", "IN", unreadable: 4, damaged: 4),
        Row("accept", "NAME --goldens IN", status: 3, unreadable: 4, damaged: 4),
        Row("minimise", "IN --test true -o OUT", damaged: 0), Row("cut", "IN --press 1 -o OUT"),
        Row("merge", "IN IN -o OUT"), Row("redact", "IN --check", status: 1), Row("repair", "IN -o OUT", damaged: 0),
        Row("verify-format", "IN"), Row("query", "IN"), Row("export", "IN --format jsonl -o -"),
        Row("fleet", "compare /nowhere/lake 4.1 4.2", status: 2), Row("devices"),
        Row("doctor"), Row("completions", "bash"), Row("man"), Row("help"),
    ]

    @Test func everyVerbHasARow() {
        #expect(Self.rows.map(\.verb) == Keyflight.verbs.filter { verb in Self.rows.contains { $0.verb == verb } })
        let missing = Keyflight.verbs.filter { verb in !Self.rows.contains { $0.verb == verb } }
        #expect(missing == [], "give these a row in VerbAuditTests")
    }

    // MARK: Help and usage

    /// The arguments of each verb, as the program tells them to other programs.
    static func arguments(of verb: String) throws -> [CommandDescription.Argument] {
        let program = try CommandDescription.ofProgram()
        return try #require(program.subcommands?.first { $0.commandName == verb }).arguments ?? []
    }

    @Test(arguments: rows.map(\.verb))
    func helpNamesWhateverTheVerbTakes(_ verb: String) throws {
        let help = CommandRun(verb, "--help")
        #expect(help.status == 0 && help.notes == "")
        let arguments = try Self.arguments(of: verb)
        #expect(!arguments.isEmpty)
        for argument in arguments {
            for name in argument.names ?? [] {
                #expect(help.text.contains(name.written), "\(verb): \(name.written)")
            }
            let words = (argument.abstract ?? "") + (argument.discussion ?? "")
            #expect(argument.shouldDisplay && !words.isEmpty, "\(verb): \(argument.names?.first?.written ?? "?")")
        }
    }

    @Test(arguments: rows)
    func whatAVerbDoesNotTakeIsWrongUsage(_ row: Row) throws {
        for extra in [["--bogus"], ["--color", "green"], ["--ascii=1"]] {
            let run = CommandRun(row.line("/dev/null", "/nowhere") + extra)
            #expect(run.status == 64 && run.output == [], "\(extra): \(run.notes)")
            let note = try #require(run.noteLines.first)
            #expect(run.noteLines.count == 1 && note.hasSuffix("[KF6400]"), "\(run.notes)")
            #expect(note.contains("keyflight help \(row.verb)"), "\(note)")
        }
    }

    // MARK: Inputs

    /// A trace, a script, a scene and a golden, made once.
    private static let inputs = Result {
        try Files.withFolder { folder in
            try FailureModeTests.record(folder, folder + "/in.keyflight")
            try TabsApp.put(TabsApp.scene(), folder + "/scene.yaml")
            try TabsApp.put(FailureModeTests.script, folder + "/goldens/tabs/input.keys")
            try TabsApp.put(TabsApp.scene(), folder + "/goldens/tabs/scene.yaml")
            let golden = CommandRun("replay", folder + "/goldens/tabs/input.keys", "--scene", folder + "/scene.yaml")
            try Files.write(golden.output, to: folder + "/goldens/tabs/expected.txt")
            try TabsApp.put(CommandRun("show", folder + "/in.keyflight").text, folder + "/in.txt")
            let names = ["in.keyflight", "scene.yaml", "in.txt"]
                + ["input.keys", "scene.yaml", "expected.txt"].map { "goldens/tabs/" + $0 }
            return names.map { (name: $0, bytes: Files.bytes("\(folder)/\($0)")) }
        }
    }

    /// A folder with these.
    static func withInputs<R>(_ body: (String) throws -> R) throws -> R {
        let inputs = try inputs.get()
        return try Files.withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "/goldens/tabs", withIntermediateDirectories: true)
            for input in inputs { try Files.write(input.bytes, to: "\(folder)/\(input.name)") }
            return try body(folder)
        }
    }

    /// What the verb reads where all is well.
    static func sound(_ row: Row, _ folder: String) -> String {
        switch row.verb {
        case "import": Files.path("Traces/captures/usb-keyboard-known-keys.pcap")
        case "assemble": folder + "/in.txt"
        case "gate", "review", "accept": folder + "/goldens"
        case "bisect-run": folder + "/goldens/tabs"
        default: folder + "/in.keyflight"
        }
    }

    @Test(arguments: rows.filter(\.hasInput))
    func aSoundInputIsFine(_ row: Row) throws {
        try Self.withInputs { folder in
            let run = CommandRun(row.line(Self.sound(row, folder), folder))
            #expect(run.status == row.status, "\(run.notes)")
        }
    }

    /// An input that cannot be read, a way to make one, and what must be said of it.
    enum Wrong: String, CaseIterable {
        case missing, empty, folder, longName, zeros, notText
    }

    @Test(arguments: rows.filter(\.hasInput))
    func aWrongInputIsSaidInOneSentence(_ row: Row) throws {
        try Self.withInputs { folder in
            for wrong in Wrong.allCases {
                var path = folder + "/wrong"
                try? FileManager.default.removeItem(atPath: path)
                switch wrong {
                case .missing: break
                case .empty: try Files.write([], to: path)
                case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                case .longName: path += String(repeating: "x", count: 5000)
                case .zeros: try Files.write(Array(repeating: 0, count: 4096), to: path)
                case .notText: try Files.write(Array(repeating: 0xFF, count: 100), to: path)
                }
                let run = CommandRun(row.line(path, folder))
                #expect(run.status == row.unreadable, "\(wrong): \(run.status) \(run.notes)")
                #expect(run.noteLines.count == 1, "\(wrong): \(run.notes)\(run.text)")
                #expect(run.noteLines.last?.hasSuffix("]") == true, "\(wrong): \(run.notes)")
                let isNamed = run.notes.contains("expected ") && run.notes.contains("found ")
                #expect(isNamed || run.notes.contains("is a folder; name a file"), "\(wrong): \(run.notes)")
                #expect(!Files.names(folder).contains("out"), "\(wrong): something was written")
            }
        }
    }

    @Test(arguments: rows.filter(\.hasInput))
    func ofADamagedTraceWhatIsWholeIsUsed(_ row: Row) throws {
        try Self.withInputs { folder in
            var bytes = Files.bytes(folder + "/in.keyflight")
            bytes[bytes.count / 2] ^= 0x55
            try Files.write(bytes, to: folder + "/damaged.keyflight")
            let run = CommandRun(row.line(folder + "/damaged.keyflight", folder))
            #expect(run.status == row.damaged, "\(run.notes)")
            let last = run.noteLines.last ?? run.lines.last
            #expect([0, 64].contains(run.status) || last?.contains("damaged.keyflight") == true, "\(run.notes)")
        }
    }

    // MARK: Output

    static func takesJSON(_ verb: String) throws -> [String] {
        let format = try arguments(of: verb).first { argument in
            argument.names?.contains { $0.name == "format" } == true
        }
        return ["json", "jsonl", "sarif"].filter { format?.allValues?.contains($0) == true }
    }

    @Test(arguments: rows)
    func jsonIsJSON(_ row: Row) throws {
        try Self.withInputs { folder in
            // The JSON of fleet is that of a lake, which Scripts/fleet has.
            for format in try Self.takesJSON(row.verb) where !["export", "fleet"].contains(row.verb) {
                let run = CommandRun(row.line(Self.sound(row, folder), folder) + ["--format", format])
                let texts = format == "jsonl" ? run.lines : [run.text]
                #expect(!run.output.isEmpty, "\(format): \(run.notes)")
                for text in texts {
                    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                    #expect(object != nil, "\(format): \(text.prefix(200))")
                    if format == "json", row.verb != "query" {
                        #expect((object?["schema"] as? String)?.hasPrefix("keyflight.") == true, "\(text.prefix(200))")
                    }
                }
            }
        }
    }

    @Test(arguments: rows)
    func withoutColourAndGlyphsThereAreNone(_ row: Row) throws {
        try Self.withInputs { folder in
            let line = row.line(Self.sound(row, folder), folder)
            let environment = ProcessEnvironment(["NO_COLOR": "1", "CLICOLOR_FORCE": "1"])
            let plain = CommandRun(line, environment: environment)
            #expect(!plain.text.contains("\u{1B}") && !plain.notes.contains("\u{1B}"))
            try? FileManager.default.removeItem(atPath: folder + "/out")
            // Forms for other programs, the text of goldens, and what a shell reads are as ever.
            guard !["show", "export", "replay", "completions", "man"].contains(row.verb) else { return }
            let ascii = CommandRun(line + ["--ascii"])
            #expect(ascii.output.allSatisfy { $0 < 0x80 }, "\(ascii.text)")
            #expect(ascii.notes.utf8.allSatisfy { $0 < 0x80 }, "\(ascii.notes)")
        }
    }

    /// The reader of standard output is gone before anything is printed.
    @Test(arguments: rows)
    func aClosedPipeIsNoError(_ row: Row) throws {
        try Self.withInputs { folder in
            let words = row.line(Self.sound(row, folder), folder).map { "'\($0)'" }.joined(separator: " ")
            let run = try ProgramRun(
                shell: "cd '\(folder)'; { sleep 0.1; \"$keyflight\" \(words); echo \"status $?\" >&2; } | :")
            let lines = run.notes.split(separator: "\n")
            // The program in a process of its own does not see CI.
            let status = row.verb == "accept" ? 3 : row.status
            #expect(lines.last == "status \(status)" || lines.last == "status 0", "\(run.notes)")
            #expect(!run.notes.contains("KF7") && !run.notes.contains("standard output"), "\(run.notes)")
        }
    }
}
