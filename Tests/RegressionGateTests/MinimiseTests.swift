import KeyModel
import Testing
import TraceFormat

@testable import RegressionGate

/// Parts of a trace, and what is left out of them.
@Suite struct MinimiseTests {
    /// Six presses with a call each, and a mark after each of them.
    private static func trace() throws -> [UInt8] {
        var recording = Recording()
        let responder = recording.definitions.intern(ResponderDefinition(id: "r", kind: "view"))
        for press in 1...6 as ClosedRange<UInt32> {
            let time = TraceTime(nanoseconds: Int64(press) * 10)
            let key = KeyRecord(device: 1, key: .clear(.keyboard(0x04)), phase: .down, modifiers: [], press: press)
            recording.append(.key(key), at: time)
            recording.append(.mark(MarkRecord(name: "m\(press)")), at: time)
            recording.append(
                .call(
                    CallRecord(
                        at: PressTick(press: press, tick: 0), kind: .keyCommands, occasion: .down, responder: responder,
                        pass: 1, depth: 0, duration: nil, action: nil, answer: .none)), at: time)
        }
        return try recording.bytes(header: TraceHeader(level: .calls, isMasked: false))
    }

    private final class Output {
        var bytes: [UInt8] = []
    }

    private static func bytes(of kept: [UInt32], _ parts: TraceParts) throws -> [UInt8] {
        let output = Output()
        try parts.write(kept) { output.bytes.append(contentsOf: $0) }
        return output.bytes
    }

    private static func presses(_ bytes: [UInt8]) throws -> Set<UInt32> {
        Set(try Recording.read(bytes).recording.records.compactMap(\.body.press))
    }

    @Test func aPressGoesWithAllThatIsRecordedOfIt() throws {
        let whole = try Self.trace()
        let parts = try TraceParts(TraceBytes(whole))
        #expect(parts.presses.count == 6 && parts.others.count == 6)
        #expect(try Self.bytes(of: parts.presses + parts.others, parts) == whole)
        let (rest, report) = try Recording.read(Self.bytes(of: [parts.presses[2], parts.others[5]], parts))
        #expect(report.complete && rest.records.map(\.sequence) == [6, 8, 16])
        let none = try Recording.read(Self.bytes(of: [], parts))
        #expect(none.report.complete && none.recording.records.isEmpty)
    }

    @Test func whatIsLeftStillHolds() throws {
        let parts = try TraceParts(TraceBytes(Self.trace()))
        let kept = try parts.minimised(while: { true }) { left in
            try Self.presses(Self.bytes(of: left, parts)).isSuperset(of: [2, 5])
        }
        #expect(kept.presses == [parts.presses[1], parts.presses[4]] && kept.others.isEmpty)
    }

    @Test func nothingIsAskedOnceNothingMayBe() {
        var left = 3
        let kept = DeltaDebugging.minimised(Array(0..<1_000_000), while: { left > 0 }) { _ in
            left -= 1
            return false
        }
        #expect(kept.count == 1_000_000 && left == 0)
    }
}
