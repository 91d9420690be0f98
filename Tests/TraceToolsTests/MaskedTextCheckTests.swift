import KeyModel
import Testing

@testable import TraceFormat
@testable import TraceTools

/// Text in traces that say they are masked.
@Suite struct MaskedTextCheckTests {
    private func found(_ bytes: [UInt8]) throws -> [String] {
        try FormatCheck().run(TraceBytes(bytes)).violations.map(\.description)
    }

    private static func masked() -> KeyTrace {
        var trace = KeyTrace()
        trace.header.isMasked = true
        return trace
    }

    /// A press of a masked letter.
    private static func maskedPress(_ trace: inout KeyTrace) -> PressTick {
        for (phase, milliseconds) in [(KeyPhase.down, 10), (.up, 40)] as [(KeyPhase, Int64)] {
            trace.append(
                .key(KeyRecord(device: 1, key: .masked(.letter), phase: phase, modifiers: [], press: 1)), milliseconds)
        }
        return PressTick(press: 1, tick: 0)
    }

    @Test(arguments: ["marktext hunter2", "type hunter2"])
    func `a step that contains text is reported`(step: String) throws {
        var trace = Self.masked()
        trace.append(.step(StepRecord(step: trace.recording.definitions.intern(step))), 0)
        #expect(try found(trace.bytes()).map { $0.contains("masked step") } == [true])
    }

    @Test func `steps of scripts, and one whose text was left out, are none`() throws {
        var trace = Self.masked()
        for step in ["marktext \u{FFFD}", "focus field", "unmark", "unknown", "reloadInputViews field"] {
            trace.append(.step(StepRecord(step: trace.recording.definitions.intern(step))), 0)
        }
        #expect(try found(trace.bytes()) == [])
    }

    @Test(arguments: ["text", "marked"])
    func `an effect that contains text is reported, lengths are none`(kind: String) throws {
        var trace = Self.masked()
        let at = Self.maskedPress(&trace)
        for value in ["\"hunter2\"", "7", "true"] {
            let (kind, value) = (trace.recording.definitions.intern(kind), trace.recording.definitions.intern(value))
            trace.append(.effect(EffectRecord(at: at, responder: nil, kind: kind, value: value)), 50)
        }
        #expect(try found(trace.bytes()).map { $0.contains("masked effect") } == [true])
    }

    @Test func `a command whose input is the key's character is reported`() throws {
        var trace = Self.masked()
        let at = Self.maskedPress(&trace)
        let command = trace.recording.definitions.intern(CommandDefinition(input: "j", modifiers: [], action: "down:"))
        let reason = trace.recording.definitions.intern("performed")
        for verdict in [CandidateVerdict.won, .otherModifiers, .possible] {
            trace.append(
                .candidate(
                    CandidateRecord(at: at, supplier: nil, command: command, verdict: verdict, reason: reason)), 50)
        }
        var resolution = ResolutionRecord(at: at, outcome: .performed, takenBy: .keyCommands, state: nil)
        resolution.command = command
        trace.append(.resolution(resolution), 50)
        let found = try found(trace.bytes())
        #expect(found.filter { $0.contains("masked candidate") }.count == 2, "\(found)")
        #expect(found.filter { $0.contains("masked command") }.count == 1 && found.count == 3, "\(found)")
    }

    @Test func `the up of a chord whose down was lost is no text`() throws {
        var trace = Self.masked()
        trace.key(.letterW, .repeat, 10, press: 7)
        trace.key(.letterW, .up, 20, press: 7)
        trace.key(.letterA, .up, 30, press: nil)
        var resolution = ResolutionRecord(
            at: PressTick(press: 7, tick: 1), outcome: .performed, takenBy: .keyCommands, state: nil)
        resolution.character = trace.recording.definitions.intern("w")
        trace.append(.resolution(resolution), 40)
        #expect(try found(trace.bytes()) == [])
    }

    @Test func `the up of a masked press is judged by its down, with and without a press`() throws {
        for press in [1, nil] as [UInt32?] {
            var trace = Self.masked()
            trace.append(
                .key(KeyRecord(device: 1, key: .masked(.letter), phase: .down, modifiers: [], press: press)), 0)
            trace.append(
                .key(KeyRecord(device: 1, key: .clear(.letterA), phase: .up, modifiers: [], press: press)), 20)
            #expect(try found(trace.bytes()).map { $0.contains("masked key") } == [true], "\(press ?? 0)")
        }
    }

    @Test(arguments: [[1, 2], [2, 1]] as [[UInt32]])
    func `a key that is held twice is masked by each press's own down`(released: [UInt32]) throws {
        var trace = Self.masked()
        trace.key(.leftGUI, .down, 0, press: nil)
        for press in 1...2 as ClosedRange<UInt32> { trace.key(.letterW, .down, Int64(press), press: press) }
        trace.key(.leftGUI, .up, 10, press: nil)
        for (place, press) in released.enumerated() {
            trace.key(.letterW, .repeat, 20 + Int64(place) * 10, press: press)
            trace.key(.letterW, .up, 25 + Int64(place) * 10, press: press)
        }
        #expect(try found(trace.bytes()) == [])
        // Of a key that went down without ⌘ neither end shows its usage.
        trace.append(.key(KeyRecord(device: 1, key: .masked(.letter), phase: .down, modifiers: [], press: 3)), 50)
        trace.key(.letterW, .up, 60, press: 3)
        #expect(try found(trace.bytes()).map { $0.contains("masked key") } == [true])
    }

    @Test func `a trace that was damaged where a chord went down passes once it is repaired`() throws {
        var trace = Self.masked()
        trace.header.form = .live
        for index in 0..<12 as Range<Int64> {
            trace.key(.leftGUI, .down, index * 300, press: nil)
            trace.key(.letterW, .down, index * 300, press: UInt32(index) + 1)
            trace.key(.letterW, .up, index * 300 + 150, press: UInt32(index) + 1)
            trace.key(.leftGUI, .up, index * 300 + 160, press: nil)
        }
        let bytes = try trace.bytes()
        var count = 0
        for block in try #require(TraceIndex(stored: TraceBytes(bytes))).blocks {
            var damaged = bytes
            damaged[Int(block.offset) + 40] ^= 1
            let repaired = try Output.of { try TraceRepair().run(TraceBytes(damaged), to: $0) }
            #expect(try found(repaired) == [], "block at \(block.offset)")
            count += 1
        }
        #expect(count > 12)
    }
}
