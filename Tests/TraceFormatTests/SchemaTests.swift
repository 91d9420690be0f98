import KeyModel
import Testing

@testable import TraceFormat

/// The trace whose bytes `Traces/FORMAT.md` explains one by one.
func exampleTrace() throws -> [UInt8] {
    var recording = Recording()
    let view = recording.definitions.intern(ResponderDefinition(id: "vc", kind: "view"))
    recording.append(.firstResponder(FirstResponderRecord(responder: view, cause: .become)), at: .zero)
    func key(_ usage: KeyUsage, _ phase: KeyPhase, _ flags: KeyModifiers, _ press: UInt32?, _ time: Int64) {
        recording.append(
            .key(KeyRecord(device: 1, key: .clear(usage), phase: phase, modifiers: flags, press: press)),
            at: TraceTime(nanoseconds: time))
    }
    key(.leftGUI, .down, .command, nil, 1_000_000)
    key(.keyboard(0x1A), .down, .command, 1, 1_000_000)
    key(.keyboard(0x1A), .up, .command, 1, 31_000_000)
    key(.leftGUI, .up, [], nil, 31_000_000)
    recording.append(
        .key(KeyRecord(device: 2, key: .masked(.letter), phase: .down, modifiers: [], press: 2)),
        at: TraceTime(nanoseconds: 131_000_000))
    return try recording.bytes(header: TraceHeader(level: .keys, isMasked: true))
}
@Suite struct Dump { @Test func dump() throws {
  let b = try exampleTrace(); var i = 0
  while i < b.count { print("HEX", b[i..<min(i+16,b.count)].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(separator: " ")); i += 16 }
} }
