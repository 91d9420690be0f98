import Testing

@testable import keyflight

/// What a trace says once and refers to often costs once, and names are the same when their bytes are.
@Suite struct SharedTextTests {
    /// Hands over the path of a trace of level `calls` with these records, each at a time of its own.
    private static func withTrace(_ records: [String], _ body: (String) throws -> Void) throws {
        let lines = records.enumerated().map { "\($0.offset) \($0.offset * 1000) \($0.element)\n" }
        let text = "keyflight-text 1 form=canonical level=calls first_sequence=0\n" + lines.joined() + "end\n"
        try Files.withFolder { folder in
            let made = CommandRun(["assemble", "-", "-o", folder + "/t.keyflight"], stdin: Array(text.utf8))
            try #require(made.status == 0, "\(made.notes)")
            try body(folder + "/t.keyflight")
        }
    }

    private static func press(_ number: Int, _ decided: [String]) -> [String] {
        ["key device=1 press=\(number) phase=down key=W modifiers=command"] + decided
            + [
                "resolution press=\(number) outcome=unhandled",
                "key device=1 press=\(number) phase=up key=W modifiers=command",
            ]
    }

    private static let command = #"{"input":"w","modifiers":"command","action":"close:"}"#

    /// 4,000 rows with a reason of 4,000 bytes are 16 MB.
    @Test func aLongTextIsInADatabaseOnce() throws {
        let reason = String(repeating: "x", count: 4000)
        let candidate = #"supplier={"id":"a","kind":"view"} command=\#(Self.command) verdict=disabled reason=""#
        let records = (1...400).flatMap { number in
            Self.press(
                number, (0..<10).map { _ in "candidate press=\(number) \(candidate)\(reason)\(number % 2)\"" })
        }
        try Self.withTrace(records) { path in
            let sql = """
                SELECT count(*), count(DISTINCT reason), sum(length(reason)), min(verdict),
                  (SELECT count(*) FROM candidates WHERE reason LIKE '%x1'), (SELECT count(*) FROM near_misses)
                FROM candidates
                """
            let run = CommandRun("query", path, sql, "--format", "csv")
            #expect(run.text.hasSuffix("\r\n4000,2,16004000,disabled,2000,4000\r\n"), "\(run.notes)")
            try Files.withFolder { folder in
                let made = CommandRun("export", path, "--format", "sqlite", "-o", folder + "/a.db")
                #expect(made.status == 0, "\(made.notes)")
                #expect(Files.bytes(folder + "/a.db").count < 2_000_000)
            }
        }
    }

    /// Every press would climb the whole circle, and all that it met would be in memory.
    @Test func aSceneOfEndlessClimbsIsRefused() throws {
        let count = 1100
        func responder(_ number: Int) -> String { #"{"id":"r\#(number % count)","kind":"view"}"# }
        let links = (0..<count).map { "link responder=\(responder($0)) next=\(responder($0 + 1))" }
        let presses = (1...count).flatMap { Self.press($0, []) }
        try Self.withTrace(links + ["first_responder responder=\(responder(0)) cause=start"] + presses) { path in
            let run = CommandRun("export", path, "--format", "scene", "-o", path + ".golden")
            #expect(run.status == 2, "\(run.notes)")
            #expect(run.notes.contains("expected at most 1048576 responders that get one"), "\(run.notes)")
            #expect(CommandRun("lint", path).status < 2)
        }
    }

    @Test func aFilterAndItsGroupsGoByBytes() throws {
        let records = ["\u{E9}", "e\u{301}"].enumerated().flatMap { place, id in
            let press = "device=1 press=\(place + 1)"
            return [
                "key \(press) phase=down key=W modifiers=command",
                "resolution press=\(place + 1) outcome=unhandled start={\"id\":\"\(id)\",\"kind\":\"view\"}",
                "key \(press) phase=up key=W modifiers=command",
            ]
        }
        try Self.withTrace(records) { path in
            let one = CommandRun("stats", path, "--format", "json", "--where", "responder == \"\u{E9}\"").text
            #expect(one.contains("\"presses\":1,"), "\(one)")
            let groups = CommandRun("stats", path, "--by", "responder").lines.drop { $0 != "By responder" }
            #expect(groups.count { $0.contains("\u{E9}") || $0.contains("e\u{301}") } == 2, "\(groups)")
        }
    }

    /// é in one scalar and in two.
    @Test func namesAreTheSameWhenTheirBytesAreInEveryVerb() throws {
        let ids = ["\u{E9}", "e\u{301}"]
        let records = ids.enumerated().flatMap { place, id in
            let responder = #"{"id":"\#(id)","kind":"view"}"#
            let calls = "call press=\(place + 1) call=keyCommands occasion=down responder=\(responder) pass=1 depth=0 "
                + "answer=commands list=[\(Self.command)]"
            return ["first_responder responder=\(responder) cause=become"] + Self.press(place + 1, [calls])
        }
        try Self.withTrace(records) { path in
            func count(_ words: String...) -> Int {
                let text = CommandRun(words).text
                return ids.count { id in
                    text.unicodeScalars.split { "\"'= \n\t|".unicodeScalars.contains($0) }.contains {
                        $0.elementsEqual(id.unicodeScalars)
                    }
                }
            }
            #expect(count("stats", path, "--format", "json") == 2)
            #expect(count("bindings", path, "--format", "json") == 2)
            #expect(count("top", path, "--format", "json") == 2)
            #expect(count("export", path, "--format", "openmetrics", "-o", "-") == 2)
            let rows = CommandRun("query", path, "SELECT count(DISTINCT responder) FROM calls", "--format", "csv")
            #expect(rows.text.hasSuffix("\r\n2\r\n"))
        }
    }

    @Test func aScriptWithEndlessMarksIsRefusedAtItsLine() {
        let text = "keys 1\npress a\ntype e" + String(repeating: "\u{323}\u{301}", count: 40_000) + "\n"
        let run = CommandRun(["info", "-"], stdin: Array(text.utf8))
        #expect(run.status == 2)
        #expect(run.notes.contains("line 3: expected at most 30 combining marks in a row, found more"), "\(run.notes)")
    }
}

/// What the system refuses is an error.
@Suite struct RefusedResourceTests {
    private static let trace = Files.path("Traces/compatibility/v1/calls.keyflight")
    private static let scene = Files.path("Traces/golden/pdf-viewer/scene.yaml")

    @Test func aFileThatMayNotGrowIsAnErrorAndNothingIsLeft() throws {
        for verb in ["cut --press 1", "export --format sqlite", "export --format csv --table calls"] {
            try Files.withFolder { folder in
                let run = try ProgramRun(
                    shell: "cd '\(folder)' && (ulimit -f 0; $keyflight \(verb) '\(Self.trace)' -o out 2>&1); "
                        + "echo status $?; ls -A")
                #expect(run.output.contains("status 5\n"), "\(verb): \(run.output)")
                #expect(run.output.hasSuffix("status 5\n"), "\(verb): \(run.output)")
            }
        }
    }

    @Test func fewDescriptorsAreAnError() throws {
        for count in 4...12 {
            try Files.withFolder { folder in
                for verb in [
                    "query '\(Self.trace)' 'SELECT 1 FROM calls'", "export '\(Self.trace)' --format sqlite -o db",
                ] {
                    let run = try ProgramRun(
                        shell: "cd '\(folder)' && rm -f db; ulimit -n \(count); exec $keyflight \(verb) >/dev/null")
                    #expect(!run.wasSignalled && [0, 2, 5].contains(run.status), "\(count), \(verb): \(run.notes)")
                }
                #expect(Files.names(folder).allSatisfy { $0 == "db" })
            }
        }
    }

    @Test func aFileWhoseNameIsNotTextIsRead() throws {
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: "cd '\(folder)' && n=$(printf 'a\\377.keyflight') && cp '\(Self.trace)' \"$n\" && "
                    + "$keyflight info \"$n\" && s=$(printf 's\\377.yaml') && cp '\(Self.scene)' \"$s\" && "
                    + "printf 'keys 1\\npress cmd+w\\n' | $keyflight replay - --scene=\"$s\" && "
                    + "! $keyflight explain \"$n\" --press 9999 2>&1; "
                    + "$keyflight info missing$(printf '\\377')")
            #expect(run.output.contains("a\u{FFFD}.keyflight") && run.output.contains("calls"), "\(run.output)")
            #expect(run.output.contains("| cmd+w | performed |"), "\(run.output)\(run.notes)")
            #expect(!(run.output + run.notes).contains("/dev/fd"), "\(run.output)\(run.notes)")
            #expect(run.status == 2 && !run.wasSignalled, "\(run.notes)")
        }
    }

    @Test func anOutputWhoseNameIsNotTextIsRefusedAndAFolderIsNot() throws {
        try Files.withFolder { folder in
            let run = try ProgramRun(
                shell: "cd '\(folder)' && n=$(printf 'd\\377') && mkdir \"$n\" && "
                    + "$keyflight cut '\(Self.trace)' --from 0s -o \"$n/x.keyflight\" 2>&1 && "
                    + "$keyflight info \"$n/x.keyflight\" && "
                    + "$keyflight cut '\(Self.trace)' --from 0s -o \"$n/x.keyflight\" --force 2>&1 && "
                    + "! $keyflight cut '\(Self.trace)' --from 0s -o \"$n/x.keyflight\" 2>&1; "
                    + "$keyflight cut '\(Self.trace)' --from 0s -o \"$n.keyflight\" 2>&1; echo status $?; ls")
            #expect(run.output.contains("d\u{FFFD}/x.keyflight: file: expected a new file"), "\(run.output)")
            #expect(run.output.contains("Name a file with -o in UTF-8: d\u{FFFD}.keyflight is not"), "\(run.output)")
            #expect(run.output.contains("status 64") && !run.output.contains("/dev/fd"), "\(run.output)")
        }
    }

    @Test func anEmptyFileIsNamedAsOneByEveryVerb() throws {
        try Files.withFolder { folder in
            try Files.write([], to: folder + "/empty")
            let output = ["-o", folder + "/x.keyflight"]
            for verb in [["redact", "--check"], ["redact"] + output, ["cut", "--from", "0s"] + output,
                ["repair"] + output, ["merge", folder + "/empty"] + output, ["verify-format"], ["show"], ["stats"]]
            {
                let run = CommandRun([verb[0], folder + "/empty"] + verb.dropFirst())
                #expect(run.status == 2 && run.notes.contains("found an empty file [KF0202]"), "\(verb): \(run.notes)")
            }
        }
    }

    /// Programs that a stranger's goldens name are not started.
    @Test func aGoldenNamesAProgramThatIsStartedOnRequestOnly() throws {
        for verb in ["gate", "bisect-run"] {
            try Files.withFolder { folder in
                let run = try ProgramRun(
                    shell: """
                        cd '\(folder)' && mkdir -p goldens/app && printf 'press cmd+w\\n' > goldens/app/input.keys
                        printf '%s\\n' /bin/sh -c 'echo x > started' > goldens/app/launch.txt
                        $keyflight \(verb) goldens 2>&1; echo status $?; ls started
                        """)
                #expect(run.output.contains("--run-apps gives it"), "\(run.output)")
                #expect(run.output.contains("status \(verb == "gate" ? 4 : 125)\n"), "\(run.output)")
                #expect(!run.output.contains("\nstarted\n"), "\(run.output)")
            }
        }
    }
}
