import Foundation
import Testing

/// A gate that is refused writes the reports that were asked for: those of the day before would show a pass.
@Suite struct RefusedGateTests {
    private static let reports = [
        "--junit": "junit.xml", "--summary": "summary.md", "--code-quality": "quality.json", "--metrics": "metrics.txt",
        "--history": "history.jsonl",
    ]

    @Test(arguments: [
        (["GOLDENS", "--filter", "bogus"], 3, "expected a golden that matches bogus, found none"),
        (["GOLDENS", "nowhere"], 4, "nowhere: "),
        (["GOLDENS", "--tests", "nowhere"], 4, "nowhere: "),
        (["--base", "exit 3", "--head", "true"], 4, "status: expected 0, found 3"),
        (["GOLDENS", "--base", "true", "--head", "true"], 4, "expected a trace in the file that KEYFLIGHT_OUTPUT"),
        ([], 64, "Name a folder of goldens"),
    ])
    func everyReportHasTheReason(_ arguments: [String], _ status: Int, _ words: String) throws {
        try FailureModeTests.withGolden { folder, goldens in
            var line = ["gate"] + arguments.map { $0 == "GOLDENS" ? goldens : $0 }
            for (option, name) in Self.reports {
                try Files.write(Array((option == "--history" ? "" : "yesterday\n").utf8), to: "\(folder)/\(name)")
                line += [option, "\(folder)/\(name)"]
            }
            for format in ["text", "json", "github"] {
                let run = CommandRun(line + ["--format", format])
                #expect(Int(run.status) == status && run.noteLines.count == 1, "\(run.notes)")
                #expect(run.notes.contains(words), "\(run.notes)")
                #expect(run.text.contains(words), "\(format): \(run.text)")
            }
            let text = Self.reports.mapValues { Files.text("\(folder)/\($0)") }
            #expect(text["--junit"]?.contains("<error type=\"notComparable\" message=\"") == true)
            #expect(text["--summary"]?.hasPrefix("yesterday\n### keyflight gate: FAILED") == true)
            #expect(text["--code-quality"]?.contains("\"check_name\":\"keyflight.notComparable\"") == true)
            #expect(text["--metrics"]?.contains("keyflight_findings 1\n") == true)
            #expect(text["--history"]?.split(separator: "\n").last?.contains("\"verdict\":\"notComparable\"") == true)
        }
    }

    /// The goldens were compared before the builds ran.
    @Test func whatWasComparedBeforeIsReportedToo() throws {
        try FailureModeTests.withGolden { _, goldens in
            try TabsApp.put(TabsApp.scene("close:"), "\(goldens)/tabs/scene.yaml")
            let run = CommandRun("gate", goldens, "--base", "exit 3", "--head", "true")
            #expect(run.status == 4 && run.text.contains("✘ resolutions  tabs"), "\(run.text)")
            #expect(run.text.contains("✘ not comparable  gate\n    base, run 1: exit 3: status: expected 0, found 3"))
            #expect(run.text.contains("    keyflight help KF0401\n"))
        }
    }

    @Test func aReportThatCannotBeWrittenKeepsNoneFromBeingWritten() throws {
        try FailureModeTests.withGolden { folder, goldens in
            let run = CommandRun("gate", goldens, "--junit", folder + "/none/j.xml", "--metrics", folder + "/m.txt")
            #expect(run.status == 5 && run.noteLines.count == 1 && run.notes.contains("j.xml: write: "), "\(run.notes)")
            #expect(Files.text(folder + "/m.txt").contains("keyflight_goldens 1\n"))
        }
    }

    /// A checkout's scene does not show which files there are elsewhere, nor what is in them.
    @Test func aFileThatAGoldenNamesElsewhereIsNotLookedAt() throws {
        try Files.withFolder { folder in
            let golden = folder + "/store/bound"
            try FileManager.default.createDirectory(atPath: golden, withIntermediateDirectories: true)
            try Files.write(Array("keys 1\npress a\n".utf8), to: golden + "/input.keys")
            func gate(_ named: String) throws -> String {
                let text = "{id: a, kind: textView, keyBindings: [\(named)]}"
                let scene = "scene: 1\nresponders: [\(text)]\nfirstResponder: a\n"
                try Files.write(Array(scene.utf8), to: golden + "/scene.yaml")
                let run = CommandRun("gate", folder + "/store")
                #expect(run.status == 4, "\(run.text)")
                return run.text + run.notes
            }
            for (named, isLink) in [("../../secret", false), (folder + "/secret", false), ("./linked", true)] {
                if isLink {
                    try FileManager.default.createSymbolicLink(
                        atPath: golden + "/linked", withDestinationPath: folder + "/secret")
                }
                var found: [String] = []
                for content in ["{ \"r\" = \"moveLeft:\"; }", "no property list"] {
                    try Files.write(Array(content.utf8), to: folder + "/secret")
                    found.append(try gate(named))
                }
                if !isLink {
                    try FileManager.default.removeItem(atPath: folder + "/secret")
                    found.append(try gate(named))
                }
                #expect(Set(found).count == 1 && found[0].contains("one that is elsewhere"), "\(found)")
            }
        }
    }
}
