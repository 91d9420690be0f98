import Testing

@testable import keyflight

/// Presses of which no candidates can be derived: they cost no other press its own, and are said for what they are.
@Suite struct DerivedGapsTests {
    /// A trace as text, as of an app that records lists and answers alone.
    private struct TraceText {
        private var lines = ["keyflight-text 1 form=canonical level=calls masked=true first_sequence=0"]
        private var count = 0

        mutating func add(_ record: String) {
            lines.append("\(count) \(count * 1000) \(record)")
            count += 1
        }

        var text: String { (lines + ["end"]).joined(separator: "\n") + "\n" }
    }

    private static let editor = #"{"id":"editor","kind":"Node"}"#
    private static let document = #"{"id":"doc","kind":"Node"}"#
    private static let list = #"[{"input":"x","action":"cut:"},{"input":"w","modifiers":"command","action":"close:"}]"#

    private static func began() -> TraceText {
        var traceText = TraceText()
        traceText.add(#"device device=1 name="keyboard" source="recorder""#)
        traceText.add("link responder=\(editor) next=\(document)")
        traceText.add("link responder=\(document)")
        traceText.add("first_responder responder=\(editor) cause=become")
        return traceText
    }

    /// Presses of ⌘W, of which the fifth has one more resolution.
    private static func closing(_ presses: Int, _ extra: (String) -> String) -> String {
        var traceText = began()
        traceText.add("key device=1 phase=down key=LeftGUI modifiers=command")
        for press in 1...presses {
            traceText.add("key device=1 press=\(press) phase=down key=W modifiers=command")
            traceText.add(
                "call press=\(press) call=keyCommands occasion=down responder=\(document) pass=0 depth=0 duration_ns=18"
                    + " answer=commands list=\(list)")
            if press == 1 {
                traceText.add(
                    "call press=1 call=canPerformAction occasion=down responder=\(document) pass=0 depth=0"
                        + #" duration_ns=18 action="close:" answer=yes"#)
            }
            let resolution = "resolution press=\(press) outcome=performed taken_by=keyCommands"
                + #" supplier=\#(document) target=\#(document) action="close:""#
            traceText.add(resolution)
            if press == 5 { traceText.add(extra(resolution)) }
            traceText.add("key device=1 press=\(press) phase=up key=W modifiers=command")
        }
        traceText.add("key device=1 phase=up key=LeftGUI")
        return traceText.text
    }

    /// The same text with other records.
    private static func edited(_ text: String, _ change: (String) -> [String]) -> String {
        var traceText = TraceText()
        for line in text.split(separator: "\n").dropFirst().dropLast() {
            let record = line.split(separator: " ", maxSplits: 2)[2]
            for changed in change(String(record)) { traceText.add(changed) }
        }
        return traceText.text
    }

    private static func closing(_ presses: Int) -> String { closing(presses) { _ in "idle device=1 reports=1" } }

    private func withTrace(_ text: String, _ body: (String) throws -> Void) throws {
        try Files.withFolder { folder in
            try TabsApp.put(text, folder + "/a.txt")
            let run = CommandRun("assemble", folder + "/a.txt", "-o", folder + "/a.keyflight")
            #expect(run.status == 0, "\(run.notes)")
            try body(folder + "/a.keyflight")
        }
    }

    @Test(arguments: ["the same press", "a press that is not there"])
    func aResolutionThatNoReplayHasCostsOnePress(_ what: String) throws {
        let trace = Self.closing(1500) {
            what == "the same press" ? $0 : $0.replacing("press=5 ", with: "press=900000 ")
        }
        try withTrace(trace) { path in
            let lint = CommandRun("lint", path)
            #expect(lint.text.contains("none for 1 press that comes to something else"), "\(lint.text)")
            for press in ["6", "700", "1500"] {
                let explain = CommandRun("explain", path, "--press", press)
                #expect(explain.text.contains("close:  won"), "\(explain.text)")
            }
        }
    }

    @Test func stagesThatNoRecordGivesAreMarkedInTablesAndInTheTail() throws {
        try withTrace(Self.closing(30)) { path in
            func rows(_ sql: String) -> [String] {
                let text = CommandRun("query", path, sql, "--format", "csv").text
                return text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
            }
            #expect(
                rows("SELECT stage, derived, count(*) FROM stages GROUP BY 1, 2 ORDER BY 1")
                    == ["collect,1,30", "validate,1,1"])
            #expect(rows("SELECT derived_stages FROM presses WHERE press < 3") == ["collect+validate", "collect"])
            #expect(rows("SELECT stage, n, derived FROM stage_times WHERE stage = 'collect'") == ["collect,30,1"])
            let tail = CommandRun("tail", path, "--above", "1ns", "--format", "json").text
            #expect(tail.contains(#""derived":["collect","validate"]"#), "\(tail)")
            #expect(CommandRun("tail", path, "--above", "1ns").text.contains("collect (its calls)"))
        }
    }

    @Test func aRecordedCandidateIsThatOfItsPressAlone() throws {
        let candidate = "candidate press=3 supplier=\(Self.document)"
            + #" command={"input":"w","modifiers":"command","action":"close:"} verdict=won reason="recorded""#
        let trace = Self.edited(Self.closing(9)) {
            $0.hasPrefix("resolution press=3 ") ? [candidate, $0] : [$0]
        }
        try withTrace(trace) { path in
            let derived = CommandRun("explain", path, "--press", "4")
            #expect(derived.text.contains("candidates: recorded for 1 press, else derived"), "\(derived.text)")
            #expect(derived.text.contains("close:  won"))
            let recorded = CommandRun("explain", path, "--press", "3", "--format", "json").text
            #expect(recorded.contains(#""reason":"recorded""#) && !recorded.contains(#""derived":true"#))
            #expect(recorded.ranges(of: #""verdict":"won""#).count == 1, "once")
            #expect(!CommandRun("show", path, "--story").text.contains(/nobody|no responder/))
            #expect(!CommandRun("lint", path).text.contains("No candidates"))
        }
        // Where nothing can be derived, the presses that commands took are without candidates all the same.
        let lower = Self.edited(trace) { $0.hasPrefix("call ") ? [] : [$0] }
            .replacing("level=calls", with: "level=resolutions")
        try withTrace(lower) { path in
            let lint = CommandRun("lint", path).text.replacing("\n", with: " ")
            #expect(lint.contains("No candidates of 8 of the presses"), "\(lint)")
        }
    }

    @Test(arguments: [
        ("first_responder ", "first responder", "Keyflight.firstResponder"), ("link ", "chain", "Keyflight.link"),
    ])
    func whatIsNotRecordedOfTheChainIsSaid(_ record: String, _ missing: String, _ call: String) throws {
        let trace = Self.edited(Self.closing(4)) { $0.hasPrefix(record) ? [] : [$0] }
        try withTrace(trace) { path in
            // Its lines may break anywhere.
            let lint = CommandRun("lint", path).text.replacing("\n", with: " ")
            #expect(lint.contains("unreachable-command") && lint.contains("No \(missing) recorded: call \(call)."))
            let bindings = CommandRun("bindings", path).text
            #expect(bindings.contains("is not recorded") && bindings.contains("Call \(call)."), "\(bindings)")
            let explain = CommandRun("explain", path, "--press", "2").text
            #expect(explain.contains("call \(call)"), "\(explain)")
            let verified = CommandRun("verify", path)
            #expect(verified.status == 4 && verified.text.contains("4 presses not compared"), "\(verified.text)")
            #expect(verified.notes.contains("no press could be compared"))
            for text in [lint, bindings, explain, CommandRun("show", path, "--story").text] {
                let said = text.replacing("nobody-listens", with: "").replacing(", non-deterministic,", with: "")
                #expect(!said.contains(/(?i)nobody|no responder/) && !said.contains("non-deterministic"), "\(text)")
            }
        }
    }

    /// Text takes the key before any command is looked at, and one of those may be the key's.
    @Test func aMaskedKeyThatACommandMayHaveIsNotSaidToBeNobodys() throws {
        var traceText = Self.began()
        traceText.add(#"environment name="profile" value="ios13""#)
        traceText.add("text_input responder=\(Self.editor)")
        traceText.add("key device=1 press=1 phase=down class=letter")
        traceText.add(
            "call press=1 call=keyCommands occasion=down responder=\(Self.document) pass=0 depth=0 duration_ns=18"
                + " answer=commands list=\(Self.list)")
        traceText.add("resolution press=1 outcome=consumedByText taken_by=text target=\(Self.editor)")
        traceText.add("key device=1 press=1 phase=up class=letter")
        try withTrace(traceText.text) { path in
            let story = CommandRun("show", "--story", path)
            #expect(story.text.contains("who offers it is not recorded"), "\(story.text)")
            #expect(!story.text.contains(/nobody|no responder/))
        }
    }

    @Test func aPressThatNoResponderWasAskedAboutIsExplainedAsThat() throws {
        let trace = Self.edited(Self.closing(4)) { $0.hasPrefix("call press=3 ") ? [] : [$0] }
        try withTrace(trace) { path in
            let explain = CommandRun("explain", path, "--press", "3")
            #expect(explain.text.contains("no question to a responder is recorded of this press"), "\(explain.text)")
            #expect(!explain.text.contains("this trace does not hold"))
        }
    }

    @Test func aLayoutAloneIsThatOfTheReplay() throws {
        try withTrace(Self.closing(4)) { path in
            for verb in [["explain", path, "--press", "1"], ["lint", path], ["show", path, "--story"]] {
                let run = CommandRun(verb + ["--layout", "fr"])
                // On AZERTY the key in the place of W types Z.
                #expect(!run.text.contains("close:  won") && !run.text.contains("close: won"), "\(verb): \(run.text)")
            }
            let both = CommandRun("explain", path, "--press", "1", "--layout", "fr", "--profile", "ios15")
            let alone = CommandRun("explain", path, "--press", "1", "--layout", "fr")
            #expect(alone.status == 0 && alone.text == both.text)
            #expect(
                CommandRun("query", path, "SELECT action FROM presses", "--layout", "fr").text
                    != CommandRun("query", path, "SELECT action FROM presses").text)
        }
        let lower = Self.edited(Self.closing(4)) { $0.hasPrefix("call ") ? [] : [$0] }
            .replacing("level=calls", with: "level=resolutions")
        try withTrace(lower) { path in
            let run = CommandRun("explain", path, "--press", "1", "--layout", "fr")
            #expect(run.status == 64 && run.notes.contains("--layout: expected a scene"), "\(run.notes)")
        }
    }

    @Test func theGateFindsWhatLintFinds() throws {
        let app = #"{"id":"app","kind":"Node"}"#
        let list = #"[{"input":"w","modifiers":"command","action":"quit:"}]"#
        func trace(_ list: String) -> String {
            Self.edited(Self.closing(4)) { record in
                if record == "link responder=\(Self.document)" {
                    return [record + " next=\(app)", "link responder=\(app)"]
                }
                guard record.hasPrefix("call "), record.contains("keyCommands") else { return [record] }
                let press = record.split(separator: " ")[1]
                return [
                    record,
                    "call \(press) call=keyCommands occasion=down responder=\(app) pass=0 depth=1 duration_ns=9"
                        + " answer=commands list=\(list)",
                ]
            }
        }
        try withTrace(trace("[]")) { base in
            try withTrace(trace(list)) { head in
                #expect(CommandRun("lint", head).text.contains("unreachable-command"))
                let gate = CommandRun(
                    "gate", "--runs", "12", "--base", "cp '\(base)' \"$KEYFLIGHT_OUTPUT\"", "--head",
                    "cp '\(head)' \"$KEYFLIGHT_OUTPUT\"")
                #expect(gate.status == 1 && gate.text.contains("unreachable-command"), "\(gate.text)\(gate.notes)")
            }
        }
    }

    @Test func countsOfPressesThatWereNotDecidedAreAbsent() throws {
        let keys = Self.edited(Self.closing(4)) { $0.hasPrefix("resolution ") ? [] : [$0] }
        try withTrace(Self.closing(4)) { path in
            try withTrace(keys) { other in
                for (base, head) in [(path, other), (other, path)] {
                    let diff = CommandRun("diff", base, head)
                    #expect(diff.text.contains("Counts        not compared"), "\(diff.text)")
                    #expect(diff.status == 4 && diff.text.contains("resolutions: expected "), "\(diff.text)")
                }
            }
        }
    }

    @Test func aMaskedKeyThatLeavesItOpenIsNoContradiction() throws {
        var traceText = Self.began()
        traceText.add("key device=1 press=1 phase=down class=letter")
        traceText.add(
            "call press=1 call=keyCommands occasion=down responder=\(Self.document) pass=0 depth=0 duration_ns=18"
                + " answer=commands list=\(Self.list)")
        traceText.add(
            "resolution press=1 outcome=performed taken_by=keyCommands"
                + #" supplier=\#(Self.document) target=\#(Self.document) action="cut:""#)
        traceText.add("key device=1 press=1 phase=up class=letter")
        try withTrace(traceText.text) { path in
            let explain = CommandRun("explain", path, "--press", "1")
            #expect(explain.text.contains("the key is masked, or an answer is not recorded"), "\(explain.text)")
            let story = CommandRun("show", "--story", path)
            #expect(story.text.contains("who offers it is not recorded\n"), "\(story.text)")
            for text in [explain.text, story.text, CommandRun("lint", path).text] {
                #expect(!text.contains("something else") && !text.contains(/nobody|no responder/), "\(text)")
            }
            #expect(CommandRun("verify", path).status == 4)
            let replay = path + ".replay"
            try #require(CommandRun("replay", path, "-o", replay).status == 0)
            for (base, head) in [(path, replay), (replay, path)] {
                let diff = CommandRun("diff", base, head)
                // Its one press is not compared, so nothing is.
                #expect(diff.status == 4 && diff.lines.first?.contains("0 changed") == true, "\(diff.text)")
                #expect(diff.text.contains("1 press that a masked key"), "\(diff.text)")
                #expect(CommandRun("diff", base, head, "--format", "json").text.contains(#""not_compared":1"#))
            }
        }
    }
}
