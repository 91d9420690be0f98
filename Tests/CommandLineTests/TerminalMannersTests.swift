import Foundation
import Testing
import TraceReports

@testable import keyflight

/// How the program behaves at a terminal.
@Suite struct TerminalMannersTests {
    static let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")
    static let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")
    static let held = Files.path("Traces/golden/held-close-closes-everything")
    static let stats = "\"$keyflight\" stats '\(capture)' --scene '\(scene)'"

    @Test func longOutputGoesThroughThePagerAndTheStatusIsTheVerbs() throws {
        try Files.withFolder { folder in
            let pager = folder + "/pager"
            try Files.write(Array("#!/bin/sh\nsed 's/^/> /'\nexit 3\n".utf8), to: pager)
            try Files.setPermissions(0o755, of: pager)
            let paged = try TerminalRun(shell: Self.stats, environment: ["PAGER": pager])
            #expect(paged.status == 0)
            #expect(paged.printed.hasPrefix("> "), "\(paged.printed.prefix(200))")
            #expect(paged.printed.contains("\n>   total"))
            let found = try TerminalRun(
                shell: "\"$keyflight\" lint '\(Self.held)/input.keys' --scene '\(Self.held)/scene.yaml'",
                environment: ["PAGER": pager])
            #expect(found.status == 1 && found.printed.hasPrefix("> "), "\(found.printed)")
            for line in [Self.stats + " --no-pager", "KEYFLIGHT_PAGER=0 " + Self.stats, "CI=1 " + Self.stats,
                "TERM=dumb " + Self.stats, "PAGER= " + Self.stats, "PAGER=cat " + Self.stats,
                "PAGER=/nowhere/less " + Self.stats]
            {
                let plain = try TerminalRun(shell: line, environment: ["PAGER": pager])
                #expect(plain.status == 0 && !plain.printed.contains("> "), "\(line): \(plain.printed.prefix(200))")
            }
            let piped = try TerminalRun(shell: Self.stats + " | cat", environment: ["PAGER": pager])
            #expect(!piped.printed.contains("> "))
        }
    }

    @Test func aPagerThatEndsEarlyIsNoError() throws {
        let input = "'\(Files.path("Traces/captures/usb-keyboard-viewer.pcap"))'"
        let run = try TerminalRun(
            shell: "\"$keyflight\" show \(input); echo status $?", environment: ["PAGER": "head -n 1"])
        #expect(run.printed.split(separator: "\n").count == 2, "\(run.printed)")
        #expect(run.printed.hasSuffix("status 0\n"))
    }

    @Test func whatIsSaidOnTheSideComesAfterThePager() throws {
        try Files.withFolder { folder in
            let trace = folder + "/t.keyflight"
            #expect(CommandRun("import", Self.capture, "-o", trace).status == 0)
            try Files.write(Array(Files.bytes(trace).dropLast(40)), to: trace)
            let run = try TerminalRun(
                shell: "\"$keyflight\" show '\(trace)'; echo status $?", environment: ["PAGER": "sed s/^/@/"])
            let lines = run.printed.split(separator: "\n")
            #expect(lines.last == "status 2")
            #expect(lines.dropLast().last?.hasSuffix("[KF0204]") == true, "\(run.printed.suffix(300))")
            #expect(lines.dropLast(2).allSatisfy { $0.hasPrefix("@") })
        }
    }

    @Test func colourIsForTerminalsAndForThoseWhoAskForIt() throws {
        let coloured: [String: Bool] = [
            Self.stats: true, Self.stats + " --color never": false, "NO_COLOR=1 " + Self.stats: false,
            "NO_COLOR= " + Self.stats: true, "TERM=dumb " + Self.stats: false, "FORCE_COLOR=0 " + Self.stats: false,
            "NO_COLOR=1 " + Self.stats + " --color always": true, Self.stats + " | cat": false,
            Self.stats + " --color always | cat": true, "CLICOLOR_FORCE=1 " + Self.stats + " | cat": true,
            "FORCE_COLOR=1 " + Self.stats + " | cat": true, "KEYFLIGHT_COLOR=always " + Self.stats + " | cat": true,
            "FORCE_COLOR=1 NO_COLOR=1 " + Self.stats: false, "CLICOLOR_FORCE=0 " + Self.stats + " | cat": false,
        ]
        for (line, isColoured) in coloured.sorted(by: { $0.key < $1.key }) {
            let run = try TerminalRun(shell: line, environment: ["PAGER": ""])
            #expect(run.printed.contains("\u{1B}[") == isColoured, "\(line)")
        }
    }

    @Test func tablesFitTheTerminal() throws {
        let explain = "\"$keyflight\" explain '\(Self.capture)' --scene '\(Self.scene)' '⌘W'"
        for columns: UInt16 in [60, 80, 132] {
            let run = try TerminalRun(shell: explain, columns: columns, environment: ["PAGER": "", "NO_COLOR": "1"])
            let wide = Self.tableLines(run.printed).filter { DisplayWidth.of($0) > Int(columns) }
            #expect(wide == [] && run.printed.contains("  tabs"), "at \(columns)\n\(run.printed)")
        }
        let described = try TerminalRun(
            shell: "COLUMNS=60 " + explain, columns: 132, environment: ["PAGER": "", "NO_COLOR": "1"])
        #expect(Self.tableLines(described.printed).allSatisfy { DisplayWidth.of($0) <= 60 })
    }

    /// Lines of tables and paragraphs are indented; headings name files, which are as long as they are.
    private static func tableLines(_ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map(String.init)
    }

    @Test func withAsciiNothingElseIsPrinted() {
        let lint = Self.held
        for verb in [
            ["stats", Self.capture, "--scene", Self.scene], ["explain", Self.capture, "⌘W", "--scene", Self.scene],
            ["lint", lint + "/input.keys", "--scene", lint + "/scene.yaml"], ["info", Self.capture], ["demo"],
            ["bindings", Self.scene], ["bindings", Self.scene, "--overlay"], ["help", "environment"], ["doctor"],
            ["tail", Self.capture, "--scene", Self.scene, "--above", "p50"],
            ["top", Self.capture, "--scene", Self.scene],
            ["stats", Self.capture, "--scene", Self.scene, "--heat-map", "--by", "chord"], ["help", "privacy"],
        ] {
            let run = CommandRun(verb + ["--ascii"])
            #expect(run.output.allSatisfy { $0 < 0x80 }, "\(verb): \(run.text)")
            #expect(!run.text.contains("\\u{"), "\(verb) has a character without a word: \(run.text)")
        }
        let explain = CommandRun("explain", Self.capture, "⌘W", "--scene", Self.scene, "--ascii")
        #expect(explain.text.contains("Cmd+W"))
    }

    @Test func columnsStandBelowEachOtherInAscii() throws {
        let lines = CommandRun("bindings", Self.scene, "--ascii").text.split(separator: "\n")
        let heading = try #require(lines.first { $0.hasPrefix("  key ") })
        let column = heading.distance(
            from: heading.startIndex, to: try #require(heading.firstRange(of: "provider")).lowerBound)
        for line in lines where line.hasPrefix("  ") && line.count > column {
            let cells = Array(line)
            #expect(cells[column - 1] == " " && cells[column] != " ", "\(line)")
        }
    }

    @Test func aTraceIsNotWrittenToATerminal() throws {
        for verb in [
            "import '\(Self.capture)' -o -", "replay '\(Self.capture)' --scene '\(Self.scene)' -o -",
            "record --tty -o -", "export '\(Self.capture)' --show-keys --format pcapng -o -",
        ] {
            let run = try TerminalRun(shell: "\"$keyflight\" " + verb)
            #expect(run.status == 64 && run.printed.hasSuffix("[KF6402]\n"), "\(verb): \(run.printed)")
        }
    }
}
