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

    @Test func `who got Shift while text was typed is not told, so that nobody counts the capitals`() throws {
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
        #expect(receivers.count == 2, "\(kept)")
        let run = kept.firstIndex { $0.contains("phase=down class=letter") } ?? 0
        let end = kept.firstIndex { $0.contains("key=RightArrow") } ?? 0
        #expect(!receivers.contains { $0 > run && $0 < end }, "\(kept)")
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
