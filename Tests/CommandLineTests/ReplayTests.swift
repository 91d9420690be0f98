import Testing

@testable import keyflight

/// `replay`, `stats` and `explain`: what needs responders.
@Suite struct ReplayTests {
    /// What responders answered stands in for them.
    @Test func aTraceOfCallsNeedsNoScene() throws {
        try Files.withFolder { folder in
            let path = folder + "/calls.keyflight"
            let scene = ["--scene", Self.golden + "/scene.yaml"]
            let script = Self.golden + "/input.keys"
            #expect(CommandRun(["replay", script, "-o", path, "--show-keys"] + scene).status == 0)
            let run = CommandRun("replay", path, "--format", "jsonl")
            #expect(run.status == 0 && run.notes.isEmpty)
            #expect(run.text == CommandRun(["replay", script, "--format", "jsonl"] + scene).text)
            #expect(CommandRun("verify", path).status == 0)
            let compared = CommandRun("replay", path, "--profile", "ios134,ios15", "--format", "jsonl")
            #expect(compared.status == 0 && compared.lines.last?.contains("\"kind\":\"comparison\"") == true)
            // Other rules need no scene either.
            #expect(CommandRun("explain", path, "--press", "1", "--profile", "ios134").status == 0)
        }
    }

    @Test func aTraceOfKeysNeedsAScene() throws {
        try Files.withFolder { folder in
            let path = folder + "/keys.keyflight"
            let capture = Files.path("Traces/captures/usb-keyboard-viewer.pcap")
            #expect(CommandRun("import", capture, "-o", path).status == 0)
            let run = CommandRun("replay", path)
            #expect(run.status == 64 && run.output.isEmpty)
            #expect(run.noteLines.count == 1 && run.notes.contains("--scene"))
        }
    }

    /// The step is the answer to the question of a scene that closes (I27-9).
    @Test func aSceneThatAsksIsDismissedByAStep() throws {
        try Files.withFolder { folder in
            let scene = """
                scene: 1
                name: close
                profile: ios27
                responders:
                  - {id: app, kind: application}
                  - {id: scn, kind: windowScene, closureConfirmation: true}
                  - {id: win, kind: window, keyWindow: true, rootViewController: vc}
                  - id: vc
                    kind: viewController
                    canBecomeFirstResponder: true
                    keyCommands: [{input: k, modifiers: [command], action: "k:"}]
                    actions: ["k:"]
                firstResponder: vc

                """
            try TabsApp.put(scene, folder + "/scene.yaml")
            let keys = "press cmd+w\npress cmd+k\ndo dismiss scn\npress cmd+k\n"
            let run = CommandRun(["replay", "-", "--scene", folder + "/scene.yaml"], stdin: Array(keys.utf8))
            #expect(run.status == 0, "\(run.notes)")
            #expect(run.lines.map { $0.contains(" | performed | ") } == [false, true, true, false], "\(run.text)")
        }
    }

    static let scene = Files.path("Traces/scenes/pdf-viewer.scene.yaml")
    static let golden = Files.path("Traces/golden/g01-three-passes-on-ios7")
    static let script = Array("press cmd+w\nhold DownArrow 1s\n".utf8)

    @Test(arguments: [["replay"], ["verify"], ["stats"], ["explain", "--press", "1"]])
    func nothingToReplayAgainstIsWrongUsage(_ verb: [String]) {
        let run = CommandRun(verb + ["-"], stdin: Self.script)
        #expect(run.status == 64)
        #expect(run.notes.contains("--scene"))
        #expect(run.noteLines.count == 1)
        #expect(run.text == "")
    }

    @Test func aLineHasTheFieldsOfTheContract() {
        let run = CommandRun(
            "replay", Self.golden + "/input.keys", "--scene", Self.golden + "/scene.yaml", "--format", "jsonl")
        #expect(run.status == 0)
        #expect(run.lines.count == 1)
        for field in [
            #""press":1"#, #""t_ns":0"#, #""chord":"f""#, #""character":"f""#, #""repeat":false"#,
            #""outcome":"performed""#, #""takenBy":"keyCommands""#, #""supplier":"vc""#, #""target":"vc""#,
            #""calls":{"keyCommands":12,"#, #""callsOnRelease":{"keyCommands":0}"#, #""shadowReads":0"#,
            #""cache":{"lookups":12,"hits":0,"misses":12,"stale":0,"invalidations":0}"#, #""state":""#,
        ] { #expect(run.text.contains(field), "\(field) in \(run.text)") }
    }

    @Test func aRecordedReplayHasItsResolutionsWithoutAScene() throws {
        try Files.withFolder { folder in
            let path = folder + "/a.keyflight"
            #expect(CommandRun(["replay", "-", "--scene", Self.scene, "-o", path], stdin: Self.script).status == 0)
            #expect(Files.permissions(path) == 0o600)
            #expect(CommandRun("stats", path).status == 0)
            #expect(CommandRun("explain", path, "⌘W").status == 0)
            // Replayed again it comes to the same.
            let first = CommandRun(["replay", "-", "--scene", Self.scene, "--format", "jsonl"], stdin: Self.script)
            let second = CommandRun("replay", path, "--scene", Self.scene, "--format", "jsonl")
            #expect(first.output == second.output)
        }
    }

    @Test func phasesAddTheEndOfEachPress() {
        let run = CommandRun(
            ["replay", "-", "--scene", Self.scene, "--format", "jsonl", "--phases"], stdin: Array("press cmd+w\n".utf8))
        #expect(run.lines.count == 2)
        #expect(run.lines.last?.contains(#""phase":"up""#) == true)
    }

    @Test func theCadenceChangesTimesOnly() {
        func lines(_ cadence: String) -> [String] {
            CommandRun(
                ["replay", "-", "--scene", Self.scene, "--format", "jsonl", "--cadence", cadence],
                stdin: Array("press cmd+w\npress cmd+w\n".utf8)
            ).lines
        }
        let virtual = lines("virtual")
        let recorded = lines("recorded")
        #expect(virtual.count == 2)
        #expect(recorded.count == 2)
        for (line, paced) in zip(virtual, recorded) {
            #expect(paced.hasPrefix(line.dropLast() + #","pacing_error_ns":"#), "\(paced)")
        }
        #expect(lines("saturated") == lines("saturated"))
        #expect(lines("saturated").count == 2)
        let refused = CommandRun(
            ["replay", "-", "--scene", Self.scene, "--cadence", "saturated", "-o", "-"], stdin: Self.script)
        #expect(refused.status == 64)
        #expect(refused.noteLines.count == 1)
    }

    @Test func severalProfilesAreCompared() {
        let run = CommandRun(
            ["replay", "-", "--scene", Self.scene, "--profile", "ios7,ios15", "--format", "jsonl"], stdin: Self.script)
        #expect(run.status == 0)
        #expect(run.lines.contains { $0.contains(#""profile":"ios7""#) })
        #expect(run.lines.last?.hasPrefix(#"{"kind":"comparison""#) == true)
        let refused = CommandRun(
            ["replay", "-", "--scene", Self.scene, "--profile", "ios7,ios15", "-o", "-"], stdin: Self.script)
        #expect(refused.status == 64)
    }

    @Test(arguments: [
        (["--profile", "ios99"], 64), (["--profile", "/nonexistent.profile"], 2), (["--layout", "nowhere"], 64),
        (["--cache", "all"], 64),
    ])
    func wrongOptionsSayWhatWouldBeRight(_ option: [String], _ status: Int) {
        let run = CommandRun(["replay", "-", "--scene", Self.scene] + option, stdin: Self.script)
        #expect(run.status == Int32(status))
        #expect(run.noteLines.count == 1, "\(run.notes)")
    }

    @Test func aRecordingOfADamagedTraceTellsTheLoss() throws {
        try Files.withFolder { folder in
            let whole = folder + "/whole.keyflight"
            let run = CommandRun(["replay", "-", "--scene", Self.scene, "-o", whole], stdin: Self.script)
            #expect(run.status == 0)
            try Files.write(Array(Files.bytes(whole).dropLast(3)), to: folder + "/cut.keyflight")
            let again = CommandRun(
                "replay", folder + "/cut.keyflight", "--scene", Self.scene, "-o", folder + "/again.keyflight")
            #expect(again.status == 2)
            let info = CommandRun("info", folder + "/again.keyflight", "--format", "json")
            #expect(info.status == 0)
            #expect(info.text.contains(#""cause":"damaged""#) && info.text.contains("of cut.keyflight: no end marker"))
        }
    }

    @Test func aWrongSceneIsRefusedWithItsLine() throws {
        try Files.withFolder { folder in
            let path = folder + "/a.scene.yaml"
            try Files.write(Array("scene: 1\nresponders:\n  - {id: a, kind: spaceship}\n".utf8), to: path)
            let run = CommandRun(["replay", "-", "--scene", path], stdin: Self.script)
            #expect(run.status == 2)
            #expect(run.noteLines.count == 1)
            #expect(run.notes.hasPrefix("\(path): line 3: "))
            for (key, value) in [("layout", "nowhere"), ("profile", "none.profile")] {
                let text = "scene: 1\nresponders:\n  - {id: a, kind: window}\n\(key): \(value)\n"
                let path = folder + "/\(key).scene.yaml"
                try Files.write(Array(text.utf8), to: path)
                let run = CommandRun(["replay", "-", "--scene", path], stdin: Self.script)
                #expect(run.status == 2 && run.noteLines.count == 1)
                #expect(run.notes.hasPrefix("\(path): line 4: \(key): expected "), "\(run.notes)")
                #expect(!run.notes.contains("Failure("))
            }
        }
    }

    @Test func aWrongScriptIsRefusedWithItsLine() {
        for script in ["press cmd+w\npress cmd+nokey\n", "press cmd+w\ndo focus nobody\n", "\nfrobnicate\n"] {
            let run = CommandRun(["replay", "-", "--scene", Self.scene], stdin: Array(script.utf8))
            #expect(run.status == 2)
            #expect(run.noteLines.count == 1)
            #expect(run.notes.hasPrefix("standard input: line 2: "), "\(run.notes)")
        }
    }

    @Test func explainFindsThePressOrSaysThereIsNone() {
        func explain(_ arguments: String...) -> CommandRun {
            CommandRun(["explain", "-", "--scene", Self.scene] + arguments, stdin: Self.script)
        }
        #expect(explain("--press", "1").lines.contains { $0.hasPrefix("#1 ") })
        #expect(explain("⌘W").output == explain("cmd+w").output || explain("⌘W").status == 0)
        #expect(explain("--press", "1", "--format", "json").text.contains(#""schema":"keyflight.explain/1""#))
        #expect(explain("cmd+w", "--rules").text.contains("\n  rule             MT-9: precedence\n"))
        #expect(!explain("cmd+w").text.contains("\n  rule "))
        for missing in [explain("--press", "77"), explain("cmd+q"), explain("cmd+q", "--last")] {
            #expect(missing.status == 3)
            #expect(missing.noteLines.count == 1)
            #expect(missing.text == "")
        }
        #expect(explain("cmd+nokey").status == 64)
        #expect(explain("cmd+w", "--press", "1").status == 64)
        #expect(explain("--press", "1", "--last").status == 64)
    }

    @Test func statsHasAllStagesAndSaysWhatItCannotSee() {
        let run = CommandRun(
            ["stats", "-", "--scene", Self.golden + "/scene.yaml", "--format", "json"], stdin: Self.script)
        #expect(run.status == 0)
        #expect(run.text.contains(#""schema":"keyflight.stats/1""#))
        for stage in [
            "hid", "transport", "inputDelay", "presses", "chordWait", "collect", "match", "validate", "action",
            "settle",
        ] { #expect(run.text.contains("\"\(stage)\":"), "\(stage)") }
        #expect(run.text.contains(#""partial":true"#))
        #expect(run.text.contains(#""policy":"none""#))
    }

    /// A scene of which a responder changes its answer without saying so: only a shadow check finds the stale hit.
    @Test func aShadowCheckFindsStaleHits() throws {
        let scene = """
            scene: 1
            profile: ios15
            responders:
              - {id: app, kind: application}
              - {id: scn, kind: windowScene, next: app}
              - {id: win, kind: window, next: scn, keyWindow: true}
              - id: vc
                kind: viewController
                next: win
                actions: ["act:"]
                keyCommands: [{input: j, modifiers: [command], action: "act:"}]
                variants: {busy: []}
            firstResponder: vc

            """
        try Files.withFolder { folder in
            try Files.write(Array(scene.utf8), to: folder + "/s.yaml")
            let script = Array("press cmd+j\ndo set vc keyCommands busy\npress cmd+j\n".utf8)
            let run = CommandRun(
                [
                    "replay", "-", "--scene", folder + "/s.yaml", "--cache", "chain", "--shadow-check", "--format",
                    "jsonl",
                ], stdin: script)
            #expect(run.lines.last?.contains(#""stale":1"#) == true, "\(run.text)\(run.notes)")
        }
    }
}
