import GeneratedTraces
import KeyModel
import Testing
import TraceFormat

@testable import TraceTools

@Suite struct RedactionTests {
    private func redacted(_ bytes: [UInt8], _ options: Set<Redaction.Option> = Set(Redaction.Option.allCases)) throws
        -> [UInt8]
    {
        try Output.of { try Redaction(options, showsKeys: true).run(TraceBytes(bytes), to: $0) }
    }

    @Test func `redacting twice changes nothing more, and nothing is left to find`() throws {
        let sets: [Set<Redaction.Option>] = [Set(Redaction.Option.allCases)] + Redaction.Option.allCases.map { [$0] }
        for options in sets {
            try Property.holds(seeds: 0..<25, records: 50) { recording, seed in
                let bytes = try recording.bytes(header: TraceHeader(level: .calls, isMasked: seed % 3 == 0))
                let once = try redacted(bytes, options)
                let left = try Redaction(options, showsKeys: true).check(TraceBytes(once)).counts
                for data in IdentifyingData.allCases where left[data] > 0 {
                    return "\(options.map(\.rawValue).sorted()): \(left[data]) \(data.name) left"
                }
                let isSame = try redacted(once, options) == once
                return isSame ? nil : "\(options.map(\.rawValue).sorted()): not the same twice"
            }
        }
    }

    @Test func `a key that says it is press 0 shows nothing of text without a key`() throws {
        var trace = KeyTrace()
        trace.key(.rightArrow, .down, 0, press: 0)
        var resolution = ResolutionRecord(
            at: PressTick(press: 0, tick: 0), outcome: .consumedByText, takenBy: .text, state: nil)
        resolution.character = trace.recording.definitions.intern("x")
        trace.append(.resolution(resolution), 10)
        let once = try redacted(trace.bytes(), [.text])
        #expect(try lines(once).last?.contains("character") == false)
    }

    /// As an earlier version recorded it: masked, but for what the press came to.
    @Test func `what came of a masked letter goes where a command has a letter alone for its key`() throws {
        var trace = KeyTrace()
        trace.header.isMasked = true
        trace.append(.key(KeyRecord(device: 1, key: .masked(.letter), phase: .down, modifiers: [], press: 1)), 10)
        let (at, vc) = (
            PressTick(press: 1, tick: 0),
            trace.recording.definitions.intern(ResponderDefinition(id: "vc", kind: "UIViewController"))
        )
        trace.append(.environment(EnvironmentRecord(name: "parameter.stageOrder", value: "commandsFirst")), 10)
        trace.append(.textInput(TextInputRecord(responder: vc, isSecure: false)), 10)
        let command = trace.recording.definitions.intern(CommandDefinition(input: "r", modifiers: [], action: "reply:"))
        let list = trace.recording.definitions.intern([command])
        for (kind, answer) in [(CallKind.keyCommands, CallRecord.Answer.commands(list)), (.canPerformAction, .yes)] {
            trace.append(
                .call(
                    CallRecord(
                        at: at, kind: kind, occasion: .down, responder: vc, pass: 1, depth: 0, duration: nil,
                        action: nil, answer: answer)), 11)
        }
        for stage in [LatencyStage.collect, .action] {
            trace.append(.stage(StageRecord(at: at, stage: stage, duration: TraceDuration(nanoseconds: 5))), 12)
        }
        var resolution = ResolutionRecord(at: at, outcome: .performed, takenBy: .keyCommands, state: nil)
        resolution.target = vc
        trace.append(.resolution(resolution), 12)
        let bytes = try trace.bytes()
        #expect(try Redaction([.text]).check(TraceBytes(bytes)).counts[.characters] == 3)
        let redacted = try redacted(bytes, [.text])
        let left = try lines(redacted).joined(separator: "\n")
        #expect(left.contains("undetermined") && left.contains("stage=collect") && left.contains("call=keyCommands"))
        for gone in ["target", "performed", "stage=action", "canPerformAction"] {
            #expect(!left.contains(gone), "\(left)")
        }
        #expect(try Redaction([.text]).check(TraceBytes(redacted)).counts[.characters] == 0)
    }

    /// As an earlier version recorded it: a letter that a responder swallowed, in front of others that were text.
    @Test(arguments: [nil, "presses"]) func `an outcome that names a letter is reported and goes`(
        stated: String?
    ) throws {
        var trace = KeyTrace()
        trace.header.isMasked = true
        let field = trace.recording.definitions.intern(ResponderDefinition(id: "field", kind: "UITextField"))
        if let stated { trace.append(.environment(EnvironmentRecord(name: "bareKeys", value: stated)), 1) }
        trace.append(.textInput(TextInputRecord(responder: field, isSecure: false)), 1)
        for (press, isTaken) in [(1, false), (2, stated == nil), (3, false)] as [(UInt32, Bool)] {
            let time = Int64(press) * 10
            trace.append(
                .key(KeyRecord(device: 1, key: .masked(.letter), phase: .down, modifiers: [], press: press)), time)
            var resolution = ResolutionRecord(
                at: PressTick(press: press, tick: 0), outcome: isTaken ? .swallowedByPresses : .consumedByText,
                takenBy: isTaken ? .presses : .text, state: nil)
            resolution.target = field
            trace.append(.resolution(resolution), time + 1)
        }
        let bytes = try trace.bytes()
        #expect(try Redaction([.text]).check(TraceBytes(bytes)).counts[.characters] == 3)
        let redacted = try redacted(bytes, [.text])
        let left = try lines(redacted)
        #expect(left.count { $0.contains("undetermined") } == 3 && !left.contains { $0.contains("takenBy") })
        #expect(try Redaction([.text]).check(TraceBytes(redacted)).counts[.characters] == 0)
    }

    @Test(arguments: [
        ("title", "\"Ada's file\"", false), ("push", "\"Ada's file\"", false), ("row", "[1,\"Ada\"]", false),
        ("focus", "\"inbox\"", true), ("date", "\"2026-11-28\"", true), ("offset", "12", true),
    ])
    func `values of effects stay where they are numbers, dates or ids`(
        kind: String, value: String, stays: Bool
    ) throws {
        var trace = KeyTrace()
        let inbox = trace.recording.definitions.intern(ResponderDefinition(id: "inbox", kind: "UITableView"))
        trace.append(.firstResponder(FirstResponderRecord(responder: inbox, cause: .start)), 0)
        trace.key(.rightArrow, .down, 10, press: 1)
        let (kindRef, valueRef) = (trace.recording.definitions.intern(kind), trace.recording.definitions.intern(value))
        let at = PressTick(press: 1, tick: 0)
        trace.append(.effect(EffectRecord(at: at, responder: inbox, kind: kindRef, value: valueRef)), 11)
        let bytes = try trace.bytes()
        #expect((try Redaction([.titles]).check(TraceBytes(bytes)).counts[.titles] == 0) == stays)
        let left = try lines(redacted(bytes)).joined(separator: "\n")
        #expect(left.contains("value=") == stays && !left.contains("Ada"), "\(left)")
    }

    @Test func `each sort of identifying data is counted and goes`() throws {
        var trace = KeyTrace()
        var device = DeviceRecord(device: 1, name: "Ada's keyboard", source: "usbmon")
        device.vendor = 1
        device.bus = 2
        trace.append(.device(device), 0)
        trace.append(.environment(EnvironmentRecord(name: "host", value: "ada-laptop")), 0)
        trace.append(.environment(EnvironmentRecord(name: "user", value: "ada")), 0)
        trace.append(.environment(EnvironmentRecord(name: "scene", value: "/home/ada/x.yaml")), 0)
        trace.append(.environment(EnvironmentRecord(name: "profile", value: "ios15")), 0)
        let vault = trace.recording.definitions.intern(ResponderDefinition(id: "VaultView#1", kind: "VaultView"))
        trace.append(.firstResponder(FirstResponderRecord(responder: vault, cause: .become)), 0)
        trace.append(.mark(MarkRecord(name: "opened Ada's file")), 1)
        trace.type(.letterA, at: 100, character: "a")
        trace.type(.letterW, at: 183, character: "w")
        let command = trace.recording.definitions.intern(
            CommandDefinition(input: "w", modifiers: .command, action: "close:", title: "Close Ada's file"))
        let reason = trace.recording.definitions.intern("shadowed by VaultView#1")
        trace.append(
            .candidate(
                CandidateRecord(
                    at: PressTick(press: 3, tick: 0), supplier: vault, command: command, verdict: .possible,
                    reason: reason)), 400)
        trace.append(.text(TextRecord(text: trace.recording.definitions.intern("pasted"))), 500)
        let bytes = try trace.bytes()
        let counts = try Redaction().check(TraceBytes(bytes)).counts
        let expected: [IdentifyingData: UInt64] = [
            .usages: 4, .characters: 2, .text: 3, .titles: 2, .classNames: 1, .deviceNames: 1, .serialsAndIDs: 2,
            .host: 1, .user: 1, .paths: 1, .textRunLengths: 1,
        ]
        for (data, count) in expected { #expect(counts[data] == count, "\(data.name)") }
        #expect(counts[.interKeyTimes] > 0)
        let text = try lines(redacted(bytes)).joined(separator: "\n")
        for word in ["Ada", "ada", "Vault", "pasted", "opened", "vid=", "key=A"] {
            #expect(!text.contains(word), "\(word) in\n\(text)")
        }
        #expect(text.contains("shadowed by responder-1") && text.contains("value=\"ios15\""))
    }

    @Test func `presses of text in a row become one`() throws {
        var trace = KeyTrace()
        for index in 0..<5 as Range<Int64> { trace.type(.letterA, at: index * 90, character: "a") }
        trace.type(.rightArrow, at: 1000, character: "")
        trace.key(.leftShift, .down, 1100, press: nil)
        trace.type(.letterW, at: 1200, character: "W")
        trace.key(.leftShift, .up, 1250, press: nil)
        trace.type(.letterW, at: 1300, character: "w")
        let downs = try lines(redacted(trace.bytes(), [.text, .runs])).filter { $0.contains("phase=down") }
        #expect(downs.count == 4, "\(downs)")
        #expect(downs[0].contains("press=1") && downs[1].contains("press=2") && downs[3].contains("press=3"))
    }

    @Test func `keys come at a fixed cadence, held arrows keep their length and stages theirs`() throws {
        var trace = KeyTrace()
        trace.type(.letterA, at: 137, character: "a")
        trace.append(
            .stage(
                StageRecord(
                    at: PressTick(press: 1, tick: 0), stage: .action, duration: TraceDuration(nanoseconds: 123_456))),
            180)
        trace.key(.rightArrow, .down, 1777, press: 2)
        trace.key(.rightArrow, .up, 2999, press: 2)
        let text = try lines(redacted(trace.bytes(), [.timing]))
        let times = text.map { String($0.split(separator: " ")[1]) }
        #expect(times == ["100000000", "100000000", "200000000", "213000000", "300000000", "1500000000"])
        #expect(text[3].contains("duration_ns=123456"))
    }

    @Test func `what is typed into a secure field is one gap with whole seconds`() throws {
        var trace = KeyTrace()
        let field = trace.recording.definitions.intern(ResponderDefinition(id: "pin", kind: "textField"))
        trace.type(.letterA, at: 100, character: "a")
        trace.append(.textInput(TextInputRecord(responder: field, isSecure: true)), 1200)
        for index in 0..<4 as Range<Int64> { trace.type(.letterW, at: 1300 + index * 100, character: "w") }
        trace.append(.textInput(TextInputRecord(responder: nil, isSecure: false)), 2100)
        trace.chord(.letterW, at: 2500)
        let kept = try lines(Output.of { try TraceRepair().run(TraceBytes(trace.bytes()), to: $0) })
        #expect(kept.filter { $0.contains("loss cause=secureEntry duration_ns=1800000000") }.count == 1, "\(kept)")
        #expect(kept.map { String($0.split(separator: " ")[0]) } == (0..<kept.count).map(String.init))
        #expect(kept.filter { $0.contains("phase=down") && $0.contains("press=") }.count == 2)
        #expect(kept.contains { $0.contains("press=2 phase=down key=W") }, "\(kept)")
    }
}
