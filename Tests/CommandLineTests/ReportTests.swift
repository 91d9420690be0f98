import Testing

@testable import keyflight

/// `report` as it is typed.
@Suite struct ReportTests {
    @Test func itWritesOneFileWholeOrNot() throws {
        try Files.withFolder { folder in
            let path = folder + "/page.html"
            let run = CommandRun(["report"] + AnalysisTests.viewer + ["-o", path])
            #expect(run.status == 0, "\(run.notes)")
            #expect(run.output.isEmpty)
            #expect(run.notes == "")
            let page = Files.text(path)
            #expect(page.hasPrefix("<!doctype html>"))
            #expect(page.hasSuffix("</html>\n"))
            #expect(Files.permissions(path) == 0o600)
            #expect(Files.names(folder) == ["page.html"])
            #expect(CommandRun(["report"] + AnalysisTests.viewer + ["-o", path]).status == 64)
            #expect(CommandRun(["report"] + AnalysisTests.viewer + ["-o", path, "--force"]).status == 0)
            #expect(Files.text(path) == page, "the same input gives the same bytes")
            let piped = CommandRun(["report"] + AnalysisTests.viewer + ["-o", "-"])
            #expect(piped.text == page)
        }
    }

    @Test func itTellsNoFolder() {
        let run = CommandRun(["report"] + AnalysisTests.viewer + ["-o", "-"])
        #expect(run.text.contains(#""name":"input.keys""#))
        #expect(!run.text.contains(Files.path("Traces")))
    }

    @Test func itNeedsSomethingToReport() {
        #expect(CommandRun("report", Files.path("Traces/golden/pdf-viewer/input.keys"), "-o", "-").status == 64)
        #expect(CommandRun(["report"] + AnalysisTests.viewer).status == 64)
        #expect(CommandRun(["report"] + AnalysisTests.viewer + ["-o", "-", "--above", "100"]).status == 64)
    }

    @Test func aDamagedTraceIsReportedAsFarAsItIsWhole() throws {
        try Files.withFolder { folder in
            let trace = folder + "/t.keyflight"
            #expect(CommandRun(["replay"] + AnalysisTests.viewer + ["-o", trace]).status == 0)
            try Files.write(Array(Files.bytes(trace).dropLast(200)), to: folder + "/torn.keyflight")
            let run = CommandRun("report", folder + "/torn.keyflight", "-o", "-")
            #expect(run.status == 2)
            #expect(run.noteLines.count == 1, "told once: \(run.notes)")
            #expect(run.text.contains(#""complete":false"#))
        }
    }
}
