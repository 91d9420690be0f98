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

    /// What explain says of other rules and of a layout's keys stands in the page as well.
    @Test func eachPressTellsWhatElseItCouldHaveComeTo() throws {
        let golden = Files.path("Traces/golden/command-left-tab-or-back")
        let input = [golden + "/input.keys", "--scene", golden + "/scene.yaml"]
        let page = CommandRun(["report"] + input + ["-o", "-"])
        #expect(page.status == 0, "\(page.notes)")
        #expect(page.text.contains("\"other profiles\"") && page.text.contains("under ios7, ios9, ios13, ios134: "))
        try Files.withFolder { folder in
            try TabsApp.put("keys 1\npress cmd+w\n", folder + "/a.keys")
            try TabsApp.put(TabsApp.scene(), folder + "/scene.yaml")
            let words = "this key types Z on layout fr"
            let french = [folder + "/a.keys", "--scene", folder + "/scene.yaml", "--layout", "fr"]
            #expect(CommandRun(["explain"] + french + ["--press", "1"]).text.contains(words))
            #expect(CommandRun(["report"] + french + ["-o", "-"]).text.contains(words))
        }
    }

    /// The scene's responders answer what was not asked: text, JSON and the page have the same outcome.
    @Test(arguments: ["ios134", "ios9"])
    func aPageAndExplainAgreeAboutOtherProfiles(_ profile: String) {
        let golden = Files.path("Traces/golden/text-stolen-by-bare-letter")
        let input = [golden + "/input.keys", "--scene", golden + "/scene.yaml", "--profile", profile]
        let words = #"under ios15, ios16, ios26, ios27, catalyst: text "q" in name"#
        let text = CommandRun(["explain"] + input + ["--press", "1"]).text
        #expect(text.contains(words), "\(text)")
        let json = CommandRun(["explain"] + input + ["--press", "1", "--format", "json"]).text
        let profiles = #"{"profiles":["ios15","ios16","ios26","ios27","catalyst"],"outcome":"consumedByText","#
        #expect(json.contains(profiles) && json.contains(#""target":"name","text":"q","#), "\(json)")
        let page = CommandRun(["report"] + input + ["-o", "-"]).text
        #expect(page.contains(words.replacing("\"", with: "\\\"")))
        #expect(!page.contains("not known, "))
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

    @Test("Two traces: what changed stands in one page with both, and diff has the same page")
    func twoTraces() throws {
        try Files.withFolder { folder in
            let (base, head) = (folder + "/base.keyflight", folder + "/head.keyflight")
            #expect(CommandRun(["replay"] + AnalysisTests.viewer + ["-o", base]).status == 0)
            let rules = ["--profile", "ios15", "--cache", "responder"]
            #expect(CommandRun(["replay"] + AnalysisTests.viewer + rules + ["-o", head]).status == 0)
            let page = CommandRun("report", base, head, "-o", "-")
            #expect(page.status == 0, "a page finds nothing, it shows")
            #expect(page.text.contains(#""comparison":{"summary":"0 changed · 0 added · 0 removed"#))
            #expect(page.text.contains(#""counts":[["calls.keyCommands",213,"#))
            #expect(page.text.contains(#"["1","1",0]"#))
            let diff = CommandRun("diff", base, head, "--format", "html")
            #expect(diff.status == 1)
            #expect(diff.text == page.text)
        }
    }

    @Test func whatCannotBeComparedHasNoPage() throws {
        try Files.withFolder { folder in
            let (base, head) = (folder + "/base.keyflight", folder + "/head.keyflight")
            #expect(CommandRun(["replay"] + AnalysisTests.viewer + ["-o", base]).status == 0)
            #expect(CommandRun(["replay"] + AnalysisTests.viewer + ["--show-keys", "-o", head]).status == 0)
            let run = CommandRun("report", base, head, "-o", folder + "/page.html")
            #expect(run.status == 4)
            #expect(!Files.names(folder).contains("page.html"))
            #expect(CommandRun("report", "-", "-", "-o", "-").status == 64)
        }
    }
}
