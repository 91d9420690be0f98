import KeyModel
import LatencyAnalysis
import Testing

@testable import TraceFormat
@testable import keyflight

/// One verdict per file: what one verb must refuse, all refuse that look at that place, and those that did not look
/// there say so.
@Suite struct OneVerdictTests {
    /// The number behind a name in JSON of one line.
    private static func number(_ name: String, _ run: CommandRun) -> Int? {
        run.text.firstRange(of: "\"\(name)\":").flatMap { range in
            Int(run.text[range.upperBound...].prefix { $0.isNumber })
        }
    }

    @Test(arguments: [
        "presses-ordinal-twice", "presses-decision-before-key", "presses-cut-amid-repeats", "presses-repeat-goes-back",
    ])
    func verbsCountTheSamePresses(_ name: String) {
        let path = Files.path("Traces/hostile/\(name).keyflight")
        let info = Self.number("numbered_presses", CommandRun("info", path, "--format", "json"))
        #expect(info == Self.number("presses", CommandRun("stats", path, "--format", "json")))
        let downs = CommandRun("show", path, "--format", "jsonl", "--kind", "key").lines
            .count { $0.contains("\"phase\":\"down\"") }
        #expect(info == downs)
        let repeats = Self.number("repeats", CommandRun("info", path, "--format", "json"))
        let said = repeats == 1 ? " · 1 repeat ·" : " · \(repeats ?? 0) repeats ·"
        let stats = CommandRun("stats", path).text
        #expect(stats.contains(said) == (repeats != 0), "\(stats)")
        let rows = CommandRun("query", path, "select count(*) as n from repeats", "--format", "json")
        #expect(rows.text.contains("\"n\":\(repeats ?? -1)"), "\(rows.text)")
    }

    @Test func morePressesThanAreHeldAreRefused() throws {
        let reader = try TraceReader(TraceFile.read(Files.path("Traces/compatibility/v1/calls.keyflight")))
        let source = RecordSource(trace: reader, name: "x")
        for (limit, isTooLong) in [(1, true), (TailAnalyzer.limit, false)] {
            var (analyzer, unread) = (TailAnalyzer(limit: limit), source)
            try unread.feed(&analyzer)
            #expect(analyzer.isTooLong == isTooLong)
        }
        let refusal = source.tooManyPresses
        #expect(refusal.status == .damaged && refusal.noted.hasSuffix("; keyflight cut takes a part [KF0222]"))
    }

    /// The key of a press is not in the trace, what it came to is: nobody says that there is no such press.
    @Test func decisionsWithoutTheirKeysAreShownByAll() throws {
        let text = """
            keyflight-text 1 form=canonical level=calls first_sequence=0
            0 1 resolution press=1 outcome=performed
            1 3 resolution press=1 tick=1 outcome=performed
            end

            """
        try Files.withFolder { folder in
            let path = folder + "/a.keyflight"
            let assembled = CommandRun(["assemble", "-", "-o", path], stdin: Array(text.utf8))
            try #require(assembled.status == 0, "\(assembled.notes)")
            #expect(CommandRun("stats", path).text.contains("1 press · 1 repeat"))
            #expect(CommandRun("query", path, "select press from presses", "--format", "json").status == 0)
            let explained = CommandRun("explain", path, "--press", "1")
            #expect(explained.status == 0 && explained.text.contains("#1  →"), "\(explained.text)\(explained.notes)")
            let story = CommandRun("show", path, "--story")
            #expect(story.status == 0 && story.text.contains("#1  its key is not in the trace"), "\(story.text)")
        }
    }

    @Test func anOrdinalThatIsUsedTwiceIsAViolation() {
        let run = CommandRun("verify-format", Files.path("Traces/hostile/presses-ordinal-twice.keyflight"))
        #expect(run.status == 2)
        #expect(
            run.text.contains("record 3: press: expected an ordinal that no key went down with before, found 1"),
            "\(run.text)")
    }

    /// Each press is masked or in clear by its own down, whatever becomes of another one of the same key.
    @Test func aKeyThatTwoThreadsHoldIsJudgedByItsPress() {
        let path = Files.path("Traces/hostile/presses-one-key-twice-down.keyflight")
        let strict = CommandRun("verify-format", path)
        #expect(strict.status == 0, "\(strict.text)")
        let left = CommandRun("redact", path, "--check")
        #expect(left.status == 1 && !left.text.contains("--text"), "\(left.text)\(left.notes)")
    }

    /// Forty presses in blocks of a few records, the last of which is number 2 again.
    private static func twice() throws -> [UInt8] {
        let output = ByteCollector()
        var definitions = TraceDefinitions()
        let responder = definitions.intern(ResponderDefinition(id: "r0", kind: "view"))
        var writer = try TraceWriter(header: TraceHeader(level: .calls, isMasked: false)) {
            output.bytes.append(contentsOf: $0)
        }
        for (place, press) in (Array(1...40) + [2]).enumerated() {
            let time = TraceTime(nanoseconds: Int64(place) * 1_000_000)
            let key = KeyRecord(
                device: 1, key: .clear(.keyboard(0x04)), phase: .down, modifiers: [], press: UInt32(press))
            try writer.append(.key(key), at: time, definitions: definitions)
            let at = PressTick(press: UInt32(press), tick: 0)
            let call = CallRecord(
                at: at, kind: .keyCommands, occasion: .down, responder: responder, pass: 1, depth: 0, duration: nil,
                action: nil, answer: .none)
            try writer.append(.call(call), at: time, definitions: definitions)
            if place % 3 == 2 { try writer.closeBlock() }
        }
        try writer.finish()
        return output.bytes
    }

    @Test func allRecordsOfAnOrdinalAreShown() throws {
        let bytes = try Self.twice()
        let all = CommandRun(["show", "-", "--format", "jsonl"], stdin: bytes).lines
            .filter { $0.contains("\"press\":2,") }
        #expect(all.count == 4)
        #expect(CommandRun(["show", "-", "--format", "jsonl", "--press", "2"], stdin: bytes).lines == all)
    }

    @Test(arguments: [
        ["info"], ["show"], ["show", "--kind", "mark"], ["show", "--kind", "key"], ["show", "--press", "1"],
        ["show", "--from", "1s"], ["explain", "--press", "1"], ["stats"], ["lint"], ["verify-format"],
    ])
    func totalsThatLieAreToldByAll(_ verb: [String]) {
        let path = Files.path("Traces/hostile/trace-index-totals-lie.keyflight")
        let run = CommandRun([verb[0], path] + verb.dropFirst())
        #expect((run.notes + run.text).contains("records of mark"), "\(run.status) \(run.notes)")
    }

    /// Candidates are derived by a replay, which the step does not allow.
    @Test func aStepThatNoReplayTakesKeepsNothingElseFromBeingRead() throws {
        let path = Files.path("Traces/hostile/presses-step-unknown.keyflight")
        let reading = [
            ["info", path], ["show", path, "--story"], ["stats", path], ["lint", path],
            ["explain", path, "--press", "1"], ["top", path], ["bindings", path], ["report", path, "-o", "-"],
            ["diff", path, path], ["query", path, "select * from candidates"],
            ["export", path, "--format", "jsonl", "-o", "-"],
        ]
        for verb in reading {
            let run = CommandRun(verb)
            #expect([0, 1, 3].contains(run.status), "\(verb): \(run.status) \(run.notes)")
        }
        for verb in [["replay", path], ["verify", path], ["replay", path, "--what-if", "cache=chain"]] {
            let run = CommandRun(verb)
            #expect(run.status == 2, "\(verb): \(run.status) \(run.notes)")
            #expect(run.notes.contains("record 0: expected one of focus"), "\(verb): \(run.notes)")
        }
    }

    /// What another profile would have come to is then not known, and no defect.
    @Test(arguments: 0...3)
    func aStepAmidAPressKeepsItFromNoExplanation(_ place: Int) throws {
        let output = ByteCollector()
        var definitions = TraceDefinitions()
        let view = definitions.intern(ResponderDefinition(id: "r0", kind: "view"))
        let command = definitions.intern(CommandDefinition(input: "w", modifiers: .command, action: "a:"))
        let at = PressTick(press: 1, tick: 0)
        let key = KeyRecord(device: 1, key: .clear(.keyboard(0x1A)), phase: .down, modifiers: [], press: 1)
        let call = CallRecord(
            at: at, kind: .keyCommands, occasion: .down, responder: view, pass: 1, depth: 0, duration: nil,
            action: nil, answer: .commands(definitions.intern([command])))
        var bodies: [TraceRecord.Body] = [
            .firstResponder(FirstResponderRecord(responder: view, cause: .start)), .key(key), .call(call),
            .resolution(ResolutionRecord(at: at, outcome: .unhandled, takenBy: nil, state: nil)),
        ]
        bodies.insert(.step(StepRecord(step: definitions.intern("w"))), at: place)
        for form in [TraceForm.live, .canonical] {
            output.bytes = []
            let header = TraceHeader(form: form, level: .calls, isMasked: false)
            var writer = try TraceWriter(header: header) { output.bytes.append(contentsOf: $0) }
            for body in bodies { try writer.append(body, at: .zero, definitions: definitions) }
            try writer.finish()
            let run = CommandRun(["explain", "-", "--press", "1"], stdin: output.bytes)
            #expect(run.status == 0, "\(form): \(run.notes)")
        }
    }

    @Test func whatWasNotDecodedIsSaid() throws {
        let output = ByteCollector()
        var writer = try TraceWriter(header: TraceHeader(level: .calls, isMasked: false)) {
            output.bytes.append(contentsOf: $0)
        }
        let key = KeyRecord(device: 1, key: .clear(.keyboard(0x04)), phase: .down, modifiers: [], press: 1)
        try writer.append(.key(key), at: .zero, definitions: TraceDefinitions())
        for _ in 0..<5 {
            let long = EnvironmentRecord(name: "app", value: String(repeating: "m", count: 1 << 20))
            try writer.append(.environment(long), at: .zero, definitions: TraceDefinitions())
        }
        try writer.finish()
        for verb in [["info", "-"], ["show", "-", "--kind", "key"], ["explain", "-", "--press", "1"]] {
            let run = CommandRun(verb, stdin: output.bytes)
            #expect(run.status == 0 && run.notes.contains("not decoded"), "\(verb): \(run.notes)")
        }
        #expect(CommandRun(["show", "-"], stdin: output.bytes).notes == "")
    }

    /// A bare letter that a command took may be any of several, so a masked press of it is left open.
    @Test func aPressThatOneOfTwoLeavesOpenIsNotTheSame() throws {
        try Files.withFolder { folder in
            func scene(_ name: String, _ command: String) throws -> String {
                let text = "scene: 1\nname: \(name)\nprofile: ios134\nresponders:\n"
                    + "  - {id: field, kind: textField, next: win, text: \"\"}\n"
                    + "  - {id: win, kind: window, keyWindow: true\(command)}\nfirstResponder: field\n"
                try Files.write(Array(text.utf8), to: "\(folder)/\(name).scene.yaml")
                return "\(folder)/\(name).scene.yaml"
            }
            let keys = folder + "/a.keys"
            try Files.write(Array("keys 1\ntype hello\npress cmd+w\n".utf8), to: keys)
            let plain = try scene("plain", "")
            let taken = try scene("taken", ", actions: [\"go:\"], keyCommands: [{input: n, action: \"go:\"}]")
            let masked = folder + "/masked.keyflight"
            try #require(CommandRun("replay", keys, "--scene", plain, "-o", masked).status == 0)
            for (name, scene) in [("a", plain), ("b", taken)] {
                let made = CommandRun("replay", masked, "--scene", scene, "-o", "\(folder)/\(name).keyflight")
                try #require([0, 1].contains(made.status), "\(made.notes)")
            }
            let run = CommandRun("diff", folder + "/a.keyflight", folder + "/b.keyflight")
            let words = "found 5 presses that one of the two leaves open"
            #expect(run.status == 4 && run.text.contains(words), "\(run.text)")
            let json = CommandRun("diff", folder + "/a.keyflight", folder + "/b.keyflight", "--format", "json")
            #expect(json.status == 4 && json.text.contains(#""identical":false"#))
            #expect(CommandRun("diff", folder + "/a.keyflight", folder + "/a.keyflight").status == 0)
            // What neither decides is not compared either, as in a gate.
            let open = folder + "/b.keyflight"
            let both = CommandRun("diff", open, open)
            #expect(both.status == 4 && both.text.contains("5 presses that a masked key"), "\(both.text)")
            let copy = "cp '\(open)' \"$KEYFLIGHT_OUTPUT\""
            #expect(CommandRun("gate", "--base", copy, "--head", copy, "--runs", "12").status == 4)
        }
    }
}
