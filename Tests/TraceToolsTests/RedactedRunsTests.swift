import KeyModel
import Testing
import TraceFormat

@testable import TraceTools

/// What the option `runs` takes out.
@Suite struct RedactedRunsTests {
    private func redacted(
        _ trace: KeyTrace, _ options: Set<Redaction.Option> = [.text, .runs]
    ) throws -> [String] {
        let redaction = Redaction(options)
        let bytes = try trace.bytes()
        #expect(try redaction.check(TraceBytes(bytes)).counts[.textRunLengths] > 0)
        let once = try Output.of { try redaction.run(TraceBytes(bytes), to: $0) }
        #expect(try redaction.check(TraceBytes(once)).counts.isEmpty)
        return try lines(once)
    }

    @Test func `who got Shift again and again within text is not described, so that nobody counts capitals`() throws {
        var trace = KeyTrace()
        let field = trace.recording.definitions.intern(ResponderDefinition(id: "field", kind: "textField"))
        func delivery(_ phase: KeyPhase, _ milliseconds: Int64) {
            let at = PressTick(press: 0, tick: 0)
            trace.append(
                .receiver(ReceiverRecord(at: at, responder: field, phase: phase, isSwallowed: false)), milliseconds)
        }
        func capital(at milliseconds: Int64) {
            trace.key(.leftShift, .down, milliseconds, press: nil)
            delivery(.down, milliseconds)
            trace.type(.letterA, at: milliseconds + 10, character: "A")
            trace.key(.leftShift, .up, milliseconds + 50, press: nil)
            delivery(.up, milliseconds + 50)
        }
        for index in 0..<4 as Range<Int64> { capital(at: 1000 + index * 70) }
        trace.type(.rightArrow, at: 2000, character: "")
        trace.key(.leftShift, .down, 2100, press: nil)
        delivery(.down, 2100)
        let kept = try redacted(trace, [.text, .runs, .timing])
        let receivers = kept.enumerated().filter { $0.element.contains(" receiver ") }.map(\.offset)
        #expect(receivers.count == 3, "\(kept)")
        let run = kept.firstIndex { $0.contains("phase=down class=letter") } ?? 0
        let end = kept.firstIndex { $0.contains("key=RightArrow") } ?? 0
        // Of the last release, which is told where the run ends.
        #expect(receivers.count { $0 > run && $0 < end } == 1, "\(kept)")
    }

    @Test func `who got the modifier keys of a chord that ends a run is described`() throws {
        var trace = KeyTrace()
        let field = trace.recording.definitions.intern(ResponderDefinition(id: "field", kind: "textField"))
        func delivery(_ phase: KeyPhase, _ milliseconds: Int64) {
            let at = PressTick(press: 0, tick: 0)
            trace.append(
                .receiver(ReceiverRecord(at: at, responder: field, phase: phase, isSwallowed: false)), milliseconds)
        }
        for index in 0..<3 as Range<Int64> { trace.type(.letterA, at: index * 70, character: "a") }
        for (key, phase) in [
            (.leftShift, .down), (.leftShift, .up), (.leftShift, .down), (.leftGUI, .down),
        ] as [(KeyUsage, KeyPhase)] {
            trace.key(key, phase, 300, press: nil)
            delivery(phase, 300)
        }
        trace.type(.letterW, at: 310, character: "w")
        let kept = try redacted(trace).map { $0.split(separator: " ").dropFirst(2).prefix(4).joined(separator: " ") }
        let receiver = "receiver press=0 responder={\"id\":\"field\",\"kind\":\"textField\"} phase=down"
        let end = kept.firstIndex { $0.contains("press=2 phase=down") } ?? 0
        #expect(
            kept[max(0, end - 4)..<end] == [
                "key device=1 phase=down key=LeftShift", receiver, "key device=1 phase=down key=LeftGUI", receiver,
            ], "\(kept)")
        #expect(kept.count { $0.hasPrefix("receiver") } == 2, "\(kept)")
    }

    @Test func `Caps Lock after a run is that of the last key, described or not`() throws {
        var trace = KeyTrace()
        trace.key(.leftGUI, .down, 0, press: nil)
        trace.append(.key(KeyRecord(device: 1, key: .masked(.letter), phase: .down, modifiers: [], press: 1)), 10)
        trace.key(.leftGUI, .up, 20, press: nil)
        trace.append(
            .key(KeyRecord(device: 1, key: .masked(.letter), phase: .repeat, modifiers: .capsLock, press: 1)), 30)
        let redaction = Redaction([.runs])
        let once = try Output.of { try redaction.run(TraceBytes(trace.bytes()), to: $0) }
        #expect(try lines(once).last?.contains("key=LeftGUI modifiers=capsLock") == true)
        #expect(try Output.of { try redaction.run(TraceBytes(once), to: $0) } == once)
    }

    @Test func `counts of everything recorded go`() throws {
        var trace = KeyTrace()
        var relation = ClockRelationRecord(source: "recorder", reference: "usbmon", offset: 5, matches: 3171)
        relation.residual = TraceDuration(nanoseconds: 9)
        trace.append(.clockRelation(relation), 0)
        for (name, value) in [("transport.down.n", "3171"), ("source2.transport.up.n", "3181"), ("profile", "ios15")] {
            trace.append(.environment(EnvironmentRecord(name: name, value: value)), 0)
        }
        for index in 0..<31 as Range<Int64> { trace.type(.letterA, at: 100 + index * 70, character: "a") }
        let repeats = "repeats of press 3171 after the first 9"
        trace.append(.loss(LossRecord(cause: .dropped, count: nil, duration: nil, detail: repeats)), 4000)
        let facts = [
            ("recorder.entries", "6342"), ("recorder.overhead.total", "5677ns"), ("recorder.overhead.key", "90.3ns"),
        ]
        for (name, value) in facts { trace.append(.environment(EnvironmentRecord(name: name, value: value)), 4000) }
        let kept = try redacted(trace)
        let text = kept.joined(separator: "\n")
        #expect(kept.contains { $0.contains("clock_relation") && $0.contains("offset_ns=5 residual_ns=9 matches=0") })
        #expect(text.contains("profile") && text.contains("recorder.overhead.key"))
        for word in ["3171", "3181", "6342", "5677", "recorder.entries"] {
            #expect(!text.contains(word), "\(word) in\n\(text)")
        }
        #expect(kept.map { String($0.split(separator: " ")[0]) } == (0..<kept.count).map(String.init))
    }

    @Test func `counts in the context of a part go`() throws {
        var trace = KeyTrace()
        trace.append(.environment(EnvironmentRecord(name: "recorder.entries", value: "62")), 0)
        trace.append(
            .clockRelation(ClockRelationRecord(source: "recorder", reference: "usbmon", offset: 5, matches: 31)), 0)
        for index in 0..<4 as Range<Int64> { trace.type(.letterA, at: 100 + index * 70, character: "a") }
        let part = try Output.of { try TraceCut(.presses(3...4)).run(TraceBytes(trace.bytes()), to: $0) }
        let clean = try Output.of { try Redaction([.runs]).run(TraceBytes(part), to: $0) }
        let (before, after) = try (TraceReader(part).initialContext, TraceReader(clean).initialContext)
        func isCount(_ entry: ContextEntry) -> Bool {
            switch entry {
            case .record(.environment(let fact)): fact.name == "recorder.entries"
            case .record(.clockRelation(let relation)): relation.matches > 0
            default: false
            }
        }
        #expect(before.count(where: isCount) == 2 && after.count(where: isCount) == 0)
        #expect(after.count == before.count - 1)
    }
}
