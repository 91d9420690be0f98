import Testing

@testable import keyflight

@Suite struct VerifyTests {
    static let scene = ReplayTests.scene
    static let script = ReplayTests.script

    /// A recorded replay of the script, and what `body` makes of its path.
    private func withTrace(_ options: [String] = [], _ body: (String, String) throws -> Void) throws {
        try Files.withFolder { folder in
            let path = folder + "/a.keyflight"
            let run = CommandRun(
                ["replay", "-", "--scene", Self.scene, "-o", path] + options, stdin: Self.script)
            #expect(run.status == 0, "\(run.notes)")
            try body(path, folder)
        }
    }

    @Test func aRecordedReplayIsIdentical() throws {
        try withTrace { path, _ in
            let run = CommandRun("verify", path, "--scene", Self.scene)
            #expect(run.status == 0, "\(run.text)\(run.notes)")
            #expect(run.text.hasSuffix("twice as recorded\n"))
            let json = CommandRun("verify", path, "--scene", Self.scene, "--format", "json")
            #expect(json.text.hasPrefix(#"{"schema":"keyflight.verify/1","identical":true,"#))
        }
    }

    @Test func theRecordedCachePolicyIsTheDefault() throws {
        try withTrace(["--cache", "chain"]) { path, _ in
            #expect(CommandRun("verify", path, "--scene", Self.scene).status == 0)
            #expect(CommandRun("verify", path, "--scene", Self.scene, "--cache", "none").status == 0)
        }
    }

    @Test func aRecordingThatLacksTheCacheDiffers() throws {
        try withTrace { path, folder in
            let lines = CommandRun("show", path).lines.filter { !$0.contains(" cache press=") }
            var number = 0
            let text = lines.map { line in
                guard line.first?.isNumber == true else { return line }
                defer { number += 1 }
                return "\(number) " + line.split(separator: " ", maxSplits: 1)[1]
            }
            let part = folder + "/without.keyflight"
            let bytes = Array((text.joined(separator: "\n") + "\n").utf8)
            try #require(CommandRun(["assemble", "-", "-o", part], stdin: bytes).status == 0)
            let run = CommandRun("verify", part, "--scene", Self.scene)
            #expect(run.status == 1 && run.text.contains("cache: expected not recorded, found recorded"), "\(run.text)")
        }
    }

    @Test func aCaptureIsReplayedTwice() {
        let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")
        let run = CommandRun("verify", capture, "--scene", Self.scene)
        #expect(run.status == 0, "\(run.text)\(run.notes)")
        #expect(run.text.hasSuffix("twice the same; no resolutions are recorded\n"))
    }

    @Test func aChangedSceneEndsWith1AndNamesThePress() throws {
        try withTrace { path, folder in
            let changed = Files.text(Self.scene).replacing("input: w,", with: "input: e,")
            try Files.write(Array(changed.utf8), to: folder + "/changed.yaml")
            let run = CommandRun("verify", path, "--scene", folder + "/changed.yaml")
            #expect(run.status == 1, "\(run.text)\(run.notes)")
            #expect(run.text.contains("first at press 1 (cmd+w)"), "\(run.text)")
            #expect(run.lines.count == 2)
            let json = CommandRun("verify", path, "--scene", folder + "/changed.yaml", "--format", "json")
            #expect(json.status == 1)
            #expect(json.text.contains(#""against":"recording","divergence":{"press":1,"repeat":0,"#))
        }
    }

    @Test func anotherProfileOrSceneIsNotComparable() throws {
        try withTrace { path, _ in
            for other in [
                ["--scene", Self.scene, "--profile", "ios7"], ["--scene", Self.scene, "--layout", "fr"],
                ["--scene", ReplayTests.golden + "/scene.yaml"],
            ] {
                let run = CommandRun(["verify", path] + other)
                #expect(run.status == 4, "\(other) \(run.text)\(run.notes)")
                #expect(run.noteLines.count == 1)
                #expect(run.text == "")
                let json = CommandRun(["verify", path, "--format", "json"] + other)
                #expect(json.status == 4 && json.text.contains(#""identical":false,"incomparable":["#), "\(json.text)")
            }
        }
    }

    @Test func anIncompleteTraceEndsWith2() throws {
        try withTrace { path, folder in
            let bytes = Files.bytes(path)
            try Files.write(Array(bytes.dropLast(8)), to: folder + "/torn.keyflight")
            #expect(CommandRun("verify", folder + "/torn.keyflight", "--scene", Self.scene).status == 2)
        }
        #expect(CommandRun("verify", "/nonexistent.keyflight", "--scene", Self.scene).status == 2)
    }

    /// The header of a part alone contains its level. Press 18 goes down while 17 is being decided.
    @Test(arguments: ["16-16", "16-17", "17-18", "16-18"])
    func aPartOfAnAppIsAsRecorded(_ presses: String) throws {
        try Files.withFolder { folder in
            let part = folder + "/part.keyflight"
            let app = Files.path("Traces/apps/reader.keyflight")
            #expect(CommandRun("cut", app, "--presses", presses, "--show-keys", "-o", part).status == 0)
            let run = CommandRun("verify", part)
            #expect(run.status == 0 && run.text.hasSuffix("twice as recorded\n"), "\(run.text)\(run.notes)")
            guard presses.hasPrefix("16") else { return }
            let line = CommandRun("replay", part).lines.first { $0.hasPrefix("16 |") }
            #expect(line?.contains("| k | swallowedByPresses | presses |") == true, "\(line ?? "none")")
            #expect(line?.contains("| calls 0/0/0/0+0 |") == true, "\(line ?? "none")")
        }
    }

    /// In a web page a command comes before typing, also where it has no priority: a masked letter may have been one.
    @Test func aMaskedLetterInAWebPageIsUndetermined() throws {
        try Files.withFolder { folder in
            let golden = Files.path("Traces/golden/web-page-before-commands")
            let trace = folder + "/page.keyflight"
            let run = CommandRun("replay", golden + "/input.keys", "--scene", golden + "/scene.yaml", "-o", trace)
            #expect(run.status == 0 && run.text.contains("\n3 | n | performed | keyCommands | next: |"), "\(run.text)")
            let replayed = CommandRun("replay", trace).text
            #expect(replayed.contains("\n3 | (letter) | undetermined | "), "\(replayed)")
            // What it was cannot be compared with what was recorded.
            let verified = CommandRun("verify", trace)
            #expect(verified.status == 4 && verified.text.contains("2 masked presses not compared"), "\(verified.text)")
            #expect(CommandRun("verify", trace, "--format", "json").text.contains(#""identical":false"#))
        }
    }

    @Test func partsOfAnAppThatDoNotMeetAreAsRecorded() throws {
        try Files.withFolder { folder in
            let app = Files.path("Traces/apps/reader.keyflight")
            let parts = [folder + "/first.keyflight", folder + "/later.keyflight"]
            #expect(CommandRun("cut", app, "--presses", "1-7", "--show-keys", "-o", parts[0]).status == 0)
            #expect(CommandRun("cut", app, "--press", "9", "--show-keys", "-o", parts[1]).status == 0)
            let merged = folder + "/merged.keyflight"
            #expect(CommandRun(["merge"] + parts + ["--show-keys", "-o", merged]).status == 0)
            let run = CommandRun("verify", merged)
            #expect(run.status == 0 && run.text.hasSuffix("twice as recorded\n"), "\(run.text)\(run.notes)")
            let chords = CommandRun("replay", merged).lines.dropFirst().map { $0.split(separator: " ")[2] }
            #expect(chords.filter { $0.hasPrefix("cmd+") } == ["cmd+f", "cmd+w"], "\(chords)")
        }
    }

    @Test func aResponderWithoutANameIsQuoted() throws {
        try Files.withFolder { folder in
            let scene = ["--scene", Files.path("Traces/golden/pdf-viewer/scene.yaml")]
            let (trace, other) = (folder + "/a.keyflight", folder + "/b.keyflight")
            let script = Array("keys 1\npress cmd+w\n".utf8)
            #expect(CommandRun(["replay", "-", "-o", trace] + scene, stdin: script).status == 0)
            let text = CommandRun("show", trace, "--format", "text").text
            let renamed = Array(text.replacing(#""id":"tabs""#, with: #""id":"""#).utf8)
            #expect(CommandRun(["assemble", "-", "-o", other], stdin: renamed).status == 0)
            let run = CommandRun(["verify", other] + scene)
            #expect(run.status == 1 && run.text.contains(#"target: expected "", found tabs"#), "\(run.text)")
            #expect(run.text.contains(#"after nav the chain goes to tabs, not to """#), "\(run.text)")
        }
    }
}
