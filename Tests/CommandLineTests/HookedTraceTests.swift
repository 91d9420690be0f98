import Foundation
import Testing

/// What verbs say of a trace that an adapter recorded: ⌘W in a panel of an AppKit app whose Command key is Alt, and a
/// letter.
@Suite struct HookedTraceTests {
    static let text = """
        keyflight-text 2 form=canonical level=calls masked=true first_sequence=0
        0 0 environment name="adapter.toolkit" value="gnustep"
        1 0 environment name="adapter.version" value="0.29"
        2 0 environment name="adapter.install_ns" value="2100000"
        3 0 environment name="adapter.hook.keyEquivalent" value="on 8"
        4 0 environment name="adapter.hook.validation" value="missing 0: no method validateMenuItem:"
        5 0 environment name="modifierRole.e2" value="command"
        6 0 key_window window={"id":"NSPanel","kind":"NSPanel"} cause=become
        7 0 main_window window={"id":"NSWindow","kind":"NSWindow"}
        8 0 link responder={"id":"NSTextField","kind":"NSTextField"} next={"id":"NSPanel","kind":"NSPanel"}
        9 0 first_responder responder={"id":"NSTextField","kind":"NSTextField"} cause=become
        10 1000 key device=1 phase=down key=LeftAlt modifiers=command
        11 2000 key device=1 press=1 phase=down key=W modifiers=command
        12 3000 invocation press=1 invocation=keyEquivalent occasion=down responder={"id":"NSView","kind":"NSView"} \
        selector="performKeyEquivalent:" depth=1 count=1 duration_ns=100 answer=no
        13 4000 invocation press=1 invocation=keyEquivalent occasion=down \
        responder={"id":"NSButton","kind":"NSButton"} selector="performKeyEquivalent:" depth=1 count=1 \
        duration_ns=100 answer=no
        14 5000 invocation press=1 invocation=keyEquivalent occasion=down responder={"id":"NSPanel","kind":"NSPanel"} \
        selector="performKeyEquivalent:" depth=0 count=1 duration_ns=2500 answer=no
        15 9000 invocation press=1 invocation=sendAction occasion=down \
        responder={"id":"NSApplication","kind":"NSApplication"} selector="performClose:" depth=1 count=1 \
        duration_ns=1500 answer=yes
        16 9500 invocation press=1 invocation=keyEquivalent occasion=down responder={"id":"mainMenu","kind":"NSMenu"} \
        selector="performKeyEquivalent:" depth=0 count=24 path="Document ▸ Close" duration_ns=4000 answer=yes
        17 9600 resolution press=1 outcome=performed taken_by=mainMenu start={"id":"NSTextField","kind":"NSTextField"} \
        key_window={"id":"NSPanel","kind":"NSPanel"} target={"id":"NSPanel","kind":"NSPanel"} action="performClose:"
        18 10000 key device=1 press=1 phase=up key=W modifiers=command
        19 11000 key device=1 phase=up key=LeftAlt
        20 20000 key device=1 press=2 phase=down class=letter
        21 21000 invocation press=2 invocation=keyEquivalent occasion=down responder={"id":"NSView","kind":"NSView"} \
        selector="performKeyEquivalent:" depth=0 count=1 duration_ns=200 answer=no
        22 25000 invocation press=2 invocation=insertText occasion=down \
        responder={"id":"NSTextView","kind":"NSTextView"} selector="insertText:" depth=1 count=1 duration_ns=900 \
        answer=nothing
        23 26000 invocation press=2 invocation=keyDown occasion=down responder={"id":"NSTextView","kind":"NSTextView"} \
        selector="keyDown:" depth=0 count=1 duration_ns=3000 answer=nothing
        24 26100 resolution press=2 outcome=consumedByText taken_by=text target={"id":"NSTextView","kind":"NSTextView"}
        25 30000 key device=1 press=2 phase=up class=letter
        end

        """

    private static func withTrace(of text: String = text, _ body: (String) throws -> Void) throws {
        try Files.withFolder { folder in
            try text.write(toFile: folder + "/t.txt", atomically: true, encoding: .utf8)
            let made = CommandRun("assemble", folder + "/t.txt", "-o", folder + "/t.keyflight")
            #expect(made.status == 0, "\(made.notes)")
            try body(folder + "/t.keyflight")
        }
    }

    /// An app has no scene that could be added.
    @Test(arguments: [
        ["explain", "--press", "1"], ["replay"], ["replay", "--what-if", "layout=fr"], ["verify"],
        ["query", "SELECT * FROM calls"],
    ])
    func aTraceOfKeysAloneIsToBeRecordedAgain(_ words: [String]) throws {
        let kept = Self.text.split(separator: "\n").filter { line in
            let words = line.split(separator: " ")
            return words.count < 3 || ["environment", "key"].contains(words[2])
        }
        let keys = kept.enumerated().map { place, line in
            let words = line.split(separator: " ", maxSplits: 1)
            return UInt(words[0]) == nil ? String(line) : "\(place) \(words[1])"
        }
        let text = (["keyflight-text 1 form=canonical level=keys masked=true first_sequence=0"] + keys + ["", ""])
            .joined(separator: "\n")
        try Files.withFolder { folder in
            try text.write(toFile: folder + "/t.txt", atomically: true, encoding: .utf8)
            let trace = folder + "/t.keyflight"
            try #require(CommandRun("assemble", folder + "/t.txt", "-o", trace).status == 0)
            let run = CommandRun([words[0], trace] + words.dropFirst())
            #expect(run.status == (words[0] == "query" ? 3 : 64), "\(run.text)")
            #expect(run.notes.contains("; record the app again with keyflight launch --level calls"), "\(run.notes)")
            #expect(!run.notes.contains("--scene"))
        }
    }

    private static func json(_ arguments: String...) throws -> [String: Any] {
        let run = CommandRun(arguments)
        #expect(run.status == 0, "\(run.notes)")
        return try #require(JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    }

    @Test func explainSaysWhoWasAskedWhoAnsweredAndWhoPerformed() throws {
        try Self.withTrace { trace in
            let found = try Self.json("explain", trace, "⌘W", "--last", "--format", "json")
            #expect(found["press"] as? Int == 1)
            let calls = try #require(found["calls"] as? [String: Any])
            #expect(calls["keyEquivalents"] as? Int == 27)
            #expect(calls["sendAction"] as? Int == 1)
            #expect(calls["keyCommands"] as? Int == 0)
            let messages = try #require(found["messages"] as? [[String: Any]])
            #expect(messages.map { $0["receiver"] as? String } == [
                "NSPanel", "NSView", "NSButton", "mainMenu", "NSApplication",
            ])
            #expect(messages[3]["path"] as? String == "Document ▸ Close")
            #expect(messages[3]["count"] as? Int == 24)
            let resolution = try #require(found["resolution"] as? [String: Any])
            #expect(resolution["supplier"] as? String == "mainMenu")
            #expect(resolution["path"] as? String == "Document ▸ Close")
            #expect(resolution["takenBy"] as? String == "mainMenu")
            let context = try #require(found["context"] as? [String: Any])
            #expect(context["key_window"] as? String == "NSPanel")
            #expect(context["main_window"] as? String == "NSWindow")
            let unseen = try #require(found["not_seen"] as? [[String: Any]])
            #expect(unseen.map { $0["hook"] as? String } == ["validation"])
            let text = CommandRun("explain", trace, "--press", "1").text
            #expect(text.contains("main menu ◀"))
            #expect(text.contains("yes Document ▸ Close"))
            #expect(text.contains("hook validation is missing (no method validateMenuItem:)"))
            #expect(!text.contains("keyCommands"), "\(text)")
        }
    }

    @Test func aStoryNamesTheMessages() throws {
        try Self.withTrace { trace in
            let run = CommandRun("show", trace, "--story")
            #expect(run.status == 0, "\(run.notes)")
            let menu = "main menu (24 menus) asked for key equivalents: yes Document ▸ Close"
            #expect(run.text.contains(menu), "\(run.text)")
            #expect(run.text.contains("NSTextView insertText"))
        }
    }

    /// All that refused are one part, and what a key is bound to is never left out.
    @Test func aStoryEndsWithTheDecision() {
        let lines = CommandRun("show", Files.path("Traces/apps/textedit.keyflight"), "--story").lines
        let asked = "7 responders, main menu (24 menus) asked for key equivalents: no; NSTextView keyDown; NSTextView "
        #expect(lines.contains { $0.hasSuffix(asked + "insertText") })
        #expect(lines.contains { $0.hasSuffix(asked + "doCommand moveLeft:") })
    }

    @Test func statisticsAndCostsSpeakOfKeyEquivalents() throws {
        try Self.withTrace { trace in
            let found = try Self.json("stats", trace, "--format", "json")
            let calls = try #require(found["calls"] as? [String: [String: Any]])
            #expect(calls["keyEquivalents"]?["total"] as? Int == 28)
            #expect(calls["keyEquivalents"]?["per_press_max"] as? Int == 27)
            #expect(calls["insertText"]?["total"] as? Int == 1)
            let text = CommandRun("stats", trace).text
            #expect(text.contains("Who was asked for key equivalents"))
            #expect(text.contains("not seen: hook validation is missing"))
            #expect(CommandRun("lint", trace).text.contains("hook validation is missing"))
            #expect(CommandRun("bindings", trace).text.contains("this app has key equivalents"))
            let sql = "SELECT responder, count, self_ns FROM invocations WHERE path IS NOT NULL"
            let rows = CommandRun("query", trace, sql, "--format", "csv")
            #expect(rows.text.contains("mainMenu,24,2500"), "\(rows.text) \(rows.notes)")
            let top = CommandRun("top", trace)
            #expect(top.text.contains("asked for key equivalents"))
            #expect(!top.text.contains("keyCommands"))
            let costs = try Self.json("top", trace, "--format", "json")
            let responders = try #require(costs["responders"] as? [[String: Any]])
            let menu = try #require(responders.first { $0["id"] as? String == "mainMenu" })
            #expect(menu["calls"] as? Int == 24)
            #expect(menu["self_ns"] as? Int == 2500)
        }
    }

    @Test func infoShowsTheAdapter() throws {
        try Self.withTrace { trace in
            let found = try Self.json("info", trace, "--format", "json")
            #expect(found["version"] as? Int == 2)
            let adapter = try #require(found["adapter"] as? [String: Any])
            #expect(adapter["toolkit"] as? String == "gnustep")
            #expect(adapter["version"] as? String == "0.29")
            #expect(adapter["install_ns"] as? Int == 2_100_000)
            let hooks = try #require(adapter["hooks"] as? [[String: Any]])
            #expect(hooks.map { $0["state"] as? String } == ["on", "missing"])
            #expect(hooks[0]["methods"] as? Int == 8)
            #expect(hooks[0]["reason"] is NSNull)
            #expect(CommandRun("info", trace).text.contains("gnustep 0.29, 1 hook of 8 methods"))
        }
    }

    @Test func infoShowsThatTheAppRanBefore() throws {
        let attached = Self.text.replacing(#"adapter.version" value="0.29"#, with: #"adapter.attached" value="1"#)
        try Self.withTrace(of: attached) { trace in
            #expect(CommandRun("info", trace).text.contains("attached to the running app: nothing from before"))
            let masked = trace + ".masked"
            #expect(CommandRun("redact", trace, "-o", masked).status == 0)
            #expect(CommandRun("info", masked).text.contains("attached to the running app"))
        }
        try Self.withTrace { #expect(!CommandRun("info", $0).text.contains("attached")) }
    }

    @Test func everyVerbReadsIt() throws {
        try Self.withTrace { trace in
            for verb in [["lint"], ["bindings"], ["tail", "--above", "p50"], ["verify-format"], ["query"]] {
                let run = CommandRun([verb[0], trace] + verb.dropFirst())
                #expect([0, 1, 3].contains(run.status), "\(verb): \(run.status) \(run.notes)")
            }
            let cut = trace + ".cut"
            #expect(CommandRun("cut", trace, "--press", "1", "-o", cut).status == 0)
            #expect(Files.bytes(cut)[8] == 2)
            let masked = trace + ".masked"
            #expect(CommandRun("redact", trace, "-o", masked).status == 0)
            let left = CommandRun("show", masked).text
            #expect(!left.contains("Document"), "titles of menus are taken out")
            #expect(left.contains(#"name="modifierRole.e2" value="command""#))
            #expect(left.contains(#"name="adapter.hook.validation" value="missing 0""#))
            #expect(!left.contains("validateMenuItem"))
            let frozen = Files.path("Traces/compatibility/v2/invocations.keyflight")
            let counted = try Self.json("stats", frozen, "--format", "json")
            #expect(counted["presses"] as? Int == 8)
        }
    }

    /// A part has its modifier keys' roles, and the keys that were down, in its initial context alone.
    @Test(arguments: ["1-1", "15-15", "23-23", "40-45", "73-73"])
    func aPartIsResolvedAsTheWholeWas(_ presses: String) throws {
        try Files.withFolder { folder in
            let (whole, part) = (Files.path("Traces/apps/textedit.keyflight"), folder + "/part.keyflight")
            #expect(CommandRun("cut", whole, "--presses", presses, "-o", part).status == 0)
            let run = CommandRun("verify", part, "--format", "json")
            #expect(run.status == 0, "\(run.notes)")
            let found = try #require(JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
            #expect(found["not_compared"] as? Int == 0, "\(run.text)")
        }
    }

    @Test func exportsOfTimelinesNestTheMessages() throws {
        try Self.withTrace { trace in
            let chrome = CommandRun("export", trace, "--format", "chrome", "-o", "-")
            #expect(chrome.status == 0, "\(chrome.notes)")
            let file = try JSONSerialization.jsonObject(with: Data(chrome.output)) as? [String: Any]
            let events = try #require(file?["traceEvents"] as? [[String: Any]])
            func event(_ name: String) throws -> [String: Any] {
                try #require(events.first { $0["name"] as? String == name })
            }
            let (menu, action) = try (event("mainMenu.keyEquivalent"), event("NSApplication.sendAction"))
            #expect(menu["ts"] as? Double == 5.5)
            #expect(menu["dur"] as? Double == 4)
            #expect(action["ts"] as? Double == 7.5, "inside the menu's")
            #expect(action["tid"] as? Int == menu["tid"] as? Int)
            let facts = try #require(menu["args"] as? [String: Any])
            #expect(facts["path"] as? String == "Document ▸ Close")
            #expect(facts["count"] as? Int == 24)
            #expect(facts["self_ns"] as? Int == 2500)
            let folded = CommandRun("export", trace, "--format", "folded", "-o", "-").text
            #expect(folded.contains("mainMenu;keyEquivalent;NSApplication;sendAction 1500"), "\(folded)")
            let profile = CommandRun("export", trace, "--format", "speedscope", "-o", "-").text
            #expect(profile.contains(#"{"name":"NSTextView.insertText"}"#))
        }
    }

    @Test func aPageShowsTheMessagesOfAPress() throws {
        try Self.withTrace { trace in
            let page = CommandRun("report", trace, "-o", "-").output
            let start = try #require(String(decoding: page, as: UTF8.self).range(of: #"id="data">"#)).upperBound
            let json = String(decoding: page, as: UTF8.self)[start...].prefix { $0 != "<" }
            let data = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            let side = try #require((data["sides"] as? [[String: Any]])?.first)
            let counts = try #require(side["messages"] as? [[Any]])
            #expect(counts.first?.first as? String == "keyEquivalents")
            #expect(counts.first?[1] as? Int == 28)
            let strings = try #require(side["strings"] as? [String])
            let explained = try #require(side["explanations"] as? [String: Any])
            let asked = try #require((explained["asked"] as? [[Int]])?.first)
            #expect(asked[0] == 1)
            let lists = try #require(explained["messageLists"] as? [[Int]])
            let groups = try #require(explained["messages"] as? [[Int]])
            let rows = lists[asked[1]].map { groups[$0] }
            let menu = try #require(rows.first { strings[$0[2]].contains("main menu") })
            #expect(strings[menu[3]] == "yes Document ▸ Close")
            #expect(menu[4] == 24)
            #expect(menu[5] == 1, "it took the press")
        }
    }

    /// Questions of an AppKit app are messages: what they count is what was asked at the key-down.
    @Test func questionsThatAreMessagesAreCountedByPress() {
        let app = Files.path("Traces/apps/textedit.keyflight")
        let stats = CommandRun("stats", app, "--format", "json")
        #expect(stats.text.contains(#""validate":{"total":595,"per_press_max":57"#), "\(stats.text)")
        let explained = CommandRun("explain", app, "--press", "15", "--format", "json")
        #expect(explained.text.contains(#""validate":31,"#), "\(explained.text)")
    }

    @Test func exportedLinesCountTheMessagesThatAReplayCounts() throws {
        let app = Files.path("Traces/apps/textedit.keyflight")
        func counts(_ verb: String, _ options: [String] = []) throws -> [[String: Int]] {
            try ExportTests.objects(CommandRun([verb, app, "--format", "jsonl"] + options)).map {
                try #require($0["calls"] as? [String: Int])
            }
        }
        let (exported, replayed) = (try counts("export", ["-o", "-"]), try counts("replay"))
        #expect(exported.map { Set($0.keys) } == replayed.map { Set($0.keys) })
        #expect(exported.contains { $0["keyEquivalents"] ?? 0 > 0 } && exported.contains { $0["keyDown"] ?? 0 > 0 })
    }

    @Test func aCostNamesACallAMessageOrAnAction() {
        let app = Files.path("Traces/apps/textedit.keyflight")
        for call in ["bogus", "keyEquivalents"] {
            let run = CommandRun("replay", app, "--what-if", "cost=NSTextView.\(call):5s")
            #expect(run.status == 64 && run.text.isEmpty, "\(run.text)")
            #expect(run.notes.contains("expected one of keyCommands, canPerformAction, "), "\(run.notes)")
        }
        for call in ["keyEquivalent", "validate", "selectAll:"] {
            let run = CommandRun("replay", app, "--what-if", "cost=NSTextView.\(call):5ms")
            #expect(run.status == 0, "\(run.notes)")
        }
    }

    @Test func aReplayWithoutTimesSaysSo() {
        let app = Files.path("Traces/apps/textedit.keyflight")
        let run = CommandRun("replay", app, "--what-if", "role=RightAlt:command")
        #expect(run.status == 0 && run.text.contains("Times: unknown. Both are replays"), "\(run.text)\(run.notes)")
        #expect(!run.text.contains("no stage was recorded"))
    }

    @Test func whatWasTypedInASecureEntryIsSaidToBeMissing() {
        let app = Files.path("Traces/apps/reader.keyflight")
        let test = CommandRun("export", "--format", "xcuitest", "-o", "-", app)
        #expect(test.text.contains("; what was typed in secure entries (1)"), "\(test.text.suffix(300))")
        #expect(test.notes.contains("what was typed in 1 secure entry is missing"), "\(test.notes)")
        let scene = CommandRun("export", "--format", "scene", "-o", "-", app)
        #expect(scene.text.contains("# - what was typed in 1 secure entry, of which nothing is recorded\n"))
    }
}
