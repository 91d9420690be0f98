import KeyModel
import Testing
import TraceFormat

@testable import TraceTools

/// What the option `titles` takes out, word by word.
@Suite struct RedactedNamesTests {
    private func redacted(_ trace: KeyTrace) throws -> (lines: [String], counts: IdentifyingDataCounts) {
        let redaction = Redaction([.titles], showsKeys: true)
        let bytes = try trace.bytes()
        let once = try Output.of { try redaction.run(TraceBytes(bytes), to: $0) }
        #expect(try redaction.check(TraceBytes(once)).counts.isEmpty)
        #expect(try Output.of { try redaction.run(TraceBytes(once), to: $0) } == once)
        return (try lines(once), try redaction.check(TraceBytes(bytes)).counts)
    }

    private func fields(_ lines: [String], _ kind: String, _ name: String) -> [String] {
        lines.filter { $0.contains(" \(kind) ") }.map { line in
            let start = line.firstRange(of: " \(name)=").map { line[$0.upperBound...] } ?? ""
            return String(start)
        }
    }

    @Test func `a path in a step goes, the step stays one`() throws {
        var trace = KeyTrace()
        let page = trace.recording.definitions.intern(ResponderDefinition(id: "page/left", kind: "view"))
        trace.append(.firstResponder(FirstResponderRecord(responder: page, cause: .start)), 0)
        let steps = [
            "profile /home/anna/secret.profile", "layout \"C:\\\\anna docs\\\\x.xkb\"", "focus page/left",
            "focus \"/home/anna/my page\"", "set page/left keyCommands editing", "profile ios15",
        ]
        for step in steps { trace.append(.step(StepRecord(step: trace.recording.definitions.intern(step))), 1) }
        let (lines, counts) = try redacted(trace)
        #expect(
            fields(lines, "step", "step") == [
                "\"profile profile\"", "\"layout layout\"", "\"focus page/left\"", "\"focus path\"",
                "\"set page/left keyCommands editing\"", "\"profile ios15\"",
            ])
        #expect(counts[.paths] == 3)
    }

    @Test func `a path in an effect or in a reason goes`() throws {
        var trace = KeyTrace()
        let page = trace.recording.definitions.intern(ResponderDefinition(id: "page/left", kind: "view"))
        trace.append(.firstResponder(FirstResponderRecord(responder: page, cause: .start)), 0)
        trace.chord(.letterW, at: 10)
        let at = PressTick(press: 1, tick: 0)
        func string(_ text: String) -> StringRef { trace.recording.definitions.intern(text) }
        for value in ["\"/home/anna/doc.pdf\"", "\"page/left\"", "\"2024-02-29\""] {
            trace.append(
                .effect(EffectRecord(at: at, responder: nil, kind: string("present"), value: string(value))), 50)
        }
        let command = trace.recording.definitions.intern(
            CommandDefinition(input: "w", modifiers: .command, action: "close:"))
        for reason in ["key binding of /home/anna/Keys.dict, line 3", "shadowed by page/left", "/home/anna"] {
            trace.append(
                .candidate(
                    CandidateRecord(at: at, supplier: page, command: command, verdict: .won, reason: string(reason))),
                50)
        }
        let (lines, counts) = try redacted(trace)
        #expect(
            fields(lines, "effect", "value") == [
                "", "\"\\\"page/left\\\"\"", "\"\\\"2024-02-29\\\"\"",
            ])
        #expect(
            fields(lines, "candidate", "reason") == ["\"key binding\"", "\"shadowed by page/left\"", "\"redacted\""])
        #expect(counts[.paths] == 3)
    }

    @Test func `an id that says the class without its module, or a file, is renamed`() throws {
        var trace = KeyTrace()
        let ids = [
            ("LoginView-0", "AcmeBank.LoginView"), ("items", "List<AcmeBank.Invoice>"), ("Invoice#2", "view"),
            ("/home/anna/doc.txt", "textView"), ("InvoiceRow", "AcmeBank.Table<AcmeBank.Invoice>"),
        ]
        for (id, kind) in ids {
            let responder = trace.recording.definitions.intern(ResponderDefinition(id: id, kind: kind))
            trace.append(.link(LinkRecord(responder: responder, next: nil, window: nil)), 0)
        }
        trace.append(.step(StepRecord(step: trace.recording.definitions.intern("focus LoginView-0"))), 1)
        let (lines, counts) = try redacted(trace)
        #expect(
            fields(lines, "link", "responder") == [
                "{\"id\":\"responder-1\",\"kind\":\"responder\"}", "{\"id\":\"items\",\"kind\":\"responder\"}",
                "{\"id\":\"Invoice#2\",\"kind\":\"view\"}", "{\"id\":\"responder-2\",\"kind\":\"textView\"}",
                "{\"id\":\"responder-3\",\"kind\":\"responder\"}",
            ])
        #expect(fields(lines, "step", "step") == ["\"focus responder-1\""])
        #expect(counts[.classNames] == 3 && counts[.paths] == 1)
    }

    @Test func `only classes of the platform stay, not what begins like them`() throws {
        var trace = KeyTrace()
        for kind in ["UIAcmeBankController", "NSAcmeView", "keyboardAcme", "UITextView", "NSWindow", "keyboardWindow"] {
            let responder = trace.recording.definitions.intern(ResponderDefinition(id: "vc", kind: kind))
            trace.append(.firstResponder(FirstResponderRecord(responder: responder, cause: .become)), 0)
        }
        let (lines, counts) = try redacted(trace)
        let kinds = lines.compactMap { $0.split(separator: "\"").dropLast().last.map(String.init) }
        #expect(kinds == ["responder", "responder", "responder", "UITextView", "NSWindow", "keyboardWindow"])
        #expect(counts[.classNames] == 3)
    }

    @Test func `unknown words for a source or a transport go, alike for devices, clocks and relations`() throws {
        var trace = KeyTrace()
        for (id, source) in [(1, "annas-mac usbmon"), (2, "usbmon#2"), (3, "/dev/anna")] as [(UInt16, String)] {
            var device = DeviceRecord(device: id, name: "keyboard", source: source)
            device.transport = id == 1 ? "annas phone" : "le"
            trace.append(.device(device), 0)
            trace.append(.clock(ClockRecord(source: source, unixTime: nil, granularity: nil, backwardSteps: 0)), 0)
        }
        trace.append(
            .clockRelation(ClockRelationRecord(source: "/dev/anna", reference: "annas-mac usbmon", offset: 0)), 0)
        let (lines, counts) = try redacted(trace)
        #expect(
            fields(lines, "device", "source") == [
                "\"source\"", "\"usbmon#2\" transport=\"le\"", "\"source#2\" transport=\"le\"",
            ])
        #expect(lines.contains { $0.contains(" clock source=\"source\" ") })
        #expect(lines.contains { $0.contains("clock_relation source=\"source#2\" reference=\"source\"") })
        #expect(counts[.host] == 3 && counts[.paths] == 3 && counts[.deviceNames] == 1)
    }

    @Test func `of a fact that an app named the name goes as well`() throws {
        var trace = KeyTrace()
        let facts = [
            ("user.anna", "anna"), ("host", "annas-mac"), ("recorder.user", "anna"), ("recorder.overhead.key", "9ns"),
            ("source2.user.anna", "anna"), ("transport.down.p50", "80 µs"), ("device1.bInterval", "8 ms"),
            ("parameter.repeatDelay", "400ms"), ("source2.profile", "ios15"), ("transport.anna.p50", "1"),
        ]
        for (name, value) in facts { trace.append(.environment(EnvironmentRecord(name: name, value: value)), 0) }
        let (lines, counts) = try redacted(trace)
        #expect(
            fields(lines, "environment", "name") == [
                "\"fact-1\" value=\"redacted\"", "\"host\" value=\"redacted\"", "\"fact-2\" value=\"redacted\"",
                "\"recorder.overhead.key\" value=\"9ns\"", "\"source2.fact-1\" value=\"redacted\"",
                "\"transport.down.p50\" value=\"80 µs\"", "\"device1.bInterval\" value=\"8 ms\"",
                "\"parameter.repeatDelay\" value=\"400ms\"", "\"source2.profile\" value=\"ios15\"",
                "\"fact-3\" value=\"redacted\"",
            ])
        #expect(counts[.user] == 3 && counts[.host] == 2)
    }

    @Test func `a layout that is called by its file loses the name in its table too`() throws {
        var trace = KeyTrace()
        let table = trace.recording.definitions.intern("layout /home/anna/x.xkb\nkey 04 U+0061 - - -\n")
        trace.append(.layout(LayoutRecord(name: "/home/anna/x.xkb", hash: 7, table: table)), 0)
        let (lines, counts) = try redacted(trace)
        #expect(lines.count == 1 && lines[0].contains("name=\"layout\"") && !lines[0].contains("anna"), "\(lines)")
        let layout = try Layout(text: "layout layout\nkey 04 U+0061 - - -\n")
        #expect(lines[0].contains("hash=\(StableHash.digits(layout.hash))"), "\(lines)")
        #expect(counts[.paths] == 1)
    }

    @Test func `a loss tells a path only where it names a file`() throws {
        var trace = KeyTrace()
        let details = [
            "byte 12: no end marker", "byte 5: wrong checksum: expected 1, found 2", "buffer of thread 3 full", "",
            "secure text entry", "seen by usbmon, not by recorder", "repeats of press 4 after the first 2",
            "inside another entry of thread 2", "values that a trace cannot hold",
        ]
        for detail in details {
            trace.append(.loss(LossRecord(cause: .damaged, count: nil, duration: nil, detail: detail)), 0)
        }
        let clean = try redacted(trace)
        #expect(clean.counts.isEmpty)
        #expect(
            fields(clean.lines, "loss", "detail") == [
                "\"byte 12\"", "\"byte 5\"", "\"buffer of thread 3 full\"", "\"\"", "\"secure text entry\"",
                "\"seen by usbmon, not by recorder\"", "\"repeats of press 4 after the first 2\"",
                "\"inside another entry of thread 2\"", "\"values that a trace cannot hold\"",
            ])
        var named = KeyTrace()
        let files = ["byte 12 of annas.pcap: cut", "told by the source of /home/anna, 3 times", "byte 1: /home/anna"]
        for detail in files {
            named.append(.loss(LossRecord(cause: .damaged, count: nil, duration: nil, detail: detail)), 0)
        }
        let described = try redacted(named)
        #expect(fields(described.lines, "loss", "detail") == ["\"byte 12\"", "\"\"", "\"byte 1\""])
        #expect(described.counts[.paths] == 3)
    }

    @Test func `a torn trace and its repaired copy name no path`() throws {
        var trace = KeyTrace()
        for index in 0..<3 as Range<Int64> { trace.chord(.letterW, at: index * 100) }
        let torn = try Array(trace.bytes().dropLast(20))
        #expect(try Redaction([.titles], showsKeys: true).check(TraceBytes(torn)).counts[.paths] == 0)
        let whole = try Output.of { try TraceRepair().run(TraceBytes(torn), to: $0) }
        #expect(try Redaction([.titles], showsKeys: true).check(TraceBytes(whole)).counts[.paths] == 0)
    }
}

extension StableHash {
    fileprivate static func digits(_ hash: UInt64) -> String {
        let text = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}
